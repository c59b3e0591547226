/// The parts of a number's text, after one pass that checks its grammar (RFC 8259, section 6).
struct NumberScan {
  var isNegative: Bool
  /// All digits as a whole number; it has wrapped if ``isTooLong``.
  var significand: UInt64
  /// The power of ten that multiplies the significand.
  var exponent: Int
  /// The first digit.
  var digits: UnsafePointer<UInt8>
  /// The number of digits before and after the point.
  var digitCount: Int

  /// Whether the digits without leading zeros may not fit the significand.
  var isTooLong: Bool {
    @inline(__always) get { digitCount > 19 && !hasFewSignificantDigits }
  }

  private var hasFewSignificantDigits: Bool {
    var leadingZeros = 0
    var next = digits
    while leadingZeros < digitCount {
      if next.pointee == UInt8(ascii: "0") {
        leadingZeros &+= 1
      } else if next.pointee != UInt8(ascii: ".") {
        break
      }
      next += 1
    }
    return digitCount &- leadingZeros <= 19
  }

  /// Reads the whole text; nil if it is not a JSON number.
  ///
  /// - Parameter allowsPlus: Whether a leading `+`, which JSON does not have, is accepted.
  @inline(__always)
  init?(_ bytes: UnsafeBufferPointer<UInt8>, allowsPlus: Bool = false) {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return nil }
    let end = start + bytes.count
    var next = start
    isNegative = next.pointee == UInt8(ascii: "-")
    if isNegative || (allowsPlus && next.pointee == UInt8(ascii: "+")) { next += 1 }

    digits = next
    significand = 0
    exponent = 0
    Self.takeDigits(&next, end: end, into: &significand)
    digitCount = next - digits
    guard digitCount == 1 || (digitCount > 1 && digits.pointee != UInt8(ascii: "0")) else {
      return nil
    }
    if next < end && next.pointee == UInt8(ascii: ".") {
      next += 1
      let fraction = next
      Self.takeDigits(&next, end: end, into: &significand)
      guard next > fraction else { return nil }
      exponent = fraction - next
      digitCount &-= exponent
    }
    if next < end && next.pointee | 0x20 == UInt8(ascii: "e") {
      next += 1
      guard let written = Self.takeExponent(&next, end: end) else { return nil }
      exponent &+= written
    }
    guard next == end else { return nil }
  }

  @inline(__always)
  private static func takeDigits(
    _ next: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, into value: inout UInt64
  ) {
    while next < end {
      let digit = next.pointee &- UInt8(ascii: "0")
      guard digit < 10 else { return }
      value = value &* 10 &+ UInt64(digit)
      next += 1
    }
  }

  /// Reads the digits after the `e`; larger values than the digits of a text can compensate are
  /// cut.
  private static func takeExponent(
    _ next: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) -> Int? {
    guard next < end else { return nil }
    let isNegative = next.pointee == UInt8(ascii: "-")
    if isNegative || next.pointee == UInt8(ascii: "+") { next += 1 }
    let first = next
    var value = 0
    while next < end {
      let digit = next.pointee &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      if value < 100_000_000_000_000_000 { value = value &* 10 &+ Int(digit) }
      next += 1
    }
    guard next > first else { return nil }
    return isNegative ? 0 &- value : value
  }
}
