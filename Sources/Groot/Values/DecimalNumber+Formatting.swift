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
