// Names and texts in SQL.
//
// They are quoted by bytes: for Swift a quote and a combining mark are one Character.

/// Returns a name in quotes; names have no NUL (``SQLLayout``).
package func quoted(_ name: String) -> String { enclosed(name, in: UInt8(ascii: "\"")) }

/// Returns whether a name has only letters of ASCII, digits and `_`: SQL takes it without quotes if it
/// begins with a letter and is not a keyword.
package func hasPlainLetters(_ name: String) -> Bool {
  name.utf8.allSatisfy { $0 | 0x20 &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == UInt8(ascii: "_") }
}

/// Returns a text as a literal.
package func quotedText(_ text: String) -> String {
  guard text.utf8.contains(0) else { return enclosed(text, in: UInt8(ascii: "'")) }
  // SQL text would end at a NUL.
  let digits = Array("0123456789ABCDEF".utf8)
  let hexadecimal = text.utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  return "CAST(X'\(String(decoding: hexadecimal, as: UTF8.self))' AS TEXT)"
}

/// Returns a text as a literal for messages: of a long text the beginning.
package func shownText(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
  let most = 40
  let text = String(decoding: bytes.prefix(most), as: UTF8.self)
  return enclosed(text + (bytes.count > most ? "..." : ""), in: UInt8(ascii: "'"))
}

/// Returns a name that SQL can hold: text of SQL ends at a NUL.
package func withoutNUL(_ name: String) -> String {
  guard name.utf8.contains(0) else { return name }
  return String(decoding: name.utf8.map { $0 == 0 ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
}

/// Returns a name as SQLite compares it: without regard to the case of ASCII letters.
package func folded(_ name: String) -> [UInt8] {
  name.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
}

private func enclosed(_ text: String, in quote: UInt8) -> String {
  var bytes = [quote]
  for byte in text.utf8 {
    if byte == quote { bytes.append(quote) }
    bytes.append(byte)
  }
  bytes.append(quote)
  return String(decoding: bytes, as: UTF8.self)
}
