// JSON values from text, and as text.

extension JSONValue {
  /// Reads a JSON text: one value of any kind, with nothing but white space around it.
  ///
  /// Of duplicate keys the last counts. Complexity: O(bytes).
  ///
  /// - Throws: ``Status/invalidJSON`` with jansson's message, line, column and offset;
  ///   ``Status/limitExceeded`` for more than 2,048 levels.
  public init(parsing text: String) throws(GrootError) {
    var text = text
    self = try GrootError.carrying { try text.withUTF8 { try JSONValue(parsing: $0) } }
  }

  /// Reads a JSON text from UTF-8, which is checked.
  ///
  /// - Throws: as ``init(parsing:)-(String)``.
  public init(parsing bytes: UnsafeBufferPointer<UInt8>) throws(GrootError) {
    let tape = JSONTape()
    try GrootError.carrying { try tape.load(bytes) }
    self.init(tape, index: .first)
  }

  /// Reads a JSON text as ``init(parsing:)``, but keeps the text of a number that its double does
  /// not determine, for the values of attributes.
  package init(keepingDigits bytes: UnsafeBufferPointer<UInt8>) throws(GrootError) {
    let tape = JSONTape()
    try GrootError.carrying { try tape.load(bytes) }
    self.init(tape, index: .first, keepsDigits: true)
  }

  /// Reads text that the library has written; null if it is damaged.
  init(storedText bytes: UnsafeBufferPointer<UInt8>) {
    self = (try? JSONValue(parsing: bytes)) ?? .null
  }

  /// The value as compact JSON with sorted keys: the same text for equal values.
  public var canonicalText: String { text(sortsKeys: true) }

  /// Returns whether the value nests deeper than a number of levels.
  func isDeeper(than levels: Int) -> Bool {
    var text = description
    return text.withUTF8 { JSONNesting.isDeeper($0, than: levels) }
  }

  private func text(sortsKeys: Bool) -> String {
    let tape = JSONTape()
    guard let index = try? append(to: tape, maxDepth: .max) else { return "null" }
    let writer = tape.writer
    writer.value(tape, index: index, sortsKeys: sortsKeys)
    guard let bytes = try? writer.finish() else { return "null" }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON, with members in their order.
  public var description: String { text(sortsKeys: false) }
}

extension JSONTape {
  /// Reads a whole text with a value of any kind onto the empty tape; the text must outlive the
  /// tape's content.
  ///
  /// Throws `invalidJSON`, or `limitExceeded` for depth, with jansson's message and the location.
  package func load(_ text: UnsafeBufferPointer<UInt8>) throws {
    if scanWhole(text) { return }
    throw JanssonBridge.refusal(of: UnsafeRawBufferPointer(text)) ?? Self.outOfRoom
  }

  /// Scans a whole text onto the empty tape; returns false if jansson must judge it.
  private func scanWhole(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard var start = text.baseAddress, text.count <= Int(Int32.max) else { return false }
    let end = start + text.count
    let outcome = JSONScanner.scan(
      from: start, to: end, onto: self, maxDepth: JanssonBridge.maxDepth)
    guard case .scanned(var next) = outcome else {
      return JSONScanner.skipSpace(&start, end: end)
        && JSONScanner.scanLast(from: start, to: end, onto: self)
    }
    if JSONScanner.skipSpace(&next, end: end) {
      count = 0
      return false
    }
    return true
  }
}
