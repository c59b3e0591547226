/// Finds locations in a text, only for the messages of errors.
enum JSONLocator {
  /// A location in a text, as line and column.
  struct Location: Equatable, Sendable {
    /// The line, from 1.
    var line = 1
    /// The number of characters of the line up to the location, as jansson counts them.
    var column = 0
  }

  /// Returns the location after the first `offset` bytes of `text`, which begins at `start`.
  ///
  /// Characters are Unicode scalars. Complexity: O(offset).
  static func location(
    of offset: Int, in text: UnsafeRawBufferPointer, from start: Location = Location()
  ) -> Location {
    let count = min(max(offset, 0), text.count)
    guard let bytes = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return start }
    let newlines = tally(bytes, count: count, mark: newlineLanes)
    if newlines == 0 {
      let characters = count &- tally(bytes, count: count, mark: continuationLanes)
      return Location(line: start.line, column: start.column &+ characters)
    }
    var lineStart = count
    while lineStart > 0, bytes[lineStart - 1] != 0x0A { lineStart -= 1 }
    let length = count - lineStart
    let characters = length &- tally(bytes + lineStart, count: length, mark: continuationLanes)
    return Location(line: start.line &+ newlines, column: characters)
  }

  /// Returns a 1 in each lane with a newline.
  @inline(__always)
  private static func newlineLanes(_ word: UInt64) -> UInt64 {
    let rest = word ^ ByteLanes.fill(0x0A)
    let low = ByteLanes.fill(0x7F)
    return ~(((rest & low) &+ low) | rest | low) &>> 7
  }

  /// Returns a 1 in each lane without the first byte of a character.
  @inline(__always)
  private static func continuationLanes(_ word: UInt64) -> UInt64 {
    (word &>> 7) & ~(word &>> 6) & ByteLanes.fill(1)
  }

  /// Returns the number of marked lanes among `count` bytes.
  @inline(__always)
  private static func tally(
    _ bytes: UnsafePointer<UInt8>, count: Int, mark: (UInt64) -> UInt64
  ) -> Int {
    var total = 0
    var index = 0
    while count &- index >= 8 {
      // A lane can count to 255.
      let end = index &+ min((count &- index) &>> 3, 255) &* 8
      var lanes: UInt64 = 0
      while index < end {
        lanes &+= mark(ByteLanes.load8(bytes + index))
        index &+= 8
      }
      let pairs = (lanes & 0x00FF_00FF_00FF_00FF) &+ (lanes &>> 8 & 0x00FF_00FF_00FF_00FF)
      total &+= Int((pairs &* 0x0001_0001_0001_0001) &>> 48)
    }
    while index < count {
      // The upper lanes are 0, which is not marked.
      total &+= Int(mark(UInt64(bytes[index])))
      index &+= 1
    }
    return total
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
