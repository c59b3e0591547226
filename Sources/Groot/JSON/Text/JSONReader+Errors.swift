// The locations and messages of errors.

extension JSONReader {
  /// The path of the current element: `$[3]` in an array, `$` otherwise, or the same below the
  /// root.
  package var elementPath: String {
    let root = walk?.rootPath ?? "$"
    return isArray ? root + MessagePath.element(elementIndex) : root
  }

  /// The path of the array if it has no elements; otherwise nil.
  var emptyArrayPath: String? {
    isArray && elementIndex < 0 ? walk?.rootPath ?? "$" : nil
  }

  /// Adds the line, column and byte offset of the token at `index` to an issue.
  ///
  /// A token from a callback or from jansson has the location of its element. The first call for an
  /// element takes linear time, later calls do not.
  package func locate(_ issue: inout GrootIssue, token index: TokenIndex) {
    issue.offset = elementOffset
    var location = self.location(of: elementOffset)
    if isScanned, !index.isNone, index.offset < scannedCount {
      let found =
        locationIndex ?? TextLocation.Index(elementText, count: scannedCount, from: location)
      locationIndex = found
      if let inside = found.offset(of: index) {
        issue.offset += inside
        location = found.location(of: inside, in: elementText)
      }
    }
    issue.line = location.line
    issue.column = location.column + 1
  }

  /// Returns the line and column of a byte in or after the current element.
  func location(of offset: Int) -> TextLocation {
    // The mark must not pass the beginning of the current element, whose locations may be needed.
    moveMark(to: min(offset, elementOffset))
    let from = max(mark.offset - windowOffset, 0)
    let bytes = UnsafeRawBufferPointer(start: window + from, count: max(0, limit - window - from))
    return TextLocation(of: offset - mark.offset, in: bytes, from: mark.location)
  }

  /// Returns the error that jansson finds in the text from the cursor on.
  ///
  /// `prefix` replaces the text before the cursor, and puts jansson in the same state. More text is
  /// read if the error touches the end of the text in memory. If jansson finds no error, the result
  /// is `cause`, at the cursor.
  func syntaxError(after prefix: [UInt8], otherwise cause: (any Error)? = nil) throws -> GrootError
  {
    pendingError = pendingError ?? PendingError(path: errorPath, prefix: prefix, cause: cause)
    state = .failed
    return try pendingError.map { try judge($0) } ?? tooLong()
  }

  /// Returns jansson's error at the cursor.
  func judge(_ pending: PendingError) throws -> GrootError {
    var found: JanssonBridge.SyntaxError?
    while true {
      let text = UnsafeRawBufferPointer(start: cursor, count: limit - cursor)
      found = JanssonBridge.diagnose(pending.prefix, text: text)
      guard let found, !isAtEnd, mayTouchEnd(found, of: text) else { break }
      if text.count > limits.maxElementBytes { return tooLong() }
      try readMore(keeping: cursor)
    }
    let start = windowOffset + (cursor - window)
    let offset = start + (found?.position ?? 0)
    var issue: GrootIssue
    if let found {
      issue = GrootIssue(found.status, found.message)
    } else if let cause = (pending.cause as? GrootError)?.issues.first {
      issue = cause
    } else {
      issue = GrootIssue(.invalidJSON, "the JSON text is not valid")
    }
    elementStart = cursor
    moveMark(to: start)
    let location = self.location(of: offset)
    issue.path = pending.path
    issue.line = location.line
    issue.column = location.column
    issue.offset = offset
    return GrootError(issue)
  }

  private var errorPath: String {
    elementIndex >= 0 && state != .outside ? elementPath : "$"
  }

  /// Returns the error of an element longer than the limit.
  func tooLong() -> GrootError {
    let location = self.location(of: elementOffset)
    return GrootError(
      GrootIssue(
        .limitExceeded,
        "the element is longer than the limit of \(limits.maxElementBytes) bytes",
        path: elementPath, line: location.line, column: location.column + 1, offset: elementOffset))
  }

  /// Returns whether more bytes after `text` could change the error.
  func mayTouchEnd(_ error: JanssonBridge.SyntaxError, of text: UnsafeRawBufferPointer) -> Bool {
    // Jansson does not count the bytes of an incomplete UTF-8 sequence.
    error.position + 8 >= text.count
  }

  /// The known parts of an error for which more text may be needed.
  struct PendingError {
    let path: String
    let prefix: [UInt8]
    let cause: (any Error)?
  }

  /// The text before a value that jansson judges.
  enum Prefix {
    case element
    /// The text that the walk to the root has passed.
    case walk
  }

  func bytes(of prefix: Prefix) -> [UInt8] {
    switch prefix {
    case .element: prefixOfElement
    case .walk: walk?.prefix ?? []
    }
  }

  /// The stand-in for the text before the current element.
  private var prefixOfElement: [UInt8] {
    let around = walk?.prefixOfRoot ?? []
    if !isArray { return around }
    return around + (elementIndex == 0 ? "[" : "[0,").utf8
  }

  /// Returns the stand-in for the text up to the end of the current element.
  func prefixAfterElement() -> [UInt8] {
    // For malformed UTF-8 directly after a number or literal, jansson's message names that number
    // or literal.
    guard cursor < limit, cursor.pointee >= 0x80, endsInScalar(cursor), cursor[-1] > Byte.space
    else { return Array("[0 ".utf8) }
    return [Byte.openBracket] + elementText
  }
}
