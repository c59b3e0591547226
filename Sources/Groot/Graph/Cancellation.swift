import CAtomics

/// Ends the call that a context is carrying out, from any thread.
///
/// ```swift
/// let cancellation = context.cancellation
/// let timer = Thread { sleep(2); cancellation.cancel() }
/// ```
///
/// Imports, exports, fetches, aggregates, saves and refreshes look at it as they go on. One that is
/// ended fails with ``Status/cancelled``, and the graph is as it was before; so is the store.
public final class Cancellation: @unchecked Sendable {
  private enum State {
    static let idle: UInt8 = 0
    static let running: UInt8 = 1
    static let ending: UInt8 = 2
  }

  // Read and written by atomic operations alone.
  private let state: UnsafeMutablePointer<UInt8>

  package init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State.idle)
  }

  deinit { state.deallocate() }

  /// Ends the call that is running; nothing when none is.
  ///
  /// Any thread may call this, at any time.
  public func cancel() { groot_atomic_replace(state, State.running, State.ending) }

  /// Whether the call that is running is to end.
  package var isWanted: Bool { mark.isWanted }

  /// Tells the same to loops that ask once for each object: asking retains nothing.
  ///
  /// It is valid as long as the cancellation that it is of.
  struct Mark {
    fileprivate let state: UnsafeMutablePointer<UInt8>

    /// Whether the call that is running is to end.
    @inline(__always)
    var isWanted: Bool { groot_atomic_load(state) == State.ending }

    /// Throws if the call that is running is to end.
    ///
    /// - Throws: ``Status/cancelled``.
    @inline(__always)
    func check() throws {
      if isWanted { throw Cancellation.failure }
    }
  }

  var mark: Mark { Mark(state: state) }

  package static var failure: GrootError { GrootError(.cancelled, "the call was cancelled") }

  /// Runs a call that can be cancelled; within another one it is a part of that.
  package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard groot_atomic_load(state) == State.idle else { return try body() }
    groot_atomic_store(state, State.running)
    defer { groot_atomic_store(state, State.idle) }
    return try body()
  }
}
