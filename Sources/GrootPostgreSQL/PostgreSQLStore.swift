import CPostgreSQL
import Groot
import GrootSQL

/// A store in a database of PostgreSQL.
///
/// All statements run in transactions, and nothing of a session outlives one: a proxy may give each
/// transaction another session.
final class PostgreSQLStore: PersistentStore {
  /// The version of the format, in the table `_groot`.
  static let format: Int64 = 1
  /// The number of rows that one statement writes.
  static let rowsPerStatement = 10_000
  /// The time of the server in seconds, and those after which a program counts as ended.
  private static let seconds = "CAST(extract(epoch FROM now()) AS bigint)"
  private static let longestAbsence = 30 * 86_400

  private enum State {
    case idle
    case reading
    case writing
  }

  let schema: StoreSchema
  let options: PostgreSQLStoreOptions
  let layout: SQLLayout
  let connection: PostgreSQLConnection
  let address: PostgreSQLAddress
  /// The schema of the tables in the database.
  var databaseSchema = ""
  let rows: SQLRows
  /// By table, the types of columns in the database.
  let columnTypes: [[PostgreSQLType]]
  /// The keys and positions that were taken for this store, by the keys of their counters.
  var blocks: [String: Range<Int64>] = [:]
  /// The connection that takes numbers while a transaction is open on the other one.
  var numbers: PostgreSQLConnection?
  /// The keys of the objects that the transaction inserted, by table.
  var insertedKeys: [[ClosedRange<Int64>]]
  /// The number of objects by table, and of links by join, that the transaction inserted.
  var insertedCounts: [Int]
  var insertedLinks: [Int]
  /// The numbers of them that the planner knows of.
  var analyzedCounts: [Int]
  var analyzedLinks: [Int]
  /// Whether the transaction has several saves, with reading between them.
  var isInBatches = false
  /// Whether the tables have no keys and indexes until the commit.
  var isFilling = false
  /// Whether the tables have no references until the commit.
  var lacksReferences = false
  /// The number of cursors that were opened.
  var cursorCount = 0
  let log: StoreLog?
  /// Whether references are constraints of the tables.
  var hasForeignKeys = true
  /// The number of the store's model, which a migration changes.
  var generation: Int64 = 0
  /// The name of this store's row in `_groot`, which counts its commits.
  let writer: String
  private var hasWriterRow = false
  /// The number of commits of this store.
  private var commitCount: Int64 = 0
  private var state = State.idle
  /// Whether the server still has a snapshot open that is not needed.
  private var isEnding = false
  /// Whether the server refuses statements until the transaction is begun anew.
  private var isAborted = false
  /// The number that changes when others write, as the snapshot has it.
  private var snapshotVersion: Int64 = 0
  /// The number of snapshots that were taken.
  private(set) var snapshotCount = 0
  /// Whether the snapshot is lost, and others have written since.
  private(set) var hasLostSnapshot = false
  /// Whether the server lacks commits of this store, until the context has read it anew.
  private var isBehind = false
  /// Whether the server could not be asked about the last commit, whose answer was lost.
  private var isUncertain = false
  /// Whether that commit has happened, until the context has read it.
  private var hasHappened = false
  /// How often the server was found to lack commits.
  private var setbackCount: Int64 = 0
  /// The failure of the last transaction.
  private var lastFailure: PostgreSQLFailure?

  /// Opens a store.
  ///
  /// - Parameter isKnown: Whether the store is one for the schema, or to become one.
  init(
    _ url: String, schema: StoreSchema, options: PostgreSQLStoreOptions, isKnown: Bool = true
  ) throws {
    let library = try PostgreSQLLibrary.load()
    let address = try PostgreSQLAddress(url, library: library)
    var options = options
    try options.take(address.parameters)
    self.options = options
    self.address = address
    self.schema = schema
    log = options.log
    layout = SQLLayout(schema, dialect: PostgreSQLDialect())
    connection = PostgreSQLConnection(address, library: library)
    rows = SQLRows(schema, layout: layout, store: address.shown)
    columnTypes = rows.types.map { $0.map { PostgreSQLType($0) } }
    insertedKeys = Array(repeating: [], count: schema.tables.count)
    insertedCounts = Array(repeating: 0, count: schema.tables.count)
    insertedLinks = Array(repeating: 0, count: schema.joins.count)
    analyzedCounts = insertedCounts
    analyzedLinks = insertedLinks
    writer =
      "writer " + (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined()
    if let log, log.level >= .statements {
      connection.trace = { log.note(.statements, $0) }
    }
    let listener = ProgressListener(options.progress)
    listener.begin(.migrating)
    follow(Cancellation(), listener: listener)
    if isKnown { try open() }
  }

  deinit { forgetWriter() }

  var conflictPolicy: ConflictPolicy { options.conflicts }

  var checksReferencesAtOnce: Bool { hasForeignKeys && !lacksReferences }

  var isRemote: Bool { true }

  var limits: ValueLimits? { PostgreSQLBuffer.limits }

  func objection(to value: StoredValue, as type: AttributeType) -> String? {
    PostgreSQLBuffer.objection(to: value, as: PostgreSQLType(type))?.reason
  }

  var statementCount: Int { connection.statementCount + (numbers?.statementCount ?? 0) }

  func follow(_ cancellation: Cancellation, listener: ProgressListener) {
    connection.watch = { cancellation.isWanted || !listener.isToGoOn }
  }

  func failure(of value: UnreadableValue, table: TableIndex, key: Int64) -> GrootError {
    rows.failure(of: value, table: table, key: key)
  }

  func damaged(_ message: String) -> GrootError { rows.damaged(message) }

  func note(_ level: StoreLog.Level, _ message: @autoclosure () -> String) {
    if let log, log.level >= level { log.note(level, message()) }
  }

  /// Returns the error for programs.
  func error(_ failure: any Error) -> any Error {
    (failure as? PostgreSQLFailure).map(grootError) ?? failure
  }

  /// Returns the error of a failure for programs, and notes it.
  func grootError(_ failure: PostgreSQLFailure) -> GrootError {
    lastFailure = failure
    let error = failure.error(store: address.shown)
    note(.errors, "\(error)")
    return error
  }

  // MARK: Statements

  /// Runs a statement with parameters in the open transaction.
  ///
  /// A snapshot that was lost is taken again, if others have not written meanwhile.
  func run(
    _ sql: String, _ parameters: borrowing PostgreSQLParameters = PostgreSQLParameters(),
    isRepeatable: Bool = true
  ) throws -> PostgreSQLResult {
    if hasLostSnapshot { throw lostSnapshot }
    if case .reading = state, isAborted, isRepeatable { try restoreSnapshot() }
    do {
      return try connection.run(sql, parameters)
    } catch {
      if case .reading = state {
        isAborted = true
        // A migration may have been waiting for this snapshot.
        if isRepeatable, let failure = error as? PostgreSQLFailure,
          failure.isDisconnection || failure.isTransient
        {
          try restoreSnapshot()
          do { return try connection.run(sql, parameters) } catch { throw self.error(error) }
        }
      }
      throw self.error(error)
    }
  }

  /// The settings of a transaction.
  func settings(isReading: Bool) -> String {
    var texts: [String] = []
    if !databaseSchema.isEmpty { texts.append("search_path = \(quoted(databaseSchema))") }
    texts.append("lock_timeout = \(options.lockTimeout)")
    texts.append("statement_timeout = \(options.statementTimeout)")
    // The locks of a program that cannot be reached any more end as well.
    texts.append("idle_in_transaction_session_timeout = \(options.snapshotTimeout)")
    if !isReading, options.durability == .normal { texts.append("synchronous_commit = off") }
    return texts.map { "SET LOCAL " + $0 }.joined(separator: "; ")
  }

  /// Runs a transaction as a whole on a connection, once more if the connection was lost before.
  func beginning(on other: PostgreSQLConnection, _ sql: String) throws -> PostgreSQLResult {
    guard other !== connection else { return try begin(sql) }
    let wasOpen = other.isOpen
    do {
      return try other.run(sql)
    } catch let failure as PostgreSQLFailure where failure.isDisconnection && wasOpen {
      do { return try other.run(sql) } catch { throw self.error(error) }
    } catch {
      // In the middle of several statements a failure leaves a transaction.
      _ = try? other.run("ROLLBACK")
      throw self.error(error)
    }
  }

  /// Runs the beginning of a transaction, once more on a new connection if the old one was lost.
  func begin(_ sql: String) throws -> PostgreSQLResult {
    let results = try beginAll(sql)
    return results.last { $0.count > 0 } ?? results[results.count - 1]
  }

  /// Runs the beginning of a transaction, and returns the results of its statements.
  private func beginAll(_ sql: String) throws -> [PostgreSQLResult] {
    let wasOpen = connection.isOpen
    // A snapshot that is over ends with the same message.
    let ending = isEnding && wasOpen ? "COMMIT; " : ""
    isEnding = false
    isAborted = false
    do {
      return try connection.runAll(ending + sql)
    } catch let failure as PostgreSQLFailure where failure.isDisconnection && wasOpen {
      do { return try connection.runAll(sql) } catch { throw self.error(error) }
    } catch {
      isEnding = connection.isOpen
      throw self.error(error)
    }
  }

  // MARK: Reading

  private var versionQuery: String {
    "SELECT (SELECT number FROM _groot WHERE key = 'model'), "
      + "CAST((SELECT coalesce(sum(number), 0) FROM _groot WHERE (key = 'commits' "
      + "OR key LIKE 'writer %') AND key <> '\(writer)') AS bigint), "
      + "(SELECT number FROM _groot WHERE key = '\(writer)')"
  }

  func beginReading() throws {
    snapshotVersion = try takeSnapshot()
    hasLostSnapshot = false
    state = .reading
  }

  /// Begins a snapshot, and returns its version.
  private func takeSnapshot() throws -> Int64 {
    snapshotCount += 1
    let result = try begin(
      "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(settings(isReading: true)); "
        + versionQuery)
    return try version(result)
  }

  private func version(_ result: PostgreSQLResult) throws -> Int64 {
    guard result.count == 1, let number = Int64(result.text(0, 1)) else {
      throw damaged("its table '_groot' lacks the model")
    }
    try requireGeneration(Int64(result.text(0, 0)) ?? 0)
    examineWriter(result.isNull(0, 2) ? nil : Int64(result.text(0, 2)))
    // After a setback nothing that was read before is certain.
    return number &+ setbackCount &* 0x1_0000_0000
  }

  /// Compares the commits of this store with those that the server knows.
  ///
  /// A standby that takes the place of a server may lack the last ones. Keys that it lacks are given
  /// out again, so an object may be another one then.
  private func examineWriter(_ count: Int64?) {
    let wasUncertain = isUncertain
    if hasWriterRow { isUncertain = false }
    guard hasWriterRow, count != commitCount else { return }
    if wasUncertain, count == commitCount + 1 { hasHappened = true } else { isBehind = true }
    setbackCount += 1
    hasWriterRow = count != nil
    commitCount = count ?? 0
  }

  func noteFollowed() {
    isBehind = false
    hasHappened = false
  }

  private func requireGeneration(_ found: Int64) throws {
    guard found != generation else { return }
    isEnding = true
    throw GrootError(
      .storeModel,
      "the store '\(address.shown)' was brought to another model since it was opened: open it again"
    )
  }

  /// Takes a snapshot again that was lost, if others have not written meanwhile.
  private func restoreSnapshot() throws {
    isEnding = connection.isOpen
    let version = try takeSnapshot()
    guard version == snapshotVersion else {
      hasLostSnapshot = true
      isEnding = true
      throw lostSnapshot
    }
  }

  private var lostSnapshot: GrootError {
    GrootError(
      .storeDisconnected,
      "the store '\(address.shown)': the connection was lost, and others have written since; the next "
        + "call reads the store as it is now")
  }

  func endReading() {
    isEnding = true
    hasLostSnapshot = false
    state = .idle
  }

  func dataVersion() throws -> Int64 {
    if case .writing = state { return try version(connection.run(versionQuery)) }
    return snapshotVersion
  }

  // MARK: Writing

  func begin(_ hint: WriteHint) throws {
    lastFailure = nil
    if !hasWriterRow { try makeWriter() }
    let wanted = wanted(hint)
    blocks = [:]
    let results = try beginAll(
      (wanted.isEmpty ? "" : taking(wanted) + "; ")
        + "BEGIN; \(settings(isReading: false)); SELECT (SELECT number FROM _groot "
        + "WHERE key = 'model'), (SELECT number FROM _groot WHERE key = '\(writer)')")
    for result in results.dropLast() where result.count > 0 { try note(result, counts: wanted) }
    let result = results[results.count - 1]
    state = .writing
    for table in insertedKeys.indices { (insertedKeys[table], insertedCounts[table]) = ([], 0) }
    for join in insertedLinks.indices { insertedLinks[join] = 0 }
    analyzedCounts = insertedCounts
    analyzedLinks = insertedLinks
    isInBatches = hint.isInBatches
    do {
      try requireGeneration(result.count == 1 ? Int64(result.text(0, 0)) ?? 0 : 0)
      examineWriter(result.isNull(0, 1) ? nil : Int64(result.text(0, 1)))
      guard !hasHappened else {
        throw GrootError(
          .storeDisconnected,
          "the store '\(address.shown)': the last save, whose answer was lost, has happened: refresh "
            + "before the next save")
      }
      guard !isBehind else {
        throw GrootError(
          .storeDisconnected,
          "the store '\(address.shown)': the server lacks what this context has saved, as a standby "
            + "may that took its place: refresh, and save again")
      }
      try prepareFilling(hint)
    } catch {
      rollBack()
      throw self.error(error)
    }
  }

  /// Makes the row that counts this store's commits, and removes those of programs long ended.
  private func makeWriter() throws {
    // An answer may have been lost: the row may be there.
    _ = try begin(
      "BEGIN; \(settings(isReading: false)); "
        + "WITH gone AS (DELETE FROM _groot WHERE key LIKE 'writer %' "
        + "AND value < CAST(\(Self.seconds) - \(Self.longestAbsence) AS text) "
        + "RETURNING number) UPDATE _groot SET number = number + "
        + "(SELECT coalesce(sum(number), 0) FROM gone) WHERE key = 'commits' "
        + "AND EXISTS (SELECT 1 FROM gone); "
        + "INSERT INTO _groot (key, value, number) VALUES ('\(writer)', "
        + "CAST(\(Self.seconds) AS text), \(commitCount)) "
        + "ON CONFLICT DO NOTHING; COMMIT")
    hasWriterRow = true
  }

  /// Adds this store's commits to those of programs that ended.
  private func forgetWriter() {
    guard hasWriterRow, connection.isOpen, CLibrary.processID == connection.processID else {
      return
    }
    let ending: String
    if case .writing = state { ending = "ROLLBACK; " } else { ending = isEnding ? "COMMIT; " : "" }
    _ = try? connection.run(
      ending + "BEGIN; \(settings(isReading: false)); SET LOCAL synchronous_commit = off; "
        + "WITH gone AS (DELETE FROM _groot WHERE key = '\(writer)' RETURNING number) "
        + "UPDATE _groot SET number = number + (SELECT coalesce(sum(number), 0) FROM gone) "
        + "WHERE key = 'commits'; COMMIT")
  }

  func commit() throws {
    do {
      try finishFilling()
      try analyze(isLast: true)
      let marked = try connection.run(
        "UPDATE _groot SET number = \(commitCount + 1), "
          + "value = CAST(\(Self.seconds) AS text) "
          + "WHERE key = '\(writer)' "
          + "AND EXISTS (SELECT 1 FROM _groot WHERE key = 'model' AND number = \(generation))")
      guard marked.changeCount == 1 else {
        throw GrootError(
          .storeModel,
          "the store '\(address.shown)' was brought to another model during the save: open it again"
        )
      }
    } catch {
      throw self.error(error)
    }
    do {
      try connection.run("COMMIT")
    } catch let failure as PostgreSQLFailure where failure.isDisconnection {
      guard try hasCommitted() else { throw self.error(failure) }
    } catch {
      throw self.error(error)
    }
    commitCount += 1
    state = .idle
  }

  /// Finds out whether a commit whose answer was lost has happened.
  private func hasCommitted() throws -> Bool {
    var attempt = 0
    while true {
      do {
        // The lock waits for the server to end the lost transaction.
        let result = try connection.run(
          "BEGIN; \(settings(isReading: false)); "
            + "SELECT number FROM _groot WHERE key = '\(writer)' FOR UPDATE")
        let number = result.count == 1 ? Int64(result.text(0, 0)) : nil
        isEnding = true
        return number == commitCount + 1
      } catch let failure as PostgreSQLFailure where failure.isDisconnection && attempt < 20 {
        attempt += 1
        guard pause(Int32(min(50 << attempt, 1_000))) else { break }
      } catch {
        break
      }
    }
    isUncertain = true
    throw GrootError(
      .storeDisconnected,
      "the store '\(address.shown)': the connection was lost during a commit, and the server cannot be "
        + "asked whether it has happened: refresh before the next save")
  }

  func rollBack() {
    guard case .writing = state else { return }
    state = .idle
    // Without a connection the server rolls back.
    if connection.isOpen { _ = try? connection.run("ROLLBACK") }
  }

  // MARK: Trying again

  func isWorthRetrying(_ failure: any Error, attempt: Int) -> Bool {
    guard attempt < options.retries else { return false }
    var isOfOthers = lastFailure?.isTransient ?? false
    // With a policy the next attempt finds what others wrote since.
    if options.conflicts != .error {
      let status = (failure as? GrootError)?.status
      isOfOthers =
        isOfOthers || failure is UniqueViolation || status == .storeConflict
        || status == .storeDuplicate
    }
    guard isOfOthers else { return false }
    return pause(Int32(min(10 << attempt, 1_000)) + Int32.random(in: 0...20))
  }

  /// Waits; false if the call was cancelled meanwhile.
  private func pause(_ milliseconds: Int32) -> Bool {
    var left = milliseconds
    while left > 0 {
      if connection.watch?() == true { return false }
      groot_pq_pause(min(left, 20))
      left -= 20
    }
    return true
  }
}
