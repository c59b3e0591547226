/// Rows without repeats, in the order of their first places.
///
/// Most lists are short: a search one by one then costs less than a hash.
struct RowGroup {
  /// The number of rows up to which a search one by one is faster.
  private static let shortCount = 16

  private(set) var rows: [Row] = []
  /// The places of more rows.
  private var places: [Row: Int] = [:]

  init(_ rows: some Collection<Row>) {
    self.rows.reserveCapacity(rows.count)
    for row in rows where !contains(row) { append(row) }
  }

  @inline(__always)
  func contains(_ row: Row) -> Bool { place(of: row) != nil }

  /// Returns the place of a row; nil when it is not one of these.
  @inline(__always)
  func place(of row: Row) -> Int? { places.isEmpty ? rows.firstIndex(of: row) : places[row] }

  private mutating func append(_ row: Row) {
    rows.append(row)
    if rows.count == Self.shortCount + 1 {
      for (place, row) in rows.enumerated() { places[row] = place }
    } else if rows.count > Self.shortCount {
      places[row] = rows.count - 1
    }
  }
}
