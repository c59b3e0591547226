/// Where a graph keeps text that does not fit its slot: blocks that never move.
///
/// Text is only ever appended; what is replaced or deleted becomes garbage, and the graph compacts
/// the arena at a save when garbage outweighs what is alive.
struct TextArena {
  private static let firstBlockSize = 16 << 10
  private static let largestBlockSize = 1 << 20

  /// A state to go back to when everything allocated since is dropped.
  struct Mark {
    fileprivate let blockCount: Int
    fileprivate let next: UnsafeMutableRawPointer?
    fileprivate let end: UnsafeMutableRawPointer?
    fileprivate let used: Int
    fileprivate let garbage: Int
  }

  private var blocks: [UnsafeMutableRawPointer] = []
  private var next: UnsafeMutableRawPointer?
  private var end: UnsafeMutableRawPointer?
  /// Bytes handed out and bytes given up.
  private(set) var used = 0
  var garbage = 0

  @inline(__always)
  mutating func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    if let start = next, let end, end - start >= count {
      next = start + count
      used &+= count
      return start
    }
    return allocateBlock(count)
  }

  @inline(never)
  private mutating func allocateBlock(_ count: Int) -> UnsafeMutableRawPointer {
    let grown = Self.firstBlockSize << min(blocks.count, 6)
    let size = max(min(grown, Self.largestBlockSize), count)
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    blocks.append(block)
    used &+= count
    // A block made for one long text leaves the current block in use.
    if size == count && size > Self.largestBlockSize / 4 { return block }
    next = block + count
    end = block + size
    return block
  }

  func mark() -> Mark {
    Mark(blockCount: blocks.count, next: next, end: end, used: used, garbage: garbage)
  }

  /// Drops all text allocated since `mark` was made.
  mutating func reset(to mark: Mark) {
    for block in blocks[mark.blockCount...] { block.deallocate() }
    blocks.removeSubrange(mark.blockCount...)
    next = mark.next
    end = mark.end
    used = mark.used
    garbage = mark.garbage
  }

  /// Drops all text.
  mutating func removeAll() {
    for block in blocks { block.deallocate() }
    self = TextArena()
  }
}
