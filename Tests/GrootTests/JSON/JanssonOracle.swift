import CJansson

/// What jansson would make of a text if its types could hold every value.
///
/// Found by asking it again and again: what it refuses for its types alone is replaced by something
/// of the same length that it takes. Made for tests and fuzz targets, and slow.
final class JanssonOracle {
  /// The value, its numbers and keys those that stand in for others; nil when the text is refused.
  private(set) var json: UnsafeMutablePointer<json_t>?
  private(set) var message: String?
  private(set) var line = 0
  private(set) var column = 0
  /// Where the error is, or after the value.
  private(set) var position = 0
  /// Whether messages and locations can be compared: jansson loses count of NUL bytes.
  let isExact: Bool
  /// The reals that stand for large numbers, by their bits.
  private(set) var largeNumbers: [UInt64: [UInt8]] = [:]

  private let original: [UInt8]
  private var text: [UInt8]

  /// What stands for NUL in keys.
  static let standIn = Array("\\uF8FF".utf8)
  static let standInBytes = Array("\u{F8FF}".utf8)

  init(_ original: [UInt8], flags: Int) {
    self.original = original
    text = original
    isExact = !original.contains(0)
    var error = json_error_t()
    while true {
      error = json_error_t()
      json = text.withUnsafeBytes { bytes in
        json_loadb(
          bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? UnsafePointer(bitPattern: 1),
          bytes.count, flags | Int(JSON_ALLOW_NUL), &error)
      }
      position = Int(error.position)
      if json != nil || !isExact { break }
      let code = json_error_code(&error)
      if code == json_error_numeric_overflow {
        replaceNumber()
      } else if code == json_error_null_byte_in_key {
        replaceKey()
      } else {
        break
      }
    }
    (line, column) = (Int(error.line), Int(error.column))
    if json != nil && !isExact {
      let consumed = text.prefix(position + 1)
      // No JSON text has a NUL byte in it.
      if consumed.contains(0) || flags & Int(JSON_DISABLE_EOF_CHECK) == 0 { refuse() }
    }
    if json == nil { message = message ?? told(&error) }
  }

  deinit { if let json { groot_json_release(json) } }

  private func refuse() {
    if let json { groot_json_release(json) }
    json = nil
    message = "a NUL byte"
  }

  /// Replaces the number that ends at the position by a real that is like no other.
  private func replaceNumber() {
    var start = position
    while start > 0, "0123456789+-.eE".utf8.contains(text[start - 1]) { start -= 1 }
    // Several numbers may follow one another directly: the last is meant.
    var number = start
    while number < position - 1 {
      let end = Self.endOfNumber(text, number)
      if end == position { break }
      number = end ?? number + 1
    }
    let found = Array(original[number..<position])
    let sign = found[0] == 0x2D ? "-" : ""
    let room = found.count - sign.utf8.count - 2
    // Without zeros at its end, a number of other length stands for nothing else: 0.01 is not 0.010.
    var digits = "\(largeNumbers.count)1"
    digits = String(repeating: "0", count: max(0, room - digits.utf8.count)) + digits
    // A letter after it must not go on with the number.
    let isLeading = position < text.count && text[position] | 0x20 == 0x65
    let standIn =
      isLeading
      ? "\(sign)1e" + String(repeating: "0", count: room) : "\(sign)0.\(digits.prefix(room))"
    text.replaceSubrange(number..<position, with: standIn.utf8)
    largeNumbers[(Double(standIn) ?? 0).bitPattern] = found
  }

  /// Where the number that begins at a position ends as jansson reads it; nil when none begins there.
  private static func endOfNumber(_ text: [UInt8], _ start: Int) -> Int? {
    var next = start
    func digits() -> Bool {
      let first = next
      while next < text.count, 0x30...0x39 ~= text[next] { next += 1 }
      return next > first
    }
    if text[next] == 0x2D { next += 1 }
    guard digits() else { return nil }
    if next < text.count, text[next] == 0x2E {
      next += 1
      guard digits() else { return nil }
    }
    if next < text.count, text[next] | 0x20 == 0x65 {
      next += 1
      if next < text.count, text[next] == 0x2B || text[next] == 0x2D { next += 1 }
      guard digits() else { return nil }
    }
    return next
  }

  /// Replaces each escaped NUL in the key that ends at the position.
  private func replaceKey() {
    var start = position - 2
    while start >= 0 {
      // A quote after an odd number of backslashes is a part of the key.
      var slashes = 0
      while start - slashes > 0, text[start - slashes - 1] == 0x5C { slashes += 1 }
      if text[start] == 0x22, slashes % 2 == 0 { break }
      start -= 1
    }
    var next = max(start, 0) + 1
    while next < position {
      if text[next] == 0x5C {
        if text[next..<min(next + 6, position)].elementsEqual("\\u0000".utf8) {
          text.replaceSubrange(next..<next + 6, with: Self.standIn)
        }
        next += 2
      } else {
        next += 1
      }
    }
  }

  /// Jansson's message, with what is in the text where it names what it was given.
  private func told(_ error: inout json_error_t) -> String {
    var message = withUnsafeBytes(of: &error.text) { Array($0.prefix { $0 != 0 }) }
    guard let found = message.firstRange(of: Array(" near '".utf8)), message.last == 0x27,
      found.upperBound < message.count
    else { return String(decoding: message, as: UTF8.self) }
    let mark = found.upperBound - 1
    let near = message[mark + 1..<message.count - 1]
    let start = position - near.count
    if start >= 0, position <= text.count, text[start..<position].elementsEqual(near) {
      message.replaceSubrange(mark + 1..<message.count - 1, with: original[start..<position])
    }
    return String(decoding: message, as: UTF8.self)
  }
}
