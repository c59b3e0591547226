/// Reads from the records of a table what its store keeps of them.
struct StoreRecordReader {
  /// A column and where its value stands.
  private struct Column {
    enum Kind {
      case attribute
      /// The row of an object of a table, + 1.
      case reference(Int)
      /// The place in the list of what a relationship leads to.
      case position
    }

    let field: Field
    let kind: Kind
    let link: Int
  }

  private let columns: [Column]
  private let graph: Graph
  private let table: UnsafeMutablePointer<ObjectTable>
  /// Room for the values of one object.
  private let values: UnsafeMutableBufferPointer<StoredValue>

  init(_ table: Int, _ graph: Graph, _ coordinator: StoreCoordinator) {
    self.graph = graph
    self.table = graph.tables + table
    values = coordinator.values
    columns = coordinator.schema.tables[table].columns.map { column in
      let kind: Column.Kind
      switch column.kind {
      case .attribute: kind = .attribute
      case .reference(let destination): kind = .reference(destination)
      case .position: kind = .position
      }
      return Column(field: graph.fields[table][column.number], kind: kind, link: column.link)
    }
  }

  /// The values of all columns, which stand until the next object is read.
  func values(
    _ row: UInt32, _ keys: [StoreKeys], _ positions: StorePositions
  ) -> UnsafeBufferPointer<StoredValue> {
    let record = table.pointee.record(row)
    let entity = table.pointee.header(row).pointee.entity
    for (place, column) in columns.enumerated() {
      values[place] =
        column.field.belongs(to: entity) ? value(column, row, record, keys, positions) : .none
    }
    return UnsafeBufferPointer(rebasing: values[..<columns.count])
  }

  /// The values of some columns, which stand until the next object is read.
  func values(
    _ row: UInt32, of chosen: [Int], _ keys: [StoreKeys], _ positions: StorePositions
  ) -> UnsafeBufferPointer<StoredValue> {
    let record = table.pointee.record(row)
    for (place, column) in chosen.enumerated() {
      values[place] = value(columns[column], row, record, keys, positions)
    }
    return UnsafeBufferPointer(rebasing: values[..<chosen.count])
  }

  /// The columns whose values changed since the last save, in order.
  func changedColumns(_ row: UInt32) -> [Int] {
    let record = table.pointee.record(row)
    let entity = table.pointee.header(row).pointee.entity
    return columns.indices.filter { place in
      let field = columns[place].field
      return table.pointee.isChanged(field.number, record) && field.belongs(to: entity)
    }
  }

  @inline(__always)
  private func value(
    _ column: Column, _ row: UInt32, _ record: UnsafeRawPointer, _ keys: [StoreKeys],
    _ positions: StorePositions
  ) -> StoredValue {
    if case .attribute = column.kind { return StoredValue(record, column.field, table) }
    // The row of the other side + 1 stands first in a to-one of either kind.
    let target = (record + Int(column.field.offset)).load(as: UInt32.self)
    if target == 0 { return .none }
    if case .reference(let destination) = column.kind {
      return StoredValue(word: UInt64(bitPattern: keys[destination][target &- 1].key))
    }
    return positions.place(column.link, 1, row).map {
      StoredValue(word: UInt64(bitPattern: $0))
    } ?? .none
  }
}
