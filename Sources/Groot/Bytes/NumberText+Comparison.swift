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
