import CSQLite
import Groot
import GrootSQL

/// A connection to a database file.
final class SQLiteDatabase: SQLRunner {
  let path: String
  let handle: OpaquePointer
  /// The number of statements that were run.
  var statementCount = 0
  /// The number of statements that were prepared.
  var preparedCount = 0
  /// The process that opened the file, and that alone may use the connection.
  ///
  /// A forked child does not inherit the locks, and would damage the file (sqlite.org, "How To
  /// Corrupt", 2.6).
  private let processID = CLibrary.processID
  /// The function that takes the rows of whole tables; SQLite keeps a pointer to its state.
  let rowFunction: SQLiteRowFunction
  /// The check that ends long statements; SQLite keeps a pointer to it.
  private var watch: StatementWatch?
  /// The receiver of the log; SQLite keeps a pointer to it.
  private var log: StoreLog?

  /// Opens a file, and creates a missing one if `creates` is set.
  init(
    _ path: String, creates: Bool, access: StoreAccess = .readWrite, busyTimeout: Int32,
    allowsTriggers: Bool = true
  ) throws {
    self.path = path
    let name = try Self.fileName(path)
    if case .other = Self.file(at: name) {
      throw GrootError(.fileError, "the store '\(path)' is not a plain file")
    }
    var flags = access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    if creates && access == .readWrite { flags |= SQLITE_OPEN_CREATE }
    var (opened, code) =
      access == .immutable
      ? Self.connect(Self.immutable(name), flags | SQLITE_OPEN_URI) : Self.connect(name, flags)
    if access == .readOnly, code == SQLITE_OK, !Self.canRead(opened), Self.hasNoLog(name) {
      sqlite3_close_v2(opened)
      (opened, code) = Self.connect(Self.immutable(name), flags | SQLITE_OPEN_URI)
    }
    guard let opened else {
      throw GrootError(.limitExceeded, "no memory to open the store '\(path)'")
    }
    handle = opened
    do {
      rowFunction = try SQLiteRowFunction(opened)
    } catch {
      sqlite3_close_v2(opened)
      throw error
    }
    guard code == SQLITE_OK else { throw failure(code) }
    sqlite3_busy_timeout(handle, busyTimeout)
    let hardened = groot_sqlite_harden(handle, allowsTriggers ? 1 : 0)
    guard hardened == SQLITE_OK else { throw failure(hardened) }
    try execute("PRAGMA cell_size_check = ON")
    try SQLiteFunctions.register(on: self)
  }

  private static func connect(
    _ name: String, _ flags: Int32
  ) -> (handle: OpaquePointer?, code: Int32) {
    var opened: OpaquePointer?
    // One thread at a time uses a context, so the connection needs no lock.
    let code = sqlite3_open_v2(
      name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    return (opened, code)
  }

  /// Returns the URI of a file that no program changes.
  private static func immutable(_ name: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var path: [UInt8] = []
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"):
        path += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: path.append(byte)
      }
    }
    return "file:" + String(decoding: path, as: UTF8.self) + "?immutable=1"
  }

  /// Returns whether a file that is only read can be read: a log needs a file for its index.
  private static func canRead(_ handle: OpaquePointer?) -> Bool {
    let code = sqlite3_exec(handle, "PRAGMA schema_version", nil, nil, nil) & 0xFF
    return code != SQLITE_CANTOPEN && code != SQLITE_READONLY
  }

  /// Returns whether all of a database is in its file, because no log is beside it.
  private static func hasNoLog(_ name: String) -> Bool {
    switch file(at: name + "-wal") {
    case .none: true
    case .plain(let size): size == 0
    case .other: false
    }
  }

  // Closing the connection in a forked child would delete the log that other processes use.
  deinit { if isOfThisProcess { sqlite3_close_v2(handle) } }

  var isOfThisProcess: Bool { CLibrary.processID == processID }

  /// Refuses a forked child of the process that opened the file.
  func requireThisProcess() throws {
    guard isOfThisProcess else {
      throw GrootError(
        .storeFailed,
        "the store '\(path)' was opened by the process \(processID), of which this one, "
          + "\(CLibrary.processID), was forked: open it anew here")
    }
  }

  /// Checks for cancellation and reports progress during long statements.
  func follow(_ cancellation: Cancellation, listener: ProgressListener) {
    let watch = StatementWatch(cancellation: cancellation, listener: listener)
    self.watch = watch
    sqlite3_progress_handler(
      handle, Self.instructionsBetweenLooks,
      { pointer in
        guard let pointer else { return 0 }
        return Unmanaged<StatementWatch>.fromOpaque(pointer).takeUnretainedValue().isToEnd ? 1 : 0
      },
      Unmanaged.passUnretained(watch).toOpaque())
  }

  /// Sends events of the connection to a log.
  func report(to log: StoreLog) {
    self.log = log
    guard log.level >= .statements else { return }
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_STMT),
      { _, log, _, text in
        guard let log, let text else { return 0 }
        Unmanaged<StoreLog>.fromOpaque(log).takeUnretainedValue().note(
          .statements, String(cString: text.assumingMemoryBound(to: CChar.self)))
        return 0
      },
      Unmanaged.passUnretained(log).toOpaque())
  }

  func note(_ level: StoreLog.Level, _ message: @autoclosure () -> String) {
    if let log, log.level >= level { log.note(level, message()) }
  }

  /// The number of SQLite instructions between two checks, some tenths of a millisecond.
  private static let instructionsBetweenLooks: Int32 = 10_000

  // MARK: The file

  /// The kind of file at a path.
  enum File {
    case none
    case plain(size: Int64)
    /// A folder, a device or a pipe.
    case other
  }

  /// Returns a path that SQLite cannot mistake for a URI or a database in memory.
  static func fileName(_ path: String) throws -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw GrootError(
        .invalidArgument,
        path.isEmpty ? "the path of a store is empty" : "the path of a store has a NUL in it")
    }
    return path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
  }

  static func file(at name: String) -> File {
    let size = groot_sqlite_file_size(name)
    return size >= 0 ? .plain(size: size) : size == -1 ? .none : .other
  }

  /// Refuses a file that was moved or deleted since it was opened.
  func requireFile() throws {
    guard groot_sqlite_has_moved(handle) == 0 else {
      throw GrootError(
        .fileError,
        "the file of the store '\(path)' was deleted or replaced since it was opened; a "
          + "save to it would be lost")
    }
  }

  /// Runs SQL without a result.
  func execute(_ sql: String) throws {
    try requireThisProcess()
    statementCount += 1
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  func texts(_ sql: String, columns: Int) throws -> [[String]] {
    let statement = try SQLiteStatement(sql, database: self)
    var rows: [[String]] = []
    while try statement.step() { rows.append((0..<columns).map(statement.string)) }
    return rows
  }

  /// The number of rows that the last statement changed.
  var changeCount: Int { Int(sqlite3_changes64(handle)) }

  /// Returns the error for a result code of SQLite.
  func failure(_ code: Int32) -> GrootError {
    let status = Self.status(code)
    if status == .cancelled { return Cancellation.failure }
    let reason =
      status == .storeConflict
      ? "a relationship leads to an object that was deleted in the store meanwhile"
      : String(cString: sqlite3_errmsg(handle))
    let message = "the store '\(path)': \(reason)\(hint(code))"
    note(.errors, message)
    return GrootError(status, message)
  }

  /// Returns a likely cause of a failure and its remedy; empty without one.
  private func hint(_ code: Int32) -> String {
    guard code & 0xFF == SQLITE_IOERR, let name = try? Self.fileName(path),
      case let count = groot_sqlite_name_count(name), count > 1
    else { return "" }
    return "; the file has \(count) names (hard links), and its log belongs to one of them: open "
      + "it by the name that other programs use"
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
    case SQLITE_NOMEM: return .outOfMemory
    case SQLITE_TOOBIG: return .limitExceeded
    case SQLITE_INTERRUPT: return .cancelled
    default: return .storeFailed
    }
  }
}
