/// Memory for the bytes of strings, in segments that never move.
///
/// An address stays valid until ``reset()``, which keeps the segments. If memory is refused, no
/// address is returned, and ``lacksMemory`` is set. Not thread-safe.
final class JSONScratch {
  /// The head of every segment; its bytes follow.
  private struct Segment {
    var next: UnsafeMutablePointer<Segment>?
    var capacity: Int
  }

  private var first: UnsafeMutablePointer<Segment>?
  private var current: UnsafeMutablePointer<Segment>?
  @exclusivity(unchecked) private var cursor: UnsafeMutablePointer<UInt8>?
  /// The bytes left after `cursor` in the current segment.
  @exclusivity(unchecked) private var room = 0
  @exclusivity(unchecked) private var isUsed = false

  private static let segmentBytes = 65_536 - 64
  private let account: MemoryAccount?
  /// Whether memory was refused since ``reset()``.
  @exclusivity(unchecked) private(set) var lacksMemory = false

  init(_ account: MemoryAccount? = nil) { self.account = account }

  deinit {
    var segment = first
    while let block = segment {
      segment = block.pointee.next
      Memory(account).release(bytes(block), count: size(block.pointee.capacity))
    }
  }

  private func size(_ capacity: Int) -> Int { capacity &+ MemoryLayout<Segment>.stride }

  private func bytes(_ segment: UnsafeMutablePointer<Segment>) -> UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(segment).assumingMemoryBound(to: UInt8.self)
  }

  /// Removes all strings and keeps the memory.
  ///
  /// Complexity: O(1).
  @inline(__always)
  func reset() {
    if isUsed { rewind() }
  }

  /// Reserves room for `count` bytes, to be confirmed with ``commit(_:)``; nil without memory.
  @inline(__always)
  func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
    if count <= room, let cursor { return cursor }
    return advance(count)
  }

  /// Keeps the first `count` bytes of the last reserved room.
  @inline(__always)
  func commit(_ count: Int) {
    room &-= count
    cursor = cursor?.advanced(by: count)
    isUsed = true
  }

  /// Copies `bytes`, until ``reset()``; nil without memory.
  func copy(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafePointer<UInt8>? {
    guard let room = reserve(max(bytes.count, 1)) else { return nil }
    if let source = bytes.baseAddress { room.update(from: source, count: bytes.count) }
    commit(bytes.count)
    return UnsafePointer(room)
  }

  /// Moves to a segment with room for `count` bytes: a kept one, or a new one before those.
  @inline(never)
  private func advance(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
    let following = current == nil ? first : current?.pointee.next
    if let following, following.pointee.capacity >= count {
      return enter(following)
    }
    let capacity = max(count, Self.segmentBytes)
    guard let block = Memory(account).allocate(UInt8.self, count: size(capacity)) else {
      lacksMemory = true
      isUsed = true
      return nil
    }
    let segment = UnsafeMutableRawPointer(block).bindMemory(to: Segment.self, capacity: 1)
    segment.initialize(to: Segment(next: following, capacity: capacity))
    if let current { current.pointee.next = segment } else { first = segment }
    return enter(segment)
  }

  @discardableResult
  private func enter(_ segment: UnsafeMutablePointer<Segment>) -> UnsafeMutablePointer<UInt8> {
    current = segment
    room = segment.pointee.capacity
    let bytes = UnsafeMutableRawPointer(segment).advanced(by: MemoryLayout<Segment>.stride)
      .assumingMemoryBound(to: UInt8.self)
    cursor = bytes
    return bytes
  }

  @inline(never)
  private func rewind() {
    isUsed = false
    lacksMemory = false
    if let first { enter(first) }
  }
}
