extension JSONValue {
  /// Reads a JSON text: one value of any kind, with nothing but white space around it.
  ///
  /// Of duplicate keys the last counts. Throws ``GrootError`` with ``Status/invalidJSON`` and
  /// jansson's message, line, column and offset, or with ``Status/limitExceeded`` for more than
  /// 2,048 levels. Complexity: O(bytes).
  public init(parsing text: String) throws {
    var text = text
    self = try text.withUTF8 { try JSONValue(parsing: $0) }
  }

  /// Reads a JSON text from UTF-8, which is checked; otherwise like ``init(parsing:)-(String)``.
  public init(parsing bytes: UnsafeBufferPointer<UInt8>) throws {
    let tape = JSONTape()
    if tape.scanWhole(bytes) {
      self.init(tape, 0)
      return
    }
    let value = try JanssonBridge.load(UnsafeRawBufferPointer(bytes), allowsScalars: true)
    self = try value.borrow { json in
      try JanssonBridge.flatten(json, onto: tape)
      return JSONValue(tape, 0)
    }
  }

  /// The value of text the library itself has written; null should that be damaged.
  init(storedText bytes: UnsafeBufferPointer<UInt8>) {
    self = (try? JSONValue(parsing: bytes)) ?? .null
  }

  /// The value as compact JSON with sorted keys: the same text for equal values.
  public var canonicalText: String { text(sortsKeys: true) }

  private func text(sortsKeys: Bool) -> String {
    let tape = JSONTape()
    guard let index = try? append(to: tape, maxDepth: .max) else { return "null" }
    let writer = tape.writer
    writer.value(tape, index, sortsKeys: sortsKeys)
    guard let bytes = try? writer.finish() else { return "null" }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON, members in their order.
  public var description: String { text(sortsKeys: false) }
}

extension JSONTape {
  /// Puts a whole text on the empty tape; false when jansson has to judge it.
  ///
  /// The text must outlive the tape's content.
  fileprivate func scanWhole(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = text.baseAddress, text.count <= Int(Int32.max) else { return false }
    if scanWhole(from: start, to: start + text.count) { return true }
    guard text.count < 1024 else { return false }
    // A number or literal is only seen to end when something follows it.
    let copy = scratch(text.count + 1)
    copy.update(from: start, count: text.count)
    copy[text.count] = Byte.space
    return scanWhole(from: copy, to: copy + (text.count + 1))
  }

  private func scanWhole(
    from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) -> Bool {
    let outcome = JSONScanner.scan(
      from: start, to: end, onto: self, maxDepth: JanssonBridge.maxDepth)
    guard case .scanned(var behind) = outcome else { return false }
    if JSONScanner.skipSpace(&behind, end) {
      count = 0
      return false
    }
    return true
  }
}
