/// The parts of a pattern that ICU and PCRE2 both take, with different meanings.
enum PatternSyntax {
  /// Where a set begins within a set, as `[[a-z]&&[^x]]` does; nil when none does.
  ///
  /// ICU unites and intersects these; to PCRE2 the inner bracket is a character, which the writer
  /// of a pattern from Core Data would not be found.
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
        // A bracket that comes first closes nothing.
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

  /// The position after `\E`, or the end.
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

  /// The position after a class such as `[:alpha:]`; nil when none begins here.
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
