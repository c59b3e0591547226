// Reading a text that is fed in pieces of any size.

extension JSONReader {
  /// The error of a reader that must be fed more text.
  struct NeedsMoreInput: Error {}

  /// Adds the next piece of the text, which is copied.
  package func feed(_ bytes: UnsafeRawBufferPointer) throws {
    guard isFed, !isAtEnd, let source = bytes.baseAddress else { return }
    if buffer == nil || bufferCapacity - (limit - window) < bytes.count {
      // The text before the cursor is no longer needed.
      let count = limit - cursor
      let offset = windowOffset + (cursor - window)
      moveMark(to: offset)
      let start = try makeRoom(for: cursor, count, and: bytes.count)
      window = UnsafePointer(start)
      cursor = window
      elementStart = window
      limit = window + count
      windowOffset = offset
    }
    guard let buffer else { return }
    CLibrary.copy(bytes.count, from: source, to: buffer + (limit - window))
    limit += bytes.count
  }

  /// Ends the text.
  package func endFeeding() { isAtEnd = true }

  /// Whether enough text was fed for another attempt to read.
  package var isWorthReading: Bool { !isFed || isAtEnd || limit - cursor >= wanted }
}
