import Groot
import GrootSQL

// Filling an empty store: keys, indexes and references are made when all rows are there, which is
// several times as fast.

extension PostgreSQLStore {
  /// The number of insertions from which this is worth its statements.
  private static let largeCount = 5_000

  /// Takes the references away, and the keys and indexes that no later batch needs, unless the store
  /// has rows, or others use it.
  ///
  /// Others wait until the commit, which brings them back.
  func prepareFilling(_ hint: WriteHint) throws {
    isFilling = false
    lacksReferences = false
    let isLarge = hint.isWholeStore || hint.insertions >= Self.largeCount
    let isAtOnce = hint.isSelfContained && isLarge
    guard isAtOnce || (hint.isInBatches && hasForeignKeys), try isEmpty() else { return }
    let definition = SQLDefinition(schema: schema, layout: layout)
    var statements = ["SAVEPOINT filling", "SET LOCAL lock_timeout = 1"]
    if hasForeignKeys { statements += definition.constraintDrops }
    if isAtOnce { statements += definition.indexDrops + definition.keyDrops }
    statements.append("SET LOCAL lock_timeout = \(options.lockTimeout)")
    var isReady = false
    do {
      try connection.run(statements.joined(separator: "; "))
      // Others may have written before the locks were there.
      isReady = try isEmpty()
    } catch let failure as PostgreSQLFailure where !failure.isDisconnection {
      // Another session uses a table, or another role owns it.
    }
    try connection.run(isReady ? "RELEASE filling" : "ROLLBACK TO filling")
    isFilling = isReady && isAtOnce
    lacksReferences = isReady && hasForeignKeys
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
    let definition = SQLDefinition(schema: schema, layout: layout)
    var statements = isFilling ? definition.keys + definition.indexes : []
    if lacksReferences { statements += definition.constraints }
    isFilling = false
    lacksReferences = false
    // One message for all would hide which index has a duplicate.
    for sql in statements { try connection.run(sql) }
  }

  /// Tells the planner of tables that have grown much, as far as the store's own statements need it.
  ///
  /// The smallest sample, 300 rows, will do: the store's statements need to know how many values are
  /// distinct, and the server's own analysis of all columns follows within minutes. Until
  /// the last batch of several a table is analyzed when it has doubled: without, each look-up of
  /// identities would read all of it.
  func analyze(isLast: Bool) throws {
    guard isLast || isInBatches else { return }
    func isDue(_ count: Int, _ analyzed: Int) -> Bool {
      count >= Self.largeCount && (isLast ? count > analyzed : count >= analyzed * 2)
    }
    var statements: [String] = []
    for table in schema.tableIndices where isDue(insertedCounts[table], analyzedCounts[table]) {
      analyzedCounts[table] = insertedCounts[table]
      let description = schema.tables[table]
      let found = description.columns.indices.filter { position in
        if case .reference = description.columns[position].kind { return true }
        return description.identities.contains { $0.columns.contains(position) }
      }
      let names = found.isEmpty ? ["_id"] : found.map { columns(table)[$0] }
      statements.append("ANALYZE \(name(table)) (\(names.joined(separator: ", ")))")
    }
    for join in schema.joins.indices where isDue(insertedLinks[join], analyzedLinks[join]) {
      analyzedLinks[join] = insertedLinks[join]
      statements.append("ANALYZE \(quoted(layout.joins[join])) (source, target)")
    }
    guard !statements.isEmpty else { return }
    statements = ["SAVEPOINT analysis", "SET LOCAL default_statistics_target = 1"] + statements
    // Rows of this transaction are in memory, where an index costs less than the planner thinks.
    if !isLast { statements.append("SET LOCAL random_page_cost = 1.1") }
    do {
      try connection.run((statements + ["RELEASE analysis"]).joined(separator: "; "))
    } catch let failure as PostgreSQLFailure where !failure.isDisconnection {
      // Other engines analyze tables by themselves.
      try connection.run("ROLLBACK TO analysis")
    }
  }
}
