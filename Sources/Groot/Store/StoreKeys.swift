/// Which object of a store each row of a table is.
struct StoreKeys {
  /// The object behind a row.
  struct Entry {
    var key: Int64
    var version: Int64

    /// An object that was never saved.
    static let none = Entry(key: 0, version: 0)
  }

  private var entries: [Entry] = []
  private(set) var rows: [Int64: UInt32] = [:]

  subscript(row: UInt32) -> Entry {
    Int(row) < entries.count ? entries[Int(row)] : .none
  }

  /// The row of a key; nil when it is not in memory.
  func row(_ key: Int64) -> UInt32? { rows[key] }

  mutating func set(_ row: UInt32, _ entry: Entry) {
    if Int(row) >= entries.count {
      let missing = Int(row) + 1 - entries.count
      entries.append(contentsOf: repeatElement(.none, count: missing))
    }
    let old = entries[Int(row)].key
    if old != 0 && old != entry.key { rows[old] = nil }
    entries[Int(row)] = entry
    if entry.key != 0 { rows[entry.key] = row }
  }
}
