/// The bytes in JSON's grammar.
enum Byte {
  static let newline: UInt8 = 0x0A
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let plus: UInt8 = 0x2B
  static let comma: UInt8 = 0x2C
  static let minus: UInt8 = 0x2D
  static let point: UInt8 = 0x2E
  static let slash: UInt8 = 0x2F
  static let zero: UInt8 = 0x30
  static let one: UInt8 = 0x31
  static let nine: UInt8 = 0x39
  static let colon: UInt8 = 0x3A
  static let openBracket: UInt8 = 0x5B
  static let backslash: UInt8 = 0x5C
  static let closeBracket: UInt8 = 0x5D
  static let underscore: UInt8 = 0x5F
  static let e: UInt8 = 0x65
  static let f: UInt8 = 0x66
  static let n: UInt8 = 0x6E
  static let t: UInt8 = 0x74
  static let u: UInt8 = 0x75
  static let openBrace: UInt8 = 0x7B
  static let closeBrace: UInt8 = 0x7D
  static let tilde: UInt8 = 0x7E

  /// Returns whether `byte` is a decimal digit.
  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

  /// Returns whether `byte` is a hexadecimal digit.
  @inline(__always)
  static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }

  /// Returns whether `byte` is an ASCII letter.
  @inline(__always)
  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

  /// Returns whether `byte` is one of JSON's four white space characters.
  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == space || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Returns the length of the UTF-8 sequence at `bytes`, which begins with a byte beyond ASCII.
  ///
  /// 0 for a malformed sequence (RFC 3629: overlong, a surrogate, beyond U+10FFFF, a stray or
  /// missing continuation), -1 for an incomplete one that is valid so far.
  @inline(__always)
  static func sequenceLength(
    _ bytes: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) -> Int {
    let lead = bytes[0]
    let available = end - bytes
    if lead < 0xE0 {
      if lead < 0xC2 { return 0 }
      if available < 2 { return -1 }
      return bytes[1] & 0xC0 == 0x80 ? 2 : 0
    }
    if lead > 0xF4 { return 0 }
    if available < 2 { return -1 }
    // The range of the second byte excludes overlong forms, surrogates and values beyond Unicode.
    let second = bytes[1]
    let low: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
    let high: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
    if second < low || second > high { return 0 }
    if available < 3 { return -1 }
    if bytes[2] & 0xC0 != 0x80 { return 0 }
    if lead < 0xF0 { return 3 }
    if available < 4 { return -1 }
    return bytes[3] & 0xC0 == 0x80 ? 4 : 0
  }
}
