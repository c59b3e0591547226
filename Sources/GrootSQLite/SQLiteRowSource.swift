import CSQLite
import Groot

/// A virtual table whose rows are made while a statement inserts them.
///
/// `INSERT INTO ... SELECT ... FROM _groot_rows` is one statement for any number of rows. One
/// statement per row would spend most of its time on its beginning and its end.
final class SQLiteRowSource {
  /// The name of the virtual table; names that begin with `_` are reserved for the store.
  static let name = "_groot_rows"
  /// The columns before the values.
  static let leading = ["key", "entity", "version"]

  /// Returns the name of a value's column.
  static func column(_ value: Int) -> String { "value\(value)" }

  /// The rows that a statement reads; SQLite passes this to the functions of the module.
  struct State {
    let columnCount: Int
    /// The function from a number to a row; nil when no statement is running.
    var row: ((Int) -> StoreRow)?
    var count = 0
    var types: UnsafePointer<AttributeType>?
    var entityNames: UnsafePointer<UnsafeBufferPointer<UInt8>>?
    /// The number of the row being inserted.
    var number = 0
    var current = StoreRow(
      key: 0, entity: 0, version: 0, values: UnsafeBufferPointer(start: nil, count: 0))
  }

  private let state: UnsafeMutablePointer<State>

  init(_ database: SQLiteDatabase, width: Int) throws {
    state = .allocate(capacity: 1)
    state.initialize(to: State(columnCount: width))
    let code = sqlite3_create_module(database.handle, Self.name, RowModule.functions, state)
    guard code == SQLITE_OK else { throw database.failure(code) }
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// The key of the row being inserted.
  var currentKey: Int64 { state.pointee.current.key }

  /// Runs a statement that reads the table; `row` does not escape.
  func run(
    _ statement: SQLiteStatement, count: Int, types: [AttributeType],
    entityNames: [UnsafeBufferPointer<UInt8>], row: @escaping (Int) -> StoreRow
  ) throws {
    try types.withUnsafeBufferPointer { types in
      try entityNames.withUnsafeBufferPointer { names in
        state.pointee.row = row
        state.pointee.count = count
        state.pointee.types = types.baseAddress
        state.pointee.entityNames = names.baseAddress
        defer { state.pointee.row = nil }
        try statement.run()
      }
    }
  }
}

/// The functions with which SQLite reads the virtual table.
private enum RowModule {
  private struct Table {
    var base = sqlite3_vtab()
    let state: UnsafeMutablePointer<SQLiteRowSource.State>
  }

  private struct Cursor {
    var base = sqlite3_vtab_cursor()
    let state: UnsafeMutablePointer<SQLiteRowSource.State>
  }

  nonisolated(unsafe) static let functions = UnsafePointer(made())

  private static func made() -> UnsafeMutablePointer<sqlite3_module> {
    var module = sqlite3_module()
    // Without xCreate the table exists under the module's name, and is not in the file.
    module.xConnect = { handle, state, _, _, result, _ in
      RowModule.connect(handle, state: state, result: result)
    }
    module.xBestIndex = { _, _ in SQLITE_OK }
    module.xDisconnect = { table in
      UnsafeMutableRawPointer(table)?.assumingMemoryBound(to: Table.self).deallocate()
      return SQLITE_OK
    }
    module.xOpen = { RowModule.open($0, result: $1) }
    module.xClose = { cursor in
      UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: Cursor.self).deallocate()
      return SQLITE_OK
    }
    module.xFilter = { cursor, _, _, _, _ in RowModule.go(to: 0, cursor) }
    module.xNext = { cursor in
      guard let state = RowModule.state(cursor) else { return SQLITE_ERROR }
      return RowModule.go(to: state.pointee.number &+ 1, cursor)
    }
    module.xEof = { cursor in
      guard let state = RowModule.state(cursor) else { return 1 }
      return state.pointee.number < state.pointee.count ? 0 : 1
    }
    module.xColumn = { cursor, context, index in
      RowModule.column(cursor, context: context, column: Int(index))
    }
    module.xRowid = { cursor, result in
      guard let state = RowModule.state(cursor) else { return SQLITE_ERROR }
      result?.pointee = Int64(state.pointee.number)
      return SQLITE_OK
    }
    let functions = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    functions.initialize(to: module)
    return functions
  }

  private static func connect(
    _ handle: OpaquePointer?, state: UnsafeMutableRawPointer?,
    result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
  ) -> Int32 {
    guard let state = state?.assumingMemoryBound(to: SQLiteRowSource.State.self) else {
      return SQLITE_ERROR
    }
    let values = (0..<state.pointee.columnCount).map(SQLiteRowSource.column)
    let columns = (SQLiteRowSource.leading + values).joined(separator: ", ")
    let code = sqlite3_declare_vtab(handle, "CREATE TABLE x (\(columns))")
    guard code == SQLITE_OK else { return code }
    let directOnly = groot_sqlite_direct_only(handle)
    guard directOnly == SQLITE_OK else { return directOnly }
    let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
    table.initialize(to: Table(state: state))
    result?.pointee = UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
  }

  private static func open(
    _ table: UnsafeMutablePointer<sqlite3_vtab>?,
    result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
  ) -> Int32 {
    guard let table else { return SQLITE_ERROR }
    let state = UnsafeMutableRawPointer(table).assumingMemoryBound(to: Table.self).pointee.state
    let cursor = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
    cursor.initialize(to: Cursor(state: state))
    result?.pointee = UnsafeMutableRawPointer(cursor)
      .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
  }

  @inline(__always)
  private static func state(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> UnsafeMutablePointer<SQLiteRowSource.State>? {
    UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: Cursor.self).pointee.state
  }

  private static func go(
    to number: Int, _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> Int32 {
    guard let state = state(cursor), let row = state.pointee.row else { return SQLITE_ERROR }
    state.pointee.number = number
    if number < state.pointee.count { state.pointee.current = row(number) }
    return SQLITE_OK
  }

  private static func column(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, context: OpaquePointer?, column: Int
  ) -> Int32 {
    guard let state = state(cursor) else { return SQLITE_ERROR }
    let row = state.pointee.current
    switch column {
    case 0: sqlite3_result_int64(context, row.key)
    case 1:
      guard let names = state.pointee.entityNames else { return SQLITE_ERROR }
      give(names[row.entity], context: context)
    case 2: sqlite3_result_int64(context, row.version)
    default:
      let index = column &- SQLiteRowSource.leading.count
      guard let types = state.pointee.types, index < row.values.count else { return SQLITE_ERROR }
      give(row.values[index], as: types[index], context: context)
    }
    return SQLITE_OK
  }

  @inline(__always)
  private static func give(_ text: UnsafeBufferPointer<UInt8>, context: OpaquePointer?) {
    let start = UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
    groot_sqlite_result_text(context, start, UInt64(text.count))
  }

  @inline(__always)
  private static func give(
    _ value: StoredValue, as type: AttributeType, context: OpaquePointer?
  ) {
    guard value.isPresent else {
      sqlite3_result_null(context)
      return
    }
    switch type {
    case .integer16, .integer32, .integer64, .date, .boolean:
      sqlite3_result_int64(context, value.integer)
    case .double, .float: StoredReal.give(value.real, to: context)
    case .string, .uri, .transformable, .composite: give(value.bytes, context: context)
    case .binary: groot_sqlite_result_blob(context, value.start, UInt64(value.count))
    case .day, .decimal, .uuid: giveText(value, as: type, context: context)
    }
  }

  private static func giveText(
    _ value: StoredValue, as type: AttributeType, context: OpaquePointer?
  ) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: SQLiteStatement.textCapacity) { text in
      guard let start = text.baseAddress else { return }
      let count =
        switch type {
        case .day: value.day.write(into: start)
        case .decimal: value.decimal.write(into: start)
        default: UUIDValue(high: value.word0, low: value.word1).write(into: start)
        }
      groot_sqlite_result_copy(
        context, UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self), UInt64(count))
    }
  }
}
