/// Numbers as text: independent of the locale, and exact in both directions.
enum NumberText {
  /// The number of bytes that ``writeInteger(_:into:)`` and ``writeUnsigned(_:into:)`` need.
  static var integerCapacity: Int { @inline(__always) get { 32 } }
  /// The number of bytes that ``writeDouble(_:into:)`` needs.
  static var doubleCapacity: Int { @inline(__always) get { 40 } }

  /// Returns 10^exponent, exactly; 1e22 for each exponent above 22, so a table is never read beyond
  /// its end.
  @inline(__always)
  static func powerOfTen(_ exponent: Int) -> Double {
    switch exponent {
    case 0: 1
    case 1: 1e1
    case 2: 1e2
    case 3: 1e3
    case 4: 1e4
    case 5: 1e5
    case 6: 1e6
    case 7: 1e7
    case 8: 1e8
    case 9: 1e9
    case 10: 1e10
    case 11: 1e11
    case 12: 1e12
    case 13: 1e13
    case 14: 1e14
    case 15: 1e15
    case 16: 1e16
    case 17: 1e17
    case 18: 1e18
    case 19: 1e19
    case 20: 1e20
    case 21: 1e21
    default: 1e22
    }
  }

  /// Returns 5^exponent for 0...27, the powers that fit a `UInt64`; 5^27 for each greater exponent.
  static func powerOfFive(_ exponent: Int) -> UInt64 {
    switch exponent {
    case 0: 1
    case 1: 5
    case 2: 25
    case 3: 125
    case 4: 625
    case 5: 3_125
    case 6: 15_625
    case 7: 78_125
    case 8: 390_625
    case 9: 1_953_125
    case 10: 9_765_625
    case 11: 48_828_125
    case 12: 244_140_625
    case 13: 1_220_703_125
    case 14: 6_103_515_625
    case 15: 30_517_578_125
    case 16: 152_587_890_625
    case 17: 762_939_453_125
    case 18: 3_814_697_265_625
    case 19: 19_073_486_328_125
    case 20: 95_367_431_640_625
    case 21: 476_837_158_203_125
    case 22: 2_384_185_791_015_625
    case 23: 11_920_928_955_078_125
    case 24: 59_604_644_775_390_625
    case 25: 298_023_223_876_953_125
    case 26: 1_490_116_119_384_765_625
    default: 7_450_580_596_923_828_125
    }
  }
}

// The comparison of a number's text with its double.

extension NumberText {
  /// Returns whether a number's text has digits that the shortest text of its double does not have.
  ///
  /// Complexity: O(bytes); constant for most texts of up to 16 bytes.
  package static func saysMore(
    _ text: UnsafeBufferPointer<UInt8>, than value: Double
  ) -> Bool {
    // A double keeps 15 digits of any number, except close to 0.
    if text.count <= 16, value.magnitude >= Double.leastNormalMagnitude { return false }
    if value == 0 { return WholePart(text)?.isZero == false }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { shortest in
      guard let start = shortest.baseAddress, let count = writeDouble(value, into: start) else {
        return false
      }
      let written = UnsafeBufferPointer(start: start, count: count)
      return significance(of: text) != significance(of: written)
    }
  }

  /// Returns whether a number's text must be kept besides its double: it has more digits, or is
  /// another whole number.
  ///
  /// Complexity: as of ``saysMore(_:than:)``.
  static func isNeeded(
    _ text: UnsafeBufferPointer<UInt8>, beside value: Double
  ) -> Bool {
    if saysMore(text, than: value) { return true }
    // Between these bounds, not every whole number is a double.
    guard value.magnitude >= 0x1p53, value.magnitude <= 0x1p63 else { return false }
    return WholePart(text) != WholePart(value)
  }

  /// Returns the digits from the first to the last other than 0, and the power of ten of the last.
  private static func significance(
    of text: UnsafeBufferPointer<UInt8>
  ) -> Significance? {
    guard let scan = NumberScan(text) else { return nil }
    var digits: [UInt8] = []
    var next = scan.digits
    for _ in 0..<scan.digitCount {
      if next.pointee == UInt8(ascii: ".") { next += 1 }
      if !digits.isEmpty || next.pointee != Byte.zero { digits.append(next.pointee) }
      next += 1
    }
    let zeros = digits.reversed().prefix { $0 == Byte.zero }.count
    digits.removeLast(zeros)
    return Significance(
      isNegative: scan.isNegative, digits: digits,
      exponent: digits.isEmpty ? 0 : scan.exponent &+ zeros)
  }
}

/// The value of a number, regardless of its written form.
private struct Significance: Equatable {
  var isNegative: Bool
  var digits: [UInt8]
  var exponent: Int
}

// Writing doubles as the shortest text that reads back as the same double.

extension NumberText {
  /// Writes the shortest JSON that reads back as the same double, with a point or an exponent, such
  /// as `7.0`, `0.1`, `-0.0` or `5e-324`.
  ///
  /// The text is that of `Double.description`.
  ///
  /// - Parameter target: Room for ``doubleCapacity`` bytes; bytes after the text are undefined.
  /// - Returns: The length of the text; nil for infinities and NaN.
  @inline(__always)
  static func writeDouble(_ value: Double, into target: UnsafeMutablePointer<UInt8>) -> Int? {
    let magnitude = value.magnitude
    if magnitude < 1e12 {
      target.pointee = UInt8(ascii: "-")
      let sign = value.sign == .minus ? 1 : 0
      let length =
        magnitude < 1e7
        ? writeDecimals(
          magnitude, scale: 1e8, wholeScale: 100_000_000, padding: 1, into: target + sign)
        : writeDecimals(
          magnitude, scale: 1e3, wholeScale: 1_000, padding: 100_000, into: target + sign)
      if length > 0 { return sign &+ length }
    }
    return writeAny(value, into: target)
  }

  /// Writes a value with few decimals; returns 0 if it has more, or is too small.
  ///
  /// With at most 15 digits, `count` / `scale` is the only number that reads back as `value`, and
  /// therefore the shortest. The error of the product is less than 0.25, so `count` is right if
  /// such a number exists. The division, which rounds once, proves it.
  ///
  /// - Parameters:
  ///   - scale: 10^k for k decimals; `value` * `scale` is below 10^15.
  ///   - wholeScale: The same as an integer.
  ///   - padding: 10^(8 - k).
  @inline(__always)
  private static func writeDecimals(
    _ value: Double, scale: Double, wholeScale: UInt64, padding: UInt64,
    into target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let count = UInt64(bitPattern: Int64(value * scale + 0.5))
    // Below 0.0001, the shortest text has an exponent.
    guard Double(Int64(bitPattern: count)) / scale == value, value >= 1e-4 || value == 0 else {
      return 0
    }
    let whole = count / wholeScale
    let digits = ByteLanes.digitValues(of: (count &- whole &* wholeScale) &* padding)
    let length = writeUnsigned(whole, into: target)
    target[length] = UInt8(ascii: ".")
    ByteLanes.store8(digits | ByteLanes.zeros, into: target + (length &+ 1))
    // The lowest bit is for the one decimal that is always written.
    let trailingZeros = (digits | 1).leadingZeroBitCount &>> 3
    return length &+ 9 &- trailingZeros
  }

  private static func writeAny(_ value: Double, into target: UnsafeMutablePointer<UInt8>) -> Int? {
    guard value.isFinite else { return nil }
    var text = value.description
    return text.withUTF8 { bytes in
      // A double needs at most 24 bytes; the test only guarantees the capacity.
      guard let start = bytes.baseAddress, bytes.count <= doubleCapacity else { return nil }
      target.update(from: start, count: bytes.count)
      return bytes.count
    }
  }
}

// Reading doubles from text.

extension NumberText {
  /// Reads a whole text as a JSON number, to the nearest double, ties to even.
  ///
  /// - Returns: nil if the text is not a JSON number, or the nearest double is an infinity. A
  ///   number too small for a double becomes a subnormal or a zero, as with `strtod`.
  static func parseDouble(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let scan = NumberScan(bytes) else { return nil }
    if !scan.isTooLong,
      let value = exactDouble(significand: scan.significand, exponent: scan.exponent)
    {
      return scan.isNegative ? -value : value
    }
    guard let value = libraryDouble(bytes), value.isFinite else { return nil }
    return value
  }

  /// Returns the double nearest to `significand` * 10^`exponent`, ties to even; nil for exponents
  /// outside -27...27, which need more than 128 bits.
  @inline(__always)
  static func exactDouble(significand: UInt64, exponent: Int) -> Double? {
    // Clinger, "How to read floating point numbers accurately" (1990): two exact doubles, one
    // rounding.
    if significand <= 1 &<< 53 {
      let exact = Double(Int64(bitPattern: significand))
      if exponent <= 0 && exponent >= -22 { return exact / powerOfTen(0 &- exponent) }
      if exponent > 0 && exponent <= 22 { return exact * powerOfTen(exponent) }
      if significand == 0 { return 0 }
    }
    guard exponent >= -27 && exponent <= 27 else { return nil }
    return wideDouble(significand: significand, exponent: exponent)
  }

  /// Returns the same for an exponent in -27...27 and a significand other than 0, with integers.
  private static func wideDouble(significand: UInt64, exponent: Int) -> Double {
    let power = powerOfFive(exponent.magnitude <= 27 ? abs(exponent) : 27)
    // Both factors have their high bit set, so that the results below have at least 62 bits.
    let shift = significand.leadingZeroBitCount
    let powerShift = power.leadingZeroBitCount
    let factor = significand &<< UInt64(shift)
    let scaledPower = power &<< UInt64(powerShift)
    var bits: UInt64
    var scale: Int
    if exponent >= 0 {
      let product = factor.multipliedFullWidth(by: scaledPower)
      bits = product.high | (product.low == 0 ? 0 : 1)
      scale = exponent &- shift &- powerShift &+ 64
    } else {
      // The quotient fits, because the dividend's high half is below the divisor, at least 2^63.
      let (quotient, remainder) = scaledPower.dividingFullWidth(
        (factor &>> 1, factor &<< 63))
      bits = quotient | (remainder == 0 ? 0 : 1)
      scale = exponent &- shift &+ powerShift &- 63
    }
    // The lowest bit keeps whether digits were cut, far below the 53 kept bits: the result is
    // rounded once.
    bits = (bits &>> 1) | (bits & 1)
    scale &+= 1
    // The scale is in -200...200: this power of two and the product are normal doubles.
    let power2 = Double(bitPattern: UInt64(truncatingIfNeeded: 1_023 &+ scale) &<< 52)
    return Double(Int64(bitPattern: bits)) * power2
  }

  /// Reads text that ``NumberScan`` has checked with the standard library, correctly rounded.
  static func libraryDouble(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    Double(String(decoding: bytes, as: UTF8.self))
  }
}

// Reading and writing integers.

extension NumberText {
  /// Reads a whole number: an optional `-` or `+`, then only digits; leading zeros are allowed.
  ///
  /// - Returns: nil for any other text, or a number outside `Int64`.
  @inline(__always)
  static func parseInteger(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard var next = bytes.baseAddress, bytes.count > 0 else { return nil }
    var count = bytes.count
    let isNegative = next.pointee == UInt8(ascii: "-")
    if isNegative || next.pointee == UInt8(ascii: "+") {
      next += 1
      count &-= 1
    }
    guard count <= 8 else { return parseLong(next, count: count, isNegative: isNegative) }
    guard let magnitude = shortNumber(next, count: count) else { return nil }
    let value = Int64(bitPattern: magnitude)
    return isNegative ? 0 &- value : value
  }

  /// Returns the number of up to eight digits; nil for none, and for any other byte.
  @inline(__always)
  static func shortNumber(_ start: UnsafePointer<UInt8>, count: Int) -> UInt64? {
    if count >= 4 {
      // The first four and the last four digits, which may overlap, after leading zeros.
      let gap = UInt64(truncatingIfNeeded: 8 &- count) &* 8
      let lanes =
        (UInt64(ByteLanes.load4(start)) &<< gap)
        | (UInt64(ByteLanes.load4(start + (count &- 4))) &<< 32)
      let values = lanes ^ (ByteLanes.zeros &<< gap)
      guard ByteLanes.areDigitValues(values) else { return nil }
      return ByteLanes.number(ofDigitValues: values)
    }
    guard count > 0 else { return nil }
    var value: UInt64 = 0
    for index in 0..<count {
      let digit = start[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value &* 10 &+ UInt64(digit)
    }
    return value
  }

  /// Reads more than eight digits, after the sign.
  private static func parseLong(
    _ start: UnsafePointer<UInt8>, count: Int, isNegative: Bool
  ) -> Int64? {
    var next = start
    var left = count
    while left > 19 {
      guard next.pointee == UInt8(ascii: "0") else { return nil }
      next += 1
      left &-= 1
    }
    // Any number of 9 to 19 digits fits a UInt64.
    var magnitude: UInt64 = 0
    let head = left & 7
    if head > 0 {
      guard let value = shortNumber(next, count: head) else { return nil }
      magnitude = value
      next += head
      left &-= head
    }
    while left > 0 {
      let values = ByteLanes.load8(next) ^ ByteLanes.zeros
      guard ByteLanes.areDigitValues(values) else { return nil }
      magnitude = magnitude &* 100_000_000 &+ ByteLanes.number(ofDigitValues: values)
      next += 8
      left &-= 8
    }
    guard magnitude <= UInt64(Int64.max) &+ (isNegative ? 1 : 0) else { return nil }
    let value = Int64(bitPattern: magnitude)
    return isNegative ? 0 &- value : value
  }

  /// Writes a whole number.
  ///
  /// - Parameter target: Room for ``integerCapacity`` bytes; bytes after the text are undefined.
  /// - Returns: The length of the text.
  @inline(__always)
  static func writeInteger(_ value: Int64, into target: UnsafeMutablePointer<UInt8>) -> Int {
    // Always written, and overwritten without a sign, which is cheaper than a branch.
    target.pointee = UInt8(ascii: "-")
    let sign = value < 0 ? 1 : 0
    return sign &+ writeUnsigned(value.magnitude, into: target + sign)
  }

  /// Writes an unsigned whole number; see ``writeInteger(_:into:)``.
  @inline(__always)
  static func writeUnsigned(_ value: UInt64, into target: UnsafeMutablePointer<UInt8>) -> Int {
    value < 100_000_000 ? writeShort(value, into: target) : writeLong(value, into: target)
  }

  /// Writes a number below 100,000,000.
  @inline(__always)
  private static func writeShort(_ value: UInt64, into target: UnsafeMutablePointer<UInt8>) -> Int {
    let digits = ByteLanes.digitValues(of: value)
    // The bit above the last digit's value keeps that digit if all are zero.
    let leadingZeros = (digits | 1 &<< 56).trailingZeroBitCount &>> 3
    ByteLanes.store8(
      (digits | ByteLanes.zeros) &>> UInt64(truncatingIfNeeded: leadingZeros &* 8), into: target)
    return 8 &- leadingZeros
  }

  private static func writeLong(_ value: UInt64, into target: UnsafeMutablePointer<UInt8>) -> Int {
    let upper = value / 100_000_000
    let lower = value &- upper &* 100_000_000
    var length = 0
    if upper < 100_000_000 {
      length = writeShort(upper, into: target)
    } else {
      let top = upper / 100_000_000
      length = writeShort(top, into: target)
      writeEight(upper &- top &* 100_000_000, into: target + length)
      length &+= 8
    }
    writeEight(lower, into: target + length)
    return length &+ 8
  }

  /// Writes a number below 100,000,000 as eight digits.
  @inline(__always)
  static func writeEight(_ value: UInt64, into target: UnsafeMutablePointer<UInt8>) {
    ByteLanes.store8(ByteLanes.digitValues(of: value) | ByteLanes.zeros, into: target)
  }
}
