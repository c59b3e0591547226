/// The account of the large memory of a context: held bytes, their limit, and refusals.
///
/// Tables, links, texts, indexes and logs get their memory here, as do tapes and buffers during a
/// call. Some callers cannot throw: after a refusal they do nothing, and the call must use
/// ``check()`` before it continues. Belongs to one thread at a time.
package final class MemoryAccount {
  /// The reason why memory was refused.
  package enum Shortage {
    /// The system refused the memory.
    case memory
    /// The account would exceed its limit.
    case limit
  }

  /// The size from which on a block must leave `reserve` bytes free: the process ends if an
  /// allocation of the language is refused.
  private static let largeSize = 16 << 10
  private static let reserve = 128 << 10

  /// The number of held bytes.
  @exclusivity(unchecked) package private(set) var held = 0
  /// The greatest number of held bytes.
  @exclusivity(unchecked) package var limit = Int.max
  /// The reason of a refusal that was not checked yet; nil without one.
  package private(set) var shortage: Shortage? {
    get { noted.pointee }
    set { noted.pointee = newValue }
  }
  /// The place of `shortage`, for checks too frequent for a call to the account.
  let noted: UnsafeMutablePointer<Shortage?>
  /// The number of requests for memory.
  package private(set) var requestCount = 0
  /// The requests that are refused as if by the system, for tests.
  package var refusedRequests = 0..<0

  package init() {
    noted = .allocate(capacity: 1)
    noted.initialize(to: nil)
  }

  deinit { noted.deallocate() }

  /// Allocates a block that counts as held; nil if it is refused.
  @inline(never)
  func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
    guard size <= limit, held <= limit - size else {
      shortage = .limit
      return nil
    }
    guard let block = lend(size) else {
      shortage = .memory
      return nil
    }
    held += size
    return block
  }

  /// Allocates an optional block: a refusal is not a shortage.
  func allocateIfPossible(_ size: Int) -> UnsafeMutableRawPointer? {
    let before = shortage
    defer { shortage = before }
    return allocate(size)
  }

  /// Records a shortage: a block that ``allocateIfPossible(_:)`` has refused is needed after all.
  func noteShortage(_ size: Int) {
    shortage = size <= limit && held <= limit - size ? .memory : .limit
  }

  /// Changes the size of a block and keeps its content; nil if it is refused, and the old block
  /// stays valid.
  @inline(never)
  func resize(
    _ block: UnsafeMutableRawPointer?, from old: Int, to size: Int
  ) -> UnsafeMutableRawPointer? {
    guard size <= limit, held - old <= limit - size else {
      shortage = .limit
      return nil
    }
    guard let moved = relend(block, to: size) else {
      shortage = .memory
      return nil
    }
    held += size - old
    return moved
  }

  /// Frees a block.
  func release(_ block: UnsafeMutableRawPointer?, size: Int) {
    CLibrary.release(block)
    held -= size
  }

  /// Counts memory that was allocated without the account.
  func hold(_ size: Int) { held += size }

  // MARK: Uncounted memory

  /// Allocates a block that does not count as held: it belongs to the program, or is freed within
  /// the call.
  func lend(_ size: Int) -> UnsafeMutableRawPointer? {
    isRefused ? nil : Self.leavingReserve(CLibrary.allocate(size), size: size)
  }

  /// Changes the size of an uncounted block; nil if it is refused, and the old block stays valid.
  func relend(_ block: UnsafeMutableRawPointer?, to size: Int) -> UnsafeMutableRawPointer? {
    guard !isRefused, size < Self.largeSize || CLibrary.hasRoom(Self.reserve) else { return nil }
    return CLibrary.resize(block, to: size)
  }

  private static func leavingReserve(
    _ block: UnsafeMutableRawPointer?, size: Int
  ) -> UnsafeMutableRawPointer? {
    guard block != nil, size >= largeSize, !CLibrary.hasRoom(reserve) else { return block }
    CLibrary.release(block)
    return nil
  }

  private var isRefused: Bool {
    requestCount += 1
    return refusedRequests.contains(requestCount - 1)
  }

  // MARK: Refusals

  /// Requires memory for an allocation of the language, whose refusal would end the process.
  ///
  /// - Throws: ``Status/outOfMemory``.
  func expect(_ size: Int) throws {
    guard size >= Self.largeSize else { return }
    let (sum, overflow) = size.addingReportingOverflow(Self.reserve)
    if overflow || isRefused || !CLibrary.hasRoom(sum) { throw Self.outOfMemory }
  }

  /// Throws an error if memory was refused since the last check.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  @inline(__always)
  func check() throws {
    if shortage != nil { throw failure }
  }

  /// Clears a refusal that was handled.
  func forgive() { shortage = nil }

  /// The error for the last refusal, which is cleared.
  var failure: GrootError {
    defer { shortage = nil }
    return shortage == .limit ? limitExceeded : Self.outOfMemory
  }

  private var limitExceeded: GrootError {
    GrootError(
      .limitExceeded,
      "the context would hold more than its limit of \(limit) bytes; it holds \(held)")
  }

  package static var outOfMemory: GrootError {
    GrootError(.outOfMemory, "there is no memory for more; the call is undone")
  }
}
