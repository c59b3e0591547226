import Groot
import GrootSQL

// Answering queries.

extension SQLiteStore {
  /// The number of statements that are kept for later queries.
  private static let keptQueries = 64

  func fetch(_ query: StoreQuery, body: (StoreRow) throws -> Void) throws -> Bool {
    var sql = SQLQuery(schema, layout: layout)
    sql.fetch(query) { rows.object(query.table, alias: $0) }
    let isDone: Bool? = try run(sql) { statement in
      try eachRow(statement, table: query.table, isAscending: query.order.isEmpty, body: body)
      return true
    }
    return isDone ?? false
  }

  func count(_ query: StoreQuery) throws -> Int? {
    var sql = SQLQuery(schema, layout: layout)
    sql.count(query)
    return try run(sql) { try $0.step() ? Int($0.integer(0)) : 0 }
  }

  func select(
    _ query: StoreQuery, paths: [PropertyPath], isDistinct: Bool,
    body: (UnsafeBufferPointer<StoredValue>) throws -> Void
  ) throws -> Bool {
    var sql = SQLQuery(schema, layout: layout)
    let types = sql.select(query, paths: paths, isDistinct: isDistinct)
    var values = Array(repeating: StoredValue.none, count: types.count)
    let isDone: Bool? = try run(sql) { statement in
      while try statement.step() {
        for (position, type) in types.enumerated() {
          guard let value = statement.value(position, as: type, isComputed: isDistinct) else {
            throw rows.failure(
              of: statement.literal(position), table: query.table, path: paths[position], type: type
            )
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
    _ query: SQLQuery, body: (SQLiteStatement) throws -> Result
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
    statement.bindCopies(of: query.parameters, isCompared: true)
    return try body(statement)
  }
}

extension SQLiteStatement {
  /// Binds copies of all parameters of a statement, in the order of their marks.
  ///
  /// - Parameter isCompared: Whether reals are compared, and not kept in a column.
  func bindCopies(of parameters: [SQLQuery.Parameter], isCompared: Bool = false) {
    var last = 0
    func bind(_ value: Value, _ type: AttributeType) {
      last += 1
      value.withStored(type) {
        if isCompared, type == .double || type == .float, $0.isPresent {
          self.bind(last, real: $0.real)
        } else {
          bindCopy(last, value: $0, as: type)
        }
      }
    }
    for parameter in parameters {
      switch parameter {
      case .integer(let number):
        last += 1
        self.bind(last, number: number)
      case .value(let value, let type): bind(value, type)
      case .values(let values, let type): for value in values { bind(value, type) }
      case .keys(let keys):
        bind(.string("[" + keys.map(String.init).joined(separator: ",") + "]"), .string)
      }
    }
  }
}
