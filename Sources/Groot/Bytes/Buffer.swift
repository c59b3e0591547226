/// A growable buffer of plain values, kept from record to record.
struct Buffer<Element: BitwiseCopyable> {
  private(set) var start: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 64) {
    self.capacity = capacity
    start = .allocate(capacity: capacity)
  }

  func deallocate() { start.deallocate() }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(to: count &+ 1) }
    (start + count).initialize(to: element)
    count &+= 1
  }

  /// Makes room for `length` elements after the last and gives the index of the first.
  @inline(__always)
  mutating func reserve(_ length: Int) -> Int {
    if count &+ length > capacity { grow(to: count &+ length) }
    let first = count
    count &+= length
    return first
  }

  @inline(never)
  private mutating func grow(to needed: Int) {
    capacity = max(capacity * 2, needed)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }

  @inline(__always)
  mutating func removeLast(to count: Int) { self.count = count }

  /// Turns the elements from `first` on around.
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
