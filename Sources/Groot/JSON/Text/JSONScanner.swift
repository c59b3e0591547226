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
    if case .scanned(let end) = outcome {
      if count == 0 { (tape.source, tape.sourceEnd) = (start, end) }
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
    let scratch = Borrowed(tape.arena)
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
        let key = scratch.use { scanKey(cursor, end: end, scratch: $0) }
        guard let next = key.end else { return key.failure }
        tokens[count] = key.token
        count &+= 1
        cursor = next
      }

      guard skipSpace(&cursor, end: end) else { return .incomplete }
      let byte = cursor.pointee
      switch byte {
      case Byte.quote:
        let text = cursor + 1
        let string = scratch.use { scanString(text, end: end, scratch: $0) }
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
    guard cursor < end else { return false }
    if cursor.pointee > Byte.space { return true }
    cursor = afterSpace(cursor, end: end)
    return cursor < end
  }

  /// Returns the place of the first byte that is not white space.
  @inline(never)
  private static func afterSpace(
    _ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var cursor = start
    while cursor < end, Byte.isSpace(cursor.pointee) { cursor += 1 }
    return cursor
  }
}

// Scanning numbers and literals.

extension JSONScanner {
  /// The result of scanning a number or literal.
  struct ScannedToken {
    /// The end of the token; nil without one.
    var end: UnsafePointer<UInt8>?
    var token: JSONToken

    @inline(__always)
    init(end: UnsafePointer<UInt8>, token: JSONToken) {
      self.end = end
      self.token = token
    }

    @inline(__always)
    init(isIncomplete: Bool) {
      end = nil
      token = JSONToken(head: isIncomplete ? 0 : 1, payload: 0)
    }

    @inline(__always) var failure: Outcome { token.head == 0 ? .incomplete : .refused }
  }

  /// Scans the number at `text`, in an element that begins at `base`.
  ///
  /// Numbers of at most 18 digits without exponent are scanned inline. Integers up to 2^53 and
  /// powers of ten up to 10^22 are exact as Doubles, so their quotient is rounded once, hence
  /// correctly.
  @inline(__always)
  static func scanNumber(
    _ text: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, base: UnsafePointer<UInt8>,
    powersOfTen: UnsafePointer<Double>
  ) -> ScannedToken {
    // With 20 more bytes, the end need not be checked for each digit.
    guard end - text > 20 else { return scanLongNumber(text, end: end, base: base) }
    let isNegative = text.pointee == Byte.minus
    let digits = isNegative ? text + 1 : text
    var cursor = digits
    var value: UInt64 = 0
    while true {
      let digit = cursor.pointee &- Byte.zero
      if digit > 9 { break }
      value = value &* 10 &+ UInt64(digit)
      cursor += 1
      if cursor - digits > 18 { return scanLongNumber(text, end: end, base: base) }
    }
    let length = cursor - digits
    if length == 0 || (length > 1 && digits.pointee == Byte.zero) {
      return ScannedToken(isIncomplete: false)
    }
    let byte = cursor.pointee
    if byte != Byte.point {
      if byte | 0x20 == Byte.e { return scanLongNumber(text, end: end, base: base) }
      let signed = Int64(bitPattern: isNegative ? 0 &- value : value)
      return ScannedToken(
        end: cursor,
        token: JSONToken(
          head: UInt64(JSONKind.integer.rawValue), payload: UInt64(bitPattern: signed)))
    }
    let fraction = cursor + 1
    cursor = fraction
    while true {
      let digit = cursor.pointee &- Byte.zero
      if digit > 9 { break }
      value = value &* 10 &+ UInt64(digit)
      cursor += 1
      if cursor - digits > 18 { return scanLongNumber(text, end: end, base: base) }
    }
    let decimals = cursor - fraction
    if decimals == 0 { return ScannedToken(isIncomplete: false) }
    if cursor.pointee | 0x20 == Byte.e || value > 1 &<< 53 {
      return scanLongNumber(text, end: end, base: base)
    }
    let magnitude = Double(Int64(bitPattern: value)) / powersOfTen[decimals]
    return ScannedToken(
      end: cursor,
      token: realToken(isNegative ? -magnitude : magnitude, text: text, end: cursor, base: base))
  }

  /// Scans any number, checking for the end at each byte.
  ///
  /// A number that touches `end` is incomplete, unless the text ends there.
  @inline(never)
  static func scanLongNumber(
    _ text: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, base: UnsafePointer<UInt8>,
    endsText: Bool = false
  ) -> ScannedToken {
    guard let (form, cursor) = NumberForm.read(text, end: end) else {
      return ScannedToken(isIncomplete: false)
    }
    if cursor == end && !endsText { return ScannedToken(isIncomplete: true) }
    switch form {
    case .cut: return ScannedToken(isIncomplete: false)
    case .real:
      let bytes = UnsafeBufferPointer(start: text, count: cursor - text)
      guard let value = NumberText.parseDouble(bytes) else { return large(text, end: cursor) }
      return ScannedToken(end: cursor, token: realToken(value, text: text, end: cursor, base: base))
    case .integer:
      let isNegative = text.pointee == Byte.minus
      guard let value = integer(isNegative ? text + 1 : text, end: cursor, isNegative: isNegative)
      else {
        return large(text, end: cursor)
      }
      return ScannedToken(
        end: cursor, token: JSONToken(kind: .integer, payload: UInt64(bitPattern: value)))
    }
  }

  /// Returns the token of a large number.
  private static func large(
    _ text: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) -> ScannedToken {
    ScannedToken(
      end: end,
      token: JSONToken(
        kind: .largeNumber, size: UInt32(truncatingIfNeeded: end - text),
        payload: UInt64(UInt(bitPattern: text))))
  }

  /// Returns the value of the digits up to `end`; nil if it does not fit.
  private static func integer(
    _ digits: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, isNegative: Bool
  ) -> Int64? {
    guard end - digits <= 19 else { return nil }
    var value: UInt64 = 0
    var cursor = digits
    // 19 digits are less than 10^19, which fits an unsigned 64-bit integer.
    while cursor < end {
      value = value &* 10 &+ UInt64(cursor.pointee &- Byte.zero)
      cursor += 1
    }
    let limit = UInt64(Int64.max) + (isNegative ? 1 : 0)
    guard value <= limit else { return nil }
    return Int64(bitPattern: isNegative ? 0 &- value : value)
  }

  /// Returns the token of a real, with the place of its text if that fits.
  @inline(__always)
  private static func realToken(
    _ value: Double, text: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>,
    base: UnsafePointer<UInt8>
  ) -> JSONToken {
    let offset = UInt64(truncatingIfNeeded: text - base)
    let length = UInt64(truncatingIfNeeded: end - text)
    var head = UInt64(JSONKind.real.rawValue)
    if length <= 0xFF_FFFF { head |= length &<< 8 | offset &<< 32 }
    return JSONToken(head: head, payload: value.bitPattern)
  }

  /// Scans `true`, `false` or `null`.
  @inline(__always)
  static func scanLiteral(
    _ text: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) -> ScannedToken {
    // "false" and the byte after it, which must not be a letter.
    guard end - text >= 6 else { return scanLastLiteral(text, end: end) }
    let word = UInt32(littleEndian: UnsafeRawPointer(text).loadUnaligned(as: UInt32.self))
    var kind = JSONKind.null
    var next = text + 4
    switch word {
    case 0x6C6C_756E: break
    case 0x6575_7274: kind = .true
    case 0x736C_6166 where text[4] == Byte.e:
      kind = .false
      next += 1
    default: return ScannedToken(isIncomplete: false)
    }
    if Byte.isLetter(next.pointee) { return ScannedToken(isIncomplete: false) }
    return ScannedToken(end: next, token: JSONToken(kind: kind))
  }

  /// Scans a literal within the last 5 bytes.
  ///
  /// A literal that touches `end` is incomplete, unless the text ends there.
  @inline(never)
  static func scanLastLiteral(
    _ text: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, endsText: Bool = false
  ) -> ScannedToken {
    let words: [(StaticString, JSONKind)] = [("true", .true), ("false", .false), ("null", .null)]
    for (word, kind) in words where word.utf8Start.pointee == text.pointee {
      let length = word.utf8CodeUnitCount
      for index in 0..<min(length, end - text) where text[index] != word.utf8Start[index] {
        return ScannedToken(isIncomplete: false)
      }
      let isAtEnd = endsText && end - text == length
      guard isAtEnd || end - text > length else { return ScannedToken(isIncomplete: true) }
      if !isAtEnd, Byte.isLetter(text[length]) { return ScannedToken(isIncomplete: false) }
      return ScannedToken(end: text + length, token: JSONToken(kind: kind))
    }
    return ScannedToken(isIncomplete: false)
  }
}
