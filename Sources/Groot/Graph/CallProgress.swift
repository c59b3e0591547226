/// The progress of a long call of a context.
public struct CallProgress: Sendable {
  /// The calls that report their progress.
  public enum Operation: Int32, Sendable {
    /// Imports, synchronizations, and fillings of an object.
    case importing = 1
    /// Exports.
    case exporting = 2
    /// Fetches, counts, distinct values and aggregates.
    case fetching = 3
    /// Saves.
    case saving = 4
    /// Refreshes.
    case refreshing = 5
    /// Migrations of a store to another model when it is opened.
    case migrating = 6
    /// Copies of a store into another one.
    case copying = 7
  }

  /// The current call.
  public var operation: Operation
  /// The number of records imported, or of objects written or examined; 0 while a store works.
  public var records: Int
  /// The number of bytes of text read or written; 0 without a text.
  public var bytes: Int
}

/// Reports the progress of a context's calls, and asks whether they should continue.
///
/// Only the thread that uses the context may use the listener.
package final class ProgressListener {
  /// The program's function, which returns false to end the call; nil without one.
  @exclusivity(unchecked) package var handler: ((CallProgress) -> Bool)?
  @exclusivity(unchecked) private var state = CallProgress(
    operation: .fetching, records: 0, bytes: 0)
  /// The number of records between two calls of the handler.
  static let interval = 1024

  private let cancellation: Cancellation

  /// Makes a listener whose handler can also cancel the call through a cancellation.
  package init(
    _ handler: ((CallProgress) -> Bool)? = nil, cancellation: Cancellation = Cancellation()
  ) {
    self.handler = handler
    self.cancellation = cancellation
  }

  /// Begins the progress of a call.
  package func begin(_ operation: CallProgress.Operation) {
    state = CallProgress(operation: operation, records: 0, bytes: 0)
  }

  /// Counts a record, and reports the progress at intervals.
  ///
  /// - Throws: ``Status/cancelled``.
  @inline(__always)
  func count(bytes: @autoclosure () -> Int = 0) throws {
    guard handler != nil else { return }
    state.records &+= 1
    if state.records % Self.interval == 0 { try tell(bytes: bytes()) }
  }

  private func tell(bytes: Int) throws {
    state.bytes = bytes
    guard asksToGoOn else {
      throw GrootError(
        .cancelled, "the progress callback ended the call after \(state.records) records")
    }
    // The handler may have cancelled the call, and no other check may follow.
    try cancellation.mark.check()
  }

  private var asksToGoOn: Bool { handler?(state) ?? true }

  /// Reports the current call, and returns whether it should continue.
  package var isToGoOn: Bool { asksToGoOn && !cancellation.isWanted }
}
