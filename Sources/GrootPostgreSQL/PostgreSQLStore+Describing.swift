import Groot
import GrootSQL

// The facts about a store of any model, and the texts that programs keep in it.

extension PostgreSQLStore {
  /// Describes a store that was opened without its schema.
  func description(countsObjects: Bool) throws -> StoreDescription {
    guard try findSchema().hasStore else { throw lacksStore }
    let found = try metadata()
    let described = try structure.described(model: found.model, structure: found.structure)
    var description = StoreDescription(
      format: found.format, size: nil, hasViews: false, model: described.schema.document)
    do {
      try require(described.schema, layout: described.layout)
    } catch let failure as GrootError where failure.status == .storeInvalid {
      description.faults = failure.issues.map(\.message)
    }
    _ = try begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(settings(isReading: true))")
    defer { rollBackOpening() }
    description.hasViews = try !recordedViews().isEmpty
    try eachNote { description.notes[$0] = $1 }
    let definition = SQLDefinition(schema: described.schema, layout: described.layout)
    description.statements = definition.tables + definition.indexes
    if found.hasForeignKeys { description.statements += definition.constraints }
    if countsObjects, description.faults.isEmpty {
      description.counts = try SQLContent(described.layout, runner: self).entityCounts(
        described.schema)
    }
    // A server without this function ends the transaction, so it comes last.
    description.size = size(described.layout)
    return description
  }

  /// Returns the size of the tables with their indexes; nil where the server does not tell it.
  private func size(_ layout: SQLLayout) -> Int64? {
    let names = layout.tables.map(\.name) + layout.joins + ["_groot"]
    let sizes = names.map { "pg_total_relation_size(\(quotedText(quoted($0))))" }
    let found = try? connection.run("SELECT \(sizes.joined(separator: " + "))")
    return found.flatMap { $0.count == 1 ? Int64($0.text(0, 0)) : nil }
  }
}

extension StoreDescription {
  /// Reads the facts about the store in a database of PostgreSQL, which is not changed.
  ///
  /// - Parameters:
  ///   - storeURL: The URL, as for a context.
  ///   - countsObjects: Whether to count the objects, which reads the whole store.
  /// - Throws: ``Status/fileError`` for a schema without a store, ``Status/storeInvalid``,
  ///   ``Status/storeTooNew``, ``Status/storeDisconnected``, ``Status/unsupported`` without libpq.
  public init(storeURL: String, countsObjects: Bool = false) throws(GrootError) {
    self = try GrootError.carrying {
      var options = PostgreSQLStoreOptions()
      options.creates = false
      let store = try PostgreSQLStore(
        storeURL, schema: StoreSchema.unknown, options: options, isKnown: false)
      do {
        return try store.description(countsObjects: countsObjects)
      } catch {
        throw store.error(error)
      }
    }
  }
}

// Texts that programs keep in the store.

extension PostgreSQLStore {
  func note(_ name: String) throws -> String? {
    var parameters = PostgreSQLParameters()
    parameters.add(SQLDefinition.notePrefix + name)
    let result = try run("SELECT value FROM _groot WHERE key = $1", parameters)
    return result.count == 1 && !result.isNull(0, 0) ? result.text(0, 0) : nil
  }

  func eachNote(_ body: (String, String) throws -> Void) throws {
    let prefix = SQLDefinition.notePrefix
    let result = try run(
      "SELECT key, value FROM _groot WHERE key LIKE '\(prefix)%' AND value IS NOT NULL "
        + "ORDER BY key")
    for row in 0..<result.count {
      let name = String(decoding: result.bytes(row, 0).dropFirst(prefix.utf8.count), as: UTF8.self)
      try body(name, result.text(row, 1))
    }
  }

  func setNote(_ name: String, to text: String?) throws {
    var parameters = PostgreSQLParameters()
    parameters.add(SQLDefinition.notePrefix + name)
    guard let text else {
      _ = try run("DELETE FROM _groot WHERE key = $1", parameters)
      return
    }
    parameters.add(text)
    _ = try run(
      "INSERT INTO _groot (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE "
        + "SET value = EXCLUDED.value WHERE _groot.value IS DISTINCT FROM EXCLUDED.value",
      parameters)
  }
}
