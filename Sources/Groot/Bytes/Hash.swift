/// Hashes identity values, links and keys: it multiplies and folds, like wyhash.
///
/// Both factors of each product contain a secret of the process, so untrusted values cannot be
/// chosen to collide or to make a factor zero.
struct Hash: Sendable {
  private let left: UInt64
  private let right: UInt64
  private let last: UInt64
  /// The word for a missing value.
  private let absence: UInt64

  /// The hash with the secrets of the process; no order depends on it.
  static let ofProcess = Hash()

  init() {
    // Odd, so that no low bit of a product is always zero.
    (left, right) = (.random(in: .min ... .max), .random(in: .min ... .max) | 1)
    (last, absence) = (.random(in: .min ... .max), .random(in: .min ... .max))
  }

  @inline(__always)
  private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  /// Multiplies twice: after one multiplication, evenly spaced numbers may share most of the bits
  /// that tables use.
  @inline(__always)
  private func finish(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = one.multipliedFullWidth(by: other)
    return Self.fold(product.low ^ last, product.high ^ right)
  }

  /// Returns the hash of a word, continued from `start`.
  @inline(__always)
  func mix(_ value: UInt64, start: UInt64 = 0) -> UInt64 {
    finish(value ^ left, start ^ right)
  }

  /// Returns the hash of a missing value, continued from `start`.
  @inline(__always)
  func none(_ start: UInt64) -> UInt64 { mix(absence, start: start) }

  /// Returns the hash of bytes, continued from `from`; `start` may be null without bytes.
  @inline(__always)
  func bytes(_ start: UnsafePointer<UInt8>?, count: Int, from: UInt64 = 0) -> UInt64 {
    var hash = (from ^ right) &+ UInt64(truncatingIfNeeded: count)
    guard let start else { return finish(left, hash) }
    let source = UnsafeRawPointer(start)
    var offset = 0
    while count &- offset >= 16 {
      hash = Self.fold(
        source.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ left,
        source.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self) ^ hash)
      offset &+= 16
    }
    var low: UInt64 = 0
    var high: UInt64 = 0
    let rest = count &- offset
    if rest >= 8 {
      low = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      high = source.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    } else if rest >= 4 {
      low =
        UInt64(source.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        | UInt64(source.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)) &<< 32
    } else if rest > 0 {
      low =
        UInt64(start[offset]) | UInt64(start[offset &+ rest &>> 1]) &<< 8
        | UInt64(start[count &- 1]) &<< 16
    }
    return finish(low ^ left, high ^ hash)
  }
}
