import CJansson

/// The crossing between tapes and jansson, which is the authority on what is JSON.
package enum JanssonBridge {
  /// How deep jansson lets values nest; a scalar inside a container counts as a level.
  package static let maxDepth = 2048

  /// The result of jansson for some bytes.
  enum Loaded {
    /// A value, and how many bytes it took with the white space before it.
    case value(JanssonValue, consumed: Int)
    /// JSON in as many bytes, but jansson's types cannot hold all that it says.
    case beyondTypes(consumed: Int)
    /// A syntax error.
    case syntaxError(SyntaxError)
  }

  /// Why jansson refused some bytes.
  struct SyntaxError {
    /// Jansson's message.
    var message: String
    /// How many bytes it had read.
    var position: Int
    /// Whether it refused for depth.
    var isTooDeep: Bool

    /// The status this error has in an issue.
    var status: Status { isTooDeep ? .limitExceeded : .invalidJSON }

    /// An error whose message says `near` instead of what jansson was given there.
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

    /// The text near which an error is.
    static func near(_ error: inout json_error_t) -> [UInt8]? {
      let text = text(&error)
      return near(text).map { Array(text[$0]) }
    }

    /// Where in a message it says what it is near: after ` near '`, before the last quote.
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
