// Names and texts as SQL wants them.
//
// By bytes: to Swift a quote with a mark after it is one Character, different from a quote.

/// A name in quotes; it has no NUL (``SQLiteLayout``).
func quoted(_ name: String) -> String { enclosed(name, in: UInt8(ascii: "\"")) }

/// A text as a literal.
func quotedText(_ text: String) -> String {
  guard text.utf8.contains(0) else { return enclosed(text, in: UInt8(ascii: "'")) }
  // SQL ends at a NUL.
  let digits = Array("0123456789ABCDEF".utf8)
  let hexadecimal = text.utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  return "CAST(X'\(String(decoding: hexadecimal, as: UTF8.self))' AS TEXT)"
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
