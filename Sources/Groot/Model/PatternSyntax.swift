/// What a pattern means otherwise in ICU and in PCRE2, though both take it.
enum PatternSyntax {
  /// Where a set begins within a set, as `[[a-z]&&[^x]]` does; nil when none does.
  ///
  /// ICU unites and intersects these; to PCRE2 the inner bracket is a character, which the writer of
  /// a pattern from Core Data would not be told.
  static func nestedSet(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    var place = 0
    var isInSet = false
    while place < text.count {
      switch text[place] {
      case Byte.backslash:
        place =
          next(text, place: place) == UInt8(ascii: "Q")
          ? endOfQuote(text, start: place + 2) : place + 2
        continue
      case Byte.openBracket where isInSet:
        guard let end = endOfClass(text, start: place) else { return place }
        place = end
        continue
      case Byte.openBracket:
        isInSet = true
        if next(text, place: place) == UInt8(ascii: "^") { place += 1 }
        // A bracket that comes first closes nothing.
        if next(text, place: place) == Byte.closeBracket { place += 1 }
      case Byte.closeBracket: isInSet = false
      default: break
      }
      place += 1
    }
    return nil
  }

  private static func next(_ text: UnsafeBufferPointer<UInt8>, place: Int) -> UInt8? {
    place + 1 < text.count ? text[place + 1] : nil
  }

  /// The place behind `\E`, or the end.
  private static func endOfQuote(_ text: UnsafeBufferPointer<UInt8>, start: Int) -> Int {
    var place = start
    while place < text.count {
      if text[place] == Byte.backslash, next(text, place: place) == UInt8(ascii: "E") {
        return place + 2
      }
      place += 1
    }
    return text.count
  }

  /// The place behind a class such as `[:alpha:]`; nil when none begins here.
  private static func endOfClass(_ text: UnsafeBufferPointer<UInt8>, start: Int) -> Int? {
    guard next(text, place: start) == UInt8(ascii: ":") else { return nil }
    var place = start + 2
    while place < text.count {
      let byte = text[place]
      if byte == UInt8(ascii: ":"), next(text, place: place) == Byte.closeBracket {
        return place + 2
      }
      guard Byte.isLetter(byte) || byte == UInt8(ascii: "^") else { return nil }
      place += 1
    }
    return nil
  }
}
