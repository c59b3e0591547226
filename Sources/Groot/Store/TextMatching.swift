#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How a text is compared with another that a predicate gives.
package enum TextMatch: String, CaseIterable, Sendable {
  case contains
  case beginsWith
  case endsWith
  /// `*` stands for any text, `?` for one character; a backslash takes their meaning away.
  case like

  private static var asterisk: UInt8 { 0x2A }
  private static var questionMark: UInt8 { 0x3F }

  /// Whether a text matches; by bytes, or with the letters A to Z and a to z alike.
  ///
  /// Linear in the text, times the pattern's length at worst.
  package func holds(
    _ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>, ignoresCase: Bool
  ) -> Bool {
    let (count, length) = (text.count, pattern.count)
    if self == .like { return Self.isLike(text, pattern, ignoresCase) }
    guard length <= count else { return false }
    switch self {
    case .beginsWith: return Self.matches(text, at: 0, pattern, ignoresCase)
    case .endsWith: return Self.matches(text, at: count &- length, pattern, ignoresCase)
    default:
      for start in 0...(count &- length)
      where Self.matches(text, at: start, pattern, ignoresCase) { return true }
      return false
    }
  }

  @inline(__always)
  private static func matches(
    _ text: UnsafeBufferPointer<UInt8>, at start: Int, _ pattern: UnsafeBufferPointer<UInt8>,
    _ ignoresCase: Bool
  ) -> Bool {
    guard let bytes = text.baseAddress, let wanted = pattern.baseAddress else {
      return pattern.isEmpty
    }
    if !ignoresCase { return memcmp(bytes + start, wanted, pattern.count) == 0 }
    for index in 0..<pattern.count where fold(bytes[start &+ index]) != fold(wanted[index]) {
      return false
    }
    return true
  }

  /// Walks over both at once; a `*` that was passed is where it goes on after a mismatch.
  private static func isLike(
    _ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>, _ ignoresCase: Bool
  ) -> Bool {
    var (place, next) = (0, 0)
    var retry: (place: Int, next: Int)?
    while place < text.count {
      if next < pattern.count, pattern[next] == Self.asterisk {
        next += 1
        retry = (place, next)
        continue
      }
      if next < pattern.count {
        if pattern[next] == Self.questionMark {
          place = behindCharacter(text, place)
          next += 1
          continue
        }
        var wanted = pattern[next]
        var width = 1
        if wanted == Byte.backslash, next + 1 < pattern.count {
          wanted = pattern[next + 1]
          width = 2
        }
        let found = text[place]
        if found == wanted || (ignoresCase && fold(found) == fold(wanted)) {
          place += 1
          next += width
          continue
        }
      }
      guard let last = retry else { return false }
      // The asterisk takes one character more.
      place = behindCharacter(text, last.place)
      next = last.next
      retry = (place, next)
    }
    while next < pattern.count, pattern[next] == Self.asterisk { next += 1 }
    return next == pattern.count
  }

  /// The place behind the character that begins at `place`.
  private static func behindCharacter(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
    var place = place + 1
    while place < text.count, text[place] & 0xC0 == 0x80 { place += 1 }
    return place
  }

  /// A letter of A to Z in lower case; any other byte as it is.
  @inline(__always)
  static func fold(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  /// Negative, zero or positive as a text stands before, with or behind another, by folded bytes.
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
