/// The whole part of a number, from all its digits.
struct WholePart: Equatable {
  /// The part before the point, with the sign; nil if it does not fit an `Int64`.
  var integer: Int64?
  /// Whether there is a digit other than 0 after the point.
  var hasFraction: Bool

  /// Whether the number is 0.
  var isZero: Bool { integer == 0 && !hasFraction }

  /// Makes the whole part of an integer.
  init(_ integer: Int64) {
    self.integer = integer
    hasFraction = false
  }

  /// Makes the whole part of a double.
  init(_ real: Double) {
    let whole = real.rounded(.towardZero)
    integer = Int64(exactly: whole)
    hasFraction = whole != real
  }

  /// Makes the whole part of a JSON number; nil for any other text.
  ///
  /// The number is not rounded, for any number of digits and any exponent. Complexity: O(bytes).
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let scan = NumberScan(text) else { return nil }
    hasFraction = false
    // The number of digits before the point, which the exponent has moved.
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
    // A number other than 0 is too large after 20 zeros.
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

  /// Appends a digit; returns false, without a change, if it does not fit.
  private static func append(_ digit: UInt8, to magnitude: inout UInt64) -> Bool {
    let (tens, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
    let (sum, overflows) = tens.addingReportingOverflow(UInt64(digit))
    if isTooLarge || overflows { return false }
    magnitude = sum
    return true
  }
}
