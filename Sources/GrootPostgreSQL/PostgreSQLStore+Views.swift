import Groot
import GrootSQL

// Views of a store's objects, for people and their tools; the store never reads them.

extension PostgreSQLStore {
  /// The key of the views that the store made: an object of their statements by their names.
  private static let viewsKey = "views"

  /// Makes a view of each entity, unless the schema has them.
  ///
  /// - Throws: ``Status/invalidArgument`` when something else has a view's name; the schema is then
  ///   as it was.
  func requireViews() throws {
    let wanted = SQLView.all(schema, layout: layout)
    do {
      _ = try begin("BEGIN; \(settings(isReading: false))")
      _ = try connection.run("SELECT number FROM _groot WHERE key = 'model' FOR UPDATE")
      let recorded = try recordedViews()
      let present = try presentViews()
      let isDone = wanted.allSatisfy {
        recorded[$0.name] == .string($0.sql) && present.contains(Name($0.name))
      }
      if !isDone || recorded.count != wanted.count {
        _ = try dropViews()
        try makeViews()
      }
      try connection.run("COMMIT")
    } catch {
      rollBackOpening()
      throw self.error(error)
    }
  }

  /// Drops the views that the store made; returns whether it has made any.
  func dropViews() throws -> Bool {
    let recorded = try recordedViews()
    guard !recorded.isEmpty else { return false }
    let present = try presentViews()
    for name in recorded.keys where present.contains(Name(name)) {
      try connection.run("DROP VIEW \(quoted(name))")
    }
    return !recorded.isEmpty
  }

  /// Makes a view of each entity, in a transaction that is open.
  func makeViews() throws {
    var texts = JSONObject()
    for view in SQLView.all(schema, layout: layout) {
      do {
        try connection.run(view.sql)
      } catch let failure as PostgreSQLFailure where failure.state == "42P07" {
        throw GrootError(
          GrootIssue(
            .invalidArgument,
            "the schema '\(databaseSchema)' of '\(address.shown)' has a table or view '\(view.name)' "
              + "that another program made: rename it, or open the store without \"views\"",
            entity: view.view.entity))
      }
      texts[view.name] = .string(view.sql)
    }
    try connection.run(
      "DELETE FROM _groot WHERE key = '\(Self.viewsKey)'; INSERT INTO _groot (key, value) "
        + "VALUES ('\(Self.viewsKey)', \(quotedText(JSONValue.object(texts).description)))")
  }

  /// Returns the statements of the views that the store made, by name.
  func recordedViews() throws -> JSONObject {
    let rows = try connection.run("SELECT value FROM _groot WHERE key = '\(Self.viewsKey)'")
    guard rows.count == 1 else { return JSONObject() }
    guard case .object(let texts)? = try? JSONValue(parsing: rows.text(0, 0)) else {
      throw damaged("the list of its views cannot be read")
    }
    return texts
  }

  private func presentViews() throws -> Set<Name> {
    let rows = try connection.run(
      "SELECT table_name FROM information_schema.views "
        + "WHERE table_schema = \(quotedText(databaseSchema))")
    return Set((0..<rows.count).map { Name(rows.text($0, 0)) })
  }
}
