/// Reads plain valid JSON onto a tape, and leaves all other text to jansson.
///
/// jansson 2.14 accepts each value that the scanner accepts, and reads the same value, unless its
/// types cannot hold it. A large number is on the tape as its text, and NUL in a string is like any
/// character. A refused value may be valid: the caller asks jansson.
enum JSONScanner {
  /// The result of a scan.
  enum Outcome {
    /// A value is on the tape; `end` is after its last byte.
    case scanned(end: UnsafePointer<UInt8>)
    /// The end of the value is not known yet; more bytes may show it.
    case incomplete
    /// Jansson must judge the bytes.
    case refused
  }

  /// Scans the value at `start`, after white space, onto `tape`.
  ///
  /// The text after the value is not read, except to find its end: a number or literal that touches
  /// `end` is incomplete. Containers nest less than `maxDepth` deep. If no value was scanned, the
  /// tape is unchanged. Strings without escapes point into the text. Complexity: O(bytes).
  ///
  /// Precondition: less than 2^32 bytes lie between `start` and `end`.
  static func scan(
    from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, onto tape: JSONTape,
    maxDepth: Int
  ) -> Outcome {
    let count = tape.count
    let outcome = scanValue(from: start, to: end, onto: tape, maxDepth: maxDepth)
    if case .scanned = outcome {
      if count == 0 { tape.source = start }
      return outcome
    }
    tape.count = count
    return outcome
  }

  /// Scans a number or literal that is the whole text from `start` to `end`, the end of the text.
  ///
  /// Returns false, and leaves the tape unchanged, for any other text.
  static func scanLast(
    from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, onto tape: JSONTape
  ) -> Bool {
    guard start < end, tape.count < tape.capacity || tape.reserve(1) else { return false }
    let scanned =
      Byte.isLetter(start.pointee)
      ? scanLastLiteral(start, end: end, endsText: true)
      : scanLongNumber(start, end: end, base: start, endsText: true)
    guard let scannedEnd = scanned.end, scannedEnd == end else { return false }
    if tape.count == 0 { tape.source = start }
    tape.tokens[tape.count] = scanned.token
    tape.count &+= 1
    return true
  }

  private static func scanValue(
    from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, onto tape: JSONTape,
    maxDepth: Int
  ) -> Outcome {
    let scratch = tape.arena
    var tokens = tape.tokens
    var capacity = tape.capacity
    var count = tape.count
    let powersOfTen = tape.powersOfTen
    var cursor = start
    // The innermost open container: its token, its content so far and its kind. The payload of its
    // token keeps the same for the enclosing container until it is closed.
    var open = 0
    var held: UInt64 = 0
    var isObject = false
    var depth = 0

    scan: while true {
      if count &+ 2 > capacity {
        tape.count = count
        let hasRoom = tape.reserve(2)
        tokens = tape.tokens
        capacity = tape.capacity
        if !hasRoom { return .refused }
      }

      if isObject {
        guard skipSpace(&cursor, end: end) else { return .incomplete }
        guard cursor.pointee == Byte.quote else { return .refused }
        let text = cursor + 1
        let string = scanString(text, end: end, scratch: scratch)
        guard let next = string.end else { return string.failure }
        tokens[count] = string.token
        count &+= 1
        cursor = next
        guard skipSpace(&cursor, end: end) else { return .incomplete }
        guard cursor.pointee == Byte.colon else { return .refused }
        cursor += 1
      }

      guard skipSpace(&cursor, end: end) else { return .incomplete }
      let byte = cursor.pointee
      switch byte {
      case Byte.quote:
        let text = cursor + 1
        let string = scanString(text, end: end, scratch: scratch)
        guard let next = string.end else { return string.failure }
        tokens[count] = string.token
        count &+= 1
        cursor = next

      case Byte.minus, Byte.zero...Byte.nine:
        let number = scanNumber(cursor, end: end, base: start, powersOfTen: powersOfTen)
        guard let next = number.end else { return number.failure }
        tokens[count] = number.token
        count &+= 1
        cursor = next

      case Byte.openBrace, Byte.openBracket:
        depth &+= 1
        guard depth < maxDepth else { return .refused }
        cursor += 1
        let opensObject = byte == Byte.openBrace
        let kind = opensObject ? JSONKind.object : JSONKind.array
        guard skipSpace(&cursor, end: end) else { return .incomplete }
        if cursor.pointee == byte &+ 2 {
          // An empty container: the code of a closing bracket or brace is two above the opening
          // one.
          cursor += 1
          depth &-= 1
          tokens[count] = JSONToken(kind: kind, size: UInt32(truncatingIfNeeded: count &+ 1))
          count &+= 1
        } else {
          let outer = UInt64(UInt32(truncatingIfNeeded: open)) | held &<< 32
          let isOuterObject: UInt64 = isObject ? 1 : 0
          tokens[count] = JSONToken(
            head: UInt64(kind.rawValue) | isOuterObject &<< 8, payload: outer)
          open = count
          held = 0
          isObject = opensObject
          count &+= 1
          continue scan
        }

      case Byte.t, Byte.f, Byte.n:
        let literal = scanLiteral(cursor, end: end)
        guard let next = literal.end else { return literal.failure }
        tokens[count] = literal.token
        count &+= 1
        cursor = next

      default:
        return .refused
      }

      // After a value: the ends of containers, then the comma before the next value.
      while depth > 0 {
        held &+= 1
        guard skipSpace(&cursor, end: end) else { return .incomplete }
        let byte = cursor.pointee
        cursor += 1
        if byte == Byte.comma { continue scan }
        guard byte == (isObject ? Byte.closeBrace : Byte.closeBracket) else {
          return .refused
        }
        let token = tokens[open]
        tokens[open] = JSONToken(
          head: (token.head & 0xFF) | UInt64(count) &<< 32, payload: held)
        depth &-= 1
        isObject = token.head & 0x100 != 0
        open = Int(token.payload & 0xFFFF_FFFF)
        held = token.payload &>> 32
      }
      tape.count = count
      return .scanned(end: cursor)
    }
  }

  /// Moves over white space; returns false at the end of the bytes.
  @inline(__always)
  static func skipSpace(_ cursor: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> Bool {
    while cursor < end {
      let byte = cursor.pointee
      if byte > Byte.space { return true }
      guard byte == Byte.space || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return true }
      cursor += 1
    }
    return false
  }
}
