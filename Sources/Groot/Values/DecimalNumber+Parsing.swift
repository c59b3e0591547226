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
