import Groot

// Answering queries.

extension SQLiteStore {
  /// The number of statements that are kept for later queries.
  private static let keptQueries = 64

  func fetch(_ query: StoreQuery, body: (StoreRow) throws -> Void) throws -> Bool {
    var sql = SQLiteQuery(schema, layout: layout)
    sql.fetch(query) { rowColumns(query.table, alias: $0) }
    let isDone: Bool? = try run(sql) { statement in
      try eachRow(statement, table: query.table, isAscending: query.order.isEmpty, body: body)
      return true
    }
    return isDone ?? false
  }

  func count(_ query: StoreQuery) throws -> Int? {
    var sql = SQLiteQuery(schema, layout: layout)
    sql.count(query)
    return try run(sql) { try $0.step() ? Int($0.integer(0)) : 0 }
  }

  func select(
    _ query: StoreQuery, paths: [PropertyPath], isDistinct: Bool,
    body: (UnsafeBufferPointer<StoredValue>) throws -> Void
  ) throws -> Bool {
    var sql = SQLiteQuery(schema, layout: layout)
    let types = sql.select(query, paths: paths, isDistinct: isDistinct)
    var values = Array(repeating: StoredValue.none, count: types.count)
    let isDone: Bool? = try run(sql) { statement in
      while try statement.step() {
        for (position, type) in types.enumerated() {
          guard let value = statement.value(position, as: type) else {
            throw damaged(
              "an object of '\(schema.tables[query.table].name)' has no \(type.rawValue) in "
                + "'\(paths[position].text)'")
          }
          values[position] = value
        }
        try values.withUnsafeBufferPointer(body)
      }
      return true
    }
    return isDone ?? false
  }

  /// Calls `body` with the statement of a query; nil when SQLite cannot answer it.
  private func run<Result>(
    _ query: SQLiteQuery, body: (SQLiteStatement) throws -> Result
  ) throws -> Result? {
    guard query.isPossible else { return nil }
    if queries.count >= Self.keptQueries { queries = [:] }
    // The statement is removed during the call, because `body` may run the same query.
    let statement =
      try queries.remove(query.text) ?? SQLiteStatement(query.text, database: database)
    defer {
      statement.reset()
      queries[query.text] = statement
    }
    for (index, parameter) in query.parameters.enumerated() {
      switch parameter {
      case .integer(let number): statement.bind(index + 1, number: number)
      case .value(let value, let type):
        value.withStored(type) { statement.bindCopy(index + 1, value: $0, as: type) }
      }
    }
    return try body(statement)
  }
}
