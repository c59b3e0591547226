/// The comparison of a text with the text of a predicate.
package enum TextMatch: String, CaseIterable, Sendable {
  case contains
  case beginsWith
  case endsWith
  /// `*` matches any text, `?` one character; a backslash escapes them.
  case like

  /// Returns a letter from A to Z in lower case, and any other byte unchanged.
  @inline(__always)
  static func fold(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  /// Compares two texts by folded bytes: negative if the left one is first, zero if both are equal,
  /// positive otherwise.
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
