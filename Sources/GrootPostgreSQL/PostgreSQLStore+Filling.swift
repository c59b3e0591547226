import Groot
import GrootSQL

// Filling an empty store: keys, indexes and references are made when all rows are there, which is
// several times as fast.

extension PostgreSQLStore {
  /// The number of insertions from which this is worth its statements.
  private static let largeCount = 5_000

  /// Takes the keys, indexes and references away, unless the store has rows, or others use it.
  ///
  /// Others wait until the commit, which brings them back.
  func prepareFilling(_ hint: WriteHint) throws {
    isFilling = false
    let isLarge = hint.isWholeStore || hint.insertions >= Self.largeCount
    guard hint.isSelfContained, isLarge, try isEmpty() else { return }
    let definition = SQLDefinition(schema: schema, layout: layout)
    var statements = ["SAVEPOINT filling", "SET LOCAL lock_timeout = 1"]
    if hasForeignKeys { statements += definition.constraintDrops }
    statements += definition.indexDrops + definition.keyDrops
    statements.append("SET LOCAL lock_timeout = \(options.lockTimeout)")
    do {
      try connection.run(statements.joined(separator: "; "))
      // Others may have written before the locks were there.
      isFilling = try isEmpty()
    } catch let failure as PostgreSQLFailure where !failure.isDisconnection {
      // Another session uses a table, or another role owns it.
    }
    if !isFilling { try connection.run("ROLLBACK TO filling") }
  }

  private func isEmpty() throws -> Bool {
    let names = schema.tableIndices.map(name) + layout.joins.map(quoted)
    guard !names.isEmpty else { return false }
    let parts = names.map { "EXISTS (SELECT 1 FROM \($0))" }
    let result = try connection.run("SELECT \(parts.joined(separator: " OR "))")
    return result.count == 1 && result.text(0, 0) == "f"
  }

  /// Makes the keys, indexes and references of the rows.
  func finishFilling() throws {
    guard isFilling else { return }
    isFilling = false
    let definition = SQLDefinition(schema: schema, layout: layout)
    for sql in definition.keys + definition.indexes { try connection.run(sql) }
    if hasForeignKeys { for sql in definition.constraints { try connection.run(sql) } }
  }

  /// Tells the planner of tables that have grown much, as far as the store's own statements need it.
  func analyze() throws {
    for table in schema.tableIndices where insertedCounts[table] >= Self.largeCount {
      let description = schema.tables[table]
      let found = description.columns.indices.filter { position in
        if case .reference = description.columns[position].kind { return true }
        return description.identities.contains { $0.columns.contains(position) }
      }
      let names = ["_id"] + found.map { columns(table)[$0] }
      try connection.run("ANALYZE \(name(table)) (\(names.joined(separator: ", ")))")
    }
    for join in schema.joins.indices where insertedLinks[join] >= Self.largeCount {
      try connection.run("ANALYZE \(quoted(layout.joins[join])) (source, target)")
    }
  }
}
