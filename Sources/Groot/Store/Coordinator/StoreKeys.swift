/// The map between the rows of a table and the keys of their objects in a store.
///
/// A store gives keys in sequence, so most rows are found by the position of their key. Keys that are
/// far from the others are hashed.
struct StoreKeys {
  /// The key and the version of a row's object.
  struct Entry {
    var key: Int64
    var version: Int64

    /// The entry of an object that was never saved.
    static let none = Entry(key: 0, version: 0)
  }

  private let hash = Hash.ofProcess
  /// The entries by row.
  private var entries: [Entry] = []
  /// The rows of the keys from `first` on; none for a key that is not in memory, or hashed.
  private var sequence: [OptionalRow] = []
  private var first: Int64 = 0
  /// The length of a sequence for few rows; a longer one has at most two holes for each row.
  private static let freeLength = 1_024
  /// Rows by the hash of their other keys; at least a third of the slots is free.
  private var slots: [OptionalRow] = []
  /// The number of used slots, including the slots marked with ``gone``.
  private var usedCount = 0

  /// The mark of a removed key, which keeps the search for colliding keys going.
  private static let gone = OptionalRow(bits: .max)

  /// All saved objects in memory.
  var all: [(row: Row, key: Int64)] {
    entries.indices.filter { entries[$0].key != 0 }.map {
      (row: Row($0), key: entries[$0].key)
    }
  }

  @inline(__always)
  subscript(row: Row) -> Entry {
    row.offset < entries.count ? entries[row] : .none
  }

  /// Returns the row of a key; nil when it is not in memory.
  @inline(__always)
  func row(_ key: Int64) -> Row? {
    let position = UInt64(bitPattern: key &- first)
    if position < UInt64(sequence.count), let row = sequence[Int(position)].index { return row }
    return slots.isEmpty ? nil : hashedRow(key)
  }

  @inline(never)
  private func hashedRow(_ key: Int64) -> Row? { slots[slot(of: key)].index }

  mutating func set(_ row: Row, to entry: Entry) {
    if row.offset == entries.count {
      entries.append(entry)
      if entry.key != 0 { note(entry.key, row: row) }
      return
    }
    if row.offset > entries.count {
      let missing = row.offset + 1 - entries.count
      entries.append(contentsOf: repeatElement(.none, count: missing))
    }
    let old = entries[row].key
    if old != 0 && old != entry.key { forget(old, row: row) }
    entries[row] = entry
    if entry.key != 0 && entry.key != old { note(entry.key, row: row) }
  }

  /// Returns the bytes that the next new row needs if it exceeds the capacity; else 0.
  @inline(__always)
  func growth(for row: Row) -> Int {
    let isFull =
      row.offset >= entries.capacity || !slots.isEmpty && (usedCount + 1) * 3 > slots.count * 2
    return isFull ? 3 * MemoryLayout<Entry>.stride * max(entries.capacity, row.offset) : 0
  }

  /// Gives rows consecutive keys from `first` on.
  mutating func set(_ rows: [Row], keysFrom first: Int64) {
    // Of an exact reservation for each of many small saves the cost would be quadratic.
    if rows.count > entries.count {
      entries.reserveCapacity(entries.count + rows.count)
      sequence.reserveCapacity(sequence.count + rows.count)
    }
    for (offset, row) in rows.enumerated() {
      set(row, to: Entry(key: first &+ Int64(offset), version: 0))
    }
  }

  /// Advances the versions of written objects, some of which are placeholders.
  mutating func advanceVersions(_ rows: [Row], isPlaceholder: (Row) -> Bool) {
    for row in rows where row.offset < entries.count {
      let version = StoreVersion(
        after: entries[row].version, isPlaceholder: isPlaceholder(row))
      entries[row].version = version.new
    }
  }

  // MARK: Rows by keys

  @inline(__always)
  private func start(_ key: Int64) -> Int {
    Int(truncatingIfNeeded: hash.mix(UInt64(bitPattern: key))) & (slots.count - 1)
  }

  /// Returns the slot of a key, or the free slot that ends the search.
  private func slot(of key: Int64) -> Int {
    var slot = start(key)
    while let row = slots[slot].index {
      if slots[slot] != Self.gone, entries[row].key == key { return slot }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  @inline(__always)
  private mutating func note(_ key: Int64, row: Row) {
    // Mostly the key is the next one.
    if !sequence.isEmpty, key &- first == Int64(sequence.count), sequence.count < longest {
      sequence.append(OptionalRow(row))
    } else {
      noteElsewhere(key, row: row)
    }
  }

  /// The maximum length of the sequence.
  @inline(__always)
  private var longest: Int { Self.freeLength + 2 * entries.count }

  @inline(never)
  private mutating func noteElsewhere(_ key: Int64, row: Row) {
    if sequence.isEmpty { first = key < Int64(Self.freeLength) ? 0 : key }
    let position = UInt64(bitPattern: key &- first)
    if position < UInt64(longest) {
      let missing = Int(position) - sequence.count
      if missing > 0 { sequence.append(contentsOf: repeatElement(.none, count: missing)) }
      if missing >= 0 {
        sequence.append(OptionalRow(row))
      } else {
        sequence[Int(position)] = OptionalRow(row)
      }
      return
    }
    if (usedCount + 1) * 3 > slots.count * 2 { grow(for: 1) }
    var slot = start(key)
    while !slots[slot].isNone && slots[slot] != Self.gone { slot = (slot + 1) & (slots.count - 1) }
    if slots[slot].isNone { usedCount += 1 }
    slots[slot] = OptionalRow(row)
  }

  private mutating func forget(_ key: Int64, row: Row) {
    let position = UInt64(bitPattern: key &- first)
    if position < UInt64(sequence.count), sequence[Int(position)] == OptionalRow(row) {
      sequence[Int(position)] = .none
      return
    }
    if slots.isEmpty { return }
    let slot = slot(of: key)
    if slots[slot] == OptionalRow(row) { slots[slot] = Self.gone }
  }

  /// Makes room for more keys.
  private mutating func grow(for additional: Int) {
    let old = slots
    let count = old.count { !$0.isNone && $0 != Self.gone }
    var capacity = 16
    while capacity < (count + additional) * 2 { capacity *= 2 }
    slots = Array(repeating: .none, count: capacity)
    usedCount = count
    for entry in old where entry != Self.gone {
      guard let row = entry.index else { continue }
      var slot = start(entries[row].key)
      while !slots[slot].isNone { slot = (slot + 1) & (capacity - 1) }
      slots[slot] = entry
    }
  }

  /// The total distance of rows from the slots of their hashes, for checks.
  var displacement: Int {
    slots.indices.reduce(0) { sum, slot in
      guard let row = slots[slot].index, slots[slot] != Self.gone else { return sum }
      return sum + (slot - start(entries[row].key)) & (slots.count - 1)
    }
  }
}
