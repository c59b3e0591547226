import CSQLite
import Groot
import GrootSQL

/// A store in an SQLite database.
final class SQLiteStore: PersistentStore {
  /// "Grut", the mark of a store in the header of a file.
  static let applicationID: Int64 = 0x4772_7574
  /// The version of the format, in the header of a file.
  static let format: Int64 = 2

  let conflictPolicy: ConflictPolicy
  private let access: StoreAccess
  /// SQLite's word for the durability.
  private let synchronous: String
  let database: SQLiteDatabase
  let schema: StoreSchema
  let layout: SQLLayout
  let rows: SQLRows
  /// By table, the names of entities, at fixed addresses for binding.
  let entityNames: [[UnsafeBufferPointer<UInt8>]]
  var statements: [StatementPurpose: SQLiteStatement] = [:]
  /// The statements of queries, by their SQL.
  var queries: NameMap<SQLiteStatement> = [:]
  /// The source of inserted rows.
  let source: SQLiteRowSource
  private var isWriting = false
  /// Whether the store's own triggers would run in a transaction that writes.
  private var setsTriggersAside = false
  /// The store's own triggers, which this transaction has dropped.
  private var droppedTriggers: [VersionTrigger] = []
  /// Whether SQLite does not check references in this transaction.
  private var isSelfContained = false
  /// Whether this opening made the file, and nothing was written to it: others hardly know it yet.
  private var isUnknown = false
  /// The write past the log, until the commit; nil with the log.
  private var unlogged: UnloggedWrite?
  /// The version that the context takes for the present one.
  private var seenVersion: Int64 = 0
  /// The number that makes SQLite's version the one that the context knows.
  private var versionOffset: Int64 = 0
  /// Whether many pages stay in memory, until the commit.
  private var isCacheWide = false
  /// Whether the tables have no indexes until the commit.
  private(set) var isFilling = false

  /// Opens a file.
  ///
  /// - Parameter isKnown: Whether the file is a store for the schema, or to become one.
  init(
    _ path: String, schema: StoreSchema, options: SQLiteStoreOptions, isKnown: Bool = true
  ) throws {
    self.schema = schema
    conflictPolicy = options.conflicts
    synchronous = options.durability == .full ? "FULL" : "NORMAL"
    layout = SQLLayout(schema, dialect: SQLiteDialect())
    try Self.requireRoom(schema)
    if let backup = options.backup { _ = try SQLiteDatabase.fileName(backup) }
    rows = SQLRows(schema, layout: layout, store: path)
    database = try SQLiteDatabase(
      path, creates: options.creates, access: options.access,
      busyTimeout: Int32(clamping: options.busyTimeout), allowsTriggers: options.allowsTriggers)
    access = options.access
    if let log = options.log { database.report(to: log) }
    if options.allowsTriggers {
      database.note(.warnings, "triggers of the store '\(path)' are allowed to run")
    }
    // A link has four values.
    let width = max(schema.tables.map(\.columns.count).max() ?? 0, 4)
    source = try SQLiteRowSource(database, width: width)
    // This comes last, because a throw from an incomplete initializer does not run `deinit`.
    entityNames = schema.tables.map { table in
      table.entities.map { name in
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.utf8.count)
        _ = bytes.initialize(from: name.utf8)
        return UnsafeBufferPointer(bytes)
      }
    }
    if isKnown { try open(options) }
  }

  /// Creates the tables of a new file, and migrates a store of another model or format.
  private func open(_ options: SQLiteStoreOptions) throws {
    guard access == .readWrite else { return try openForReading(options) }
    let listener = ProgressListener(options.progress)
    listener.begin(.migrating)
    database.follow(Cancellation(), listener: listener)
    let isNew = try check()
    var isOfAnother = false
    if !isNew { isOfAnother = try examineSnapshot(options) != nil }
    if isOfAnother { try requireMigrates(options) }
    // This comes after the check, since the file might not be a store.
    // The size of pages is settled once the log is on.
    if isNew { try database.execute("PRAGMA page_size = \(Self.pageSize)") }
    try database.execute("PRAGMA journal_mode = WAL")
    try database.execute("PRAGMA synchronous = \(synchronous)")
    try database.execute("PRAGMA journal_size_limit = \(Self.largeLog)")
    let loggedPages = try Self.largeLog / max(database.integer("PRAGMA page_size"), 1)
    try database.execute("PRAGMA wal_autocheckpoint = \(loggedPages)")
    try database.execute("PRAGMA foreign_keys = ON")
    if isNew {
      try create()
      isUnknown = true
      // Another process may have created the store meanwhile, with another model.
      isOfAnother = try examineSnapshot(options) != nil
    }
    if isOfAnother {
      database.note(
        .events, "bringing the store '\(database.path)' to another model, or to this format")
      try migrate(options)
    }
    if options.makesViews { try requireViews() }
    if options.raisesVersions { try requireVersionTriggers() }
    setsTriggersAside = options.allowsTriggers
    database.note(.events, "opened the store '\(database.path)'")
  }

  /// Requires a store of the same model in a file that is not written.
  private func openForReading(_ options: SQLiteStoreOptions) throws {
    if try check() {
      throw readOnly("which is empty, so that it has no store")
    }
    if try examineSnapshot(options) != nil {
      let format = try fileFormat()
      let reason = format < Self.format ? "has the format \(format)" : "was made for another model"
      throw GrootError(
        .storeModel,
        "the store '\(database.path)' \(reason), and a store that is opened for reading only is not "
          + "migrated: open it for writing once")
    }
    database.note(.events, "opened the store '\(database.path)' for reading only")
  }

  private func readOnly(_ reason: String) -> GrootError {
    GrootError(
      .storeReadOnly, "the store '\(database.path)' was opened for reading only, \(reason)")
  }

  deinit { for bytes in entityNames.joined() { bytes.deallocate() } }

  func follow(_ cancellation: Cancellation, listener: ProgressListener) {
    database.follow(cancellation, listener: listener)
  }

  // MARK: Creating

  /// Creates the tables, unless another process has created them meanwhile.
  private func create() throws {
    try inTransaction {
      guard try database.integer("SELECT count(*) FROM sqlite_master") == 0 else { return }
      for sql in structure.statements { try database.execute(sql) }
      try database.execute(SQLiteDialect.metadata)
      try setMetadata("model", to: schema.document.description)
      try setMetadata("structure", to: structure.text)
      try database.execute("PRAGMA application_id = \(Self.applicationID)")
      try markFormat()
    }
  }

  /// Notes the version of the format in the header of the file.
  func markFormat() throws { try database.execute("PRAGMA user_version = \(Self.format)") }

  func setMetadata(_ key: String, to value: String) throws {
    let statement = try SQLiteStatement(
      "INSERT OR REPLACE INTO _groot VALUES (?, ?)", database: database)
    statement.bind(1, text: key)
    statement.bind(2, text: value)
    try statement.run()
  }

  // MARK: Transactions

  /// The number of insertions from which a check for an empty store is worth its cost.
  static let largeCount = 500

  func begin(_ hint: WriteHint) throws {
    guard access == .readWrite else { throw readOnly("and a save would change it") }
    if isSelfContained {
      try requireReferences()
      isSelfContained = false
    }
    defer { isUnknown = false }
    let isLarge = hint.isWholeStore || hint.insertions >= Self.largeCount
    if hint.isSelfContained, isLarge, try isEmpty() {
      if isUnknown, hint.isWholeStore || hint.insertions >= Self.unloggedCount {
        unlogged = UnloggedWrite(database, synchronous: synchronous)
      }
      // All referenced objects are inserted, too. A transaction cannot turn the check off later.
      try database.execute("PRAGMA foreign_keys = OFF")
      isSelfContained = true
      do {
        try beginWriting()
        if try isEmpty() {
          unlogged?.begin()
          if hint.isWholeStore { try beginFilling() }
          return
        }
      } catch {
        end()
        throw error
      }
      // Another process has written meanwhile.
      rollBack()
    }
    if hint.changes >= Self.wideCount { widenCache() }
    do {
      try beginWriting()
    } catch {
      end()
      throw error
    }
  }

  /// Runs `body` in a transaction that writes, which a failure rolls back.
  func inTransaction(_ body: () throws -> Void) throws {
    try begin()
    do {
      try body()
      try commit()
    } catch {
      rollBack()
      throw error
    }
  }

  private func beginWriting() throws {
    try database.requireFile()
    try execute("BEGIN IMMEDIATE")
    isWriting = true
    guard setsTriggersAside else { return }
    do {
      droppedTriggers = try VersionTrigger.all(in: database)
      for trigger in droppedTriggers { try trigger.drop(in: database) }
    } catch {
      rollBack()
      throw error
    }
  }

  private func isEmpty() throws -> Bool {
    for table in schema.tableIndices where try !isEmpty(name(table)) { return false }
    for name in layout.joins where try !isEmpty(quoted(name)) { return false }
    return true
  }

  func isEmpty(_ table: String) throws -> Bool {
    try database.integer("SELECT count(*) FROM (SELECT 1 FROM \(table) LIMIT 1)") == 0
  }

  func beginReading() throws { try execute("BEGIN") }

  /// Begins a transaction; on failure none is open.
  private func execute(_ begin: String) throws {
    do {
      try database.execute(begin)
    } catch {
      try? database.execute("ROLLBACK")
      throw error
    }
  }

  func endReading() { try? database.execute("COMMIT") }

  /// The bytes of a page of a new file.
  ///
  /// A save of many objects touches most pages, and each costs calls of the system to read, to log and
  /// to move to the file. Larger pages would make the fetch of one object slower.
  static let pageSize = 8_192

  /// The size in bytes of a log from which SQLite moves its content to the file.
  private static let largeLog: Int64 = 4 << 20

  /// Moves the content of a large log to the file.
  ///
  /// SQLite does so at a commit, but not beyond the state that another connection reads. A connection
  /// that begins to read when all of the log is in the file lets the next writer begin it anew.
  func trimLog() {
    guard access == .readWrite, groot_sqlite_log_size(database.handle) > Self.largeLog else {
      return
    }
    // Where this fails, another connection is at work, and the next one will do.
    sqlite3_wal_checkpoint_v2(database.handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
  }

  /// The indexes of all tables, which an empty store gets after its rows.
  private var indexes: [SQLDefinition.Index] {
    SQLDefinition(schema: schema, layout: layout).allIndexes
  }

  private func beginFilling() throws {
    for index in indexes { try database.execute("DROP INDEX \(quoted(index.name))") }
    isFilling = true
  }

  func commit() throws {
    if isFilling {
      for index in indexes { try database.execute(index.sql) }
      isFilling = false
    }
    for trigger in droppedTriggers { try trigger.make(in: database) }
    try database.execute("COMMIT")
    droppedTriggers = []
    isWriting = false
    end()
  }

  /// The number of insertions from which on it pays to turn the log off and on again.
  static let unloggedCount = 10_000

  /// The number of changes from which on a larger cache of pages pays.
  private static let wideCount = 1_000

  /// Keeps more pages in memory: changes of many objects come back to the same pages, which would be
  /// written and read again in between.
  private func widenCache() {
    isCacheWide = (try? database.execute("PRAGMA cache_size = -32768")) != nil
  }

  private func narrowCache() {
    guard isCacheWide else { return }
    isCacheWide = false
    try? database.execute("PRAGMA cache_size = -2000")
    try? database.execute("PRAGMA shrink_memory")
  }

  /// Gives back the pages of a large change, and turns the log and the check of references on again.
  private func end() {
    narrowCache()
    if let version = unlogged?.end(version: readVersion) { versionOffset = seenVersion &- version }
    unlogged = nil
    guard isSelfContained else { return }
    // If this fails, the next transaction tries again, and may fail.
    if (try? requireReferences()) != nil { isSelfContained = false }
  }

  /// Makes SQLite check that referenced objects exist.
  private func requireReferences() throws {
    try database.execute("PRAGMA foreign_keys = ON")
  }

  func rollBack() {
    guard isWriting else { return }
    isWriting = false
    isFilling = false
    droppedTriggers = []
    // If SQLite has already rolled back, this fails, and nothing remains to be done.
    try? database.execute("ROLLBACK")
    end()
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

  func failure(of value: UnreadableValue, table: TableIndex, key: Int64) -> GrootError {
    rows.failure(of: value, table: table, key: key)
  }

  func damaged(_ message: String) -> GrootError { rows.damaged(message) }
}

/// The purpose of a statement, the key for its reuse.
enum StatementPurpose: Hashable {
  case nextKey(TableIndex)
  case hasRows(TableIndex)
  case insertRows(TableIndex)
  case nextPosition
  case setNextPosition
  case update(TableIndex, [Int], hasEntity: Bool)
  case clear(TableIndex, [Int])
  case setNumber(TableIndex, Int)
  case delete(TableIndex)
  case insertLinks(Int)
  case deleteLink(Int)
  case exchangeLink(Int)
  case setLinkPosition(Int, Bool)
  case readAll(TableIndex)
  case readKeys(TableIndex, Int)
  case readIdentities(TableIndex, Int, Int)
  case readMembers(TableIndex, Int, Int)
  case presentKeys(TableIndex, Int)
  case readEntities(TableIndex, Int)
  case readAllLinks(Int)
  case readLinks(Int, LinkSide, Int)
  case dataVersion
}
