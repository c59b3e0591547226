/// The different keys of a collection, numbered in the order of their first occurrence.
///
/// The memory is reused for each list.
///
/// @unchecked Sendable: only one call of its context uses it.
final class KeyTable: @unchecked Sendable {
  private struct Entry {
    let hash: UInt64
    let start: Int
    let count: Int
  }

  @exclusivity(unchecked) private var bytes: Buffer<UInt8>
  @exclusivity(unchecked) private var entries: Buffer<Entry>
  /// The numbers of entries by their hashes, -1 for empty slots; the size is a power of two.
  @exclusivity(unchecked) private var slots: Buffer<Int32>

  init(_ account: MemoryAccount) {
    bytes = Buffer(account)
    entries = Buffer(account)
    slots = Buffer(account)
  }

  deinit {
    bytes.deallocate()
    entries.deallocate()
    slots.deallocate()
  }

  func removeAll() {
    bytes.removeLast(to: 0)
    entries.removeLast(to: 0)
    slots.removeLast(to: 0)
  }

  /// Removes all keys, and makes room for a number of keys.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  func reset(for count: Int) throws {
    removeAll()
    var capacity = 16
    while capacity < count &* 2 { capacity &*= 2 }
    try makeSlots(capacity)
  }

  /// Inserts a text; returns its number, and whether it is new.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  func insert(
    _ text: UnsafeBufferPointer<UInt8>
  ) throws -> (number: Int32, isNew: Bool) {
    guard let first = text.baseAddress else { return (0, false) }
    let start = bytes.count
    let hash = Hash.ofProcess.bytes(first, count: text.count)
    let found = try insert(hash, start: start, count: text.count) {
      let entry = entries.start[Int($0)]
      return entry.count == text.count
        && ByteComparison.areEqual(bytes.start + entry.start, first, count: text.count)
    }
    if found.isNew {
      _ = try bytes.reserve(text.count)
      (bytes.start + start).update(from: first, count: text.count)
    }
    return found
  }

  /// Inserts the next key by its hash, and compares keys with `isEqual`; returns whether it is new.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  @inline(__always)
  func insert(_ hash: UInt64, isEqual: (Int32) -> Bool) throws -> Bool {
    try insert(hash, start: 0, count: 0, isEqual: isEqual).isNew
  }

  /// Returns the number of a key by its hash, comparing keys with `isEqual`; nil for a missing key.
  func find(_ hash: UInt64, isEqual: (Int32) -> Bool) -> Int32? {
    guard slots.count > 0 else { return nil }
    var slot = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
    while slots.start[slot] >= 0 {
      let number = slots.start[slot]
      if entries.start[Int(number)].hash == hash && isEqual(number) { return number }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    return nil
  }

  /// Inserts a key by its hash; returns its number.
  ///
  /// The text of a new key is at `start`.
  @inline(__always)
  private func insert(
    _ hash: UInt64, start: Int, count: Int, isEqual: (Int32) -> Bool
  ) throws -> (number: Int32, isNew: Bool) {
    if entries.count &* 2 >= slots.count { try growSlots() }
    var slot = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
    while slots.start[slot] >= 0 {
      let number = slots.start[slot]
      if entries.start[Int(number)].hash == hash && isEqual(number) { return (number, false) }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    let number = Int32(truncatingIfNeeded: entries.count)
    try entries.append(Entry(hash: hash, start: start, count: count))
    slots.start[slot] = number
    return (number, true)
  }

  private func makeSlots(_ count: Int) throws {
    slots.removeLast(to: 0)
    _ = try slots.reserve(count)
    slots.start.update(repeating: -1, count: count)
  }

  private func growSlots() throws {
    let count = max(slots.count &* 2, 16)
    try makeSlots(count)
    for number in 0..<entries.count {
      var slot = Int(truncatingIfNeeded: entries.start[number].hash) & (count &- 1)
      while slots.start[slot] >= 0 { slot = (slot &+ 1) & (count &- 1) }
      slots.start[slot] = Int32(truncatingIfNeeded: number)
    }
  }
}
