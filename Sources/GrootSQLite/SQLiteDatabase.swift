import CSQLite
import Groot

/// A connection to a database file.
final class SQLiteDatabase {
  let path: String
  let handle: OpaquePointer
  /// How often a statement was run.
  var statementCount = 0

  /// Opens a file, which is made when there is none and `creates` is set.
  init(_ path: String, creates: Bool, readOnly: Bool, busyTimeout: Int32) throws {
    self.path = path
    var opened: OpaquePointer?
    var flags = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    if creates && !readOnly { flags |= SQLITE_OPEN_CREATE }
    // One thread at a time uses a context, so the connection needs no lock of its own.
    let code = sqlite3_open_v2(
      path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard let opened else {
      throw GrootError(.limitExceeded, "no memory to open the store '\(path)'")
    }
    handle = opened
    guard code == SQLITE_OK else { throw failure(code) }
    sqlite3_busy_timeout(handle, busyTimeout)
    try SQLiteFunctions.register(on: self)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs SQL that gives nothing.
  func execute(_ sql: String) throws {
    statementCount += 1
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// The single integer that a query gives; 0 when it gives none.
  func integer(_ sql: String) throws -> Int64 {
    let statement = try SQLiteStatement(sql, self)
    return try statement.step() ? statement.integer(0) : 0
  }

  /// The number of rows that the last statement changed.
  var changeCount: Int { Int(sqlite3_changes64(handle)) }

  /// What a result code of SQLite means.
  func failure(_ code: Int32) -> GrootError {
    let status = Self.status(code)
    let reason =
      status == .storeConflict
      ? "a relationship leads to an object that was deleted in the store meanwhile"
      : String(cString: sqlite3_errmsg(handle))
    return GrootError(status, "the store '\(path)': \(reason)")
  }

  private static func status(_ code: Int32) -> Status {
    if code == Int32(truncatingIfNeeded: groot_sqlite_constraint_unique)
      || code == Int32(truncatingIfNeeded: groot_sqlite_constraint_primary_key)
    {
      return .storeDuplicate
    }
    if code == Int32(truncatingIfNeeded: groot_sqlite_constraint_foreign_key) {
      return .storeConflict
    }
    switch code & 0xFF {
    case SQLITE_NOTADB, SQLITE_CORRUPT: return .storeInvalid
    case SQLITE_READONLY: return .storeReadOnly
    case SQLITE_FULL: return .storeFull
    case SQLITE_BUSY, SQLITE_LOCKED: return .storeLocked
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: return .fileError
    case SQLITE_NOMEM, SQLITE_TOOBIG: return .limitExceeded
    default: return .storeFailed
    }
  }
}

/// A name in quotes, as SQL wants it.
func quoted(_ name: String) -> String {
  "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    + "\""
}
