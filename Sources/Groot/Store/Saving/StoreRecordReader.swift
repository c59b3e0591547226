/// Reads the values that the store keeps from the records of a table.
struct StoreRecordReader {
  /// A column, with the place of its value in a record.
  private struct RecordColumn {
    enum Kind {
      case attribute
      /// The row of an object of a table, plus 1.
      case reference(TableIndex)
      /// The position in the list of the object that a relationship to a table leads to.
      case position(TableIndex)
    }

    let field: Field
    let kind: Kind
    let link: LinkIndex
  }

  private let columns: [RecordColumn]
  private let graph: Graph
  private let table: UnsafeMutablePointer<ObjectTable>
  /// A buffer for the values of one object.
  private let values: UnsafeMutableBufferPointer<StoredValue>

  init(_ table: TableIndex, graph: Graph, coordinator: StoreCoordinator) {
    self.graph = graph
    self.table = graph.tables + table
    values = coordinator.values
    columns = coordinator.schema.tables[table].columns.map { column in
      let kind: RecordColumn.Kind
      switch column.kind {
      case .attribute: kind = .attribute
      case .reference(let destination): kind = .reference(destination)
      case .position: kind = .position(graph.links[column.link].tables.1)
      }
      return RecordColumn(field: graph.fields[table][column.number], kind: kind, link: column.link)
    }
  }

  /// Returns the values of all columns, valid until the next object is read.
  func values(
    _ row: Row, keys: [StoreKeys], positions: StorePositions
  ) -> UnsafeBufferPointer<StoredValue> {
    let entity = table.pointee.header(row).pointee.entity
    for (index, column) in columns.enumerated() {
      values[index] =
        column.field.belongs(to: entity)
        ? value(column, row: row, keys: keys, positions: positions) : .none
    }
    return UnsafeBufferPointer(rebasing: values[..<columns.count])
  }

  /// Returns the values of some columns, valid until the next object is read.
  func values(
    _ row: Row, of chosen: [Int], keys: [StoreKeys], positions: StorePositions
  ) -> UnsafeBufferPointer<StoredValue> {
    for (index, column) in chosen.enumerated() {
      values[index] = value(columns[column], row: row, keys: keys, positions: positions)
    }
    return UnsafeBufferPointer(rebasing: values[..<chosen.count])
  }

  /// Sets `changed` to those of some columns whose values changed since the last save.
  ///
  /// The caller keeps the array for one object after the other.
  @inline(__always)
  func findChanged(_ changed: inout [Int], of row: Row, among some: [Int]) {
    changed.removeAll(keepingCapacity: true)
    let record = table.pointee.record(row)
    let entity = table.pointee.header(row).pointee.entity
    for column in some {
      let field = columns[column].field
      if table.pointee.isChanged(field.number, in: record), field.belongs(to: entity) {
        changed.append(column)
      }
    }
  }

  /// Returns whether a column has another value than at the last save.
  func hasChanged(_ row: Row) -> Bool {
    let record = table.pointee.record(row)
    let entity = table.pointee.header(row).pointee.entity
    return columns.contains {
      table.pointee.isChanged($0.field.number, in: record) && $0.field.belongs(to: entity)
    }
  }

  /// Returns the columns that the object's entity has, among some columns.
  func ownColumns(_ row: Row, among some: [Int]) -> [Int] {
    let entity = table.pointee.header(row).pointee.entity
    return some.filter { columns[$0].field.belongs(to: entity) }
  }

  /// Returns the columns that have a value, in order.
  func presentColumns(_ row: Row) -> [Int] {
    let record = table.pointee.record(row)
    let entity = table.pointee.header(row).pointee.entity
    return columns.indices.filter { index in
      let column = columns[index]
      guard column.field.belongs(to: entity) else { return false }
      return StoredValue(record, field: column.field, table: table).isPresent
    }
  }

  /// Returns the values of an identity; nil when one is missing or an object without a key.
  func identity(_ row: Row, chosen: [Int], keys: [StoreKeys]) -> [StoredValue]? {
    let record = table.pointee.record(row)
    var values: [StoredValue] = []
    for column in chosen {
      var value = StoredValue(record, field: columns[column].field, table: table)
      guard value.isPresent else { return nil }
      if case .reference(let destination) = columns[column].kind {
        let key = OptionalRow(word: value.word0).index.map { keys[destination][$0].key } ?? 0
        if key == 0 { return nil }
        value = StoredValue(word: UInt64(bitPattern: key))
      }
      values.append(value)
    }
    return values
  }

  @inline(__always)
  private func value(
    _ column: RecordColumn, row: Row, keys: [StoreKeys], positions: StorePositions
  ) -> StoredValue {
    let record = table.pointee.record(row)
    let destination: TableIndex
    switch column.kind {
    case .attribute: return StoredValue(record, field: column.field, table: table)
    case .reference(let table), .position(let table): destination = table
    }
    let target = StoredValue(record, field: column.field, table: table)
    guard target.isPresent, let other = OptionalRow(word: target.word0).index else {
      return .none
    }
    let key = keys[destination][other].key
    // An object without a key was deleted by others.
    if key == 0 { return .none }
    if case .reference = column.kind { return StoredValue(word: UInt64(bitPattern: key)) }
    return positions.position(column.link, side: .second, entry: ListEntry(row)).map {
      StoredValue(word: UInt64(bitPattern: $0))
    } ?? .none
  }
}
