/// Writes the path of a value in JSON, such as `$.powers[2].id`.
///
/// A key that is not a plain identifier is written as `["..."]`, escaped as in JSON.
package enum JSONPath {
  /// Returns the part of a path that names a member: `.id` or `["first name"]`.
  package static func member(_ key: UnsafeBufferPointer<UInt8>) -> String {
    if isPlain(key) { return "." + String(decoding: key, as: UTF8.self) }
    var part: [UInt8] = [Byte.openBracket, Byte.quote]
    for byte in key { append(byte, to: &part) }
    part += [Byte.quote, Byte.closeBracket]
    return String(decoding: part, as: UTF8.self)
  }

  /// Returns the part of a path that names a member: `.id` or `["first name"]`.
  package static func member(_ key: String) -> String {
    var key = key
    return key.withUTF8 { member($0) }
  }

  /// Returns the part of a path that names an element: `[2]`.
  package static func element(_ position: Int) -> String { "[\(position)]" }

  /// Returns the path of the array, from the path of an element.
  package static func array(ofElement path: String) -> String {
    path.lastIndex(of: "[").map { String(path[..<$0]) } ?? path
  }

  private static func isPlain(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = key.first, !Byte.isDigit(first) else { return false }
    return key.allSatisfy { Byte.isLetter($0) || Byte.isDigit($0) || $0 == 0x5F }
  }

  private static func append(_ byte: UInt8, to text: inout [UInt8]) {
    switch byte {
    case Byte.quote, Byte.backslash: text += [Byte.backslash, byte]
    case 0x08: text += [Byte.backslash, 0x62]
    case 0x09: text += [Byte.backslash, Byte.t]
    case 0x0A: text += [Byte.backslash, Byte.n]
    case 0x0C: text += [Byte.backslash, Byte.f]
    case 0x0D: text += [Byte.backslash, 0x72]
    case 0..<0x20:
      let digits = Array("0123456789abcdef".utf8)
      text += [Byte.backslash, Byte.u, Byte.zero, Byte.zero]
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    default: text.append(byte)
    }
  }
}
