/// A location in a text of JSON, only for the messages of errors.
struct TextLocation: Equatable, Sendable {
  /// The line, from 1.
  var line = 1
  /// The number of characters of the line up to the location, as jansson counts them.
  var column = 0

  /// Makes the location of the beginning.
  init() {}

  /// Makes the location after the first `offset` bytes of `text`, which begins at `start`.
  ///
  /// Characters are Unicode scalars. Complexity: O(offset).
  init(of offset: Int, in text: UnsafeRawBufferPointer, from start: TextLocation = TextLocation()) {
    let count = min(max(offset, 0), text.count)
    guard let bytes = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      self = start
      return
    }
    let newlines = ByteCounts.equal(to: Byte.newline, in: bytes, count: count)
    if newlines == 0 {
      let characters = ByteCounts.characters(in: bytes, count: count)
      (line, column) = (start.line, start.column &+ characters)
      return
    }
    var lineStart = count
    while lineStart > 0, bytes[lineStart - 1] != Byte.newline { lineStart -= 1 }
    let characters = ByteCounts.characters(in: bytes + lineStart, count: count - lineStart)
    (line, column) = (start.line &+ newlines, characters)
  }
}

extension TextLocation {
  /// Finds the locations of an element's tokens in its text: after one walk, each in constant time.
  struct Index {
    /// The distance of the locations that are counted in advance, in bytes.
    private static let stride = 1024

    /// By token, its offset in the element's text.
    private let offsets: [UInt32]
    /// The locations of the element's bytes 0, `stride`, 2 * `stride` and so on.
    private let locations: [TextLocation]

    /// Makes an index of the tokens from the scan of an element.
    ///
    /// `start` is the location of the element's beginning.
    init(_ text: UnsafeRawBufferPointer, count: Int, from start: TextLocation) {
      offsets = Self.offsets(count: count, in: text)
      var locations = [start]
      var position = 0
      while position + Self.stride < text.count {
        let piece = UnsafeRawBufferPointer(rebasing: text[position..<position + Self.stride])
        locations.append(
          TextLocation(of: Self.stride, in: piece, from: locations[locations.count - 1]))
        position += Self.stride
      }
      self.locations = locations
    }

    /// Returns the offset of a token in the element's text; nil for a token that is not from the
    /// text.
    func offset(of token: TokenIndex) -> Int? {
      offsets.indices.contains(token.offset) ? Int(offsets[token]) : nil
    }

    /// Returns the line and column of a byte of the element's text.
    func location(of offset: Int, in text: UnsafeRawBufferPointer) -> TextLocation {
      let number = min(offset / Self.stride, locations.count - 1)
      let start = number * Self.stride
      let rest = UnsafeRawBufferPointer(rebasing: text[min(start, text.count)...])
      return TextLocation(of: offset - start, in: rest, from: locations[number])
    }

    /// Returns the offsets in `text` of the first `count` tokens, or of all if there are fewer.
    ///
    /// `text` must begin with the value from which the tokens were scanned: a valid value, shorter
    /// than 4 GiB. Complexity: O(bytes).
    static func offsets(count: Int, in text: UnsafeRawBufferPointer) -> [UInt32] {
      guard let bytes = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return [] }
      var offsets: [UInt32] = []
      offsets.reserveCapacity(count)
      var cursor = 0
      while cursor < text.count, offsets.count < count {
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
        offsets.append(UInt32(truncatingIfNeeded: start))
      }
      return offsets
    }

    private static func isScalarEnd(_ byte: UInt8) -> Bool {
      Byte.isSpace(byte) || byte == Byte.comma || byte == Byte.closeBrace
        || byte == Byte.closeBracket
    }
  }
}
