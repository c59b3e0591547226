import CJansson

/// The bridge between tapes and jansson, which defines valid JSON.
package enum JanssonBridge {
  /// The greatest depth of values in jansson; a scalar inside a container counts as a level.
  package static let maxDepth = 2048

  /// The result of jansson for some bytes.
  enum Loaded {
    /// A value, and the number of its bytes with the white space before it.
    case value(JanssonValue, consumed: Int)
    /// Valid JSON in as many bytes, but jansson's types cannot hold the value.
    case beyondTypes(consumed: Int)
    /// A syntax error.
    case syntaxError(SyntaxError)
  }

  /// The reason why jansson refused some bytes.
  struct SyntaxError {
    /// Jansson's message.
    var message: String
    /// The number of bytes it had read.
    var position: Int
    /// Whether the value nests too deep.
    var isTooDeep: Bool

    /// The status of this error in an issue.
    var status: Status { isTooDeep ? .limitExceeded : .invalidJSON }

    /// Makes an error whose message has `near` instead of the text that jansson was given.
    init(_ error: json_error_t, near: [UInt8]? = nil) {
      var error = error
      var text = Self.text(&error)
      if let near, let given = Self.near(text) { text.replaceSubrange(given, with: near) }
      message = String(decoding: text, as: UTF8.self)
      if message.isEmpty { message = "jansson could not read the text" }
      position = max(0, Int(error.position))
      isTooDeep = groot_json_error_is_depth(&error) != 0
    }

    private static func text(_ error: inout json_error_t) -> [UInt8] {
      withUnsafeBytes(of: &error.text) { bytes in Array(bytes.prefix { $0 != 0 }) }
    }

    /// Returns the text near an error, from its message.
    static func near(_ error: inout json_error_t) -> [UInt8]? {
      let text = text(&error)
      return near(text).map { Array(text[$0]) }
    }

    /// Returns the range of that text in a message: after ` near '`, before the last quote.
    private static func near(_ text: [UInt8]) -> Range<Int>? {
      let mark = Array(" near '".utf8)
      guard text.last == mark.last, text.count > mark.count else { return nil }
      for start in 0..<text.count - mark.count
      where text[start..<start + mark.count].elementsEqual(mark) {
        return start + mark.count..<text.count - 1
      }
      return nil
    }
  }
}
