import Groot

// Objects in the lines that a statement gives.

extension SQLiteStore {
  /// What a statement selects that gives objects; `alias` is that of the table, where it has one.
  func rowColumns(_ table: Int, _ alias: String = "") -> String {
    let front = alias.isEmpty ? "" : alias + "."
    return (["_id", "_entity", "_version"] + columns(table)).map { front + $0 }
      .joined(separator: ", ")
  }

  /// Calls `body` with the objects that a statement gives, which selects ``rowColumns(_:_:)``.
  func eachRow(
    _ statement: SQLiteStatement, _ table: Int, _ body: (StoreRow) throws -> Void
  ) throws {
    let types = types[table]
    var values = Array(repeating: StoredValue.none, count: types.count)
    var last: (name: String, number: Int)?
    while try statement.step() {
      let key = statement.integer(0)
      let entity = statement.bytes(1)
      if last?.name.utf8.elementsEqual(entity) != true {
        let name = String(decoding: entity, as: UTF8.self)
        guard let number = entityNumbers[table][name] else {
          throw damaged(
            "the object \(key) of '\(schema.tables[table].name)' is of no entity, '\(name)'")
        }
        last = (name, number)
      }
      for (position, type) in types.enumerated() {
        guard let value = statement.value(position + 3, type) else {
          throw damaged(
            "the object \(key) of '\(schema.tables[table].name)' has no \(type.rawValue) in its "
              + "column '\(layout.tables[table].columns[position])'")
        }
        values[position] = value
      }
      try values.withUnsafeBufferPointer { values in
        try body(
          StoreRow(
            key: key, entity: last?.number ?? 0, version: statement.integer(2), values: values))
      }
    }
  }
}
