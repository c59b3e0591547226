import Groot

/// Bytes of PostgreSQL's binary formats, whose numbers have the most significant byte first.
struct PostgreSQLBuffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 256) {
    self.capacity = capacity
    start = .allocate(capacity: capacity)
  }

  deinit { start.deallocate() }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  mutating func removeAll() { count = 0 }

  /// Returns the place of `size` more bytes.
  @inline(__always)
  private mutating func place(_ size: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity - count < size { grow(by: size) }
    let place = start + count
    count += size
    return place
  }

  private mutating func grow(by size: Int) {
    capacity = max(capacity * 2, count + size)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }

  @inline(__always)
  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    UnsafeMutableRawPointer(place(MemoryLayout<Number>.size))
      .storeBytes(of: number.bigEndian, as: Number.self)
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    place(bytes.count).update(from: source, count: bytes.count)
  }

  /// Writes a number at an earlier place.
  mutating func set(_ number: Int32, at offset: Int) {
    UnsafeMutableRawPointer(start + offset).storeBytes(of: number.bigEndian, as: Int32.self)
  }
}
