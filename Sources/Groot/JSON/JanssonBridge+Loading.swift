import CJansson

// Asking jansson what some bytes are. Its types do not count: where they are all that is wrong, the
// bytes are JSON.

extension JanssonBridge {
  /// Why a text is not a value of any kind that json_loadb accepts; nil when it is.
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

  /// Parses the first value in some bytes, whatever its kind and whatever follows it.
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
    // A NUL byte in a value is not one that jansson saw.
    if hasNUL(text, count: consumed) { return judge([], text: text, flags: flags) }
    return .value(value, consumed: consumed)
  }

  private static func hasNUL(_ text: UnsafeRawBufferPointer, count: Int) -> Bool {
    guard let start = text.baseAddress else { return false }
    return CLibrary.find(0, in: start, count: min(count, text.count)) != nil
  }

  /// The error jansson finds in `prefix` followed by `text`; nil when it finds none.
  ///
  /// Its position is counted from `text`. For the messages of errors.
  static func diagnose(_ prefix: [UInt8], text: UnsafeRawBufferPointer) -> SyntaxError? {
    guard case .syntaxError(var error) = judge(prefix, text: text, flags: 0) else { return nil }
    error.position = max(0, error.position - prefix.count)
    return error
  }

  /// Has jansson judge `prefix` followed by `text`, whatever its types can hold.
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
