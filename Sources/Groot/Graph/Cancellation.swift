import CAtomics

/// Ends a context's current call, from any thread.
///
/// ```swift
/// let cancellation = context.cancellation
/// let timer = Thread { sleep(2); cancellation.cancel() }
/// ```
///
/// Imports, exports, fetches, aggregates, saves and refreshes check the cancellation regularly. A
/// cancelled call fails with ``Status/cancelled``, and leaves the graph and the store unchanged.
public final class Cancellation: @unchecked Sendable {
  private enum State {
    static let idle: UInt8 = 0
    static let running: UInt8 = 1
    static let ending: UInt8 = 2
  }

  // Only atomic operations read and write the state.
  private let state: UnsafeMutablePointer<UInt8>

  package init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State.idle)
  }

  deinit { state.deallocate() }

  /// Ends the current call; does nothing without one.
  ///
  /// Any thread may call this, at any time.
  public func cancel() { groot_atomic_replace(state, State.running, State.ending) }

  /// Whether the current call should end.
  package var isWanted: Bool { mark.isWanted }

  /// A form of the cancellation for loops over objects, without a reference to retain.
  ///
  /// The mark is valid as long as its cancellation.
  struct Mark {
    fileprivate let state: UnsafeMutablePointer<UInt8>

    /// Whether the current call should end.
    @inline(__always)
    var isWanted: Bool { groot_atomic_load(state) == State.ending }

    /// Throws if the current call should end.
    ///
    /// - Throws: ``Status/cancelled``.
    @inline(__always)
    func check() throws {
      if isWanted { throw Cancellation.failure }
    }
  }

  var mark: Mark { Mark(state: state) }

  package static var failure: GrootError { GrootError(.cancelled, "the call was cancelled") }

  /// Runs a call that can be cancelled; a nested call is part of the outer one.
  @inline(__always)
  package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard groot_atomic_load(state) == State.idle else { return try body() }
    groot_atomic_store(state, State.running)
    defer { groot_atomic_store(state, State.idle) }
    return try body()
  }
}
