import Groot

/// A program's log of the events of a store.
public final class SQLiteLog {
  /// The level of a log; each level includes the levels before it.
  public enum Level: Int32, Comparable, CaseIterable, Sendable {
    /// Failures of SQLite.
    case errors = 1
    /// Probable mistakes.
    case warnings = 2
    /// Stores that are created, opened, copied or migrated.
    case events = 3
    /// The SQL of each statement, without its values.
    case statements = 4

    /// Orders levels by the number of messages that they include.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  let level: Level
  private let write: (Level, String) -> Void

  /// Makes a log that calls a function on the context's thread.
  ///
  /// - Parameters:
  ///   - level: The level of the log.
  ///   - write: Receives the level of a message and the message; it must not use the context.
  public init(_ level: Level, write: @escaping (Level, String) -> Void) {
    self.level = level
    self.write = write
  }

  func note(_ level: Level, _ message: String) { write(level, message) }
}

/// The check that SQLite makes during a long statement.
final class StatementWatch {
  private let cancellation: Cancellation
  private let listener: ProgressListener

  init(cancellation: Cancellation, listener: ProgressListener) {
    self.cancellation = cancellation
    self.listener = listener
  }

  /// Whether the statement must end.
  var isToEnd: Bool { cancellation.isWanted || !listener.isToGoOn }
}
