/// Rows that were read from one store and are on the way to another one.
struct StoreRowBatch {
  /// The bytes of values from which a batch is full.
  private static let largestSize = 1 << 20
  /// The number of values from which a batch is full.
  private static let largestCount = 100_000

  private let width: Int
  /// The columns whose values are left out.
  private let omitted: [Int]
  private var heads: [(key: Int64, entity: Int, version: Int64)] = []
  private var values: [StoredValue] = []
  private var bytes: [UInt8] = []
  /// The values whose content is in `bytes`, and where.
  private var places: [(value: Int, start: Int)] = []

  init(width: Int, omitting omitted: [Int]) {
    self.width = width
    self.omitted = omitted
  }

  var isFull: Bool { bytes.count >= Self.largestSize || values.count >= Self.largestCount }

  mutating func append(_ row: StoreRow) {
    heads.append((row.key, row.entity, row.version))
    let first = values.count
    values.append(contentsOf: row.values)
    for column in omitted { values[first + column] = .none }
    for index in first..<values.count {
      guard let start = values[index].start else { continue }
      places.append((index, bytes.count))
      bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: values[index].count))
    }
  }

  /// Calls `body` with the rows by number, and forgets them.
  mutating func flush(_ body: (Int, @escaping (Int) -> StoreRow) throws -> Void) rethrows {
    guard !heads.isEmpty else { return }
    let (heads, places, width) = (heads, places, width)
    try bytes.withUnsafeBufferPointer { bytes in
      try values.withUnsafeMutableBufferPointer { values in
        for place in places {
          // An empty value is present without bytes as well.
          values[place.value].start = bytes.baseAddress.map { $0 + place.start }
        }
        let all = UnsafeBufferPointer(values)
        try body(heads.count) { number in
          let start = number * width
          return StoreRow(
            key: heads[number].key, entity: heads[number].entity, version: heads[number].version,
            values: UnsafeBufferPointer(rebasing: all[start..<start + width]))
        }
      }
    }
    self.heads.removeAll(keepingCapacity: true)
    self.places.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }
}
