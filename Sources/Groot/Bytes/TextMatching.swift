/// How a text is compared with another that a predicate gives.
package enum TextMatch: String, CaseIterable, Sendable {
  case contains
  case beginsWith
  case endsWith
  /// `*` stands for any text, `?` for one character; a backslash takes their meaning away.
  case like

  /// A letter of A to Z in lower case; any other byte as it is.
  @inline(__always)
  static func fold(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  /// Negative, zero or positive as a text comes before, with or after another, by folded bytes.
  package static func foldedOrder(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Int {
    for index in 0..<min(left.count, right.count) {
      let (one, other) = (fold(left[index]), fold(right[index]))
      if one != other { return Int(one) - Int(other) }
    }
    return left.count - right.count
  }
}
