import Groot
import GrootSQL

// Inserting objects and links by COPY.

extension PostgreSQLStore {
  func insertRows(_ table: TableIndex, count: Int, row: @escaping (Int) -> StoreRow) throws {
    guard count > 0 else { return }
    let types = columnTypes[table]
    let entities = schema.tables[table].entities
    let names = ["_id", "_entity", "_version"] + columns(table)
    let order = try isFilling || count == 1 ? nil : order(table, count: count, row: row)
    var next = 0
    do {
      try connection.copy(
        "COPY \(name(table)) (\(names.joined(separator: ", "))) FROM STDIN (FORMAT binary)"
      ) { buffer in
        guard next < count else { return false }
        let row = row(order?[next] ?? next)
        next += 1
        buffer.append(Int16(truncatingIfNeeded: types.count + 3))
        buffer.append(Int32(8))
        buffer.append(row.key)
        buffer.append(text: entities[row.entity])
        buffer.append(Int32(8))
        buffer.append(row.version)
        for (column, type) in types.enumerated() {
          do {
            try buffer.append(row.values[column], as: type)
          } catch let failure as UnstorableValue {
            throw unstorable(failure, table: table, column: column, entity: row.entity)
          }
        }
        return true
      }
    } catch let failure as PostgreSQLFailure where failure.status == .storeDuplicate {
      let line = (failure.line ?? 0) - 1
      let key = (0..<count).contains(line) ? row(order?[line] ?? line).key : 0
      throw UniqueViolation(table: table, key: key, failure: grootError(failure))
    } catch {
      throw self.error(error)
    }
    noteInserted(table, row(0).key...row(count - 1).key)
    insertedCounts[table] += count
    do { try analyze(isLast: false) } catch { throw self.error(error) }
  }

  private func noteInserted(_ table: TableIndex, _ keys: ClosedRange<Int64>) {
    let last = insertedKeys[table].count - 1
    if last >= 0, insertedKeys[table][last].upperBound &+ 1 == keys.lowerBound {
      insertedKeys[table][last] = insertedKeys[table][last].lowerBound...keys.upperBound
    } else {
      insertedKeys[table].append(keys)
    }
  }

  /// Returns the numbers of rows in an order that all writers have, so that two which insert the
  /// same identities wait for each other once; nil for a table without identities.
  private func order(
    _ table: TableIndex, count: Int, row: (Int) -> StoreRow
  ) throws -> [Int]? {
    let identities = schema.tables[table].identities
    guard !identities.isEmpty else { return nil }
    var buffer = PostgreSQLBuffer()
    var hashes: [(hash: UInt64, number: Int)] = []
    hashes.reserveCapacity(count)
    for number in 0..<count {
      let row = row(number)
      buffer.removeAll()
      if let identity = identities.first(where: { $0.entities.contains(row.entity) }) {
        // A value that cannot be held is found when it is sent.
        for column in identity.columns {
          try? buffer.append(row.values[column], as: columnTypes[table][column])
        }
      }
      // FNV-1a: any order will do that does not differ between processes.
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in buffer.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hashes.append((hash, number))
    }
    hashes.sort { ($0.hash, $0.number) < ($1.hash, $1.number) }
    return hashes.map(\.number)
  }

  /// Returns the error of a value that PostgreSQL cannot hold.
  func unstorable(
    _ failure: UnstorableValue, table: TableIndex, column: Int, entity: Int
  ) -> GrootError {
    let property = schema.tables[table].columns[column].property
    return GrootError(
      GrootIssue(
        .outOfRange, "'\(property)' cannot be saved to '\(address.shown)': \(failure.reason)",
        entity: schema.tables[table].entities[entity], property: property))
  }

  // MARK: Links

  func insertLinks(_ join: Int, count: Int, link: @escaping (Int) -> StoreLink) throws {
    guard count > 0 else { return }
    insertedLinks[join] += count
    // Links of new objects are new, and others have none of them.
    var known: [StoreLink] = []
    let areNew = isFilling || (0..<count).allSatisfy { isNew(link($0), join: join) }
    guard areNew else {
      known.reserveCapacity(min(count, Self.rowsPerStatement))
      for number in 0..<count {
        known.append(link(number))
        guard known.count == Self.rowsPerStatement else { continue }
        try mergeLinks(join, known)
        known.removeAll(keepingCapacity: true)
      }
      return try mergeLinks(join, known)
    }
    var next = 0
    do {
      try connection.copy(
        "COPY \(quoted(layout.joins[join])) (source, target, source_order, target_order) "
          + "FROM STDIN (FORMAT binary)"
      ) { buffer in
        guard next < count else { return false }
        let link = link(next)
        next += 1
        buffer.append(Int16(4))
        for number in [link.source, link.target, link.sourcePosition, link.targetPosition] {
          buffer.append(Int32(8))
          buffer.append(number)
        }
        return true
      }
    } catch {
      throw self.error(error)
    }
  }

  private func isNew(_ link: StoreLink, join: Int) -> Bool {
    let description = schema.joins[join]
    return insertedKeys[description.source].contains { $0.contains(link.source) }
      || insertedKeys[description.target].contains { $0.contains(link.target) }
  }

  private func mergeLinks(_ join: Int, _ links: [StoreLink]) throws {
    guard !links.isEmpty else { return }
    var parameters = PostgreSQLParameters()
    parameters.add(links.lazy.map(\.source))
    parameters.add(links.lazy.map(\.target))
    parameters.add(links.lazy.map(\.sourcePosition))
    parameters.add(links.lazy.map(\.targetPosition))
    _ = try run(
      "INSERT INTO \(quoted(layout.joins[join])) (source, target, source_order, target_order) "
        + "SELECT * FROM unnest($1, $2, $3, $4) AS w (a, b, c, d) ORDER BY a, b "
        + "ON CONFLICT DO NOTHING", parameters)
  }
}

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
