// A text that comes from outside, in pieces of any size.

extension JSONReader {
  /// A reader that is fed has nothing more to read.
  struct NeedsMoreInput: Error {}

  /// Takes the next piece of the text, which is copied.
  package func feed(_ bytes: UnsafeRawBufferPointer) throws {
    guard isFed, !isAtEnd, let source = bytes.baseAddress else { return }
    if buffer == nil || bufferCapacity - (limit - window) < bytes.count {
      // The text before the cursor is needed no more.
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

  /// Says that no more comes.
  package func endFeeding() { isAtEnd = true }

  /// Whether enough of the text was fed for reading on to be worth it.
  package var isWorthReading: Bool { !isFed || isAtEnd || limit - cursor >= wanted }
}
