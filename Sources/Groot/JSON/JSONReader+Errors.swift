// Where in the text an error is, and what it says.

extension JSONReader {
  /// The path of the current element: `$[3]` in an array, `$` otherwise, or that below the root.
  package var elementPath: String {
    let root = walk?.rootPath ?? "$"
    return isArray ? root + JSONPath.element(elementIndex) : root
  }

  /// Where the array is that had no elements; nil when there were some, or no array.
  var emptyArrayPath: String? {
    isArray && elementIndex < 0 ? walk?.rootPath ?? "$" : nil
  }

  /// Adds to an issue where the token at `index` is: line, column and byte offset.
  ///
  /// For tokens that came from a callback, or through jansson, the location is the element's. The
  /// first call for an element is linear in it, others are not.
  package func locate(_ issue: inout GrootIssue, token index: TokenIndex) {
    issue.offset = elementOffset
    var location = self.location(of: elementOffset)
    if isScanned, !index.isNone, index.offset < scannedCount {
      let found =
        locationIndex ?? JSONLocationIndex(elementText, count: scannedCount, from: location)
      locationIndex = found
      if let inside = found.offset(of: index) {
        issue.offset += inside
        location = found.location(of: inside, in: elementText)
      }
    }
    issue.line = location.line
    issue.column = location.column + 1
  }

  /// Line and column of a byte of the current element or after it.
  func location(of offset: Int) -> JSONLocator.Location {
    // The mark stays at or before the current element, so that all of it can be asked for.
    moveMark(to: min(offset, elementOffset))
    let from = max(mark.offset - windowOffset, 0)
    let bytes = UnsafeRawBufferPointer(start: window + from, count: max(0, limit - window - from))
    return JSONLocator.location(of: offset - mark.offset, in: bytes, from: mark.location)
  }

  /// The error jansson finds in the rest of the text from the cursor on.
  ///
  /// `prefix` stands for what came before, so that jansson is in the same state there. Reads on
  /// when the error touches the end of what was read so far. If jansson finds nothing wrong, that
  /// is `cause`, at the cursor.
  func syntaxError(after prefix: [UInt8], otherwise cause: (any Error)? = nil) throws -> GrootError
  {
    pendingError = pendingError ?? PendingError(path: errorPath, prefix: prefix, cause: cause)
    state = .failed
    return try pendingError.map { try judge($0) } ?? tooLong()
  }

  /// Lets jansson say what is wrong at the cursor.
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

  /// The error of an element longer than the limit.
  func tooLong() -> GrootError {
    let location = self.location(of: elementOffset)
    return GrootError(
      GrootIssue(
        .limitExceeded,
        "the element is longer than the limit of \(limits.maxElementBytes) bytes",
        path: elementPath, line: location.line, column: location.column + 1, offset: elementOffset))
  }

  /// Whether more bytes after `text` could change the error.
  func mayTouchEnd(_ error: JanssonBridge.SyntaxError, of text: UnsafeRawBufferPointer) -> Bool {
    // Of a cut-off UTF-8 sequence jansson has counted no byte.
    error.position + 8 >= text.count
  }

  /// The known parts of an error whose end may still be to come.
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

  /// The stand-in for the text before the one that follows the current element.
  func prefixAfterElement() -> [UInt8] {
    // Directly after a number or literal jansson's lexer still has that when it meets
    // malformed UTF-8, and says so.
    guard cursor < limit, cursor.pointee >= 0x80, endsInScalar(cursor), cursor[-1] > Byte.space
    else { return Array("[0 ".utf8) }
    return [Byte.openBracket] + elementText
  }
}
