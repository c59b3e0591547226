/// The large memory of one context: how much it holds, may hold, and was refused.
///
/// Tables, links, texts, indexes and logs get their memory here, and tapes and buffers for as long
/// as a call lasts. Some of those who ask cannot throw: they leave undone what they were to do, and
/// the call looks at ``check()`` before it goes on. Belongs to one thread at a time.
package final class MemoryAccount {
  /// Why memory was refused.
  package enum Shortage {
    /// The system has none.
    case memory
    /// The account is not to hold more.
    case limit
  }

  /// A block this large needs `reserve` bytes of free memory: an allocation of the language itself
  /// cannot be refused without ending the process.
  private static let largeSize = 16 << 10
  private static let reserve = 128 << 10

  /// How many bytes are held.
  @exclusivity(unchecked) package private(set) var held = 0
  /// How many may be held.
  @exclusivity(unchecked) package var limit = Int.max
  /// Why memory was refused since this was last looked at.
  package private(set) var shortage: Shortage? {
    get { noted.pointee }
    set { noted.pointee = newValue }
  }
  /// Where that is, for who looks so often that asking the account would count.
  let noted: UnsafeMutablePointer<Shortage?>
  /// How often memory was asked for.
  package private(set) var requestCount = 0
  /// Which of these requests are refused as the system would, for tests.
  package var refusedRequests = 0..<0

  package init() {
    noted = .allocate(capacity: 1)
    noted.initialize(to: nil)
  }

  deinit { noted.deallocate() }

  /// A block of so many bytes that counts as held; nil when it is refused.
  @inline(never)
  func allocate(_ size: Int, zeroed: Bool = false) -> UnsafeMutableRawPointer? {
    guard size <= limit, held <= limit - size else {
      shortage = .limit
      return nil
    }
    guard let block = lend(size, zeroed: zeroed) else {
      shortage = .memory
      return nil
    }
    held += size
    return block
  }

  /// The same for optional allocations: a refusal is not a shortage.
  func allocateIfPossible(_ size: Int) -> UnsafeMutableRawPointer? {
    let before = shortage
    defer { shortage = before }
    return allocate(size)
  }

  /// Notes that something cannot be done without what ``allocateIfPossible(_:)`` has refused.
  func noteShortage(_ size: Int) {
    shortage = size <= limit && held <= limit - size ? .memory : .limit
  }

  /// A block of another size with the old one's content; nil, and the old one stays, when that is
  /// refused.
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

  /// Gives a block back.
  func release(_ block: UnsafeMutableRawPointer?, size: Int) {
    CLibrary.release(block)
    held -= size
  }

  /// Counts what was allocated past the account.
  func hold(_ size: Int) { held += size }

  // MARK: Past the account

  /// A block that does not count as held: it is the program's, or lives no longer than a call.
  func lend(_ size: Int, zeroed: Bool = false) -> UnsafeMutableRawPointer? {
    guard !isRefused else { return nil }
    return Self.leavingReserve(
      zeroed ? CLibrary.allocateZeros(size) : CLibrary.allocate(size), size: size)
  }

  /// The same in another size; nil, and the old one stays, when that is refused.
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

  // MARK: What was refused

  /// Requires room for what the language is going to allocate, and would end the process over.
  ///
  /// - Throws: ``Status/outOfMemory``.
  func expect(_ size: Int) throws {
    guard size >= Self.largeSize else { return }
    let (sum, overflow) = size.addingReportingOverflow(Self.reserve)
    if overflow || isRefused || !CLibrary.hasRoom(sum) { throw Self.outOfMemory }
  }

  /// Throws if memory was refused since this was last looked at.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  @inline(__always)
  func check() throws {
    if shortage != nil { throw failure }
  }

  /// Forgets what was refused: it is undone, or was done in another way.
  func forgive() { shortage = nil }

  /// The error for what was refused last, which is then looked at.
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
