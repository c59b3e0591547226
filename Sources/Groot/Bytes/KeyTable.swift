/// The different keys under which members of a collection stand, numbered as they come first.
///
/// The memory is kept from list to list.
///
/// @unchecked Sendable: it is used by one call, inside the context that it belongs to.
final class KeyTable: @unchecked Sendable {
  private struct Entry {
    let hash: UInt64
    let start: Int
    let count: Int
  }

  @exclusivity(unchecked) private var bytes: Buffer<UInt8>
  @exclusivity(unchecked) private var entries: Buffer<Entry>
  /// Numbers of entries by their hashes, -1 where there is none; a power of two.
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

  /// Forgets all keys, and makes room for so many.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  func reset(for count: Int) throws {
    removeAll()
    var capacity = 16
    while capacity < count &* 2 { capacity &*= 2 }
    try makeSlots(capacity)
  }

  /// The number of a text, and whether it was not there before.
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

  /// Whether no key was equal to the next one so far, whose hash it is; `isEqual` compares it with
  /// that of a number.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  @inline(__always)
  func insert(_ hash: UInt64, isEqual: (Int32) -> Bool) throws -> Bool {
    try insert(hash, start: 0, count: 0, isEqual: isEqual).isNew
  }

  /// The number of the key with a hash, whose text is kept at `start` when it is new.
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
