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
