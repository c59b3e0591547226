/// Hashing of identity values and links: multiply and fold, with a seed of the process, so that
/// nobody outside can choose values that collide.
enum Hash {
  /// Drawn once per process; the order of nothing depends on it.
  private static let seed: UInt64 = UInt64.random(in: .min ... .max) | 1

  @inline(__always)
  private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  @inline(__always)
  static func mix(_ value: UInt64, _ start: UInt64 = 0) -> UInt64 {
    fold(value ^ seed ^ start, 0x9E37_79B9_7F4A_7C15 ^ start &<< 1)
  }

  @inline(__always)
  static func bytes(_ start: UnsafePointer<UInt8>, _ count: Int, _ from: UInt64 = 0) -> UInt64 {
    let source = UnsafeRawPointer(start)
    var hash = from ^ UInt64(truncatingIfNeeded: count) ^ seed
    var offset = 0
    while count &- offset >= 16 {
      hash = fold(
        source.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ 0xA076_1D64_78BD_642F,
        source.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self) ^ hash)
      offset &+= 16
    }
    var low: UInt64 = 0
    var high: UInt64 = 0
    let left = count &- offset
    if left >= 8 {
      low = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      high = source.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    } else {
      for index in 0..<left {
        low |=
          UInt64(source.load(fromByteOffset: offset &+ index, as: UInt8.self))
          &<< UInt64(truncatingIfNeeded: index &* 8)
      }
    }
    return fold(low ^ 0xE703_7ED1_A0B4_28DB, high ^ hash)
  }
}
