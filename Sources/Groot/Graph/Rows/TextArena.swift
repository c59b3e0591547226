/// The memory for texts that do not fit their slots: blocks that never move.
///
/// Text is only appended. Replaced or deleted text becomes garbage. At a save, the graph compacts
/// the arena if garbage outweighs live text.
struct TextArena {
  private static let firstBlockSize = 16 << 10
  private static let largestBlockSize = 1 << 20

  /// A state of the arena, which can be restored by dropping later text.
  struct Mark {
    fileprivate let blockCount: Int
    fileprivate let next: UnsafeMutableRawPointer?
    fileprivate let end: UnsafeMutableRawPointer?
    fileprivate let used: Int
    fileprivate let garbage: Int
  }

  private struct Block {
    let start: UnsafeMutablePointer<UInt8>
    let size: Int
  }

  private let memory: Memory
  private var blocks: [Block] = []
  private var next: UnsafeMutableRawPointer?
  private var end: UnsafeMutableRawPointer?
  /// The number of bytes allocated, and the number of bytes freed.
  private(set) var used = 0
  var garbage = 0

  init(_ account: MemoryAccount?) { memory = Memory(account) }

  /// Allocates the given number of bytes; returns nil without memory.
  @inline(__always)
  mutating func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    if let start = next, let end, end - start >= count {
      next = start + count
      used &+= count
      return start
    }
    return allocateBlock(count)
  }

  @inline(never)
  private mutating func allocateBlock(_ count: Int) -> UnsafeMutableRawPointer? {
    let grown = Self.firstBlockSize << min(blocks.count, 6)
    let size = max(min(grown, Self.largestBlockSize), count)
    guard let start = memory.allocate(UInt8.self, count: size) else { return nil }
    let block = UnsafeMutableRawPointer(start)
    blocks.append(Block(start: start, size: size))
    used &+= count
    // A block made for one long text leaves the current block in use.
    if size == count && size > Self.largestBlockSize / 4 { return block }
    next = block + count
    end = block + size
    return block
  }

  /// Reserves memory for texts of a total size; returns false without memory.
  mutating func reserve(_ count: Int) -> Bool {
    if let next, let end, end - next >= count { return true }
    guard let start = memory.allocate(UInt8.self, count: max(count, 1)) else { return false }
    blocks.append(Block(start: start, size: max(count, 1)))
    next = UnsafeMutableRawPointer(start)
    end = UnsafeMutableRawPointer(start) + count
    return true
  }

  func mark() -> Mark {
    Mark(blockCount: blocks.count, next: next, end: end, used: used, garbage: garbage)
  }

  /// Drops all text allocated after `mark`.
  mutating func reset(to mark: Mark) {
    for block in blocks[mark.blockCount...] { memory.release(block.start, count: block.size) }
    blocks.removeSubrange(mark.blockCount...)
    next = mark.next
    end = mark.end
    used = mark.used
    garbage = mark.garbage
  }

  /// Drops all text.
  mutating func removeAll() {
    for block in blocks { memory.release(block.start, count: block.size) }
    blocks = []
    (next, end, used, garbage) = (nil, nil, 0, 0)
  }
}
