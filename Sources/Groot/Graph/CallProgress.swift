/// How far a call of a context is that takes long.
public struct CallProgress: Sendable {
  /// The calls that report their progress.
  public enum Operation: Int32, Sendable {
    /// Imports, synchronizations, and filling an object.
    case importing = 1
    /// Exports.
    case exporting = 2
    /// Fetches, counts, distinct values and aggregates.
    case fetching = 3
    /// Saves.
    case saving = 4
    /// Refreshes.
    case refreshing = 5
    /// Bringing a store to another model, when it is opened.
    case migrating = 6
  }

  /// The call going on.
  public var operation: Operation
  /// Records imported, objects written, objects looked at; 0 while a store is at work on its own.
  public var records: Int
  /// Bytes of text read or written; 0 when there is no text.
  public var bytes: Int
}

/// Tells a program how far the call of its context is, and asks whether it is to go on.
///
/// Used by the thread that uses the context, alone.
package final class ProgressListener {
  /// Nil when nobody wants to know; false ends the call.
  @exclusivity(unchecked) package var handler: ((CallProgress) -> Bool)?
  @exclusivity(unchecked) private var state = CallProgress(
    operation: .fetching, records: 0, bytes: 0)
  /// How many records are passed between two calls of the handler.
  static let interval = 1024

  private let cancellation: Cancellation

  /// Makes a listener that the handler can cancel the call through, too.
  package init(
    _ handler: ((CallProgress) -> Bool)? = nil, cancellation: Cancellation = Cancellation()
  ) {
    self.handler = handler
    self.cancellation = cancellation
  }

  /// Begins to tell of a call.
  package func begin(_ operation: CallProgress.Operation) {
    state = CallProgress(operation: operation, records: 0, bytes: 0)
  }

  /// Counts one more record, and tells of it now and then.
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
    // The handler may have cancelled the call, and nothing may ask again.
    try cancellation.mark.check()
  }

  private var asksToGoOn: Bool { handler?(state) ?? true }

  /// Tells that the call goes on; whether it is to.
  package var isToGoOn: Bool { asksToGoOn && !cancellation.isWanted }
}
