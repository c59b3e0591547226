// The keys under which members of a collection stand, to tell which have the same.

/// Different texts of keys, numbered as they come first.
///
/// The memory is kept from list to list.
///
/// @unchecked Sendable: it is used by one export, inside the context that it belongs to.
final class WrittenKeys: @unchecked Sendable {
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

  /// The number of a text, and whether it was not there before.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  func insert(
    _ text: UnsafeBufferPointer<UInt8>
  ) throws -> (number: Int32, isNew: Bool) {
    guard let first = text.baseAddress else { return (0, false) }
    if entries.count &* 2 >= slots.count { try growSlots() }
    let hash = Hash.ofProcess.bytes(first, count: text.count)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
    while slots.start[slot] >= 0 {
      let entry = entries.start[Int(slots.start[slot])]
      if entry.hash == hash && entry.count == text.count
        && ByteComparison.areEqual(bytes.start + entry.start, first, count: text.count)
      {
        return (slots.start[slot], false)
      }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    let start = try bytes.reserve(text.count)
    (bytes.start + start).update(from: first, count: text.count)
    let number = Int32(truncatingIfNeeded: entries.count)
    try entries.append(Entry(hash: hash, start: start, count: text.count))
    slots.start[slot] = number
    return (number, true)
  }

  private func growSlots() throws {
    let count = max(slots.count &* 2, 16)
    slots.removeLast(to: 0)
    _ = try slots.reserve(count)
    slots.start.update(repeating: -1, count: count)
    for number in 0..<entries.count {
      var slot = Int(truncatingIfNeeded: entries.start[number].hash) & (count &- 1)
      while slots.start[slot] >= 0 { slot = (slot &+ 1) & (count &- 1) }
      slots.start[slot] = Int32(truncatingIfNeeded: number)
    }
  }
}
