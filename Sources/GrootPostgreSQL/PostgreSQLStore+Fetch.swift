import Groot
import GrootSQL

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
            throw rows.lacksValue(query.table, path: paths[position], type: type)
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
