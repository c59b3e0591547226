import CSQLite
import Groot

/// A function of SQL that takes the rows of a statement, which then returns none.
///
/// Of a statement that returns its rows, each costs a call to advance it, and each value a call to find
/// it.
final class SQLiteRowFunction {
  typealias Row = UnsafeMutablePointer<OpaquePointer?>

  private static let name = "groot_row"

  /// Returns SQL that gives the columns of a table to the function, in an order.
  static func sql(_ columns: String, of table: String, order: String) -> String {
    "SELECT NULL FROM \(table) WHERE \(name)(\(columns)) ORDER BY \(order)"
  }

  /// The number of columns that the function can take.
  let limit: Int
  private let state: UnsafeMutablePointer<State>

  /// The receiver of the rows that a statement gives.
  private final class Receiver {
    let body: (Row) throws -> Void
    /// The error that `body` threw.
    var failure: (any Error)?

    init(_ body: @escaping (Row) throws -> Void) { self.body = body }
  }

  /// The receiver of the running statement, which SQLite passes to the function; nil without one.
  private typealias State = Borrowed<Receiver>?

  init(_ handle: OpaquePointer) throws {
    limit = Int(sqlite3_limit(handle, SQLITE_LIMIT_FUNCTION_ARG, -1))
    state = .allocate(capacity: 1)
    state.initialize(to: nil)
    let code = sqlite3_create_function_v2(
      handle, Self.name, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, state,
      { context, _, row in SQLiteRowFunction.take(context, row: row) }, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw GrootError(.outOfMemory, String(cString: sqlite3_errstr(code)))
    }
  }

  deinit { state.deallocate() }

  /// Runs a statement that calls the function; `body` may run another one.
  func run(_ statement: SQLiteStatement, body: @escaping (Row) throws -> Void) throws {
    let outer = state.pointee
    defer { state.pointee = outer }
    let receiver = Receiver(body)
    state.pointee = Borrowed(receiver)
    try withExtendedLifetime(receiver) {
      do {
        try statement.run()
      } catch {
        throw receiver.failure ?? error
      }
    }
  }

  /// The result is NULL, so that the statement returns no row.
  private static func take(_ context: OpaquePointer?, row: Row?) {
    guard let row,
      let state = sqlite3_user_data(context)?.assumingMemoryBound(to: State.self),
      let receiver = state.pointee
    else { return }
    receiver.use {
      do {
        try $0.body(row)
      } catch {
        $0.failure = error
        sqlite3_result_error_code(context, SQLITE_ABORT)
      }
    }
  }
}
