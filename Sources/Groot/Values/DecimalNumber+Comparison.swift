// The exact comparison of decimals.

extension DecimalNumber: Comparable {
  /// Returns whether the left number is smaller; exact for all exponents.
  public static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
    if left.exponent == right.exponent { return left.coefficient < right.coefficient }
    let sign = left.coefficient.signum()
    let otherSign = right.coefficient.signum()
    if sign != otherSign { return sign < otherSign }
    return sign > 0 ? isNearerZero(left, right) : isNearerZero(right, left)
  }

  /// Compares two numbers without their signs.
  private static func isNearerZero(_ left: DecimalNumber, _ right: DecimalNumber) -> Bool {
    let position = left.leadingPosition
    let other = right.leadingPosition
    if position != other { return position < other }
    // Both begin at the same power of ten: aligned at the lower exponent, they have the same number
    // of digits, at most 38.
    let distance = Int(left.exponent) &- Int(right.exponent)
    let power = powerOfTen(distance)
    let digits = left.coefficient.magnitude
    let otherDigits = right.coefficient.magnitude
    return distance >= 0 ? digits &* power < otherDigits : digits < otherDigits &* power
  }

  /// The power of ten of the first digit.
  private var leadingPosition: Int {
    Int(exponent) &+ Self.digitCount(coefficient.magnitude) &- 1
  }

  /// Returns the number of decimal digits of a number below 10^38; 1 for 0.
  static func digitCount(_ value: UInt128) -> Int {
    // 1233 / 4096 approximates log10(2): for 128 bits the result is right or one too small.
    let estimate = ((128 &- value.leadingZeroBitCount) &* 1_233) &>> 12
    return value >= powerOfTen(estimate) ? estimate &+ 1 : max(estimate, 1)
  }
}

extension DecimalNumber {
  /// The nearest double, ties to even; an infinity if the number is beyond all doubles.
  public var double: Double {
    let magnitude = coefficient.magnitude
    if magnitude <= UInt128(UInt64.max),
      let value = NumberText.exactDouble(
        significand: UInt64(truncatingIfNeeded: magnitude), exponent: Int(exponent))
    {
      return coefficient < 0 ? -value : value
    }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.textCapacity) { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      let text = UnsafeBufferPointer(start: UnsafePointer(start), count: write(into: start))
      return NumberText.libraryDouble(text) ?? 0
    }
  }

  /// Whether a reader with 64-bit integers and doubles would round the number.
  var isRoundedByDouble: Bool {
    int64 == nil && DecimalNumber(shortest: double) != self
  }

  /// The number as an integer; nil if it has a fraction or is outside `Int64`.
  public var int64: Int64? {
    guard exponent >= 0, exponent <= 18 else { return nil }
    let power = Int128(truncatingIfNeeded: Self.powerOfTen(Int(exponent)))
    let (product, overflow) = coefficient.multipliedReportingOverflow(by: power)
    return overflow ? nil : Int64(exactly: product)
  }
}
