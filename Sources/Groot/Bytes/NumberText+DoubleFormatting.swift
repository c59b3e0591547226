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
