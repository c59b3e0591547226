/// An exact decimal number: `coefficient` * 10^`exponent`.
///
/// A number is always normalized, so that equal numbers have equal fields: the coefficient does not
/// end in a zero, and zero is 0 * 10^0. It has at most 38 significant digits, and an exponent in
/// -6144...6144.
public struct DecimalNumber: Hashable, Sendable {
  /// All significant digits, with the sign.
  public var coefficient: Int128 {
    @inline(__always) get { Int128(high) << 64 | Int128(low) }
  }
  // Two words instead of an Int128, which the compiler (6.3) misaligns inside an enum in debug
  // builds.
  private let high: Int64
  private let low: UInt64
  /// The power of ten that the coefficient is multiplied by.
  public let exponent: Int32

  /// The greatest number of significant digits.
  public static var maximumDigits: Int { @inline(__always) get { 38 } }
  /// The greatest exponent; the least is its negative.
  public static var maximumExponent: Int { @inline(__always) get { 6_144 } }
  /// The number 0.
  public static var zero: DecimalNumber { DecimalNumber(normalizedCoefficient: 0, exponent: 0) }

  /// Makes a number from fields that are normalized and within the limits.
  @inline(__always)
  init(normalizedCoefficient coefficient: Int128, exponent: Int32) {
    high = Int64(truncatingIfNeeded: coefficient >> 64)
    low = UInt64(truncatingIfNeeded: coefficient)
    self.exponent = exponent
  }

  /// Makes `coefficient` * 10^`exponent`; nil beyond the limits of the type.
  public init?(coefficient: Int128, exponent: Int) {
    self.init(
      magnitude: coefficient.magnitude, exponent: exponent, isNegative: coefficient < 0)
  }

  /// Makes a number from an integer.
  public init(_ integer: Int64) {
    var magnitude = integer.magnitude
    let zeros = Self.removeTrailingZeros(&magnitude)
    let value = Int128(magnitude)
    self.init(
      normalizedCoefficient: integer < 0 ? 0 - value : value,
      exponent: Int32(truncatingIfNeeded: zeros))
  }

  /// Makes the number with the fewest digits that reads back as `double`: 0.1 for `0.1`.
  ///
  /// Nil for infinities and NaN.
  public init?(shortest double: Double) {
    let value = withUnsafeTemporaryAllocation(
      of: UInt8.self, capacity: NumberText.doubleCapacity
    ) { buffer -> DecimalNumber? in
      guard let start = buffer.baseAddress,
        let length = NumberText.writeDouble(double, into: start)
      else { return nil }
      return DecimalNumber(text: UnsafeBufferPointer(start: start, count: length))
    }
    guard let value else { return nil }
    self = value
  }

  /// Makes a number from any digits, normalized; nil beyond the limits.
  init?(magnitude digits: UInt128, exponent: Int, isNegative: Bool) {
    var magnitude = digits
    var exponent = exponent
    if magnitude == 0 {
      self = .zero
      return
    }
    if magnitude <= UInt128(UInt64.max) {
      var short = UInt64(truncatingIfNeeded: magnitude)
      exponent = exponent.addingReportingOverflow(Self.removeTrailingZeros(&short)).partialValue
      magnitude = UInt128(short)
    } else {
      while magnitude % 10 == 0 {
        magnitude /= 10
        exponent = exponent.addingReportingOverflow(1).partialValue
      }
    }
    guard exponent >= 0 - Self.maximumExponent, exponent <= Self.maximumExponent,
      magnitude < Self.limit
    else { return nil }
    let value = Int128(truncatingIfNeeded: magnitude)
    self.init(
      normalizedCoefficient: isNegative ? 0 - value : value,
      exponent: Int32(truncatingIfNeeded: exponent))
  }

  /// The first coefficient with too many digits, 10^38.
  static var limit: UInt128 { @inline(__always) get { powerOfTen(38) } }

  /// Returns 10^exponent for 0...38, the powers that fit 128 bits; any other exponent counts as 38.
  @inline(__always)
  static func powerOfTen(_ exponent: Int) -> UInt128 {
    let exponent = exponent.magnitude > 38 ? 38 : Int(exponent.magnitude)
    let half = exponent > 19 ? 19 : exponent
    let rest = exponent &- half
    return UInt128(NumberText.powerOfFive(half)) &* UInt128(NumberText.powerOfFive(rest))
      &<< UInt128(truncatingIfNeeded: exponent)
  }

  /// Divides by ten while there is no remainder, and returns the number of divisions; 0 is
  /// unchanged.
  @inline(__always)
  static func removeTrailingZeros(_ value: inout UInt64) -> Int {
    var count = 0
    // An odd number is not a multiple of ten, so this test suffices for most numbers.
    while value & 1 == 0 && value != 0 {
      let tenth = value / 10
      guard tenth &* 10 == value else { break }
      value = tenth
      count &+= 1
    }
    return count
  }
}

extension DecimalNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Makes a whole number.
  public init(integerLiteral value: Int64) { self.init(value) }

  /// Makes the shortest decimal that reads back as the literal's double; 0 for an infinite literal.
  public init(floatLiteral value: Double) { self = DecimalNumber(shortest: value) ?? .zero }
}
