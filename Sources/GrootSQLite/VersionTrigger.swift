import Groot
import GrootSQL

/// The trigger of a table that raises the version of each row that another program changes.
///
/// The store is known to have made it by its text. Where triggers are not allowed, the connection runs
/// none; where they are, the store drops these while it writes, since it sets versions itself.
struct VersionTrigger {
  /// The name of the table.
  let table: String

  private var name: String { "_\(table)_version" }

  /// The statement that makes the trigger; the version of a placeholder is negative, and falls.
  var sql: String {
    let table = quoted(table)
    return "CREATE TRIGGER \(quoted(name)) AFTER UPDATE ON \(table) "
      + "WHEN NEW._version = OLD._version BEGIN UPDATE \(table) "
      + "SET _version = _version + CASE WHEN _version < 0 THEN -1 ELSE 1 END "
      + "WHERE _id = NEW._id; END"
  }

  /// Returns those that a database has.
  static func all(in database: SQLiteDatabase) throws -> [VersionTrigger] {
    var found: [VersionTrigger] = []
    let statement = try SQLiteStatement(
      "SELECT tbl_name, sql FROM sqlite_master WHERE type = 'trigger'", database: database)
    while try statement.step() {
      let trigger = VersionTrigger(table: statement.string(0))
      if Name(trigger.sql) == Name(statement.string(1)) { found.append(trigger) }
    }
    return found
  }

  func make(in database: SQLiteDatabase) throws { try database.execute(sql) }

  func drop(in database: SQLiteDatabase) throws {
    try database.execute("DROP TRIGGER \(quoted(name))")
  }
}
