/// The element on the tape: its values, those that callbacks made of them, and its location.
///
/// It adds tokens to the tape, and touches nothing else.
final class CurrentElement {
  let tape: JSONTape
  /// The reader of the text; nil when the elements do not come from a text.
  var reader: JSONReader?
  /// The path of an element without a text: `$` or `$[3]`.
  @exclusivity(unchecked) private var ownPath = "$"
  /// The position in an array of an element without a text, and whether it is the document.
  @exclusivity(unchecked) private var ownIndex = -1
  @exclusivity(unchecked) private var isDocument = false
  /// The paths of the element's tokens, made on demand.
  @exclusivity(unchecked) private var paths = MessagePath.Index()
  /// The results of callbacks on the tape that replace other values.
  @exclusivity(unchecked) private var synthesized: Buffer<SynthesizedValue>

  init(_ tape: JSONTape) {
    self.tape = tape
    synthesized = Buffer(tape.account, capacity: 8)
  }

  deinit { synthesized.deallocate() }

  /// Notes the location of an element without a text.
  func stand(at path: String, index: Int, isDocument: Bool) {
    (ownPath, ownIndex, self.isDocument) = (path, index, isDocument)
  }

  /// Forgets the previous element.
  func begin() {
    synthesized.removeLast(to: 0)
    if !paths.isEmpty { paths = MessagePath.Index() }
  }

  /// The position in the array of elements; -1 without an array.
  var index: Int { reader.map { $0.isArray ? $0.elementIndex : -1 } ?? ownIndex }

  /// The path of the element.
  var path: String { reader?.elementPath ?? ownPath }

  /// Whether the element is the whole document.
  var isWholeDocument: Bool { reader.map { !$0.isArray && $0.walk == nil } ?? isDocument }

  /// Whether the element is not one of an array's.
  var isOnlyElement: Bool { !(reader?.isArray ?? (ownIndex >= 0)) }

  /// The number of synthesized values around the last one, including itself.
  var lastDepth: Int { synthesized.count > 0 ? synthesized.start[synthesized.count - 1].depth : 0 }

  /// Returns a value's text for a message, shortened.
  func shown(_ token: TokenIndex) -> String {
    switch tape.tokens[token].kind {
    case .array: return "an array"
    case .object: return "an object"
    default:
      let text = JSONValue(tape, index: token, keepsDigits: true).description
      guard text.unicodeScalars.count > 60 else { return text }
      var short = String.UnicodeScalarView()
      short.append(contentsOf: text.unicodeScalars.prefix(57))
      return String(short) + "..."
    }
  }

  /// Returns the path of a token; that of a synthesized value begins with the path of its origin.
  func path(_ token: TokenIndex) -> String {
    var token = token
    var parts: [String] = []
    while let value = synthesizedValue(around: token) {
      parts.append(paths.path(to: token, on: tape))
      token = value.origin
    }
    parts.append(paths.path(to: token, on: tape))
    return path + parts.reversed().joined()
  }

  /// Notes that the tokens from `start` to the end of the tape replace another value.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  func addSynthesized(_ start: TokenIndex, origin: TokenIndex) throws {
    let depth = (synthesizedValue(around: origin)?.depth ?? 0) + 1
    if tape.next > start {
      try synthesized.append(
        SynthesizedValue(start: start, end: tape.next, origin: origin, depth: depth))
    }
  }

  /// Returns the synthesized value with a token; the values are sorted by position.
  ///
  /// Complexity: O(log n).
  func synthesizedValue(around token: TokenIndex) -> SynthesizedValue? {
    // The tokens of the element itself come before all others.
    guard synthesized.count > 0, token >= synthesized.start[0].start else { return nil }
    var (low, high) = (0, synthesized.count)
    while low < high {
      let middle = (low + high) / 2
      if synthesized.start[middle].start <= token { low = middle + 1 } else { high = middle }
    }
    guard low > 0, token < synthesized.start[low - 1].end else { return nil }
    return synthesized.start[low - 1]
  }

  /// Returns the element's token that a token of a synthesized value replaces.
  func source(_ token: TokenIndex) -> TokenIndex {
    var token = token
    while let value = synthesizedValue(around: token) { token = value.origin }
    return token
  }

  // MARK: New tokens

  func isEmptyText(_ token: TokenIndex) -> Bool {
    let value = tape.tokens[token]
    return value.rawKind == JSONKind.string.rawValue && value.size == 0
  }

  /// Appends a null that replaces a value.
  func appendNull(for token: TokenIndex) throws -> TokenIndex {
    let null = try tape.append(JSONToken(kind: .null))
    try addSynthesized(null, origin: token)
    return null
  }

  /// Returns the number or truth value that a key spells; otherwise the key itself.
  func typedKey(_ key: TokenIndex) throws -> TokenIndex {
    let bytes = tape.tokens[key].bytes
    let token: JSONToken
    // Another spelling of a number, such as 007, would not be exported again.
    let digits = bytes.drop { $0 == UInt8(ascii: "-") }
    if digits.first == UInt8(ascii: "+")
      || digits.count > 1 && digits.starts(with: "0".utf8)
        && !bytes.contains(Byte.point)
    {
      return key
    }
    if let value = NumberText.parseInteger(bytes) {
      token = JSONToken(kind: .integer, payload: UInt64(bitPattern: value))
    } else if let value = NumberText.parseDouble(bytes) {
      token =
        NumberText.isNeeded(bytes, beside: value)
        ? JSONToken(
          kind: .largeNumber, size: tape.tokens[key].size, payload: tape.tokens[key].payload)
        : JSONToken(kind: .real, payload: value.bitPattern)
    } else if bytes.elementsEqual("true".utf8) || bytes.elementsEqual("false".utf8) {
      token = JSONToken(kind: bytes.count == 4 ? .true : .false)
    } else {
      return key
    }
    let typed = try tape.append(token)
    try addSynthesized(typed, origin: key)
    return typed
  }

  /// Returns the key that a number or truth value was read from, or any other value unchanged.
  func text(ofTypedKey token: TokenIndex) -> JSONToken {
    guard let made = synthesizedValue(around: token), made.start == token,
      tape.tokens[made.origin].kind == .string
    else { return tape.tokens[token] }
    return tape.tokens[made.origin]
  }
}

/// A value on the tape that a callback returned for another value.
struct SynthesizedValue {
  /// The first token of the value, and the position after its last token.
  let start: TokenIndex
  let end: TokenIndex
  /// The token that the value replaces.
  let origin: TokenIndex
  /// The number of synthesized values around the value, including itself.
  let depth: Int
}
