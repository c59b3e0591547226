import Groot
import GrootSQL

/// The SQL of PostgreSQL, as far as the engines that speak its language share it.
struct PostgreSQLDialect: SQLDialect {
  // MARK: Names

  var longestName: Int? { 63 }

  func compared(_ name: String) -> [UInt8] { Array(name.utf8) }

  private static let systemColumns: Set<String> = [
    "ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "oid",
  ]

  /// Tables of the catalog come before all others of the same name.
  func isReserved(_ name: String) -> Bool {
    name.isEmpty || name.utf8.starts(with: "pg_".utf8) || Self.systemColumns.contains(name)
  }

  // MARK: Tables

  var keyType: String { "bigint" }

  /// Text is compared by its bytes, as in memory.
  func type(_ attribute: AttributeType) -> String {
    let type = PostgreSQLType(attribute)
    return type == .text ? "text COLLATE \"C\"" : type.name
  }

  var namesConstraints: Bool { true }
  var namesReferences: Bool { false }
  var hasDefaults: Bool { false }

  var indexesSingleEntities: Bool { false }

  var joinOptions: String { "" }

  func converted(_ column: String, from old: AttributeType, to new: AttributeType) -> String {
    let type = PostgreSQLType(new)
    if PostgreSQLType(old) == type { return column }
    guard case .day = old else { return "CAST(\(column) AS \(type.name))" }
    // A year beyond four digits has a sign in ISO 8601, and the year 0 comes before the year 1.
    let year =
      "(extract(year FROM \(column)) + CASE WHEN \(column) < '0001-01-01' THEN 1 ELSE 0 END)"
    let digits = "CAST(abs(\(year)) AS text)"
    return "CASE WHEN \(year) BETWEEN 0 AND 9999 THEN lpad(\(digits), 4, '0') "
      + "WHEN \(year) < 0 THEN '-' || lpad(\(digits), 6, '0') ELSE '+' || lpad(\(digits), 6, '0') END "
      + "|| to_char(\(column), '-MM-DD')"
  }

  func insertNew(into table: String, _ selection: String) -> String {
    "INSERT INTO \(table) \(selection) ON CONFLICT DO NOTHING"
  }

  // MARK: Queries

  var limits: SQLQuery.Limits {
    SQLQuery.Limits(parameters: 30_000, joins: 50, depth: 200, conditions: 1_000)
  }

  func marks(_ parameter: SQLQuery.Parameter, first: Int) -> [String] { ["$\(first)"] }

  func constant(_ isTrue: Bool) -> String { isTrue ? "TRUE" : "FALSE" }

  func collated(_ column: String, _ type: AttributeType) -> String { column }

  func comparison(
    _ attribute: SQLQuery.Attribute, _ sign: String, _ mark: String, ignoresCase: Bool
  ) -> String? {
    guard ignoresCase else { return "\(attribute.column) \(sign) \(mark)" }
    return "\(folded(attribute.column)) \(sign) \(folded(mark))"
  }

  /// The letters from A to Z in lower case: in the collation "C" there are no others.
  private func folded(_ text: String) -> String { "lower(\(text) COLLATE \"C\")" }

  func isOne(_ attribute: SQLQuery.Attribute, of marks: String, ignoresCase: Bool) -> String? {
    guard ignoresCase else { return "\(attribute.column) = ANY (\(marks))" }
    return
      "\(folded(attribute.column)) IN (SELECT lower(w COLLATE \"C\") FROM unnest(\(marks)) AS w)"
  }

  func differs(_ key: String, from mark: String) -> String { "\(key) <> ALL (\(mark))" }

  func matching(
    _ attribute: SQLQuery.Attribute, _ match: TextMatch, pattern: String, ignoresCase: Bool,
    bind: (String) -> String
  ) -> String? {
    // Text of the server has no NUL, so such a text cannot be sent, and matches nothing.
    guard !pattern.utf8.contains(0) else { return constant(false) }
    let text = ignoresCase ? folded(attribute.column) : attribute.column
    func other(_ mark: String) -> String { ignoresCase ? folded(mark) : mark }
    let condition: String
    switch match {
    case .contains: condition = "strpos(\(text), \(other(bind(pattern)))) > 0"
    case .beginsWith:
      let count = pattern.unicodeScalars.count
      condition = "left(\(text), \(count)) = \(other(bind(pattern)))"
    case .endsWith:
      let count = pattern.unicodeScalars.count
      condition = "right(\(text), \(count)) = \(other(bind(pattern)))"
    case .like:
      condition = "\(text) LIKE \(other(bind(Self.likePattern(pattern)))) ESCAPE '!'"
    }
    return "coalesce(\(condition), FALSE)"
  }

  /// Returns a pattern of `*` and `?` as one of `%` and `_`.
  private static func likePattern(_ pattern: String) -> String {
    var result = ""
    var scalars = pattern.unicodeScalars.makeIterator()
    func escaped(_ scalar: Unicode.Scalar) -> String {
      "%_!".unicodeScalars.contains(scalar) ? "!\(scalar)" : String(scalar)
    }
    while let scalar = scalars.next() {
      switch scalar {
      case "*": result += "%"
      case "?": result += "_"
      case "\\":
        // A backslash at the end stands for itself.
        result += escaped(scalars.next() ?? scalar)
      default: result += escaped(scalar)
      }
    }
    return result
  }

  func ordered(_ collated: String, isAscending: Bool) -> String {
    collated + (isAscending ? " NULLS FIRST" : " DESC NULLS LAST")
  }

  var unlimited: Int64? { nil }

  var distinctOrdersByOthers: Bool { false }

  // MARK: Views

  func readable(_ column: String, _ type: AttributeType) -> String { column }

  func asText(_ value: String) -> String { "CAST(\(value) AS text)" }

  func joined(_ text: String) -> String { "string_agg(\(text), ', ')" }
}
