import CSQLite
import Groot
import GrootSQL

/// A prepared statement.
final class SQLiteStatement {
  /// The size of a buffer for the text of a day, decimal or UUID.
  static let textCapacity = 64

  private let database: SQLiteDatabase
  private let handle: OpaquePointer
  /// The buffer for the text of days, decimals and UUIDs while they are bound.
  private let scratch: UnsafeMutablePointer<UInt8>
  /// By column, the check of its JSON.
  private var json: [Int: StoredJSON] = [:]
  /// Whether a call reads with the statement, so that a call inside it needs another one.
  var isLent = false
  /// Whether the statement has returned a row, and may return more.
  private var isUnderWay = false
  /// Whether the statement gives its rows to ``SQLiteRowFunction``, and returns none.
  private let passesRows: Bool
  /// The row that the statement gives to the function at this moment.
  private var passed: UnsafeMutablePointer<OpaquePointer?>?

  init(_ sql: String, database: SQLiteDatabase, passesRows: Bool = false) throws {
    try database.requireThisProcess()
    self.database = database
    self.passesRows = passesRows
    var made: OpaquePointer?
    let code = sqlite3_prepare_v2(database.handle, sql, -1, &made, nil)
    guard code == SQLITE_OK, let made else { throw database.failure(code) }
    handle = made
    database.preparedCount += 1
    let count = Int(sqlite3_bind_parameter_count(made))
    scratch = .allocate(capacity: max(count, 1) * Self.textCapacity)
  }

  deinit {
    if database.isOfThisProcess { sqlite3_finalize(handle) }
    scratch.deallocate()
  }

  /// The SQL of the statement.
  var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

  /// Advances to the next row; false when there is none.
  func step() throws -> Bool {
    if !isUnderWay {
      try database.requireThisProcess()
      database.statementCount += 1
    }
    let code = sqlite3_step(handle)
    isUnderWay = code == SQLITE_ROW
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let failure = database.failure(code)
      sqlite3_reset(handle)
      throw failure
    }
  }

  /// Calls `body` at each row of a statement that may give its rows to the function.
  func passRows(_ body: @escaping () throws -> Void) throws {
    guard passesRows else {
      while try step() { try body() }
      return
    }
    defer { passed = nil }
    try database.rowFunction.run(self) { [self] row in
      passed = row
      try body()
    }
  }

  /// Runs a statement without rows, and resets it.
  func run() throws {
    defer { reset() }
    while try step() {}
  }

  /// Resets the statement for another use.
  func reset() {
    isUnderWay = false
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  // MARK: Binding, from 1

  func bind(_ index: Int, number: Int64) { sqlite3_bind_int64(handle, Int32(index), number) }

  /// Binds a real as it is, which need not be as a column holds it.
  func bind(_ index: Int, real: Double) { sqlite3_bind_double(handle, Int32(index), real) }

  /// Binds text at an address that must be valid until the statement has run.
  func bind(_ index: Int, text: UnsafeBufferPointer<UInt8>) {
    let start = UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
    groot_sqlite_bind_text(handle, Int32(index), start, UInt64(text.count))
  }

  /// Binds a copy of text.
  func bind(_ index: Int, text: String) {
    var text = text
    text.withUTF8 { bytes in
      let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
      groot_sqlite_bind_copy(handle, Int32(index), start, UInt64(bytes.count))
    }
  }

  /// Binds a value whose text must be valid until the statement has run.
  func bind(_ index: Int, value: StoredValue, as type: AttributeType) {
    guard value.isPresent else {
      sqlite3_bind_null(handle, Int32(index))
      return
    }
    switch type {
    case .integer16, .integer32, .integer64, .date, .boolean: bind(index, number: value.integer)
    case .double, .float: StoredReal.bind(value.real, to: handle, at: Int32(index))
    case .string, .uri, .transformable, .composite: bind(index, text: value.bytes)
    case .binary:
      groot_sqlite_bind_blob(handle, Int32(index), value.start, UInt64(value.count))
    case .day:
      let text = scratch + (index - 1) * Self.textCapacity
      bind(index, text: UnsafeBufferPointer(start: text, count: value.day.write(into: text)))
    case .decimal:
      let text = scratch + (index - 1) * Self.textCapacity
      bind(index, text: UnsafeBufferPointer(start: text, count: value.decimal.write(into: text)))
    case .uuid:
      let text = scratch + (index - 1) * Self.textCapacity
      let uuid = UUIDValue(high: value.word0, low: value.word1)
      bind(index, text: UnsafeBufferPointer(start: text, count: uuid.write(into: text)))
    }
  }

  /// Binds a copy of a value.
  func bindCopy(_ index: Int, value: StoredValue, as type: AttributeType) {
    guard value.isPresent, type == .binary || value.start != nil else {
      bind(index, value: value, as: type)
      return
    }
    if type == .binary {
      groot_sqlite_bind_blob_copy(handle, Int32(index), value.start, UInt64(value.count))
    } else {
      let start = UnsafeRawPointer(value.start)?.assumingMemoryBound(to: CChar.self)
      groot_sqlite_bind_copy(handle, Int32(index), start, UInt64(value.count))
    }
  }

  // MARK: Reading, from 0

  /// Returns the content of a column, which is asked for once and not for each of its parts.
  ///
  /// SQLite does not lock such a value. No other thread uses the connection.
  @inline(__always)
  private func content(_ column: Int) -> OpaquePointer? {
    if let passed { passed[column] } else { sqlite3_column_value(handle, Int32(column)) }
  }

  func integer(_ column: Int) -> Int64 { sqlite3_value_int64(content(column)) }

  func isNull(_ column: Int) -> Bool { sqlite3_value_type(content(column)) == SQLITE_NULL }

  func string(_ column: Int) -> String { String(decoding: bytes(column), as: UTF8.self) }

  /// Returns text or bytes, borrowed until the next step.
  func bytes(_ column: Int) -> UnsafeBufferPointer<UInt8> { bytes(of: content(column)) }

  @inline(__always)
  private func bytes(of content: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_value_blob(content)
    let count = Int(sqlite3_value_bytes(content))
    return UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count)
  }

  /// Returns whether a column has these bytes.
  @inline(__always)
  func holds(_ column: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    groot_sqlite_holds(content(column), bytes.baseAddress, Int32(clamping: bytes.count)) != 0
  }

  /// Returns the value of a column; nil when the content is not a value of the type.
  ///
  /// - Parameter isComputed: Whether the statement computes the value, so that a real is one.
  func value(_ column: Int, as type: AttributeType, isComputed: Bool = false) -> StoredValue? {
    var value = StoredValue.none
    guard read(column, as: type, into: &value) else { return nil }
    guard isComputed, type == .double, value.isPresent else { return value }
    return StoredValue(word: sqlite3_value_double(content(column)).bitPattern)
  }

  /// Reads the value of a column; false when the content is not a value of the type.
  @inline(__always)
  func read(_ column: Int, as type: AttributeType, into value: inout StoredValue) -> Bool {
    let content = content(column)
    let kind = sqlite3_value_type(content)
    if kind == SQLITE_NULL {
      value.set(isPresent: false)
      return true
    }
    switch type {
    case .integer16, .integer32, .integer64, .date, .boolean:
      guard kind == SQLITE_INTEGER else { return false }
      let number = sqlite3_value_int64(content)
      value.set(word: UInt64(bitPattern: number))
      return type.hasRoom(for: number)
    case .double, .float:
      return take(real(content, kind: kind, as: type), into: &value)
    case .string, .uri:
      guard kind == SQLITE_TEXT else { return false }
      value.set(bytes: bytes(of: content))
      return value.isUTF8
    case .binary:
      value.set(bytes: bytes(of: content))
      return kind == SQLITE_BLOB
    case .transformable, .composite, .decimal, .day, .uuid:
      guard kind == SQLITE_TEXT || kind == SQLITE_INTEGER && type == .decimal else { return false }
      return take(parsed(content, column: column, as: type), into: &value)
    }
  }

  @inline(__always)
  private func take(_ read: StoredValue?, into value: inout StoredValue) -> Bool {
    guard let read else { return false }
    value = read
    return true
  }

  /// Returns the value of a type that a column holds as text.
  @inline(never)
  private func parsed(
    _ content: OpaquePointer?, column: Int, as type: AttributeType
  ) -> StoredValue? {
    let text = bytes(of: content)
    switch type {
    case .decimal: return DecimalNumber(text: text).map { StoredValue($0) }
    case .day: return CalendarDay(iso8601: text).map { StoredValue($0) }
    case .uuid: return UUIDValue(text: text).map { StoredValue(word: $0.high, $0.low) }
    default:
      let reader = json[column] ?? StoredJSON()
      json[column] = reader
      return reader.value(text, as: type)
    }
  }

  /// Returns the content of a column as a literal of SQL, or its beginning.
  func literal(_ column: Int) -> String {
    let content = content(column)
    switch sqlite3_value_type(content) {
    case SQLITE_NULL: return "NULL"
    case SQLITE_INTEGER: return "\(sqlite3_value_int64(content))"
    case SQLITE_FLOAT: return "\(sqlite3_value_double(content))"
    case SQLITE_TEXT: return shownText(bytes(of: content))
    default: return "a blob of \(sqlite3_value_bytes(content)) bytes"
    }
  }

  /// Returns the real in a column; nil when the content is not a number that the type can hold.
  private func real(
    _ content: OpaquePointer?, kind: Int32, as type: AttributeType
  ) -> StoredValue? {
    guard kind == SQLITE_FLOAT || kind == SQLITE_INTEGER else {
      return StoredReal.isNext(content) ? StoredValue(word: StoredReal.next.bitPattern) : nil
    }
    let number = StoredReal.meaning(of: sqlite3_value_double(content))
    if kind == SQLITE_INTEGER && Int64(exactly: number) != sqlite3_value_int64(content) {
      return nil
    }
    let held = type == .float ? Double(Float(number)) : number
    return held.isFinite ? StoredValue(word: held.bitPattern) : nil
  }

  /// Returns the version of an object; nil when the content is not a version.
  func version(_ column: Int) -> Int64? {
    guard let version = wholeNumber(column) else { return nil }
    // Above this SQLite would continue with reals. The version of a placeholder is negative.
    return version.magnitude < UInt64(Int64.max / 2) ? version : nil
  }

  /// Returns the integer in a column; nil when the content is not an integer.
  @inline(__always)
  func wholeNumber(_ column: Int) -> Int64? {
    let content = content(column)
    return sqlite3_value_type(content) == SQLITE_INTEGER ? sqlite3_value_int64(content) : nil
  }
}

// Values are set in place: the initializers are calls into another module, one for each default.
extension StoredValue {
  @inline(__always)
  fileprivate mutating func set(
    isPresent: Bool = true, word: UInt64 = 0,
    bytes: UnsafeBufferPointer<UInt8> = UnsafeBufferPointer(start: nil, count: 0)
  ) {
    self.isPresent = isPresent
    (word0, word1, word2) = (word, 0, 0)
    (start, count) = (bytes.baseAddress, bytes.count)
  }
}

extension AttributeType {
  /// Returns whether an attribute of this type can hold a number.
  @inline(__always)
  fileprivate func hasRoom(for number: Int64) -> Bool {
    switch self {
    case .boolean: number == 0 || number == 1
    case .integer16: Int16(exactly: number) != nil
    case .integer32: Int32(exactly: number) != nil
    default: true
    }
  }
}
