import CSQLite
import Groot

/// A write of the first objects of a new file, past the write-ahead log.
///
/// The log would take them first, with checksums, and pass them on at a checkpoint. A journal of the few
/// pages that were there before keeps the transaction whole, too. If another connection is open, the log
/// stays on.
struct UnloggedWrite {
  private let database: SQLiteDatabase
  /// SQLite's word for the durability afterwards.
  private let synchronous: String
  /// Whether the file was empty and locked when the transaction began, so that no change of others counts.
  private var isAlone = false
  /// The number of changes that the file counted then.
  private var changeCounter: UInt32 = 0

  /// Turns the log off before the transaction.
  init(_ database: SQLiteDatabase, synchronous: String) {
    self.database = database
    self.synchronous = synchronous
    // With less, a loss of power at the commit could damage the file.
    guard (try? database.execute("PRAGMA synchronous = FULL")) != nil else { return }
    try? database.execute("PRAGMA journal_mode = DELETE")
  }

  /// Notes the state of the file, which is empty and locked by the transaction.
  mutating func begin() {
    isAlone = groot_sqlite_change_counter(database.handle, &changeCounter) == SQLITE_OK
  }

  /// Turns the log on again after the transaction; if others read at this moment, the next opening does
  /// it.
  ///
  /// SQLite then gives the file another version, as if another connection had written to it.
  ///
  /// - Returns: The version, if no other connection has written; else nil.
  func end(version: () throws -> Int64) -> Int64? {
    try? database.execute("PRAGMA journal_mode = WAL")
    try? database.execute("PRAGMA synchronous = \(synchronous)")
    // The version comes first, so that a change after it shows in the log.
    guard isAlone, let version = try? version(), isUnchanged else { return nil }
    return version
  }

  /// Whether the file has the changes of the transaction and of the log alone.
  private var isUnchanged: Bool {
    var counter: UInt32 = 0
    // The commit is one change, and the word in the header that turns the log on is another.
    guard groot_sqlite_change_counter(database.handle, &counter) == SQLITE_OK,
      counter == changeCounter &+ 2
    else { return false }
    var frames: Int32 = -1
    let code = sqlite3_wal_checkpoint_v2(
      database.handle, nil, SQLITE_CHECKPOINT_PASSIVE, &frames, nil)
    return code == SQLITE_OK && frames == 0
  }
}
