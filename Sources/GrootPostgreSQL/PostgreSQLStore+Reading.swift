import Groot
import GrootSQL

// Reading objects and links, by key and by query.

extension PostgreSQLStore {
  /// The number of keys or identities that one statement reads.
  private static let groupSize = 4_096

  // MARK: Objects

  func readRows(_ table: TableIndex, body: @escaping (StoreRow) throws -> Void) throws {
    try eachPage(
      "SELECT \(rows.object(table)) FROM \(name(table)) ORDER BY _id", PostgreSQLParameters(),
      columns: columnTypes[table].count + 3
    ) { try eachRow($0, table: table, body: body) }
  }

  func readRows(_ table: TableIndex, keys: [Int64], body: (StoreRow) throws -> Void) throws {
    try inGroups(keys) { keys in
      var parameters = PostgreSQLParameters()
      parameters.add(keys)
      let result = try run(
        "SELECT \(rows.object(table)) FROM \(name(table)) WHERE _id = ANY ($1)", parameters)
      try eachRow(result, table: table, body: body)
    }
  }

  func readRows(
    _ table: TableIndex, identity: Int, values: UnsafeBufferPointer<StoredValue>,
    body: (StoreRow) throws -> Void
  ) throws {
    let width = schema.tables[table].identities[identity].columns.count
    guard width > 0 else { return }
    // An index has no missing values, so identities that lack the same parts are found together.
    var groups: [[Bool]: [Int]] = [:]
    for start in stride(from: 0, to: values.count - width + 1, by: width) {
      groups[(0..<width).map { values[start + $0].isPresent }, default: []].append(start)
    }
    for (present, starts) in groups.sortedFew(by: { $0.value[0] < $1.value[0] }) {
      var rest = starts[...]
      while !rest.isEmpty {
        let group = rest.prefix(Self.groupSize)
        rest = rest.dropFirst(Self.groupSize)
        try readRows(
          table, identity: identity, present: present, starts: group, values: values, body: body)
      }
    }
  }

  private func readRows(
    _ table: TableIndex, identity number: Int, present: [Bool], starts: ArraySlice<Int>,
    values: UnsafeBufferPointer<StoredValue>, body: (StoreRow) throws -> Void
  ) throws {
    let identity = schema.tables[table].identities[number]
    var parameters = PostgreSQLParameters()
    var arrays: [String] = []
    var conditions: [String] = []
    for (part, column) in identity.columns.enumerated() {
      let found = "found.\(columns(table)[column])"
      guard present[part] else {
        conditions.append("\(found) IS NULL")
        continue
      }
      do {
        try parameters.add(array: columnTypes[table][column], count: starts.count) {
          values[starts[starts.startIndex + $0] + part]
        }
      } catch is UnstorableValue {
        return try readStorable(
          table, identity: number, starts: starts, values: values, body: body)
      }
      arrays.append("$\(arrays.count + 1)")
      conditions.append("\(found) = wanted.value_\(arrays.count)")
    }
    if let entities = indexedEntities(schema.tables[table], identity: identity) {
      conditions.append("found._entity IN (\(entities))")
    }
    var source = "\(name(table)) AS found"
    if !arrays.isEmpty {
      let names = arrays.indices.map { "value_\($0 + 1)" }.joined(separator: ", ")
      source =
        "(SELECT DISTINCT * FROM unnest(\(arrays.joined(separator: ", "))) AS w (\(names))) "
        + "AS wanted JOIN \(source) ON TRUE"
    }
    let result = try run(
      "SELECT \(rows.object(table, alias: "found")) FROM \(source) "
        + "WHERE \(conditions.joined(separator: " AND "))", parameters)
    try eachRow(result, table: table, body: body)
  }

  /// Reads the objects of identities, of which some cannot be in the store.
  private func readStorable(
    _ table: TableIndex, identity: Int, starts: ArraySlice<Int>,
    values: UnsafeBufferPointer<StoredValue>, body: (StoreRow) throws -> Void
  ) throws {
    let identityColumns = schema.tables[table].identities[identity].columns
    var buffer = PostgreSQLBuffer()
    var storable: [StoredValue] = []
    for start in starts {
      buffer.removeAll()
      let parts = identityColumns.indices.map { values[start + $0] }
      do {
        for (part, column) in identityColumns.enumerated() {
          try buffer.append(parts[part], as: columnTypes[table][column])
        }
      } catch is UnstorableValue {
        continue
      }
      storable += parts
    }
    guard !storable.isEmpty else { return }
    try storable.withUnsafeBufferPointer {
      try readRows(table, identity: identity, values: $0, body: body)
    }
  }

  func readMembers(
    _ table: TableIndex, column: Int, of owners: [Int64], body: (StoreRow) throws -> Void
  ) throws {
    let reference = columns(table)[column]
    let position = schema.tables[table].listPosition(of: column).map {
      layout.column($0, of: table) + " NULLS FIRST"
    }
    let order = [reference] + [position].compactMap(\.self) + ["_id"]
    try inGroups(owners) { keys in
      var parameters = PostgreSQLParameters()
      parameters.add(keys)
      let result = try run(
        "SELECT \(rows.object(table)) FROM \(name(table)) WHERE \(reference) = ANY ($1) "
          + "ORDER BY \(order.joined(separator: ", "))", parameters)
      try eachRow(result, table: table, body: body)
    }
  }

  func presentKeys(_ table: TableIndex, among keys: [Int64]) throws -> Set<Int64> {
    var found: Set<Int64> = []
    try inGroups(keys) { keys in
      var parameters = PostgreSQLParameters()
      parameters.add(keys)
      let result = try run("SELECT _id FROM \(name(table)) WHERE _id = ANY ($1)", parameters)
      for row in 0..<result.count { if let key = result.integer(row, 0) { found.insert(key) } }
    }
    return found
  }

  func readEntities(
    _ table: TableIndex, keys: [Int64], body: (_ key: Int64, _ entity: Int) throws -> Void
  ) throws {
    try inGroups(keys) { keys in
      var parameters = PostgreSQLParameters()
      parameters.add(keys)
      let result = try run(
        "SELECT _id, _entity FROM \(name(table)) WHERE _id = ANY ($1)", parameters)
      for row in 0..<result.count {
        let key = result.integer(row, 0) ?? 0
        try body(key, rows.entity(Array(result.bytes(row, 1)), of: table, key: key))
      }
    }
  }

  func hasRows(_ table: TableIndex) throws -> Bool { try hasRows(name(table)) }

  func hasRows(_ table: String) throws -> Bool {
    let result = try run("SELECT EXISTS (SELECT 1 FROM \(table))")
    return result.count == 1 && result.truth(0, 0)
  }

  // MARK: Links

  func readLinks(_ join: Int, body: @escaping (StoreLink) throws -> Void) throws {
    try eachPage(
      "SELECT \(rows.link(join)) FROM \(quoted(layout.joins[join])) AS link",
      PostgreSQLParameters(), columns: 4
    ) { try eachLink($0, join: join, body: body) }
  }

  func readLinks(
    _ join: Int, side: LinkSide, of owners: [Int64], body: (StoreLink) throws -> Void
  ) throws {
    let (end, other) = side.columns
    try inGroups(owners) { keys in
      var parameters = PostgreSQLParameters()
      parameters.add(keys)
      let result = try run(
        "SELECT \(rows.link(join)) FROM \(quoted(layout.joins[join])) AS link "
          + "WHERE \(end) = ANY ($1) ORDER BY \(end), \(end)_order, \(other)", parameters)
      try eachLink(result, join: join, body: body)
    }
  }

  private func eachLink(
    _ result: PostgreSQLResult, join: Int, body: (StoreLink) throws -> Void
  ) throws {
    for row in 0..<result.count {
      try body(
        rows.link(
          join, source: result.integer(row, 0), target: result.integer(row, 1),
          sourcePosition: result.integer(row, 2), targetPosition: result.integer(row, 3),
          hasTwin: result.truth(row, 4)))
    }
  }

  /// Calls `body` with the keys in order and without duplicates, in groups.
  private func inGroups(_ keys: [Int64], body: (ArraySlice<Int64>) throws -> Void) throws {
    var rest = keys.distinct[...]
    while !rest.isEmpty {
      try body(rest.prefix(Self.groupSize))
      rest = rest.dropFirst(Self.groupSize)
    }
  }
}

// Answering queries.

extension PostgreSQLStore {
  func fetch(_ query: StoreQuery, body: (StoreRow) throws -> Void) throws -> Bool {
    var sql = SQLQuery(schema, layout: layout)
    sql.fetch(query) { rows.object(query.table, alias: $0) }
    guard let parameters = try parameters(sql) else { return false }
    if let limit = query.limit, limit <= Self.rowsPerStatement {
      try eachRow(run(sql.text, parameters), table: query.table, body: body)
    } else {
      try eachPage(sql.text, parameters, columns: columnTypes[query.table].count + 3) {
        try eachRow($0, table: query.table, body: body)
      }
    }
    return true
  }

  func count(_ query: StoreQuery) throws -> Int? {
    var sql = SQLQuery(schema, layout: layout)
    sql.count(query)
    guard let parameters = try parameters(sql) else { return nil }
    let result = try run(sql.text, parameters)
    return result.count == 1 ? result.integer(0, 0).map { Int($0) } : 0
  }

  func select(
    _ query: StoreQuery, paths: [PropertyPath], isDistinct: Bool,
    body: (UnsafeBufferPointer<StoredValue>) throws -> Void
  ) throws -> Bool {
    var sql = SQLQuery(schema, layout: layout)
    let types = sql.select(query, paths: paths, isDistinct: isDistinct)
    guard let parameters = try parameters(sql) else { return false }
    var values = Array(repeating: StoredValue.none, count: types.count)
    try eachPage(sql.text, parameters, columns: types.count) { result in
      for row in 0..<result.count {
        for (position, type) in types.enumerated() {
          guard let value = result.value(row, position, as: type) else {
            throw rows.failure(
              of: shownText(result.bytes(row, position)), table: query.table, path: paths[position],
              type: type)
          }
          values[position] = value
        }
        try values.withUnsafeBufferPointer(body)
      }
    }
    return true
  }

  /// Returns the parameters of a query; nil when PostgreSQL cannot answer it.
  ///
  /// A value that it cannot hold may still be compared with, in memory.
  private func parameters(_ query: SQLQuery) throws -> PostgreSQLParameters? {
    guard query.isPossible else { return nil }
    do {
      return try PostgreSQLParameters(query.parameters)
    } catch is UnstorableValue {
      return nil
    }
  }
}
