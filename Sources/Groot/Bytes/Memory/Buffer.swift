/// A growable buffer of plain values, whose memory is reused for each record.
struct Buffer<Element: BitwiseCopyable> {
  private(set) var start: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int
  private let memory: Memory

  init(_ account: MemoryAccount?, capacity: Int = 64) {
    self.capacity = capacity
    memory = Memory(account)
    start = memory.allocateFew(Element.self, count: capacity)
  }

  func deallocate() { memory.release(start, count: capacity) }

  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``; the buffer is then unchanged.
  @inline(__always)
  mutating func append(_ element: Element) throws {
    if count == capacity { try grow(to: count &+ 1) }
    (start + count).initialize(to: element)
    count &+= 1
  }

  /// Makes room for `length` elements after the last and returns the index of the first.
  @inline(__always)
  mutating func reserve(_ length: Int) throws -> Int {
    if count &+ length > capacity { try grow(to: count &+ length) }
    let first = count
    count &+= length
    return first
  }

  @inline(never)
  private mutating func grow(to needed: Int) throws {
    let wanted = max(capacity &* 2, needed)
    guard let moved = memory.resize(start, from: capacity, to: wanted) else {
      throw memory.failure
    }
    start = moved
    capacity = wanted
  }

  @inline(__always)
  mutating func removeLast(to count: Int) { self.count = count }

  /// Reverses the elements from `first` on.
  mutating func reverse(from first: Int) {
    var (low, high) = (first, count - 1)
    while low < high {
      let element = start[low]
      start[low] = start[high]
      start[high] = element
      low += 1
      high -= 1
    }
  }
}
