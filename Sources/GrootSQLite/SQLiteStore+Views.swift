import Groot

// Views of a store's objects, for people and their tools; the store never reads them.

extension SQLiteStore {
  /// The key of the statements that made the store's views.
  private static let viewsKey = "views"

  /// Makes a view of each entity, unless the file has them.
  ///
  /// - Throws: ``Status/invalidArgument`` when something else has a view's name; the file is then
  ///   as it was.
  func requireViews() throws {
    let texts = viewTexts()
    guard try recordedViews() != texts || !presentViews().isSuperset(of: texts.map(Name.init))
    else { return }
    try begin()
    do {
      _ = try dropViews()
      try makeViews()
      try commit()
    } catch {
      rollBack()
      throw error
    }
  }

  /// Drops the views that the store made; whether there were any.
  func dropViews() throws -> Bool {
    let recorded = Set(try recordedViews().map(Name.init))
    guard !recorded.isEmpty else { return false }
    var names: [String] = []
    do {
      let statement = try SQLiteStatement(
        "SELECT name, sql FROM sqlite_master WHERE type = 'view'", database: database)
      while try statement.step() {
        if recorded.contains(Name(statement.string(1))) { names.append(statement.string(0)) }
      }
    }
    for name in names { try database.execute("DROP VIEW \(quoted(name))") }
    return true
  }

  /// Makes a view of each entity, in a transaction that is open.
  func makeViews() throws {
    for view in views() {
      let statement = try SQLiteStatement(
        "SELECT type FROM sqlite_master WHERE name = ? COLLATE NOCASE", database: database)
      statement.bind(1, text: view.name)
      if try statement.step() {
        throw GrootError(
          GrootIssue(
            .invalidArgument,
            "the store '\(database.path)' has a \(statement.string(0)) '\(view.name)' that another "
              + "program made: rename it, or open the store without \"views\"",
            entity: view.view.entity))
      }
      try database.execute(view.sql)
    }
    try setMetadata(
      Self.viewsKey, to: JSONValue.array(viewTexts().map(JSONValue.string)).description)
  }

  private func views() -> [SQLiteView] {
    let views = schema.views
    return zip(views, layout.names(of: views)).map {
      SQLiteView(view: $0, name: $1, schema: schema, layout: layout)
    }
  }

  private func viewTexts() -> [String] { views().map(\.sql) }

  /// The statements that made the store's views; none if it has never made any.
  private func recordedViews() throws -> [String] {
    let count = try database.integer("SELECT count(*) FROM _groot WHERE key = '\(Self.viewsKey)'")
    guard count > 0 else { return [] }
    guard let document = try? JSONValue(parsing: metadata(Self.viewsKey)),
      case .array(let texts) = document
    else { throw damaged("the list of its views cannot be read") }
    return texts.compactMap(\.stringValue)
  }

  private func presentViews() throws -> Set<Name> {
    var texts: Set<Name> = []
    let statement = try SQLiteStatement(
      "SELECT sql FROM sqlite_master WHERE type = 'view'", database: database)
    while try statement.step() { texts.insert(Name(statement.string(0))) }
    return texts
  }
}
