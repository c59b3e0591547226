import CSQLite
import Groot

// The first objects of a new file go straight to it, past the write-ahead log.

/// A write past the log.
struct UnloggedWrite {
  /// Whether no other connection has written to the file since the context read it.
  var isAlone = false
  /// The number of changes that the file counted when the transaction began.
  private var changeCounter: UInt32 = 0

  /// Notes the state of the file, which is empty and locked by the transaction.
  mutating func begin(_ database: SQLiteDatabase) {
    isAlone = groot_sqlite_change_counter(database.handle, &changeCounter) == SQLITE_OK
  }

  /// Returns whether the file has the changes of the transaction and of the log alone.
  func isAlone(in database: SQLiteDatabase) -> Bool {
    var counter: UInt32 = 0
    guard isAlone, groot_sqlite_change_counter(database.handle, &counter) == SQLITE_OK else {
      return false
    }
    // The commit is one change, and the word in the header that turns the log on is another.
    guard counter == changeCounter &+ 2 else { return false }
    var frames: Int32 = -1
    let code = sqlite3_wal_checkpoint_v2(
      database.handle, nil, SQLITE_CHECKPOINT_PASSIVE, &frames, nil)
    return code == SQLITE_OK && frames == 0
  }
}

extension SQLiteStore {
  /// The number of insertions from which on it pays to turn the log off and on again.
  static let unloggedCount = 10_000

  /// Lets the first objects of a new file go straight to it, if no other connection is open.
  ///
  /// The log would take them first, with checksums, and pass them on at a checkpoint. A journal of
  /// the few pages that were there before keeps the transaction whole, too.
  func turnLogOff() {
    unlogged = UnloggedWrite()
    do {
      // With less, a loss of power at the commit could damage the file.
      try database.execute("PRAGMA synchronous = FULL")
      try database.execute("PRAGMA journal_mode = DELETE")
    } catch {
      turnLogOn()
    }
  }

  /// Turns the log on again; if others read at this moment, the next opening does it.
  func turnLogOn() {
    guard let unlogged else { return }
    self.unlogged = nil
    try? database.execute("PRAGMA journal_mode = WAL")
    try? database.execute("PRAGMA synchronous = \(synchronous)")
    // SQLite gives the file another version, as if another connection had written to it. This reads
    // the version first, so that a change after it shows in the log.
    guard unlogged.isAlone, let version = try? readVersion(), unlogged.isAlone(in: database) else {
      return
    }
    versionOffset = seenVersion &- version
  }

  /// Returns a number that changes when another connection writes.
  func dataVersion() throws -> Int64 {
    seenVersion = try readVersion() &+ versionOffset
    return seenVersion
  }

  private func readVersion() throws -> Int64 {
    try reading(.dataVersion) {
      "PRAGMA data_version"
    } body: {
      try $0.step() ? $0.integer(0) : 0
    }
  }
}
