// Reading a text whose lines are elements (newline-delimited JSON).

extension JSONReader {
  /// Reads the value of the next line that is not blank onto the tape; returns false at the end.
  func readLine() throws -> Bool {
    guard try skipSpace() != nil else { return false }
    let end = try endOfLine()
    elementIndex &+= 1
    if held != nil { held = nil }
    tape.reset()
    elementStart = cursor
    if !scanLine(to: end) { try loadLine(to: end) }
    isScanned = held == nil
    scannedCount = tape.count
    if locationIndex != nil { locationIndex = nil }
    cursor = end
    return true
  }

  /// Reads the whole line at the cursor into memory and returns its end.
  private func endOfLine() throws -> UnsafePointer<UInt8> {
    while true {
      let count = limit - cursor
      if let found = CLibrary.find(Byte.newline, in: cursor, count: count) {
        let length = UnsafeRawPointer(found) - UnsafeRawPointer(cursor)
        guard length <= limits.maxElementBytes else { throw lineTooLong() }
        return cursor + length
      }
      guard count <= limits.maxElementBytes else { throw lineTooLong() }
      if isAtEnd { return limit }
      try readMore(keeping: cursor)
    }
  }

  private func lineTooLong() -> GrootError {
    elementIndex &+= 1
    elementStart = cursor
    return tooLong()
  }

  /// Scans the line; returns false if jansson must judge it.
  private func scanLine(to end: UnsafePointer<UInt8>) -> Bool {
    guard usesScanner else { return false }
    // The newline shows that a number at the end is complete.
    let scanned = JSONScanner.scan(
      from: cursor, to: end < limit ? end + 1 : end, onto: tape, maxDepth: limits.maxDepth)
    if case .scanned(var next) = scanned {
      return next <= end && !JSONScanner.skipSpace(&next, end: end)
    }
    return end == limit && JSONScanner.scanLast(from: cursor, to: end, onto: tape)
  }

  private func loadLine(to end: UnsafePointer<UInt8>) throws {
    let line = UnsafeRawBufferPointer(start: cursor, count: end - cursor)
    switch JanssonBridge.loadWhole(line) {
    case .value(let value, _):
      try take(value, from: cursor, to: end, maxDepth: limits.maxDepth, prefix: .element)
    case .beyondTypes:
      guard scan(cursor, end: end, maxDepth: limits.maxDepth) else { throw tape.noRoom }
    case .syntaxError(let found):
      let offset = elementOffset + found.position
      let location = self.location(of: offset)
      throw GrootError(
        GrootIssue(
          found.status, found.message, path: elementPath, line: location.line,
          column: location.column,
          offset: offset))
    }
  }
}
