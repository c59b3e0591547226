extension JSONReader {
  /// Puts the next element on the tape, in place of the one before; false when there is none.
  ///
  /// Throws `invalidJSON` with jansson's message and the place, `limitExceeded`, or what the
  /// refill closure threw. Complexity: O(bytes of the element), amortised.
  package func next() throws -> Bool {
    do {
      if try readElement() { return true }
      state = .finished
    } catch {
      state = .finished
      tape.reset()
      throw error
    }
    tape.reset()
    return false
  }

  private func readElement() throws -> Bool {
    switch state {
    case .behindElement:
      try skipDroppedNUL()
      let byte = try skipSpace()
      if byte == Byte.comma {
        cursor += 1
        return try readValue()
      }
      if byte == Byte.closeBracket {
        cursor += 1
        return try readEnd()
      }
      throw try fault(from: cursor, behind: prefixBehindElement())
    case .start:
      let byte = try skipSpace()
      if byte == Byte.openBrace { return try readValue() }
      guard byte == Byte.openBracket else { throw try fault(from: cursor, behind: []) }
      isArray = true
      cursor += 1
      state = .beforeFirst
      if try skipSpace() == Byte.closeBracket {
        cursor += 1
        return try readEnd()
      }
      return try readValue()
    case .behindObject: return try readEnd()
    case .beforeFirst, .finished: return false
    }
  }

  /// Reads the value that begins at the cursor or behind white space there.
  private func readValue() throws -> Bool {
    elementIndex &+= 1
    if held != nil { held = nil }
    let depth = isArray ? limits.maxDepth - 1 : limits.maxDepth
    while true {
      tape.reset()
      _ = try skipSpace()
      let start = cursor
      elementStart = start
      let available = limit - start
      let isCapped = available > limits.maxElementBytes
      let end = isCapped ? start + limits.maxElementBytes : limit
      if usesScanner {
        switch JSONScanner.scan(from: start, to: end, onto: tape, maxDepth: depth) {
        case .scanned(let end):
          finishElement(end, isScanned: true)
          return true
        case .incomplete:
          if isCapped { throw tooLong() }
          if !isAtEnd {
            try readMore(keeping: start)
            continue
          }
        case .refused: break
        }
      }
      let text = UnsafeRawBufferPointer(start: start, count: end - start)
      switch JanssonBridge.loadPrefix(text) {
      case .value(let value, let consumed):
        let isOpen = consumed >= text.count && endsInScalar(start + min(consumed, text.count))
        if isOpen, isCapped { throw tooLong() }
        if isOpen, !isAtEnd {
          try readMore(keeping: start)
          continue
        }
        try flatten(value, maxDepth: depth)
        finishElement(start + min(consumed, text.count), isScanned: false)
        return true
      case .fault(let found):
        if mayTouchEnd(found, of: text) {
          if isCapped { throw tooLong() }
          if !isAtEnd {
            try readMore(keeping: start)
            continue
          }
        }
        throw try fault(from: start, behind: prefixOfElement)
      }
    }
  }

  @inline(__always)
  private func finishElement(_ end: UnsafePointer<UInt8>, isScanned: Bool) {
    cursor = end
    self.isScanned = isScanned
    scannedCount = tape.count
    state = isArray ? .behindElement : .behindObject
  }

  private func flatten(_ value: JanssonValue, maxDepth: Int) throws {
    tape.reset()
    do {
      _ = try value.borrow { try JanssonBridge.flatten($0, onto: tape, maxDepth: maxDepth) }
    } catch {
      throw try fault(from: elementStart, behind: prefixOfElement, otherwise: error)
    }
    held = value
  }

  /// Only white space may follow.
  private func readEnd() throws -> Bool {
    if try skipSpace() == nil { return false }
    let braces = isArray ? "[]" : "{}"
    throw try fault(from: cursor, behind: Array(braces.utf8))
  }

  /// Moves the cursor over white space; answers the byte there, nil at the end of the text.
  @inline(__always)
  private func skipSpace() throws -> UInt8? {
    var cursor = self.cursor
    if JSONScanner.skipSpace(&cursor, limit) {
      self.cursor = cursor
      return cursor.pointee
    }
    return try skipSpaceSlowly()
  }

  @inline(never)
  private func skipSpaceSlowly() throws -> UInt8? {
    while true {
      var cursor = self.cursor
      let isFound = JSONScanner.skipSpace(&cursor, limit)
      self.cursor = cursor
      if isFound { return cursor.pointee }
      if isAtEnd { return nil }
      try readMore(keeping: cursor)
    }
  }

  /// Jansson drops one NUL byte directly behind a number or literal; so does the reader.
  @inline(__always)
  private func skipDroppedNUL() throws {
    if cursor < limit, cursor.pointee == 0, endsInScalar(cursor) { cursor += 1 }
  }

  /// Whether the element that ends at `end` is no string, array or object.
  @inline(__always)
  func endsInScalar(_ end: UnsafePointer<UInt8>) -> Bool {
    guard end > elementStart else { return false }
    let last = end[-1]
    return last != Byte.quote && last != Byte.closeBrace && last != Byte.closeBracket
  }
}
