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

// Writing decimals as text.

extension DecimalNumber: CustomStringConvertible {
  /// The number of bytes that ``write(into:)`` needs.
  public static var textCapacity: Int { @inline(__always) get { 64 } }

  /// The text of ``write(into:)``.
  public var description: String {
    String(unsafeUninitializedCapacity: Self.textCapacity) { buffer in
      buffer.baseAddress.map { write(into: $0) } ?? 0
    }
  }

  /// Writes the number exactly, as a JSON number such as `7.345`, `1200`, `1.5E+40` or `2E-40`.
  ///
  /// A number that fits 38 digits, not counting a zero before the point, has no exponent. Nor has a
  /// fraction whose first digit is at 10^-6 or above.
  ///
  /// - Parameter target: Room for ``textCapacity`` bytes; bytes after the text are undefined.
  /// - Returns: The length of the text, at most 46.
  public func write(into target: UnsafeMutablePointer<UInt8>) -> Int {
    target.pointee = UInt8(ascii: "-")
    let sign = coefficient < 0 ? 1 : 0
    let text = target + sign
    let count = Self.writeDigits(coefficient.magnitude, into: text)
    let first = Int(exponent) &+ count &- 1
    guard first < Self.maximumDigits, first > -7 || exponent >= 0 - Int32(Self.maximumDigits) else {
      return sign &+ Self.writeExponent(first, at: count, in: text)
    }
    if exponent >= 0 {
      (text + count).update(repeating: UInt8(ascii: "0"), count: Int(exponent))
      return sign &+ count &+ Int(exponent)
    }
    if first >= 0 {
      Self.open(text + (first &+ 1), by: 1, count: count &- first &- 1)
      text[first &+ 1] = UInt8(ascii: ".")
      return sign &+ count &+ 1
    }
    let zeros = 1 &- first
    Self.open(text, by: zeros, count: count)
    text.update(repeating: UInt8(ascii: "0"), count: zeros)
    text[1] = UInt8(ascii: ".")
    return sign &+ zeros &+ count
  }

  /// Changes the digits at `text` to `d.dddE+n`; returns the whole length.
  private static func writeExponent(
    _ exponent: Int, at count: Int, in text: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var length = count
    if count > 1 {
      open(text + 1, by: 1, count: count &- 1)
      text[1] = UInt8(ascii: ".")
      length &+= 1
    }
    text[length] = UInt8(ascii: "E")
    text[length &+ 1] = exponent < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")
    length &+= 2
    return length
      &+ NumberText.writeUnsigned(UInt64(exponent.magnitude), into: text + length)
  }

  /// Moves `count` bytes up by `distance`.
  private static func open(
    _ text: UnsafeMutablePointer<UInt8>, by distance: Int, count: Int
  ) {
    (text + distance).update(from: text, count: count)
  }

  /// Writes a coefficient below 10^38 and returns its length.
  private static func writeDigits(
    _ value: UInt128, into target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    guard value > UInt128(UInt64.max) else {
      return NumberText.writeUnsigned(UInt64(truncatingIfNeeded: value), into: target)
    }
    // The lower 19 digits are written in groups of 3, 8 and 8, with zeros.
    let unit: UInt64 = 10_000_000_000_000_000_000
    let (upper, lower) = value.quotientAndRemainder(dividingBy: UInt128(unit))
    let length = NumberText.writeUnsigned(UInt64(truncatingIfNeeded: upper), into: target)
    let rest = UInt64(truncatingIfNeeded: lower)
    let eights = rest / 100_000_000
    let top = eights / 100_000_000
    // The next eight digits overwrite the five zeros after the first three.
    NumberText.writeEight(top &* 100_000, into: target + length)
    NumberText.writeEight(eights &- top &* 100_000_000, into: target + length + 3)
    NumberText.writeEight(rest &- eights &* 100_000_000, into: target + length + 11)
    return length &+ 19
  }
}

// Reading decimals from text.

extension DecimalNumber {
  /// Reads a whole text as a JSON number (RFC 8259, section 6), also with a leading `+`.
  ///
  /// - Returns: nil for any other text, or if the number needs more than 38 significant digits or
  ///   an exponent outside -6144...6144. Numbers are never rounded.
  public init?(text bytes: UnsafeBufferPointer<UInt8>) {
    guard let scan = NumberScan(bytes, allowsPlus: true) else { return nil }
    if scan.isTooLong {
      self.init(long: scan)
      return
    }
    var significand = scan.significand
    guard significand != 0 else {
      self = .zero
      return
    }
    let exponent = scan.exponent &+ Self.removeTrailingZeros(&significand)
    guard exponent >= 0 - Self.maximumExponent, exponent <= Self.maximumExponent else {
      return nil
    }
    let value = Int128(significand)
    self.init(
      normalizedCoefficient: scan.isNegative ? 0 - value : value,
      exponent: Int32(truncatingIfNeeded: exponent))
  }

  /// Reads text as ``init(text:)``.
  public init?(_ text: String) {
    var text = text
    guard let value = text.withUTF8({ DecimalNumber(text: $0) }) else { return nil }
    self = value
  }

  /// Reads the digits again, into 128 bits.
  private init?(long scan: NumberScan) {
    var magnitude: UInt128 = 0
    var significantDigits = 0
    // Zeros count only if another digit follows: zeros at the end belong to the exponent.
    var pendingZeros = 0
    var next = scan.digits
    var left = scan.digitCount
    while left > 0 {
      let digit = next.pointee &- UInt8(ascii: "0")
      next += 1
      if digit > 9 { continue }
      left &-= 1
      if digit == 0 {
        pendingZeros &+= 1
        continue
      }
      if significantDigits == 0 { pendingZeros = 0 }
      let added = pendingZeros &+ 1
      guard added <= Self.maximumDigits &- significantDigits else { return nil }
      magnitude = magnitude &* Self.powerOfTen(added) &+ UInt128(digit)
      significantDigits &+= added
      pendingZeros = 0
    }
    self.init(
      magnitude: magnitude, exponent: scan.exponent &+ pendingZeros, isNegative: scan.isNegative)
  }
}
