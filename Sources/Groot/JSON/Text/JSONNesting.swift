/// The nesting of JSON text; as in jansson, a scalar inside a container counts as a level.
enum JSONNesting {
  /// Returns whether the text of one value nests deeper than a number of levels.
  ///
  /// Complexity: O(bytes), and O(1) for text that is too short to nest so deep.
  @inline(__always)
  static func isDeeper(_ text: UnsafeBufferPointer<UInt8>, than levels: Int) -> Bool {
    // Each level needs two brackets, but the innermost needs only one byte.
    text.count > 2 &* levels && count(text) > levels
  }

  /// Returns the number of levels.
  @inline(never)
  static func count(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    var (open, deepest) = (0, 0)
    var position = 0
    while position < text.count {
      switch text[position] {
      case Byte.quote:
        position = end(ofString: position, in: text)
        deepest = max(deepest, open &+ 1)
        continue
      case Byte.openBracket, Byte.openBrace:
        open &+= 1
        deepest = max(deepest, open)
      case Byte.closeBracket, Byte.closeBrace: open &-= 1
      case Byte.comma, Byte.colon, 0...Byte.space: break
      default: deepest = max(deepest, open &+ 1)
      }
      position &+= 1
    }
    return deepest
  }

  /// Returns the position after a string.
  private static func end(ofString start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    var position = start &+ 1
    while position < text.count, text[position] != Byte.quote {
      position &+= text[position] == Byte.backslash ? 2 : 1
    }
    return min(position &+ 1, text.count)
  }
}
