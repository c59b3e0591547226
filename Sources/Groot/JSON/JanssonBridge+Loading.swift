import CJansson

// Checking bytes with jansson. Bytes that it refuses only because of its types are valid JSON.

extension JanssonBridge {
  /// Returns the error of a text that json_loadb does not accept as a value of any kind; nil if it
  /// does.
  package static func refusal(of text: UnsafeRawBufferPointer) -> GrootError? {
    guard text.count <= Int(Int32.max) else {
      return GrootError(.limitExceeded, "the text is longer than the 2 GiB jansson can read")
    }
    let judged = judge([], text: text, flags: Int(JSON_DECODE_ANY))
    guard case .syntaxError(let error) = judged else { return nil }
    let location = JSONLocator.location(of: error.position, in: text)
    return GrootError(
      GrootIssue(
        error.status, error.message, line: location.line, column: location.column,
        offset: error.position))
  }

  /// Parses the first value in some bytes, of any kind, with any bytes after it.
  static func loadPrefix(_ text: UnsafeRawBufferPointer) -> Loaded {
    load(text, flags: Int(JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK))
  }

  /// Parses a value of any kind, after which only white space may follow.
  static func loadWhole(_ text: UnsafeRawBufferPointer) -> Loaded {
    load(text, flags: Int(JSON_DECODE_ANY))
  }

  private static func load(_ text: UnsafeRawBufferPointer, flags: Int) -> Loaded {
    var error = json_error_t()
    let options = flags | Int(JSON_ALLOW_NUL)
    // Jansson takes no null pointer, not even for an empty text.
    let json =
      if let start = text.baseAddress {
        json_loadb(start.assumingMemoryBound(to: CChar.self), text.count, options, &error)
      } else {
        json_loadb("", text.count, options, &error)
      }
    guard let json else {
      let isSure = groot_json_error_is_of_types(&error) == 0 && !hasNUL(text, count: text.count)
      return isSure ? .syntaxError(SyntaxError(error)) : judge([], text: text, flags: flags)
    }
    let value = JanssonValue(owning: json)
    let consumed = max(0, Int(error.position))
    // Jansson did not see a NUL byte in a value.
    if hasNUL(text, count: consumed) { return judge([], text: text, flags: flags) }
    return .value(value, consumed: consumed)
  }

  private static func hasNUL(_ text: UnsafeRawBufferPointer, count: Int) -> Bool {
    guard let start = text.baseAddress else { return false }
    return CLibrary.find(0, in: start, count: min(count, text.count)) != nil
  }

  /// Returns the error that jansson finds in `prefix` followed by `text`; nil without one.
  ///
  /// Its position is counted from the beginning of `text`. Used only for the messages of errors.
  static func diagnose(_ prefix: [UInt8], text: UnsafeRawBufferPointer) -> SyntaxError? {
    guard case .syntaxError(var error) = judge(prefix, text: text, flags: 0) else { return nil }
    error.position = max(0, error.position - prefix.count)
    return error
  }

  /// Judges `prefix` followed by `text` with jansson, regardless of the limits of its types.
  private static func judge(
    _ prefix: [UInt8], text: UnsafeRawBufferPointer, flags: Int
  ) -> Loaded {
    prefix.withUnsafeBytes { head in
      var error = json_error_t()
      var source = StandInText(head, text: text)
      let json = withUnsafeMutableBytes(of: &source) { bytes in
        json_load_callback(
          { buffer, room, data in
            guard let buffer, let data else { return 0 }
            return data.assumingMemoryBound(to: StandInText.self).pointee.read(buffer, room: room)
          }, bytes.baseAddress, flags, &error)
      }
      let position = max(0, Int(error.position))
      if let json {
        groot_json_release(json)
        return .beyondTypes(consumed: position)
      }
      let near = SyntaxError.near(&error).flatMap {
        StandInText.original(of: $0, endingAt: position, in: head, text)
      }
      return .syntaxError(SyntaxError(error, near: near))
    }
  }
}
