import Groot
import GrootSQL

// Objects in the rows of a statement.

extension SQLiteStore {
  /// Returns the columns of a statement that selects objects of a table, which may have an alias.
  func rowColumns(_ table: TableIndex, alias: String = "") -> String {
    let front = alias.isEmpty ? "" : alias + "."
    return (["_id", "_entity", "_version"] + columns(table)).map { front + $0 }
      .joined(separator: ", ")
  }

  /// Calls `body` with the objects of a statement that selects ``rowColumns(_:alias:)``.
  ///
  /// - Parameter isAscending: Whether the objects must be in the order of their keys. This refuses
  ///   a damaged file that has a part of a table thousands of times.
  func eachRow(
    _ statement: SQLiteStatement, table: TableIndex, isAscending: Bool = false,
    body: (StoreRow) throws -> Void
  ) throws {
    var previous = Int64.min
    let types = types[table]
    var values = Array(repeating: StoredValue.none, count: types.count)
    var last: (name: [UInt8], number: Int)?
    while try statement.step() {
      let key = statement.integer(0)
      if isAscending {
        guard key > previous || previous == .min else {
          throw damaged("the objects of '\(schema.tables[table].name)' are in no order")
        }
        previous = key
      }
      let entity = statement.bytes(1)
      if last?.name.elementsEqual(entity) != true {
        let name = Array(entity)
        guard let number = entityNumbers[table][name] else {
          throw damaged(
            "the object \(key) of '\(schema.tables[table].name)' is of no entity, "
              + "'\(String(decoding: name, as: UTF8.self))'")
        }
        last = (name, number)
      }
      guard let version = statement.version(2) else {
        throw damaged("the object \(key) of '\(schema.tables[table].name)' has no version")
      }
      for (position, type) in types.enumerated() {
        guard let value = statement.value(position + 3, as: type) else {
          throw damaged(
            "the object \(key) of '\(schema.tables[table].name)' has no \(type.rawValue) in its "
              + "column '\(layout.tables[table].columns[position])'")
        }
        values[position] = value
      }
      try values.withUnsafeBufferPointer { values in
        try body(
          StoreRow(
            key: key, entity: last?.number ?? 0, version: version, values: values))
      }
    }
  }
}
