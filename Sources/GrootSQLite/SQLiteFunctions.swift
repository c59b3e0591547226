import CSQLite
import Groot

/// The functions and collations that make SQL compare values as the graph does.
enum SQLiteFunctions {
  private static let decimals = "groot_decimal"
  private static let uuids = "groot_uuid"
  private static let days = "groot_day"
  private static let letters = "groot_folded"
  private static let match = "groot_matches"
  private static let reals = "groot_real"

  // MARK: In SQL

  /// Returns the collation that compares a column as values of its type.
  ///
  /// Other programs may have written the values in another form than this library.
  static func collation(_ type: AttributeType) -> String {
    switch type {
    case .decimal: " COLLATE " + decimals
    case .uuid: " COLLATE " + uuids
    case .day: " COLLATE " + days
    default: ""
    }
  }

  /// Returns SQL for the number that a column of reals means (``StoredReal``), as it is compared.
  ///
  /// Only numbers next to -0.0 and blobs, which come after all numbers, need the function.
  static func real(_ column: String) -> String {
    "CASE WHEN \(column) < 0.0 AND \(column) > -1e-300 OR \(column) >= x'' "
      + "THEN \(reals)(\(column), 0) ELSE \(column) END"
  }

  /// Returns SQL for the form in which a column of reals holds a number.
  static func storedReal(_ number: String) -> String { "\(reals)(\(number), 1)" }

  /// The collation that compares a column without regard to the case of ASCII letters.
  static let ignoringCase = " COLLATE " + letters

  /// Returns SQL for whether the text of a column matches a pattern; false without a text.
  static func matching(
    _ column: String, pattern: String, kind: TextMatch, ignoresCase: Bool
  ) -> String {
    let number = TextMatch.allCases.firstIndex(of: kind) ?? 0
    return "\(match)(\(column), \(pattern), \(number * 2 + (ignoresCase ? 1 : 0)))"
  }

  // MARK: On a connection

  static func register(on database: SQLiteDatabase) throws {
    try add(decimals, to: database) { _, leftCount, left, rightCount, right in
      SQLiteFunctions.order(
        left, leftCount: leftCount, right: right, rightCount: rightCount, as: .decimal)
    }
    try add(uuids, to: database) { _, leftCount, left, rightCount, right in
      SQLiteFunctions.order(
        left, leftCount: leftCount, right: right, rightCount: rightCount, as: .uuid)
    }
    try add(days, to: database) { _, leftCount, left, rightCount, right in
      SQLiteFunctions.order(
        left, leftCount: leftCount, right: right, rightCount: rightCount, as: .day)
    }
    try add(letters, to: database) { _, leftCount, left, rightCount, right in
      Int32(
        clamping: TextMatch.foldedOrder(
          SQLiteFunctions.bytes(left, count: leftCount),
          SQLiteFunctions.bytes(right, count: rightCount)))
    }
    try add(match, 3, to: database) { context, _, arguments in
      SQLiteFunctions.matches(context, arguments: arguments)
    }
    try add(reals, 2, to: database) { context, _, arguments in
      SQLiteFunctions.giveReal(context, arguments: arguments)
    }
  }

  private typealias Function =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  private static func add(
    _ name: String, _ count: Int32, to database: SQLiteDatabase, function: Function
  ) throws {
    let code = sqlite3_create_function_v2(
      database.handle, name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      function, nil, nil, nil)
    guard code == SQLITE_OK else { throw database.failure(code) }
  }

  private typealias Comparison =
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?
    ) -> Int32

  private static func add(
    _ name: String, to database: SQLiteDatabase, comparison: Comparison
  ) throws {
    let code = sqlite3_create_collation_v2(
      database.handle, name, SQLITE_UTF8, nil, comparison, nil)
    guard code == SQLITE_OK else { throw database.failure(code) }
  }

  private static func bytes(
    _ start: UnsafeRawPointer?, count: Int32
  ) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : Int(count))
  }

  /// Compares two texts as values; invalid texts come first, ordered as strings.
  private static func order(
    _ left: UnsafeRawPointer?, leftCount: Int32, right: UnsafeRawPointer?,
    rightCount: Int32, as type: AttributeType
  ) -> Int32 {
    let (left, right) = (bytes(left, count: leftCount), bytes(right, count: rightCount))
    let values = (value(left, as: type), value(right, as: type))
    guard values.0.isPresent || values.1.isPresent else {
      let texts = (StoredValue(bytes: left), StoredValue(bytes: right))
      return Int32(clamping: texts.0.order(texts.1, as: .string))
    }
    return Int32(clamping: values.0.order(values.1, as: type))
  }

  private static func value(
    _ text: UnsafeBufferPointer<UInt8>, as type: AttributeType
  ) -> StoredValue {
    switch type {
    case .day: CalendarDay(iso8601: text).map { StoredValue($0) } ?? .none
    case .decimal: DecimalNumber(text: text).map { StoredValue($0) } ?? .none
    default: UUIDValue(text: text).map { StoredValue(word: $0.high, $0.low) } ?? .none
    }
  }

  private static func matches(
    _ context: OpaquePointer?, arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let arguments, sqlite3_value_type(arguments[0]) == SQLITE_TEXT else {
      sqlite3_result_int(context, 0)
      return
    }
    // SQLite keeps the compiled pattern while the statement runs.
    if let known = sqlite3_get_auxdata(context, 1) {
      let pattern = Unmanaged<TextPattern>.fromOpaque(known)
      let holds = pattern._withUnsafeGuaranteedRef { $0.holds(text(arguments[0])) }
      sqlite3_result_int(context, holds ? 1 : 0)
      return
    }
    let number = Int(sqlite3_value_int(arguments[2]))
    let kinds = TextMatch.allCases
    guard kinds.indices.contains(number / 2) else { return }
    let pattern = TextPattern(
      kinds[number / 2], text: text(arguments[1]), ignoresCase: number % 2 == 1)
    sqlite3_result_int(context, pattern.holds(text(arguments[0])) ? 1 : 0)
    sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(pattern).toOpaque()) { pattern in
      if let pattern { Unmanaged<TextPattern>.fromOpaque(pattern).release() }
    }
  }

  /// Returns the meaning of a stored real, or with the second argument 1 the stored form of a real; a
  /// value that is not a number stays as it is.
  private static func giveReal(
    _ context: OpaquePointer?, arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let arguments, let content = arguments[0] else { return }
    let isNumber = sqlite3_value_type(content) == SQLITE_FLOAT
    if sqlite3_value_int(arguments[1]) == 1, isNumber {
      StoredReal.give(sqlite3_value_double(content), to: context)
    } else if StoredReal.isNext(content) {
      sqlite3_result_double(context, StoredReal.next)
    } else if isNumber, sqlite3_value_double(content) == StoredReal.next {
      sqlite3_result_double(context, 0)
    } else {
      sqlite3_result_value(context, content)
    }
  }

  private static func text(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
    // The text comes before its size: in the other order SQLite may move the text.
    let start = UnsafeRawPointer(sqlite3_value_text(value))
    return bytes(start, count: sqlite3_value_bytes(value))
  }
}
