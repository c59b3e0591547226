/// The strings of a tape that are written as they are in the source text: short ones without escapes.
///
/// A string with escapes is in the tape's scratch. One in the source text has none and needs none, so
/// that its bytes can be copied with their quotes.
struct SourceStrings {
  /// The address of the first byte that a string can have.
  private let first: UInt
  /// The number of addresses from which on ``width`` bytes are in the source text.
  private let count: UInt

  /// The number of bytes that are copied at once.
  static var width: Int { 32 }

  @inline(__always)
  init(_ tape: JSONTape) {
    guard let source = tape.source, let end = tape.sourceEnd, end - source >= Self.width else {
      (first, count) = (0, 0)
      return
    }
    first = UInt(bitPattern: source) &+ 1
    count = UInt(end - source &- Self.width &+ 1)
  }

  /// Returns whether a string or key can be copied with its quotes.
  @inline(__always)
  func canCopy(_ token: JSONToken) -> Bool {
    UInt(truncatingIfNeeded: token.payload) &- first < count && Int(token.size) <= Self.width &- 2
  }

  /// Returns the address of the opening quote of a string that can be copied.
  @inline(__always)
  func quoted(_ token: JSONToken) -> UnsafeRawPointer? {
    UnsafeRawPointer(bitPattern: UInt(truncatingIfNeeded: token.payload) &- 1)
  }

  /// Copies ``width`` bytes.
  @inline(__always)
  static func copy(_ source: UnsafeRawPointer, to target: UnsafeMutablePointer<UInt8>) {
    let target = UnsafeMutableRawPointer(target)
    let first = source.loadUnaligned(as: SIMD16<UInt8>.self)
    let second = (source + 16).loadUnaligned(as: SIMD16<UInt8>.self)
    target.storeBytes(of: first, as: SIMD16<UInt8>.self)
    (target + 16).storeBytes(of: second, as: SIMD16<UInt8>.self)
  }
}
