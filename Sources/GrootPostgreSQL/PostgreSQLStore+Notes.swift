import Groot
import GrootSQL

// Texts that programs keep in the store.

extension PostgreSQLStore {
  func note(_ name: String) throws -> String? {
    var parameters = PostgreSQLParameters()
    parameters.add(SQLDefinition.notePrefix + name)
    let result = try run("SELECT value FROM _groot WHERE key = $1", parameters)
    return result.count == 1 && !result.isNull(0, 0) ? result.text(0, 0) : nil
  }

  func eachNote(_ body: (String, String) throws -> Void) throws {
    let prefix = SQLDefinition.notePrefix
    let result = try run(
      "SELECT key, value FROM _groot WHERE key LIKE '\(prefix)%' AND value IS NOT NULL "
        + "ORDER BY key")
    for row in 0..<result.count {
      let name = String(decoding: result.bytes(row, 0).dropFirst(prefix.utf8.count), as: UTF8.self)
      try body(name, result.text(row, 1))
    }
  }

  func setNote(_ name: String, to text: String?) throws {
    var parameters = PostgreSQLParameters()
    parameters.add(SQLDefinition.notePrefix + name)
    guard let text else {
      _ = try run("DELETE FROM _groot WHERE key = $1", parameters)
      return
    }
    parameters.add(text)
    _ = try run(
      "INSERT INTO _groot (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE "
        + "SET value = EXCLUDED.value WHERE _groot.value IS DISTINCT FROM EXCLUDED.value",
      parameters)
  }
}
