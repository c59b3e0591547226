/// Which object of a store each row of a table is.
struct StoreKeys {
  /// The object behind a row.
  struct Entry {
    var key: Int64
    var version: Int64

    /// An object that was never saved.
    static let none = Entry(key: 0, version: 0)
  }

  private let hash = Hash.ofProcess
  /// By row.
  private var entries: [Entry] = []
  /// Rows + 1 by the hash of their keys, 0 where none is; at least every third is free.
  private var slots: [UInt32] = []
  /// Slots that are taken; those of keys that went are taken by ``gone``.
  private var usedCount = 0

  /// Stands in a slot whose key went: what collided with it is behind.
  private static let gone = UInt32.max

  /// All objects in memory.
  var all: [(row: UInt32, key: Int64)] {
    entries.indices.filter { entries[$0].key != 0 }.map {
      (row: UInt32(truncatingIfNeeded: $0), key: entries[$0].key)
    }
  }

  @inline(__always)
  subscript(row: UInt32) -> Entry {
    Int(row) < entries.count ? entries[Int(row)] : .none
  }

  /// The row of a key; nil when it is not in memory.
  func row(_ key: Int64) -> UInt32? {
    guard !slots.isEmpty else { return nil }
    let slot = slots[slot(of: key)]
    return slot == 0 ? nil : slot &- 1
  }

  mutating func set(_ row: UInt32, _ entry: Entry) {
    if Int(row) >= entries.count {
      let missing = Int(row) + 1 - entries.count
      entries.append(contentsOf: repeatElement(.none, count: missing))
    }
    let old = entries[Int(row)].key
    if old != 0 && old != entry.key { forget(old, row) }
    entries[Int(row)] = entry
    if entry.key != 0 && entry.key != old { note(entry.key, row) }
  }

  /// Gives rows that follow one another the keys that follow one another.
  mutating func set(_ rows: [UInt32], keysFrom first: Int64) {
    for (offset, row) in rows.enumerated() {
      set(row, Entry(key: first &+ Int64(offset), version: 0))
    }
  }

  /// Notes that objects were written, some of which are placeholders.
  mutating func advanceVersions(_ rows: [UInt32], _ isPlaceholder: (UInt32) -> Bool) {
    for row in rows where Int(row) < entries.count {
      let version = StoreVersion(
        after: entries[Int(row)].version, isPlaceholder: isPlaceholder(row))
      entries[Int(row)].version = version.new
    }
  }

  // MARK: Rows by keys

  @inline(__always)
  private func start(_ key: Int64) -> Int {
    Int(truncatingIfNeeded: hash.mix(UInt64(bitPattern: key))) & (slots.count - 1)
  }

  /// The slot that has a key, or the free one that ends the search for it.
  private func slot(of key: Int64) -> Int {
    var slot = start(key)
    while slots[slot] != 0 {
      if slots[slot] != Self.gone, entries[Int(slots[slot] &- 1)].key == key { return slot }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private mutating func note(_ key: Int64, _ row: UInt32) {
    if (usedCount + 1) * 3 > slots.count * 2 { grow() }
    var slot = start(key)
    while slots[slot] != 0 && slots[slot] != Self.gone { slot = (slot + 1) & (slots.count - 1) }
    if slots[slot] == 0 { usedCount += 1 }
    slots[slot] = row &+ 1
  }

  private mutating func forget(_ key: Int64, _ row: UInt32) {
    let slot = slot(of: key)
    if slots[slot] == row &+ 1 { slots[slot] = Self.gone }
  }

  private mutating func grow() {
    let old = slots
    let count = old.count { $0 != 0 && $0 != Self.gone }
    var capacity = 16
    while capacity < (count + 1) * 2 { capacity *= 2 }
    slots = Array(repeating: 0, count: capacity)
    usedCount = count
    for row in old where row != 0 && row != Self.gone {
      var slot = start(entries[Int(row &- 1)].key)
      while slots[slot] != 0 { slot = (slot + 1) & (capacity - 1) }
      slots[slot] = row
    }
  }

  /// How many slots lie between where the hashes say and where the rows are, in all; for checks.
  var displacement: Int {
    slots.indices.reduce(0) { sum, slot in
      guard slots[slot] != 0, slots[slot] != Self.gone else { return sum }
      return sum + (slot - start(entries[Int(slots[slot] &- 1)].key)) & (slots.count - 1)
    }
  }
}
