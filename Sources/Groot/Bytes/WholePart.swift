/// A number without its fraction, by all of its digits.
struct WholePart: Equatable {
  /// The part before the point, with the sign; nil when an `Int64` does not hold it.
  var integer: Int64?
  /// Whether a digit other than 0 is behind the point.
  var hasFraction: Bool

  /// Whether the number is 0.
  var isZero: Bool { integer == 0 && !hasFraction }

  /// A whole number.
  init(_ integer: Int64) {
    self.integer = integer
    hasFraction = false
  }

  /// The number that a double is.
  init(_ real: Double) {
    let whole = real.rounded(.towardZero)
    integer = Int64(exactly: whole)
    hasFraction = whole != real
  }

  /// The number that a JSON text says; nil for a text that is not one.
  ///
  /// Nothing is rounded, however many digits there are and however large the exponent is.
  /// Complexity: O(bytes).
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let scan = NumberScan(text) else { return nil }
    hasFraction = false
    // The exponent moves the point: as many of the digits are before it.
    let wholeCount = scan.exponent < 0 ? scan.digitCount &+ scan.exponent : scan.digitCount
    var magnitude: UInt64 = 0
    var isTooLarge = false
    var next = scan.digits
    var position = 0
    while position < scan.digitCount {
      let digit = next.pointee &- Byte.zero
      next += 1
      if digit > 9 { continue }
      if position < wholeCount {
        isTooLarge = !Self.append(digit, to: &magnitude) || isTooLarge
      } else if digit != 0 {
        hasFraction = true
        break
      }
      position &+= 1
    }
    var zeros = scan.exponent
    // A number other than 0 is too large after 20 of them.
    while zeros > 0 && magnitude > 0 && !isTooLarge {
      isTooLarge = !Self.append(0, to: &magnitude)
      zeros &-= 1
    }
    let limit = UInt64(Int64.max) &+ (scan.isNegative ? 1 : 0)
    guard !isTooLarge, magnitude <= limit else {
      integer = nil
      return
    }
    integer = Int64(bitPattern: scan.isNegative ? 0 &- magnitude : magnitude)
  }

  /// Puts a digit behind the others; false, and nothing is done, when there is no room for it.
  private static func append(_ digit: UInt8, to magnitude: inout UInt64) -> Bool {
    let (tens, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
    let (sum, overflows) = tens.addingReportingOverflow(UInt64(digit))
    if isTooLarge || overflows { return false }
    magnitude = sum
    return true
  }
}
