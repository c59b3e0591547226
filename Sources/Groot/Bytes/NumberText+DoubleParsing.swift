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
