// The part of the text in memory, a window that slides over a text in pieces.

extension JSONReader {
  private static let initialCapacity = 65_536
  /// The same where a second thread is to find enough to do.
  private static let aheadCapacity = 1 << 20

  /// Moves the bytes from `kept` on to the front of the buffer and reads more after them.
  ///
  /// Unless the text ends, it adds at least as many bytes as it keeps. An incomplete element is
  /// therefore scanned again only when its size has doubled: the total work is linear.
  @inline(never)
  func readMore(keeping kept: UnsafePointer<UInt8>) throws {
    let count = limit - kept
    if isFed, !isAtEnd {
      wanted = max(2 * count, 1)
      throw NeedsMoreInput()
    }
    guard let refill, !isAtEnd else {
      isAtEnd = true
      return
    }
    moveMark(to: windowOffset + (kept - window))
    let cursorOffset = cursor - kept
    let elementShift = max(0, elementStart - kept)
    let offset = windowOffset + (kept - window)
    let buffer = try makeRoom(for: kept, count, and: count + 1)
    window = UnsafePointer(buffer)
    limit = window + count
    cursor = window + cursorOffset
    elementStart = window + min(elementShift, count)
    windowOffset = offset

    var filled = count
    let target = max(2 * count, 1)
    while filled < target {
      let room = UnsafeMutableRawBufferPointer(
        start: buffer + filled, count: bufferCapacity - filled)
      let added = try refill(room)
      guard added > 0 else {
        isAtEnd = true
        break
      }
      guard added <= room.count else {
        throw GrootError(.invalidArgument, "the reader's source delivered more than was asked for")
      }
      filled += added
      limit = window + filled
    }
  }

  /// Moves `count` bytes to the front of a buffer with room for `more` after them.
  func makeRoom(
    for kept: UnsafePointer<UInt8>, _ count: Int, and more: Int
  ) throws -> UnsafeMutablePointer<UInt8> {
    let needed = count + more
    if let buffer, needed <= bufferCapacity {
      if count > 0 { CLibrary.move(count, from: kept, to: buffer) }
      return buffer
    }
    let capacity = max(
      ahead == nil ? Self.initialCapacity : Self.aheadCapacity, 2 * bufferCapacity, needed)
    let memory = Memory(tape.account)
    guard let bytes = memory.allocate(UInt8.self, count: capacity) else { throw memory.failure }
    if count > 0 { CLibrary.copy(count, from: kept, to: bytes) }
    memory.release(buffer, count: bufferCapacity)
    buffer = bytes
    bufferCapacity = capacity
    return bytes
  }

  /// Moves the mark to the location at `offset`, which is in the window.
  func moveMark(to offset: Int) {
    guard offset >= mark.offset else { return }
    let from = max(mark.offset - windowOffset, 0)
    let count = min(offset - windowOffset, limit - window) - from
    guard count > 0 else { return }
    let bytes = UnsafeRawBufferPointer(start: window + from, count: count)
    mark = (offset, TextLocation(of: count, in: bytes, from: mark.location))
  }
}
