/// The syntax of patterns that ICU and PCRE2 accept with different meanings.
enum PatternSyntax {
  /// Returns the position of a nested set, as in `[[a-z]&&[^x]]`; nil without one.
  ///
  /// ICU unites and intersects nested sets. For PCRE2 the inner bracket is a plain character, so a
  /// pattern from Core Data would silently change its meaning.
  static func nestedSet(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    var position = 0
    var isInSet = false
    while position < text.count {
      switch text[position] {
      case Byte.backslash:
        position =
          next(text, position: position) == UInt8(ascii: "Q")
          ? endOfQuote(text, start: position + 2) : position + 2
        continue
      case Byte.openBracket where isInSet:
        guard let end = endOfClass(text, start: position) else { return position }
        position = end
        continue
      case Byte.openBracket:
        isInSet = true
        if next(text, position: position) == UInt8(ascii: "^") { position += 1 }
        // A closing bracket in the first place is a plain character.
        if next(text, position: position) == Byte.closeBracket { position += 1 }
      case Byte.closeBracket: isInSet = false
      default: break
      }
      position += 1
    }
    return nil
  }

  private static func next(_ text: UnsafeBufferPointer<UInt8>, position: Int) -> UInt8? {
    position + 1 < text.count ? text[position + 1] : nil
  }

  /// Returns the position after `\E`, or the end.
  private static func endOfQuote(_ text: UnsafeBufferPointer<UInt8>, start: Int) -> Int {
    var position = start
    while position < text.count {
      if text[position] == Byte.backslash, next(text, position: position) == UInt8(ascii: "E") {
        return position + 2
      }
      position += 1
    }
    return text.count
  }

  /// Returns the position after a class such as `[:alpha:]`; nil without one.
  private static func endOfClass(_ text: UnsafeBufferPointer<UInt8>, start: Int) -> Int? {
    guard next(text, position: start) == UInt8(ascii: ":") else { return nil }
    var position = start + 2
    while position < text.count {
      let byte = text[position]
      if byte == UInt8(ascii: ":"), next(text, position: position) == Byte.closeBracket {
        return position + 2
      }
      guard Byte.isLetter(byte) || byte == UInt8(ascii: "^") else { return nil }
      position += 1
    }
    return nil
  }
}
