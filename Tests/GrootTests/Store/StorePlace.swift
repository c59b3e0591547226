import GrootSQLite
import Testing

@testable import Groot
@testable import GrootPostgreSQL

/// A place for a store of a test, which goes when the test is over.
protocol StorePlace: AnyObject {
  /// Opens the store with options as a table of tests writes them.
  func context(_ mapping: Mapping, _ options: JSONValue) throws -> ManagedObjectContext
  /// Returns the single number of a query beside the contexts.
  func number(_ sql: String) throws -> Int64
  /// Describes the store without a mapping.
  func description() throws -> StoreDescription
  /// Requires that nothing is left over or broken, as the database itself sees it.
  func requireSound() throws
}

extension StorePlace {
  func context(_ mapping: Mapping) throws -> ManagedObjectContext { try context(mapping, [:]) }
}

/// The databases that a store may be in.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case file
  case postgreSQL

  /// The databases of this run: that of a server only where there is one.
  static let present = PostgreSQLPlace.server == nil ? [StoreKind.file] : allCases

  var testDescription: String { rawValue }

  func place() throws -> any StorePlace {
    switch self {
    case .file: try StoreFile()
    case .postgreSQL: try PostgreSQLPlace()
    }
  }

  /// Whether the database has a value of its own for a value.
  func canHold(_ value: Value) -> Bool {
    guard self == .postgreSQL else { return true }
    return switch value {
    case .string(let text), .uri(let text): !text.utf8.contains(0)
    case .day(let day): day.year >= -4_712
    case .date(let date): CalendarDay(date).year >= -4_712
    default: true
    }
  }
}

extension StoreFile: StorePlace {
  func context(_ mapping: Mapping, _ options: JSONValue) throws -> ManagedObjectContext {
    try ManagedObjectContext(
      mapping: mapping, storePath: path, options: SQLiteStoreOptions(options))
  }

  func number(_ sql: String) throws -> Int64 { try database().integer(sql) }

  func description() throws -> StoreDescription {
    try StoreDescription(storePath: path, countsObjects: true)
  }

  func requireSound() throws {
    let database = try database()
    #expect(try database.integer("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    #expect(try database.integer("SELECT count(*) FROM pragma_integrity_check") == 1)
    #expect(
      try database.integer("SELECT count(*) FROM sqlite_master WHERE name LIKE '%old%'") == 0)
  }
}

extension PostgreSQLPlace: StorePlace {
  func context(_ mapping: Mapping, _ json: JSONValue) throws -> ManagedObjectContext {
    var options = PostgreSQLStoreOptions()
    switch json["migrate"] {
    case .boolean(false): options.migration = .refused
    case .string("destructive"): options.migration = .destructive
    default: break
    }
    return try open(mapping, options).context
  }

  func description() throws -> StoreDescription {
    try StoreDescription(storeURL: url, countsObjects: true)
  }

  func number(_ sql: String) throws -> Int64 {
    let result = try run(sql)
    return Int64(result.text(0, 0)) ?? 0
  }

  func requireSound() throws {
    #expect(
      try number(
        "SELECT count(*) FROM pg_class WHERE relnamespace = "
          + "(SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relname LIKE '%old%'"
      )
        == 0)
    #expect(try number("SELECT count(*) FROM pg_constraint WHERE NOT convalidated") == 0)
  }
}
