import CJansson

/// The crossing between tapes and jansson, which is the authority on what is JSON.
package enum JanssonBridge {
  /// How deep jansson lets values nest; a scalar inside a container counts as a level.
  package static let maxDepth = 2048

  /// What json_loadb made of some bytes.
  enum Loaded {
    /// A value, and how many bytes it took with the white space before it.
    case value(JanssonValue, consumed: Int)
    /// A fault.
    case fault(Fault)
  }

  /// Why jansson refused some bytes.
  struct Fault {
    /// Jansson's message.
    var message: String
    /// How many bytes it had read.
    var position: Int
    /// Whether it refused for depth.
    var isTooDeep: Bool

    /// The status this fault has in an issue.
    var status: Status { isTooDeep ? .limitExceeded : .invalidJSON }

    init(_ error: json_error_t) {
      var error = error
      message = withUnsafeBytes(of: &error.text) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if message.isEmpty { message = "jansson could not read the text" }
      position = max(0, Int(error.position))
      isTooDeep = groot_json_error_is_depth(&error) != 0
    }
  }

  /// Parses a whole text as json_loadb does without flags: an array or object, nothing behind it.
  ///
  /// With `allowsScalars` the text may be a value of any kind. Throws `invalidJSON`, or
  /// `limitExceeded` for depth, with jansson's message, line, column and offset.
  package static func load(
    _ text: UnsafeRawBufferPointer, allowsScalars: Bool = false
  ) throws -> JanssonValue {
    guard text.count <= Int(Int32.max) else {
      throw GrootError(.limitExceeded, "the text is longer than the 2 GiB jansson can read")
    }
    switch load(text, flags: allowsScalars ? Int(JSON_DECODE_ANY) : 0) {
    case .value(let value, _): return value
    case .fault(let fault):
      let place = JSONLocator.place(of: fault.position, in: text)
      throw GrootError(
        Issue(
          fault.status, fault.message, line: place.line, column: place.column,
          offset: fault.position))
    }
  }

  /// Parses the first value in some bytes, whatever its kind and whatever follows it.
  static func loadPrefix(_ text: UnsafeRawBufferPointer) -> Loaded {
    load(text, flags: Int(JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK))
  }

  /// Parses a value of any kind, behind which only white space may stand.
  static func loadWhole(_ text: UnsafeRawBufferPointer) -> Loaded {
    load(text, flags: Int(JSON_DECODE_ANY))
  }

  private static func load(_ text: UnsafeRawBufferPointer, flags: Int) -> Loaded {
    var error = json_error_t()
    // Jansson takes no null pointer, not even for an empty text.
    let json =
      if let base = text.baseAddress {
        json_loadb(base.assumingMemoryBound(to: CChar.self), text.count, flags, &error)
      } else {
        json_loadb("", 0, flags, &error)
      }
    guard let json else { return .fault(Fault(error)) }
    let position = max(0, Int(error.position))
    return .value(JanssonValue(owning: json), consumed: realPosition(position, in: text))
  }

  /// Jansson drops a NUL byte that follows a number or literal without counting it; this counts it.
  private static func realPosition(_ position: Int, in text: UnsafeRawBufferPointer) -> Int {
    guard text.prefix(position).contains(0) else { return position }
    var counted = 0
    var index = 0
    while index < text.count, counted < position {
      if text[index] != 0 { counted += 1 }
      index += 1
    }
    return index
  }

  /// The fault jansson finds in `prefix` followed by `text`; nil when it finds none.
  ///
  /// Its position is counted from `text`. For the messages of errors: nothing is copied.
  static func diagnose(_ prefix: [UInt8], _ text: UnsafeRawBufferPointer) -> Fault? {
    var error = json_error_t()
    let json = prefix.withUnsafeBytes { head in
      var source = DiagnosedText(head: head, text: text)
      return withUnsafeMutableBytes(of: &source) { bytes in
        json_load_callback(
          { buffer, room, data in
            guard let buffer, let data else { return 0 }
            return data.assumingMemoryBound(to: DiagnosedText.self).pointee.read(buffer, room)
          }, bytes.baseAddress, 0, &error)
      }
    }
    if let json {
      groot_json_release(json)
      return nil
    }
    var fault = Fault(error)
    fault.position = max(0, fault.position - prefix.count)
    return fault
  }

  /// What json_load_callback reads: first the head, then the text.
  private struct DiagnosedText {
    var head: UnsafeRawBufferPointer
    var text: UnsafeRawBufferPointer

    mutating func read(_ buffer: UnsafeMutableRawPointer, _ room: Int) -> Int {
      if head.isEmpty {
        head = text
        text = UnsafeRawBufferPointer(start: nil, count: 0)
      }
      let part = UnsafeRawBufferPointer(rebasing: head.prefix(room))
      if let base = part.baseAddress {
        buffer.copyMemory(from: base, byteCount: part.count)
      }
      head = UnsafeRawBufferPointer(rebasing: head.dropFirst(part.count))
      return part.count
    }
  }
}
