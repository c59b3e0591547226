import Groot
import GrootSQL

// Inserting any number of objects and links with one statement.

extension SQLiteStore {
  private static let linkTypes: [AttributeType] = Array(repeating: .integer64, count: 4)

  func nextKey(_ table: TableIndex) throws -> Int64 {
    let statement = try statement(.nextKey(table)) {
      "SELECT (SELECT seq FROM sqlite_sequence WHERE name = ?), (SELECT max(_id) FROM \(name(table)))"
    }
    defer { statement.reset() }
    statement.bind(1, text: layout.tables[table].name)
    guard try statement.step() else { return 1 }
    let last = try [0, 1].map { column -> Int64 in
      if statement.isNull(column) { return 0 }
      guard let number = statement.wholeNumber(column), number < Self.greatestNumber else {
        throw damaged(
          "the last key of '\(schema.tables[table].name)' is \(statement.string(column))")
      }
      return number
    }
    return max(last[0], last[1], 0) + 1
  }

  func setNextKey(_ table: TableIndex, to key: Int64) throws {
    // SQLite notes the last key, of which the greatest object may be long deleted.
    for sql in [
      "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1",
      "INSERT INTO sqlite_sequence (name, seq) SELECT ?1, ?2 "
        + "WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)",
    ] {
      let statement = try SQLiteStatement(sql, database: database)
      statement.bind(1, text: layout.tables[table].name)
      statement.bind(2, number: key &- 1)
      try statement.run()
    }
  }

  func takeKeys(_ table: TableIndex, count: Int) throws -> Int64 { try nextKey(table) }

  /// The upper bound of counters in a store.
  private static let greatestNumber = Int64.max / 2

  func insertRows(_ table: TableIndex, count: Int, row: @escaping (Int) -> StoreRow) throws {
    let indexes = SQLDefinition(schema: schema, layout: layout).indexes(table)
    try withoutIndexes(indexes, of: name(table), count: count) {
      let statement = try statement(.insertRows(table)) {
        let sources = rows.types[table].indices.map(SQLiteRowSource.column)
        let columns = ["_id", "_entity", "_version"] + self.columns(table)
        return insertion(
          "INSERT OR FAIL INTO \(name(table))", columns: columns,
          values: SQLiteRowSource.leading + sources)
      }
      do {
        try source.run(
          statement, count: count, types: rows.types[table], entityNames: entityNames[table],
          row: row)
      } catch let failure as GrootError where failure.status == .storeDuplicate {
        throw UniqueViolation(table: table, key: source.currentKey, failure: failure)
      }
    } violation: { index, failure in
      guard let key = try duplicate(index) else { return failure }
      return UniqueViolation(table: table, key: key, failure: failure)
    }
  }

  func insertLinks(_ join: Int, count: Int, link: @escaping (Int) -> StoreLink) throws {
    let name = quoted(layout.joins[join])
    let index = SQLDefinition(schema: schema, layout: layout).index(ofJoin: join)
    var values = Array(repeating: StoredValue.none, count: 4)
    try withoutIndexes([index], of: name, count: count) {
      // Another process may have inserted the same link.
      let statement = try statement(.insertLinks(join)) {
        insertion(
          "INSERT OR IGNORE INTO \(name)",
          columns: ["source", "target", "source_order", "target_order"],
          values: values.indices.map(SQLiteRowSource.column))
      }
      try values.withUnsafeMutableBufferPointer { buffer in
        let values = buffer
        try source.run(statement, count: count, types: Self.linkTypes, entityNames: []) { number in
          let link = link(number)
          values[0] = StoredValue(word: UInt64(bitPattern: link.source))
          values[1] = StoredValue(word: UInt64(bitPattern: link.target))
          values[2] = StoredValue(word: UInt64(bitPattern: link.sourcePosition))
          values[3] = StoredValue(word: UInt64(bitPattern: link.targetPosition))
          return StoreRow(key: 0, entity: 0, version: 0, values: UnsafeBufferPointer(values))
        }
      }
    }
  }

  private func insertion(_ start: String, columns: [String], values: [String]) -> String {
    "\(start) (\(columns.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) "
      + "FROM \(SQLiteRowSource.name)"
  }

  // MARK: Indexes

  /// Fills an empty table before it creates the indexes, which is faster because they are sorted.
  private func withoutIndexes(
    _ indexes: [SQLDefinition.Index], of table: String, count: Int, body: () throws -> Void,
    violation: (SQLDefinition.Index, GrootError) throws -> any Error = { $1 }
  ) throws {
    guard !isFilling, count >= Self.largeCount, !indexes.isEmpty, try isEmpty(table) else {
      return try body()
    }
    for index in indexes { try database.execute("DROP INDEX \(quoted(index.name))") }
    try body()
    for index in indexes {
      do {
        try database.execute(index.sql)
      } catch let failure as GrootError where failure.status == .storeDuplicate {
        throw try violation(index, failure)
      }
    }
  }

  /// Returns the key of an object whose indexed values an earlier object has, too.
  private func duplicate(_ index: SQLDefinition.Index) throws -> Int64? {
    let columns = index.columns.joined(separator: ", ")
    let conditions =
      index.columns.map { $0 + " IS NOT NULL" } + (index.condition.map { [$0] } ?? [])
    let statement = try SQLiteStatement(
      "SELECT max(_id) FROM \(quoted(index.table)) WHERE \(conditions.joined(separator: " AND ")) "
        + "GROUP BY \(columns) HAVING count(*) > 1 ORDER BY 1 LIMIT 1", database: database)
    return try statement.step() ? statement.integer(0) : nil
  }

  // MARK: Positions

  func takePositions(_ lists: StoreLists, count: Int64) throws -> Int64 {
    let position = try nextPosition(lists)
    try setNextPosition(lists, to: position &+ count)
    return position
  }

  func nextPosition(_ lists: StoreLists) throws -> Int64 {
    let statement = try statement(.nextPosition) { "SELECT value FROM _groot WHERE key = ?" }
    defer { statement.reset() }
    statement.bind(1, text: positionKey(lists))
    if try statement.step() {
      guard let position = statement.wholeNumber(0), (0..<Self.greatestNumber).contains(position)
      else {
        throw damaged("the next \(positionKey(lists)) is \(statement.string(0))")
      }
      return position
    }
    let last: Int64
    switch lists {
    case .members(let table, let column):
      let place = columns(table)[column]
      last = try database.integer("SELECT max(max(\(place)), -min(\(place))) FROM \(name(table))")
    case .links(let join):
      last = try database.integer(
        "SELECT max(max(source_order), max(target_order), -min(source_order), -min(target_order)) "
          + "FROM \(quoted(layout.joins[join]))")
    }
    guard last < Self.greatestNumber else {
      throw damaged("the last \(positionKey(lists)) is \(last)")
    }
    return max(last, 0) + 1
  }

  func setNextPosition(_ lists: StoreLists, to position: Int64) throws {
    let statement = try statement(.setNextPosition) {
      "INSERT OR REPLACE INTO _groot VALUES (?, ?)"
    }
    statement.bind(1, text: positionKey(lists))
    statement.bind(2, number: position)
    try statement.run()
  }

  private func positionKey(_ lists: StoreLists) -> String {
    switch lists {
    case .members(let table, let column):
      let column = schema.tables[table].columns[column]
      return Self.positionPrefix + column.entity + "." + column.property
    case .links(let join):
      return Self.positionPrefix + schema.joins[join].entity + "." + schema.joins[join].property
    }
  }

  /// The prefix of the keys of next positions.
  static let positionPrefix = "place of "
}
