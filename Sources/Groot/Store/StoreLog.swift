/// A program's log of the events of a store.
public final class StoreLog {
  /// The level of a log; each level includes the levels before it.
  public enum Level: Int32, Comparable, CaseIterable, Sendable {
    /// Failures of the database.
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

  /// The level of the log.
  package let level: Level
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

  /// Writes a message of a level that the log includes.
  package func note(_ level: Level, _ message: String) { write(level, message) }
}
