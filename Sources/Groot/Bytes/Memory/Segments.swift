/// The memory of a table: segments of one size that never move.
///
/// It is flat, so that its copies do not count references.
struct Segments {
  /// The number of bytes in a segment.
  let size: Int
  /// The number of segments.
  private(set) var count = 0
  private var starts: UnsafeMutablePointer<UnsafeMutableRawPointer>
  private var capacity = 16
  private let memory: Memory

  init(size: Int, _ account: MemoryAccount?) {
    self.size = size
    memory = Memory(account)
    starts = memory.allocateFew(UnsafeMutableRawPointer.self, count: capacity)
  }

  func deallocate() {
    for number in 0..<count {
      memory.release(starts[number].assumingMemoryBound(to: UInt8.self), count: size)
    }
    memory.release(starts, count: capacity)
  }

  /// The start of a segment.
  @inline(__always)
  subscript(_ number: Int) -> UnsafeMutableRawPointer { starts[number] }

  /// Adds a segment, whose content is undefined; returns false without memory.
  @inline(never)
  mutating func add() -> Bool {
    if count == capacity {
      guard let larger = memory.resize(starts, from: capacity, to: capacity * 2) else {
        return false
      }
      starts = larger
      capacity *= 2
    }
    guard let segment = memory.allocate(UInt8.self, count: size) else { return false }
    starts[count] = UnsafeMutableRawPointer(segment)
    count += 1
    return true
  }
}
