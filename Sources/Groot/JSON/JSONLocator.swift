/// Finds places in a text again; for the messages of errors only.
enum JSONLocator {
  /// A place in a text as people count it.
  struct Place: Equatable, Sendable {
    /// From 1.
    var line = 1
    /// The number of characters of the line up to the place, as jansson counts them.
    var column = 0
  }

  /// The place behind the first `offset` bytes of `text`, counted on from `start`.
  ///
  /// Characters are Unicode scalars. Complexity: O(offset).
  static func place(
    of offset: Int, in text: UnsafeRawBufferPointer, from start: Place = Place()
  ) -> Place {
    var newlines = 0
    var lineStart = 0
    let count = min(max(offset, 0), text.count)
    guard let bytes = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return start }
    for index in 0..<count where bytes[index] == 0x0A {
      newlines &+= 1
      lineStart = index &+ 1
    }
    var characters = 0
    for index in lineStart..<count { characters &+= bytes[index] & 0xC0 == 0x80 ? 0 : 1 }
    if newlines == 0 {
      return Place(line: start.line, column: start.column &+ characters)
    }
    return Place(line: start.line &+ newlines, column: characters)
  }

  /// The offset in `text` at which the token with this index stands; nil when there is none.
  ///
  /// `text` must begin with the value whose scan put the tokens on the tape from `first` on: it is
  /// valid as far as that value goes. Complexity: O(bytes).
  static func offset(
    ofToken index: Int, first: Int = 0, in text: UnsafeRawBufferPointer
  ) -> Int? {
    guard let bytes = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
    var token = first
    var cursor = 0
    while cursor < text.count {
      let start = cursor
      cursor += 1
      switch bytes[start] {
      case Byte.space, 0x09, 0x0A, 0x0D, Byte.comma, Byte.colon, Byte.closeBrace,
        Byte.closeBracket:
        continue
      case Byte.quote:
        while cursor < text.count, bytes[cursor] != Byte.quote {
          cursor += bytes[cursor] == Byte.backslash ? 2 : 1
        }
        cursor += 1
      case Byte.openBrace, Byte.openBracket:
        break
      default:
        while cursor < text.count, !isScalarEnd(bytes[cursor]) { cursor += 1 }
      }
      if token == index { return start }
      token += 1
    }
    return nil
  }

  private static func isScalarEnd(_ byte: UInt8) -> Bool {
    Byte.isSpace(byte) || byte == Byte.comma || byte == Byte.closeBrace
      || byte == Byte.closeBracket
  }
}
