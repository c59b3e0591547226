import CSQLite

@testable import Groot
@testable import GrootSQLite

extension StoreFile: LawPlace {
  var hasOneZero: Bool { false }

  func openWorld(_ mapping: Mapping) throws -> (ManagedObjectContext, any LawFault) {
    let (context, store) = try open(mapping)
    return (context, InjectedFault(store))
  }
}

/// Has a connection to a store fail once, after some work, as a faulty disk would.
///
/// It is the interruption that SQLite offers to programs, hence nothing in the library knows of it.
final class InjectedFault: LawFault {
  let mayRecover = false
  private let database: SQLiteDatabase
  private var steps = 0
  private var hasFailed = false
  /// An interrupted COMMIT may have been carried out, which no disk would do.
  private var isTransaction = false

  init(_ store: SQLiteStore) { database = store.database }

  /// Whether `body` met the fault, which comes after so many steps of SQLite's machine.
  func after(_ steps: Int, _ body: () throws -> Void) rethrows -> Bool {
    self.steps = steps
    hasFailed = false
    let state = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_trace_v2(
      database.handle, UInt32(SQLITE_TRACE_STMT),
      { _, state, _, text in
        guard let state, let text else { return 0 }
        let sql = String(cString: text.assumingMemoryBound(to: CChar.self))
        let fault = Unmanaged<InjectedFault>.fromOpaque(state).takeUnretainedValue()
        fault.isTransaction = ["BEGIN", "COMMIT", "ROLLBACK"].contains { sql.hasPrefix($0) }
        return 0
      }, state)
    sqlite3_progress_handler(
      database.handle, 1,
      { state in
        guard let state else { return 0 }
        let fault = Unmanaged<InjectedFault>.fromOpaque(state).takeUnretainedValue()
        guard !fault.isTransaction, !fault.hasFailed else { return 0 }
        fault.steps -= 1
        fault.hasFailed = fault.steps <= 0
        return fault.hasFailed ? 1 : 0
      }, state)
    defer {
      sqlite3_progress_handler(database.handle, 0, nil, nil)
      sqlite3_trace_v2(database.handle, 0, nil, nil)
    }
    try body()
    return hasFailed
  }
}
