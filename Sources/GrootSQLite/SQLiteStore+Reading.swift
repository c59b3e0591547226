import Groot
import GrootSQL

// Reading objects and links.

extension SQLiteStore {
  /// The numbers of keys or identities that a statement may have; a short group repeats the last.
  private static let groupSizes = [1, 8, 64, 512]

  // MARK: Objects

  func readRows(_ table: TableIndex, body: @escaping (StoreRow) throws -> Void) throws {
    let width = SQLiteRowSource.leading.count + schema.tables[table].columns.count
    try readingWhole(
      .readAll(table), columns: rows.object(table), width: width, of: name(table), order: "_id"
    ) {
      try passRows($0, table: table, body: body)
    }
  }

  func readRows(_ table: TableIndex, keys: [Int64], body: (StoreRow) throws -> Void) throws {
    try inGroups(keys) { keys, size in
      try reading(.readKeys(table, size)) {
        "SELECT \(rows.object(table)) FROM \(name(table)) WHERE _id IN (\(marks(size)))"
      } body: {
        $0.bind(keys, count: size)
        try eachRow($0, table: table, body: body)
      }
    }
  }

  func readRows(
    _ table: TableIndex, identity: Int, values: UnsafeBufferPointer<StoredValue>,
    body: (StoreRow) throws -> Void
  ) throws {
    let columns = schema.tables[table].identities[identity].columns
    let width = columns.count
    let largest = SQLiteDialect.limits.parameters / max(width, 1)
    var next = 0
    while next + width <= values.count {
      let left = (values.count - next) / width
      let size = Self.groupSize(left, largest: largest)
      try reading(.readIdentities(table, identity, size)) {
        identitySQL(table, number: identity, size: size)
      } body: { statement in
        for index in 0..<(size * width) {
          let part = min(index / width, left - 1) * width + index % width
          statement.bind(
            index + 1, value: values[next + part], as: rows.types[table][columns[index % width]])
        }
        try eachRow(statement, table: table, body: body)
      }
      next += min(left, size) * width
    }
  }

  /// Returns SQL that finds identities in their index; `IS` compares NULL like other values.
  ///
  /// One identity is compared with the parameters; a table of the wanted ones would cost more than the
  /// search.
  private func identitySQL(_ table: TableIndex, number: Int, size: Int) -> String {
    let identity = schema.tables[table].identities[number]
    let names = identity.columns.map { columns(table)[$0] }
    let wanted = names.indices.map { "value_\($0)" }
    var conditions = zip(names, wanted).map { name, wanted in
      "found.\(name) IS \(size == 1 ? "?" : "_wanted.\(wanted)")"
    }
    // Without the condition of the index SQLite would not use the index.
    if let entities = indexedEntities(schema.tables[table], identity: identity) {
      conditions.append("found._entity IN (\(entities))")
    }
    let condition = conditions.joined(separator: " AND ")
    if size == 1 {
      return "SELECT \(rows.object(table, alias: "found")) FROM \(name(table)) AS found "
        + "WHERE \(condition)"
    }
    let tuple = "(\(marks(wanted.count)))"
    let tuples = Array(repeating: tuple, count: size).joined(separator: ", ")
    return "WITH _wanted (\(wanted.joined(separator: ", "))) AS (VALUES \(tuples)) "
      + "SELECT \(rows.object(table)) FROM \(name(table)) WHERE _id IN (SELECT found._id "
      + "FROM _wanted CROSS JOIN \(name(table)) AS found WHERE \(condition))"
  }

  func readMembers(
    _ table: TableIndex, column: Int, of owners: [Int64], body: (StoreRow) throws -> Void
  ) throws {
    let reference = columns(table)[column]
    let order = [reference] + (positionColumn(table, column: column).map { [$0] } ?? []) + ["_id"]
    try inGroups(owners) { keys, size in
      try reading(.readMembers(table, column, size)) {
        "SELECT \(rows.object(table)) FROM \(name(table)) WHERE \(reference) IN (\(marks(size))) "
          + "ORDER BY \(order.joined(separator: ", "))"
      } body: {
        $0.bind(keys, count: size)
        try eachRow($0, table: table, body: body)
      }
    }
  }

  /// Returns the column with the positions of members in the list of a reference.
  private func positionColumn(_ table: TableIndex, column: Int) -> String? {
    schema.tables[table].listPosition(of: column).map { layout.column($0, of: table) }
  }

  func presentKeys(_ table: TableIndex, among keys: [Int64]) throws -> Set<Int64> {
    var found: Set<Int64> = []
    try inGroups(keys) { keys, size in
      try reading(.presentKeys(table, size)) {
        "SELECT _id FROM \(name(table)) WHERE _id IN (\(marks(size)))"
      } body: {
        $0.bind(keys, count: size)
        while try $0.step() { found.insert($0.integer(0)) }
      }
    }
    return found
  }

  func readEntities(
    _ table: TableIndex, keys: [Int64], body: (_ key: Int64, _ entity: Int) throws -> Void
  ) throws {
    try inGroups(keys) { keys, size in
      try reading(.readEntities(table, size)) {
        "SELECT _id, _entity FROM \(name(table)) WHERE _id IN (\(marks(size)))"
      } body: {
        $0.bind(keys, count: size)
        while try $0.step() {
          let key = $0.integer(0)
          try body(key, rows.entity(Array($0.bytes(1)), of: table, key: key))
        }
      }
    }
  }

  // MARK: Links

  func readLinks(_ join: Int, body: @escaping (StoreLink) throws -> Void) throws {
    // The order of the table's key, which costs nothing.
    try readingWhole(
      .readAllLinks(join), columns: rows.link(join), width: SQLRows.linkWidth,
      of: "\(quoted(layout.joins[join])) AS link", order: "source, target"
    ) { statement in
      try statement.passRows { try body(self.link(in: statement, join: join)) }
    }
  }

  func readLinks(
    _ join: Int, side: LinkSide, of owners: [Int64], body: (StoreLink) throws -> Void
  ) throws {
    let (end, other) = side.columns
    try inGroups(owners) { keys, size in
      try reading(.readLinks(join, side, size)) {
        "SELECT \(rows.link(join)) FROM \(quoted(layout.joins[join])) AS link WHERE \(end) IN "
          + "(\(marks(size))) ORDER BY \(end), \(end)_order, \(other)"
      } body: {
        $0.bind(keys, count: size)
        while try $0.step() { try body(link(in: $0, join: join)) }
      }
    }
  }

  /// Returns the link in the row of a statement.
  @inline(__always)
  private func link(in statement: SQLiteStatement, join: Int) throws -> StoreLink {
    try rows.link(
      join, source: statement.wholeNumber(0), target: statement.wholeNumber(1),
      sourcePosition: statement.wholeNumber(2), targetPosition: statement.wholeNumber(3),
      hasTwin: statement.integer(4) == 1)
  }

  // MARK: The state of the store

  func hasRows(_ table: TableIndex) throws -> Bool {
    try reading(.hasRows(table)) {
      "SELECT 1 FROM \(name(table)) LIMIT 1"
    } body: {
      try $0.step()
    }
  }

  var statementCount: Int { database.statementCount }

  // MARK: Statements

  /// Calls `body` with the statement for a purpose, and resets it afterwards.
  ///
  /// The statement is removed during the call, because `body` may read for the same purpose.
  func reading<Result>(
    _ purpose: StatementPurpose, passesRows: Bool = false, sql: () -> String,
    body: (SQLiteStatement) throws -> Result
  ) throws -> Result {
    let known = statements[purpose]
    let statement =
      if let known, !known.isLent {
        known
      } else {
        try SQLiteStatement(sql(), database: database, passesRows: passesRows)
      }
    if known == nil { statements[purpose] = statement }
    statement.isLent = true
    defer {
      statement.reset()
      statement.isLent = false
    }
    return try body(statement)
  }

  /// Calls `body` with the statement that reads a whole table.
  private func readingWhole(
    _ purpose: StatementPurpose, columns: String, width: Int, of table: String, order: String,
    body: (SQLiteStatement) throws -> Void
  ) throws {
    let passesRows = width <= database.rowFunction.limit
    try reading(purpose, passesRows: passesRows) {
      passesRows
        ? SQLiteRowFunction.sql(columns, of: table, order: order)
        : "SELECT \(columns) FROM \(table) ORDER BY \(order)"
    } body: {
      try body($0)
    }
  }

  /// Calls `body` with the keys in order and without duplicates, in groups of a statement's size.
  private func inGroups(
    _ keys: [Int64], body: (_ keys: ArraySlice<Int64>, _ size: Int) throws -> Void
  ) throws {
    var rest = keys.distinct[...]
    let largest = Self.groupSizes[Self.groupSizes.count - 1]
    while !rest.isEmpty {
      try body(rest.prefix(largest), Self.groupSize(rest.count, largest: largest))
      rest = rest.dropFirst(largest)
    }
  }

  /// Returns the size of the statement for so many keys, at most `largest` of them.
  private static func groupSize(_ count: Int, largest: Int) -> Int {
    var size = 1
    for next in groupSizes where size < count && next <= largest { size = next }
    return size
  }

  private func marks(_ count: Int) -> String {
    Array(repeating: "?", count: count).joined(separator: ", ")
  }
}

extension SQLiteStatement {
  /// Binds `count` parameters to keys, and repeats the last key.
  fileprivate func bind(_ keys: ArraySlice<Int64>, count: Int) {
    for index in 0..<count {
      bind(index + 1, number: keys[min(keys.startIndex + index, keys.endIndex - 1)])
    }
  }
}
