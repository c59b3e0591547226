import Groot
import GrootSQL

/// The SQL of SQLite, in files of a format.
struct SQLiteDialect: SQLDialect {
  /// Files of the format 1 say less about their columns, and hold reals in columns without a type.
  var format = SQLiteStore.format
  private var saysMore: Bool { format > 1 }

  /// The SQL of the table that describes the store.
  static let metadata = "CREATE TABLE _groot (key TEXT PRIMARY KEY, value) WITHOUT ROWID"

  // MARK: Names

  let longestName: Int? = nil

  func compared(_ name: String) -> [UInt8] { folded(name) }

  /// The name of a function that queries call, which a table of this name would hide.
  private static let function = Array("json_each".utf8)

  func isReserved(_ name: String) -> Bool {
    let lowered = folded(name)
    return lowered.starts(with: "sqlite_".utf8) || lowered == Self.function
  }

  // MARK: Tables

  var keyType: String { "INTEGER PRIMARY KEY AUTOINCREMENT" + (saysMore ? " NOT NULL" : "") }
  let namesConstraints = false
  var namesReferences: Bool { saysMore }
  var hasDefaults: Bool { saysMore }
  var indexesSingleEntities: Bool { !saysMore }
  let joinOptions = " WITHOUT ROWID"

  func type(_ attribute: AttributeType) -> String {
    switch attribute {
    case .integer16, .integer32, .integer64, .date: "INTEGER"
    case .boolean: saysMore ? "BOOLEAN" : "INTEGER"
    case .double, .float: saysMore ? "REAL" : ""
    case .binary: "BLOB"
    case .string, .uri, .day, .uuid, .decimal, .transformable, .composite: "TEXT"
    }
  }

  func converted(_ column: String, from old: AttributeType, to new: AttributeType) -> String {
    let isReal = old == .double || old == .float
    if isReal && !saysMore { return SQLiteFunctions.storedReal(column) }
    return new == .decimal && old != .decimal ? "CAST(\(column) AS TEXT)" : column
  }

  func insertNew(into table: String, _ selection: String) -> String {
    "INSERT OR IGNORE INTO \(table) \(selection)"
  }

  // MARK: Queries

  /// The limits of SQLite, which joins at most 64 tables, and compares each condition with all
  /// others; its parser has room for 100 symbols.
  static let limits = SQLQuery.Limits(parameters: 32_766, joins: 50, depth: 64, conditions: 1000)

  var limits: SQLQuery.Limits { Self.limits }

  func marks(_ parameter: SQLQuery.Parameter, first: Int) -> [String] {
    guard case .values(let values, _) = parameter else { return ["?"] }
    return Array(repeating: "?", count: values.count)
  }

  func constant(_ isTrue: Bool) -> String { isTrue ? "1" : "0" }

  func collated(_ column: String, _ type: AttributeType) -> String {
    switch type {
    case .double, .float: SQLiteFunctions.real(column)
    default: column + SQLiteFunctions.collation(type)
    }
  }

  private func compared(_ attribute: SQLQuery.Attribute, ignoresCase: Bool) -> String {
    ignoresCase ? attribute.column + SQLiteFunctions.ignoringCase : attribute.collated
  }

  func comparison(
    _ attribute: SQLQuery.Attribute, _ sign: String, _ mark: String, ignoresCase: Bool
  ) -> String? {
    "\(compared(attribute, ignoresCase: ignoresCase)) \(sign) \(mark)"
  }

  func isOne(_ attribute: SQLQuery.Attribute, of marks: String, ignoresCase: Bool) -> String? {
    "\(compared(attribute, ignoresCase: ignoresCase)) IN (\(marks))"
  }

  func differs(_ key: String, from mark: String) -> String {
    "\(key) NOT IN (SELECT value FROM json_each(\(mark)))"
  }

  func matching(
    _ attribute: SQLQuery.Attribute, _ match: TextMatch, pattern: String, ignoresCase: Bool,
    bind: (String) -> String
  ) -> String? {
    SQLiteFunctions.matching(
      attribute.column, pattern: bind(pattern), kind: match, ignoresCase: ignoresCase)
  }

  func ordered(_ collated: String, isAscending: Bool) -> String {
    collated + (isAscending ? "" : " DESC")
  }

  let unlimited: Int64? = -1
  let distinctOrdersByOthers = true

  // MARK: Views

  /// A date is as in ISO 8601, all others are as they are.
  func readable(_ column: String, _ type: AttributeType) -> String {
    guard case .date = type else { return column }
    // Division truncates; a date before 1970 needs the second below. SQLite knows years to 9999.
    let second = "\(column) / 1000000 - (\(column) % 1000000 < 0)"
    let fraction =
      "CASE WHEN \(column) % 1000000 THEN "
      + "printf('.%06d', (\(column) % 1000000 + 1000000) % 1000000) ELSE '' END"
    return "coalesce(strftime('%Y-%m-%dT%H:%M:%S', \(second), 'unixepoch') "
      + "|| \(fraction) || 'Z', \(column))"
  }

  func asText(_ value: String) -> String { value }

  func joined(_ text: String) -> String { "group_concat(\(text), ', ')" }
}
