import Groot

/// The check during a long statement.
package final class StatementWatch {
  private let cancellation: Cancellation
  private let listener: ProgressListener

  /// Watches for a cancellation, and asks a listener.
  package init(cancellation: Cancellation, listener: ProgressListener) {
    self.cancellation = cancellation
    self.listener = listener
  }

  /// Whether the statement must end.
  package var isToEnd: Bool { cancellation.isWanted || !listener.isToGoOn }
}
