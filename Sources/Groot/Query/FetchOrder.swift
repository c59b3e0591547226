/// Sorts objects by attributes, which may be reached through to-one relationships.
struct FetchOrder {
  /// A sort key, resolved in the model.
  struct Key: Sendable {
    let path: PropertyPath
    let type: AttributeType
    let isAscending: Bool

    init(
      _ key: FetchRequest.SortKey, of entity: EntityIndex, model: ManagedObjectModel,
      location: String
    ) throws {
      path = try PropertyPath(key.attribute, of: entity, model: model, location: location)
      type = try path.attribute("a sort key is", in: model, location: location).type
      isAscending = key.isAscending
    }
  }

  let keys: [Key]

  /// Resolves the sort keys of a request.
  init(_ keys: [FetchRequest.SortKey], of entity: EntityIndex, model: ManagedObjectModel) throws {
    // Most requests have no keys, and an empty list takes a look at generic types otherwise.
    guard !keys.isEmpty else {
      self.keys = []
      return
    }
    self.keys = try keys.enumerated().map { position, key in
      try Key(key, of: entity, model: model, location: "$.sort" + MessagePath.element(position))
    }
  }

  /// Sorts rows of a table, which are in the order of insertion.
  ///
  /// - Throws: ``Status/cancelled``.
  func sort(_ rows: inout [Row], table: TableIndex, in graph: Graph) throws {
    guard !keys.isEmpty, rows.count > 1 else { return }
    let values = ValueTable(rows, table: table, paths: keys.map(\.path), graph: graph)
    let order = try values.sorted(keys.map { ($0.type, $0.isAscending) })
    rows = order.map { rows[Int($0)] }
  }
}

/// The values of objects' attributes, read once, in a line for each object.
///
/// Text is borrowed from the records, which must not change.
struct ValueTable {
  let width: Int
  let count: Int
  private let values: [StoredValue]
  private let cancellation: Cancellation.Mark

  init(_ rows: [Row], table: TableIndex, paths: [PropertyPath], graph: Graph) {
    let storage = PropertyPath.FlatStorage()
    let flat = paths.map(storage.flat)
    width = paths.count
    cancellation = graph.cancellationMark
    count = rows.count
    values = withExtendedLifetime(storage) {
      var values: [StoredValue] = []
      values.reserveCapacity(rows.count * paths.count)
      for row in rows {
        for path in flat { values.append(path.read(graph, table: table, row: row)) }
      }
      return values
    }
  }

  subscript(line: UInt32, column: Int) -> StoredValue { values[Int(line) * width + column] }

  /// Returns the numbers of the lines in the order of their values; equal lines keep their order.
  ///
  /// - Throws: ``Status/cancelled``.
  func sorted(_ columns: [(type: AttributeType, isAscending: Bool)]) throws -> [UInt32] {
    let lines = Array(0..<UInt32(truncatingIfNeeded: count))
    return try values.withUnsafeBufferPointer { values in
      try lines.sorted { left, right in
        try cancellation.check()
        let (one, other) = (Int(left) &* width, Int(right) &* width)
        for column in 0..<columns.count {
          let order = values[one &+ column].order(values[other &+ column], as: columns[column].type)
          if order != 0 { return columns[column].isAscending == (order < 0) }
        }
        return left < right
      }
    }
  }

  /// Compares two lines by their first columns: negative if the left one is first, zero if both are
  /// equal, positive otherwise.
  func order(
    _ line: UInt32, other: UnsafeBufferPointer<StoredValue>,
    columns: [(type: AttributeType, isAscending: Bool)]
  ) -> Int {
    for (column, key) in columns.enumerated() {
      let order = self[line, column].order(other[column], as: key.type)
      if order != 0 { return key.isAscending ? order : 0 - order }
    }
    return 0
  }

  /// Calls `body` with a line.
  func withLine<Result>(
    _ line: UInt32, body: (UnsafeBufferPointer<StoredValue>) throws -> Result
  ) rethrows -> Result {
    let start = Int(line) * width
    return try values.withUnsafeBufferPointer {
      try body(UnsafeBufferPointer(rebasing: $0[start..<(start + width)]))
    }
  }

  /// Calls `body` with all lines in the order of their first columns.
  func forEachLine(
    _ columns: [(type: AttributeType, isAscending: Bool)],
    body: (UnsafeBufferPointer<StoredValue>) throws -> Void
  ) throws {
    let order = columns.isEmpty ? nil : try sorted(columns)
    for index in 0..<count {
      try cancellation.check()
      try withLine(order?[index] ?? UInt32(index), body: body)
    }
  }
}
