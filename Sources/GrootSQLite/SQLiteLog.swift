import Groot

/// The log of a store, for a program.
public final class SQLiteLog {
  /// How much is told; each level has all before it, too.
  public enum Level: Int32, Comparable, CaseIterable, Sendable {
    /// Failures of SQLite.
    case errors = 1
    /// Probable mistakes that work.
    case warnings = 2
    /// Stores that are made, opened, copied and brought to another model.
    case events = 3
    /// The SQL of each statement, without the values that it is run with.
    case statements = 4

    /// More is told after less.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  let level: Level
  private let write: (Level, String) -> Void

  /// Makes a log that calls a function on the context's thread.
  ///
  /// - Parameters:
  ///   - level: How much is told.
  ///   - write: Is given the level of a message and the message; it must not use the context.
  public init(_ level: Level, write: @escaping (Level, String) -> Void) {
    self.level = level
    self.write = write
  }

  func note(_ level: Level, _ message: String) { write(level, message) }
}

/// The question of SQLite in the midst of a statement that takes long.
final class StatementWatch {
  private let cancellation: Cancellation
  private let listener: ProgressListener

  init(cancellation: Cancellation, listener: ProgressListener) {
    self.cancellation = cancellation
    self.listener = listener
  }

  /// Whether the statement is to end.
  var isToEnd: Bool { cancellation.isWanted || !listener.isToGoOn }
}
