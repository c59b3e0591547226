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
