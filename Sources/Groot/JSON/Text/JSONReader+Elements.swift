// Reading the elements of a text one by one.

extension JSONReader {
  /// Reads the next element onto the tape, which it replaces; returns false at the end.
  ///
  /// Throws `invalidJSON` with jansson's message and the location, `limitExceeded`, or the error of
  /// the refill closure. Throws ``NeedsMoreInput`` if the reader must be fed more; after that it
  /// can be called again. Complexity: O(bytes of the element), amortised.
  package func next() throws -> Bool {
    do {
      if try readElement() { return true }
      state = .finished
    } catch {
      if !(error is NeedsMoreInput) { state = .finished }
      tape.reset()
      throw error
    }
    tape.reset()
    return false
  }

  private func readElement() throws -> Bool {
    while true {
      switch state {
      case .afterElement:
        let byte = try skipSpace()
        if byte == Byte.comma {
          cursor += 1
          elementIndex &+= 1
          state = .beforeElement
        } else if byte == Byte.closeBracket {
          cursor += 1
          state = .afterRoot
        } else {
          throw try syntaxError(after: prefixAfterElement())
        }
      case .beforeElement:
        try readValue()
        return true
      case .start:
        let byte = try skipSpace()
        if byte == Byte.openBrace {
          elementIndex = 0
          state = .beforeElement
        } else if byte == Byte.openBracket {
          isArray = true
          cursor += 1
          state = .beforeFirst
        } else {
          throw try syntaxError(after: [])
        }
      case .beforeFirst:
        if try skipSpace() == Byte.closeBracket {
          cursor += 1
          state = .afterRoot
        } else {
          elementIndex = 0
          state = .beforeElement
        }
      case .afterRoot:
        guard walk != nil else { return try readEnd(after: isArray ? "[]" : "{}") }
        walk?.leaveRoot()
        state = .outside
      case .outside:
        guard try walkOn() else { return false }
        state = .start
      case .betweenLines: return try readLine()
      case .failed:
        throw try syntaxError(after: [])
      case .finished: return false
      }
    }
  }

  /// Reads the element at the cursor, after white space.
  @inline(__always)
  private func readValue() throws {
    if held != nil { held = nil }
    _ = try skipSpace()
    let depth = limits.maxDepth &- (isArray ? 1 : 0) &- (walk?.depth ?? 0)
    cursor = try takeAhead(maxDepth: depth) ?? takeValue(maxDepth: depth, after: .element)
    isScanned = held == nil
    scannedCount = tape.count
    if locationIndex != nil { locationIndex = nil }
    state = isArray ? .afterElement : .afterRoot
  }

  /// Takes the element at the cursor from the second thread; nil if this one must read it.
  @inline(__always)
  private func takeAhead(maxDepth: Int) -> UnsafePointer<UInt8>? {
    guard let ahead, isArray else { return nil }
    elementStart = cursor
    return ahead.take(at: cursor, limit: limit, maxDepth: maxDepth, onto: tape)
  }

  /// Reads the value at the cursor onto the tape and returns its end.
  ///
  /// The cursor does not move, so it can be repeated with more of the text.
  @inline(__always)
  func takeValue(maxDepth: Int, after prefix: Prefix) throws -> UnsafePointer<UInt8> {
    while true {
      tape.reset()
      let start = cursor
      elementStart = start
      let available = limit - start
      let isCapped = available > limits.maxElementBytes
      let end = isCapped ? start + limits.maxElementBytes : limit
      if usesScanner {
        switch JSONScanner.scan(from: start, to: end, onto: tape, maxDepth: maxDepth) {
        case .scanned(let end): return end
        case .incomplete:
          if isCapped { throw tooLong() }
          if !isAtEnd {
            try readMore(keeping: start)
            continue
          }
          if JSONScanner.scanLast(from: start, to: end, onto: tape) { return end }
        case .refused: if tape.lacksMemory { throw tape.noRoom }
        }
      }
      if let end = try takeByJansson(
        start, end: end, isCapped: isCapped, maxDepth: maxDepth, prefix: prefix)
      {
        return end
      }
    }
  }

  /// Reads the value with jansson; returns nil if it has read more of the text, for another
  /// attempt.
  @inline(never)
  private func takeByJansson(
    _ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, isCapped: Bool, maxDepth: Int,
    prefix: Prefix
  ) throws -> UnsafePointer<UInt8>? {
    let text = UnsafeRawBufferPointer(start: start, count: end - start)
    switch JanssonBridge.loadPrefix(text) {
    case .value(let value, let consumed):
      let isOpen = consumed >= text.count && endsInScalar(start + min(consumed, text.count))
      if isOpen, isCapped { throw tooLong() }
      if isOpen, !isAtEnd {
        try readMore(keeping: start)
        return nil
      }
      let valueEnd = start + min(consumed, text.count)
      try take(value, from: start, to: valueEnd, maxDepth: maxDepth, prefix: prefix)
      return valueEnd
    case .beyondTypes(let consumed):
      let valueEnd = start + min(consumed, text.count)
      let isOpen = consumed >= text.count && endsInScalar(valueEnd)
      if isOpen, isCapped { throw tooLong() }
      if isOpen, !isAtEnd {
        try readMore(keeping: start)
        return nil
      }
      guard scan(start, end: valueEnd, maxDepth: maxDepth) else {
        throw try syntaxError(after: bytes(of: prefix), otherwise: tape.noRoom)
      }
      return valueEnd
    case .syntaxError(let found):
      if mayTouchEnd(found, of: text) {
        if isCapped { throw tooLong() }
        if !isAtEnd {
          try readMore(keeping: start)
          return nil
        }
      }
      throw try syntaxError(after: bytes(of: prefix))
    }
  }

  /// Puts a value from jansson on the tape; numbers with more digits come from the text.
  func take(
    _ value: JanssonValue, from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>,
    maxDepth: Int, prefix: Prefix
  ) throws {
    if scan(start, end: end, maxDepth: maxDepth), needsNumberTexts { return }
    try flatten(value, maxDepth: maxDepth, prefix: prefix)
  }

  /// Whether a number on the tape differs from its double; a json_t has only doubles.
  private var needsNumberTexts: Bool {
    (0..<tape.count).contains { position in
      let token = tape.tokens[TokenIndex(position)]
      return token.rawKind == JSONKind.real.rawValue && tape.neededText(of: token) != nil
    }
  }

  /// Scans a value onto the tape that jansson accepts as JSON, but may be unable to represent.
  func scan(
    _ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, maxDepth: Int
  ) -> Bool {
    tape.reset()
    if case .scanned(var next) = JSONScanner.scan(
      from: start, to: end, onto: tape, maxDepth: maxDepth)
    {
      return !JSONScanner.skipSpace(&next, end: end)
    }
    var start = start
    return JSONScanner.skipSpace(&start, end: end)
      && JSONScanner.scanLast(from: start, to: end, onto: tape)
  }

  private func flatten(_ value: JanssonValue, maxDepth: Int, prefix: Prefix) throws {
    tape.reset()
    do {
      _ = try value.borrow { try JanssonBridge.flatten($0, onto: tape, maxDepth: maxDepth) }
    } catch {
      throw try syntaxError(after: bytes(of: prefix), otherwise: error)
    }
    held = value
  }

  /// Reads to the end of the text, which may have only white space.
  func readEnd(after root: String) throws -> Bool {
    if try skipSpace() == nil { return false }
    throw try syntaxError(after: Array(root.utf8))
  }

  /// Moves the cursor over white space; returns the next byte, or nil at the end of the text.
  @inline(__always)
  func skipSpace() throws -> UInt8? {
    var cursor = self.cursor
    if JSONScanner.skipSpace(&cursor, end: limit) {
      self.cursor = cursor
      return cursor.pointee
    }
    return try skipSpaceSlowly()
  }

  @inline(never)
  private func skipSpaceSlowly() throws -> UInt8? {
    while true {
      var cursor = self.cursor
      let isFound = JSONScanner.skipSpace(&cursor, end: limit)
      self.cursor = cursor
      if isFound { return cursor.pointee }
      if isAtEnd { return nil }
      try readMore(keeping: cursor)
    }
  }

  /// Returns whether the element before `end` is a number or literal, which has no closing mark.
  @inline(__always)
  func endsInScalar(_ end: UnsafePointer<UInt8>) -> Bool {
    guard end > elementStart else { return false }
    let last = end[-1]
    return last != Byte.quote && last != Byte.closeBrace && last != Byte.closeBracket
  }
}
