// Scanning strings and the keys of members.

extension JSONScanner {
  /// The result of scanning a string.
  struct ScannedString {
    /// The end of the closing quote; nil if the string could not be scanned.
    var end: UnsafePointer<UInt8>?
    /// The address of the string's bytes.
    var address: UInt64
    /// The number of bytes; in a failure, 0 for an incomplete string and 1 for a refused one.
    var length: UInt64

    @inline(__always)
    init(end: UnsafePointer<UInt8>, bytes: UnsafePointer<UInt8>, length: Int) {
      self.end = end
      self.address = UInt64(UInt(bitPattern: bytes))
      self.length = UInt64(truncatingIfNeeded: length)
    }

    @inline(__always)
    init(isIncomplete: Bool) {
      end = nil
      address = 0
      length = isIncomplete ? 0 : 1
    }

    @inline(__always) var failure: Outcome { length == 0 ? .incomplete : .refused }
    @inline(__always) var token: JSONToken {
      JSONToken(head: UInt64(JSONKind.string.rawValue) | length &<< 32, payload: address)
    }
  }

  /// Scans the key of a member and the colon after it, which is within the result's end.
  @inline(__always)
  static func scanKey(
    _ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, scratch: JSONScratch
  ) -> ScannedString {
    // Most keys are short, and nothing stands between the key and the colon.
    if end - start > ByteRuns.width + 2, start.pointee == Byte.quote {
      let text = start + 1
      let run = ByteRuns.plain(text)
      if run < ByteRuns.width, text[run] == Byte.quote, text[run &+ 1] == Byte.colon {
        return ScannedString(end: text + (run &+ 2), bytes: text, length: run)
      }
    }
    return scanAnyKey(start, end: end, scratch: scratch)
  }

  /// Scans any key, with white space around it, and the colon.
  @inline(never)
  private static func scanAnyKey(
    _ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, scratch: JSONScratch
  ) -> ScannedString {
    var cursor = start
    guard skipSpace(&cursor, end: end) else { return ScannedString(isIncomplete: true) }
    guard cursor.pointee == Byte.quote else { return ScannedString(isIncomplete: false) }
    var string = scanString(cursor + 1, end: end, scratch: scratch)
    guard let after = string.end else { return string }
    cursor = after
    guard skipSpace(&cursor, end: end) else { return ScannedString(isIncomplete: true) }
    guard cursor.pointee == Byte.colon else { return ScannedString(isIncomplete: false) }
    string.end = cursor + 1
    return string
  }

  /// Scans the string whose first byte after the opening quote is `text`.
  @inline(__always)
  static func scanString(
    _ text: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, scratch: JSONScratch
  ) -> ScannedString {
    guard end - text >= ByteRuns.width else {
      return scanLongString(text, end: end, scratch: scratch)
    }
    let run = ByteRuns.plain(text)
    if run < ByteRuns.width {
      if text[run] == Byte.quote {
        return ScannedString(end: text + (run &+ 1), bytes: text, length: run)
      }
    } else if end - text >= 2 &* ByteRuns.width {
      let length = run &+ ByteRuns.plain(text + run)
      if length < 2 &* ByteRuns.width, text[length] == Byte.quote {
        return ScannedString(end: text + (length &+ 1), bytes: text, length: length)
      }
    }
    return scanLongString(text, end: end, scratch: scratch)
  }

  /// Scans any string.
  @inline(never)
  private static func scanLongString(
    _ text: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, scratch: JSONScratch
  ) -> ScannedString {
    var cursor = text
    var hasEscapes = false
    var isBeyond: Int32 = 0
    while true {
      if end - cursor >= ByteRuns.width {
        let run = ByteRuns.string(cursor, isBeyond: &isBeyond)
        if run == ByteRuns.width {
          cursor += ByteRuns.width
          continue
        }
        cursor += run
      }
      guard cursor < end else { break }
      let byte = cursor.pointee
      if byte == Byte.quote {
        let length = cursor - text
        if isBeyond != 0, !UTF8Text.isValid(text, count: length, limit: end) {
          return ScannedString(isIncomplete: false)
        }
        if hasEscapes { return unescape(text, length: length, scratch: scratch) }
        return ScannedString(end: cursor + 1, bytes: text, length: length)
      } else if byte == Byte.backslash {
        // An escape is checked when it is replaced; a quote after a backslash does not close the
        // string.
        guard end - cursor >= 2 else { break }
        hasEscapes = true
        cursor += cursor[1] < 0x80 ? 2 : 1
      } else if byte < 0x20 {
        return ScannedString(isIncomplete: false)
      } else {
        if byte >= 0x80 { isBeyond = 1 }
        cursor += 1
      }
    }
    return ScannedString(isIncomplete: UTF8Text.isBegun(text, count: end - text))
  }

  /// Replaces the escapes in a string of `length` bytes before its closing quote.
  @inline(never)
  private static func unescape(
    _ text: UnsafePointer<UInt8>, length: Int, scratch: JSONScratch
  ) -> ScannedString {
    // An escape is never shorter than its character.
    guard let output = scratch.reserve(length) else { return ScannedString(isIncomplete: false) }
    let end = text + length
    var cursor = text
    var written = 0
    while cursor < end {
      if end - cursor >= ByteRuns.width {
        // Within the reserved length, since the text so far was at least as long.
        let run = ByteRuns.copy(cursor, to: output + written)
        if run == ByteRuns.width {
          written &+= ByteRuns.width
          cursor += ByteRuns.width
          continue
        }
        written &+= run
        cursor += run
      }
      let byte = cursor.pointee
      if byte != Byte.backslash {
        output[written] = byte
        written &+= 1
        cursor += 1
        continue
      }
      guard end - cursor >= 2 else { return ScannedString(isIncomplete: false) }
      let escape = cursor[1]
      cursor += 2
      if escape != Byte.u {
        let plain = simpleEscape(escape)
        guard plain != 0 else { return ScannedString(isIncomplete: false) }
        output[written] = plain
        written &+= 1
        continue
      }
      guard let scalar = scanUnicodeEscape(&cursor, end: end) else {
        return ScannedString(isIncomplete: false)
      }
      written &+= encode(scalar, output: output + written)
    }
    scratch.commit(written)
    return ScannedString(end: end + 1, bytes: output, length: written)
  }

  /// Returns the character of the escape `\escape`; 0 for an invalid escape.
  private static func simpleEscape(_ escape: UInt8) -> UInt8 {
    switch escape {
    case Byte.quote, Byte.backslash, Byte.slash: escape
    case 0x62: 0x08
    case Byte.f: 0x0C
    case Byte.n: 0x0A
    case 0x72: 0x0D
    case Byte.t: 0x09
    default: 0
    }
  }

  /// Reads the digits after `\u`, and the second escape of a surrogate pair; returns the scalar.
  ///
  /// Nil for a single surrogate or invalid digits.
  private static func scanUnicodeEscape(
    _ cursor: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) -> UInt32? {
    guard let unit = hexDigits(cursor, end: end) else { return nil }
    cursor += 4
    if unit &- 0xD800 >= 0x800 { return unit }
    guard unit < 0xDC00, end - cursor >= 6, cursor[0] == Byte.backslash, cursor[1] == Byte.u,
      let low = hexDigits(cursor + 2, end: end), low &- 0xDC00 < 0x400
    else { return nil }
    cursor += 6
    return 0x10000 &+ ((unit &- 0xD800) &<< 10 | (low &- 0xDC00))
  }

  private static func hexDigits(
    _ bytes: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) -> UInt32? {
    guard end - bytes >= 4 else { return nil }
    var value: UInt32 = 0
    for index in 0..<4 {
      let byte = bytes[index]
      let letter = (byte | 0x20) &- 0x61
      if Byte.isDigit(byte) {
        value = value &<< 4 | UInt32(byte &- Byte.zero)
      } else if letter < 6 {
        value = value &<< 4 | UInt32(letter &+ 10)
      } else {
        return nil
      }
    }
    return value
  }

  /// Writes a scalar as UTF-8 and returns the number of bytes.
  private static func encode(_ scalar: UInt32, output: UnsafeMutablePointer<UInt8>) -> Int {
    func tail(_ shift: UInt32) -> UInt8 {
      UInt8(truncatingIfNeeded: 0x80 | (scalar &>> shift & 0x3F))
    }
    func lead(_ mark: UInt32, _ shift: UInt32) -> UInt8 {
      UInt8(truncatingIfNeeded: mark | scalar &>> shift)
    }
    switch scalar {
    case 0..<0x80:
      output[0] = UInt8(truncatingIfNeeded: scalar)
      return 1
    case 0x80..<0x800:
      output[0] = lead(0xC0, 6)
      output[1] = tail(0)
      return 2
    case 0x800..<0x10000:
      output[0] = lead(0xE0, 12)
      output[1] = tail(6)
      output[2] = tail(0)
      return 3
    default:
      output[0] = lead(0xF0, 18)
      output[1] = tail(12)
      output[2] = tail(6)
      output[3] = tail(0)
      return 4
    }
  }
}
