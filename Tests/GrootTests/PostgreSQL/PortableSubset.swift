/// The SQL that engines with PostgreSQL's protocol share, as far as a statement can leave it.
///
/// Every test with a store in PostgreSQL checks every statement that the store sends.
enum PortableSubset {
  /// Words of features that some engines lack, or that outlive a transaction of a proxy.
  private static let forbidden: [(words: [String], reason: String)] = [
    (["TEMP"], "temporary tables are off in CockroachDB"),
    (["TEMPORARY"], "temporary tables are off in CockroachDB"),
    (["DEFERRABLE"], "CockroachDB has no deferrable constraints"),
    (["DEFERRED"], "CockroachDB has no deferrable constraints"),
    (["SERIAL"], "CockroachDB's values are beyond 2^53"),
    (["BIGSERIAL"], "CockroachDB's values are beyond 2^53"),
    (["NEXTVAL"], "the client gives out keys"),
    (["LISTEN"], "YugabyteDB has no LISTEN"),
    (["NOTIFY"], "YugabyteDB has no NOTIFY"),
    (["PREPARE"], "a proxy gives each transaction another session"),
    (["EXECUTE"], "a proxy gives each transaction another session"),
    (["UNLOGGED"], "a crash empties the table"),
    (["MERGE"], "new in PostgreSQL 15"),
    (["TRUNCATE"], "other engines do not undo it"),
    (["LOCK", "TABLE"], "CockroachDB has no LOCK TABLE"),
    (["SET", "SESSION"], "the setting outlives the transaction"),
    (["RETURNING", "XMAX"], "the value says nothing certain"),
    (["WITH", "HOLD"], "the cursor outlives the transaction"),
    (["NULLS", "DISTINCT"], "new in PostgreSQL 15"),
    (["GENERATED"], "the client gives out keys"),
  ]

  /// Returns why a statement is not portable; nil when it is.
  static func objection(to text: String) -> String? {
    for statement in statements(text) {
      let words = words(statement)
      for rule in forbidden where contains(words, rule.words) { return "\(rule.reason): \(text)" }
      if words.first == "SET", words.dropFirst().first != "LOCAL" {
        return "a setting must end with its transaction: \(text)"
      }
      if words.contains(where: { $0.hasPrefix("PG_ADVISORY") || $0.hasPrefix("PG_TRY_ADVISORY") }) {
        return "a proxy gives each transaction another session: \(text)"
      }
      if words.first == "COPY", !words.contains("STDIN") || !words.contains("BINARY") {
        return "a COPY is binary, and from the client: \(text)"
      }
      // An integer divided by one is a decimal in CockroachDB.
      if statement.contains("/") { return "a division: \(text)" }
    }
    return parameterCount(text) > 100 ? "a parameter for each value: \(text)" : nil
  }

  /// Returns the statements of a message, without names and texts in quotes.
  private static func statements(_ text: String) -> [String] {
    var statements: [String] = []
    var current = ""
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil }
        continue
      }
      switch character {
      case "'", "\"":
        quote = character
        current.append(" ")
      case ";":
        statements.append(current)
        current = ""
      default: current.append(character)
      }
    }
    return statements + [current]
  }

  private static func words(_ statement: String) -> [String] {
    statement.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { $0.uppercased() }
  }

  private static func contains(_ words: [String], _ part: [String]) -> Bool {
    guard words.count >= part.count else { return false }
    return (0...(words.count - part.count)).contains { start in
      Array(words[start..<(start + part.count)]) == part
    }
  }

  /// Returns how many different marks a statement has.
  private static func parameterCount(_ text: String) -> Int {
    Set(text.split(separator: "$").dropFirst().map { $0.prefix { $0.isNumber } }).count
  }
}
