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
    let reader = RowReader(self, of: table, isAscending)
    while try statement.step() { try reader.read(statement, body: body) }
  }

  /// Calls `body` with the objects of a statement that reads a whole table.
  func passRows(
    _ statement: SQLiteStatement, table: TableIndex, body: @escaping (StoreRow) throws -> Void
  ) throws {
    let reader = RowReader(self, of: table, true)
    try statement.passRows { try reader.read(statement, body: body) }
  }
}

/// The reader of a table's rows, one after the other.
private final class RowReader {
  private let store: SQLiteStore
  private let table: TableIndex
  private let types: [AttributeType]
  private let isAscending: Bool
  private var previous = Int64.min
  private let values: UnsafeMutableBufferPointer<StoredValue>
  private var unreadable: [UnreadableValue] = []
  /// The name of the entity of the last row; before the first that of the table's first entity.
  private var entityName: UnsafeBufferPointer<UInt8>
  private var entity = 0

  init(_ store: SQLiteStore, of table: TableIndex, _ isAscending: Bool) {
    self.store = store
    self.table = table
    self.isAscending = isAscending
    types = store.rows.types[table]
    values = .allocate(capacity: types.count)
    values.initialize(repeating: .none)
    entityName = store.entityNames[table].first ?? UnsafeBufferPointer(start: nil, count: 0)
  }

  /// The name of the table.
  private var name: String { store.schema.tables[table].name }

  deinit { values.deallocate() }

  /// Calls `body` with the row of a statement.
  func read(_ statement: SQLiteStatement, body: (StoreRow) throws -> Void) throws {
    let key = statement.integer(0)
    if isAscending {
      guard key > previous || previous == .min else {
        throw store.rows.damaged("the objects of '\(name)' are in no order")
      }
      previous = key
    }
    if !statement.holds(1, entityName) {
      try changeEntity(Array(statement.bytes(1)), key: key)
    }
    guard let version = statement.version(2) else {
      throw store.rows.damaged("the object \(key) of '\(name)' has no version")
    }
    for position in 0..<values.count
    where !statement.read(position + 3, as: types[position], into: &values[position]) {
      values[position] = .none
      unreadable.append(
        UnreadableValue(column: position, literal: statement.literal(position + 3)))
    }
    let values = UnsafeBufferPointer(values)
    if unreadable.isEmpty {
      return try body(StoreRow(key: key, entity: entity, version: version, values: values))
    }
    defer { unreadable = [] }
    try unreadable.withUnsafeBufferPointer {
      try body(
        StoreRow(key: key, entity: entity, version: version, values: values, unreadable: $0))
    }
  }

  /// Notes the entity that follows in the table.
  @inline(never)
  private func changeEntity(_ name: [UInt8], key: Int64) throws {
    entity = try store.rows.entity(name, of: table, key: key)
    entityName = store.entityNames[table][entity]
  }
}
