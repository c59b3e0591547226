import Groot
import GrootSQL

// Objects in the rows of a statement.

extension SQLiteStore {
  /// Calls `body` with the objects of a statement that selects ``SQLRows/object(_:alias:)``.
  ///
  /// - Parameter isAscending: Whether the objects must be in the order of their keys. This refuses
  ///   a damaged file that has a part of a table thousands of times.
  func eachRow(
    _ statement: SQLiteStatement, table: TableIndex, isAscending: Bool = false,
    body: (StoreRow) throws -> Void
  ) throws {
    var previous = Int64.min
    let types = rows.types[table]
    var values = Array(repeating: StoredValue.none, count: types.count)
    var last: (name: [UInt8], number: Int)?
    try statement.forEachRow {
      let key = statement.integer(0)
      if isAscending {
        guard key > previous || previous == .min else {
          throw damaged("the objects of '\(schema.tables[table].name)' are in no order")
        }
        previous = key
      }
      if last.map({ statement.holds(1, $0.name) }) != true {
        let name = Array(statement.bytes(1))
        last = (name, try rows.entity(name, of: table, key: key))
      }
      guard let version = statement.version(2) else {
        throw damaged("the object \(key) of '\(schema.tables[table].name)' has no version")
      }
      try values.withUnsafeMutableBufferPointer { values in
        for position in 0..<values.count
        where !statement.read(position + 3, as: types[position], into: &values[position]) {
          throw rows.lacksValue(table, column: position, key: key)
        }
        try body(
          StoreRow(
            key: key, entity: last?.number ?? 0, version: version,
            values: UnsafeBufferPointer(values)))
      }
    }
  }
}
