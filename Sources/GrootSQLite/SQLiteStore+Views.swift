import Groot
import GrootSQL

// Views and triggers for other programs; the store reads no view, and runs no trigger.

extension SQLiteStore {
  /// The key of the statements that made the store's views.
  static let viewsKey = "views"

  /// Makes a view of each entity, unless the file has them.
  ///
  /// - Throws: ``Status/invalidArgument`` when something else has a view's name; the file is then
  ///   as it was.
  func requireViews() throws {
    let texts = views().map { Name($0.sql) }
    let present = Set(try presentViews().map(\.text))
    guard try recordedViews() != texts || !present.isSuperset(of: texts) else { return }
    try inTransaction {
      _ = try dropViews()
      try makeViews()
    }
  }

  /// Drops the views that the store made; returns whether it has made any.
  func dropViews() throws -> Bool {
    let recorded = Set(try recordedViews())
    guard !recorded.isEmpty else { return false }
    for view in try presentViews() where recorded.contains(view.text) {
      try database.execute("DROP VIEW \(quoted(view.name))")
    }
    return true
  }

  /// Makes a view of each entity, in a transaction that is open.
  func makeViews() throws {
    let taken = try typesByName()
    var texts: [JSONValue] = []
    for view in views() {
      if let type = taken[folded(view.name)] {
        throw GrootError(
          GrootIssue(
            .invalidArgument,
            "the store '\(database.path)' has a \(type) '\(view.name)' that another program made: "
              + "rename it, or open the store without \"views\"", entity: view.view.entity))
      }
      let sql = view.sql
      try database.execute(sql)
      texts.append(.string(sql))
    }
    try setMetadata(Self.viewsKey, to: JSONValue.array(texts).description)
  }

  private func views() -> [SQLView] { SQLView.all(schema, layout: layout) }

  /// Returns the statements that made the store's views; none if it has never made any.
  private func recordedViews() throws -> [Name] {
    guard let text = try optionalMetadata(Self.viewsKey) else { return [] }
    guard let document = try? JSONValue(parsing: text), case .array(let texts) = document else {
      throw damaged("the list of its views cannot be read")
    }
    return texts.compactMap { $0.stringValue.map(Name.init) }
  }

  /// Returns all views of the file, those of other programs included.
  private func presentViews() throws -> [(name: String, text: Name)] {
    var found: [(name: String, text: Name)] = []
    let statement = try SQLiteStatement(
      "SELECT name, sql FROM sqlite_master WHERE type = 'view'", database: database)
    while try statement.step() {
      found.append((statement.string(0), Name(statement.string(1))))
    }
    return found
  }

  /// Returns the types of all tables, indexes and views, by name as SQLite compares names.
  private func typesByName() throws -> [[UInt8]: String] {
    var types: [[UInt8]: String] = [:]
    let statement = try SQLiteStatement("SELECT name, type FROM sqlite_master", database: database)
    while try statement.step() { types[folded(statement.string(0))] = statement.string(1) }
    return types
  }

  // MARK: Triggers

  /// Makes the triggers of all tables, unless the file has them.
  func requireVersionTriggers() throws {
    let present = Set(try VersionTrigger.all(in: database).map { Name($0.sql) })
    let missing = versionTriggers.filter { !present.contains(Name($0.sql)) }
    guard !missing.isEmpty else { return }
    try inTransaction { for trigger in missing { try trigger.make(in: database) } }
  }

  /// The triggers of all tables.
  var versionTriggers: [VersionTrigger] {
    layout.tables.map { VersionTrigger(table: $0.name) }
  }
}
