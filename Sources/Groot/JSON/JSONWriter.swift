/// Writes compact JSON text into one growing buffer, or in chunks to a sink.
///
/// A comma follows each value without a test; the end of a container or ``finish()`` removes the
/// last comma. The writer does not check the grammar: its caller balances containers and writes a
/// key before each member's value.
///
/// If memory is refused, further output is discarded and ``finish()`` throws. Not thread-safe.
package final class JSONWriter {
  /// A function that receives a chunk of text, borrowed for the call.
  package typealias Sink = (UnsafeRawBufferPointer) throws -> Void

  /// The address of the next byte.
  @exclusivity(unchecked) var cursor: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) var limit: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private(set) var start: UnsafeMutablePointer<UInt8>
  private var hasFailed = false
  /// Whether the text's reader reads numbers as doubles: a decimal that a double would round is
  /// written as a string.
  package var isReadAsDoubles = false
  private let sink: Sink?
  /// The account that may refuse memory; the output belongs to the program and is not counted.
  private let account: MemoryAccount?
  private var flushedCount = 0

  private static let chunkBytes = 65_536

  /// Makes a writer to memory or, with a sink, to chunks of about 64 KiB.
  package init(capacity: Int = 4096, account: MemoryAccount? = nil, sink: Sink? = nil) {
    let capacity = max(capacity, 64)
    self.account = account
    start = Memory(nil).allocateFew(UInt8.self, count: capacity)
    cursor = start
    limit = start + capacity
    self.sink = sink
  }

  deinit { CLibrary.release(start) }

  /// The output that has not gone to the sink; valid until the next write.
  package var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start, count: cursor - start)
  }

  /// Returns the output from `position` on; valid until the next write.
  func bytes(from position: Int) -> UnsafeBufferPointer<UInt8> {
    guard position >= 0, position <= self.position else { return bytes }
    return UnsafeBufferPointer(start: start + position, count: self.position - position)
  }

  /// The total number of bytes written.
  package var count: Int { flushedCount + (cursor - start) }

  /// The position of the next byte in the buffer; valid until the buffer is flushed.
  var position: Int { @inline(__always) get { cursor - start } }

  /// Removes the output from `position` on.
  func truncate(to position: Int) {
    if position >= 0, position < self.position { cursor = start + position }
  }

  /// Returns whether the output from `position` on is null.
  func isNull(from position: Int) -> Bool {
    guard position >= 0, self.position - position == 5 else { return false }
    return zip(position..<position + 4, "null".utf8).allSatisfy { start[$0] == $1 }
  }

  /// Removes all output and keeps the memory.
  package func reset() {
    cursor = start
    flushedCount = 0
    hasFailed = false
  }

  /// Passes the output to the sink if it is 64 KiB or more; called at the ends of elements.
  ///
  /// Throws the error of the sink.
  @inline(__always)
  package func checkpoint() throws {
    if cursor - start >= Self.chunkBytes { try flush(keeping: 1) }
  }

  /// Removes the last comma and passes the rest to the sink.
  ///
  /// Returns the content of the buffer: without a sink, the whole text, valid until the next write.
  /// Throws `outOfMemory` if memory was refused, or the error of the sink.
  @discardableResult
  package func finish() throws -> UnsafeBufferPointer<UInt8> {
    if hasFailed { throw MemoryAccount.outOfMemory }
    if cursor > start, cursor[-1] == Byte.comma { cursor -= 1 }
    try flush(keeping: 0)
    return bytes
  }

  /// Passes all but the last `kept` bytes to the sink, because the last may be a comma to remove.
  private func flush(keeping kept: Int) throws {
    guard let sink else { return }
    if hasFailed { throw MemoryAccount.outOfMemory }
    let count = cursor - start - kept
    guard count > 0 else { return }
    try sink(UnsafeRawBufferPointer(start: start, count: count))
    flushedCount += count
    start.update(from: start + count, count: kept)
    cursor = start + kept
  }

  /// Returns room for at least `count` bytes; nil without memory.
  @inline(__always)
  func room(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
    if limit - cursor >= count { return cursor }
    return grow(count)
  }

  @inline(never)
  private func grow(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
    let used = cursor - start
    let (needed, overflow) = used.addingReportingOverflow(count)
    let capacity = max(needed, 2 &* (limit - start))
    guard !overflow, let block = resize(to: capacity) else {
      hasFailed = true
      cursor = start
      return limit - start >= count ? start : nil
    }
    start = block.bindMemory(to: UInt8.self, capacity: capacity)
    cursor = start + used
    limit = start + capacity
    return cursor
  }

  /// Replaces the last comma with a NUL, for readers in C.
  package func endText() {
    if cursor > start, cursor[-1] == Byte.comma { cursor -= 1 }
    rawByte(0)
  }

  private func resize(to capacity: Int) -> UnsafeMutableRawPointer? {
    account == nil ? CLibrary.resize(start, to: capacity) : account?.relend(start, to: capacity)
  }

  /// Whether memory was refused, so that output is missing.
  var lacksMemory: Bool { hasFailed }

  /// Ends the output as ``finish()`` and hands over the content of the buffer.
  ///
  /// A NUL follows the bytes, and the caller must pass them to `free`; the writer is then empty.
  package func takeBytes() throws -> UnsafeMutableBufferPointer<UInt8> {
    let count = try finish().count
    rawByte(0)
    if hasFailed { throw MemoryAccount.outOfMemory }
    let taken = UnsafeMutableBufferPointer(start: start, count: count)
    start = Memory(nil).allocateFew(UInt8.self, count: 64)
    cursor = start
    limit = start + 64
    return taken
  }
}
