/// Writes compact JSON text into one growing buffer, or in chunks to a sink.
///
/// Each value is written with a comma after it, which the end of its container takes back: so
/// commas cost no question. ``finish()`` takes back the last one. The writer checks no grammar:
/// its caller balances containers and writes a key before each member's value.
///
/// Without memory for more, writing goes on to nowhere and ``finish()`` throws. Not thread-safe.
package final class JSONWriter {
  /// Takes a chunk of text, borrowed for the call.
  package typealias Sink = (UnsafeRawBufferPointer) throws -> Void

  /// Where the next byte goes.
  @exclusivity(unchecked) var cursor: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) var limit: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private(set) var start: UnsafeMutablePointer<UInt8>
  private var hasFailed = false
  /// Whether the reader of the text has doubles for numbers: a number that they do not hold is a
  /// text to it.
  package var isReadAsDoubles = false
  private let sink: Sink?
  /// May refuse memory; its output belongs to the program, and counts for no account.
  private let account: MemoryAccount?
  private var flushedCount = 0

  private static let chunkBytes = 65_536

  /// Makes a writer into memory or, with a sink, into chunks of about 64 KiB.
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

  /// The output since the writer was at `position`; valid until the next write.
  func bytes(from position: Int) -> UnsafeBufferPointer<UInt8> {
    guard position >= 0, position <= self.position else { return bytes }
    return UnsafeBufferPointer(start: start + position, count: self.position - position)
  }

  /// How many bytes have been written in all.
  package var count: Int { flushedCount + (cursor - start) }

  /// Where the next byte goes in the buffer, to come back to before it is handed on.
  var position: Int { @inline(__always) get { cursor - start } }

  /// Takes back what was written since the writer was at `position`.
  func truncate(to position: Int) {
    if position >= 0, position < self.position { cursor = start + position }
  }

  /// Whether what was written since the writer was at `position` is null.
  func isNull(from position: Int) -> Bool {
    guard position >= 0, self.position - position == 5 else { return false }
    return zip(position..<position + 4, "null".utf8).allSatisfy { start[$0] == $1 }
  }

  /// Forgets what was written and keeps the memory.
  package func reset() {
    cursor = start
    flushedCount = 0
    hasFailed = false
  }

  /// Hands what was written to the sink when it is 64 KiB or more; for the ends of elements.
  ///
  /// Throws what the sink throws.
  @inline(__always)
  package func checkpoint() throws {
    if cursor - start >= Self.chunkBytes { try flush(keeping: 1) }
  }

  /// Takes back the last comma and hands the rest to the sink.
  ///
  /// Answers what the buffer holds: without a sink, all text, valid until the next write.
  /// Throws `outOfMemory` when memory did not suffice, or what the sink throws.
  @discardableResult
  package func finish() throws -> UnsafeBufferPointer<UInt8> {
    if hasFailed { throw MemoryAccount.outOfMemory }
    if cursor > start, cursor[-1] == Byte.comma { cursor -= 1 }
    try flush(keeping: 0)
    return bytes
  }

  /// Hands all but the last `kept` bytes to the sink, as the last may be a comma to take back.
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

  /// Where at least `count` bytes may be written; nil when there is no memory.
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

  /// Takes back the last comma and writes a NUL, for readers of C.
  package func endText() {
    if cursor > start, cursor[-1] == Byte.comma { cursor -= 1 }
    rawByte(0)
  }

  private func resize(to capacity: Int) -> UnsafeMutableRawPointer? {
    account == nil ? CLibrary.resize(start, to: capacity) : account?.relend(start, to: capacity)
  }

  /// Whether memory did not suffice for what was written.
  var lacksMemory: Bool { hasFailed }

  /// Ends the writing as ``finish()`` does and hands over what the buffer holds.
  ///
  /// The bytes have a NUL after them and are the caller's, to be given to `free`; the writer is
  /// empty again.
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
