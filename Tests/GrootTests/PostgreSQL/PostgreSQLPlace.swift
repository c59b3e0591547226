import CPostgreSQL
import GrootSQL
import Testing

@testable import Groot
@testable import GrootPostgreSQL

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A schema for a store on the server that `GROOT_POSTGRESQL` names, which goes when the test is over.
final class PostgreSQLPlace {
  /// The server of the tests (Tests/PostgreSQL/server); nil without one.
  static let server = getenv("GROOT_POSTGRESQL").map { String(cString: $0) }

  let schema: String
  let url: String

  init(_ parameters: String = "") throws {
    let server = try #require(Self.server)
    schema = "test " + String(UInt64.random(in: 0 ... .max), radix: 36)
    let name = schema.split(separator: " ").joined(separator: "%20")
    url =
      server + (server.contains("?") ? "&" : "?")
      + "groot.schema=\(name)&application_name=\(name)" + parameters
  }

  // A context that is still there keeps its snapshot, which the tables would wait for.
  deinit {
    _ = try? run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        + "WHERE application_name = \(quotedText(schema)) AND pid <> pg_backend_pid(); "
        + "DROP SCHEMA IF EXISTS \(quoted(schema)) CASCADE")
  }

  /// Makes a connection of its own.
  func connection() throws -> PostgreSQLConnection {
    let library = try PostgreSQLLibrary.load()
    return PostgreSQLConnection(try PostgreSQLAddress(url, library: library), library: library)
  }

  /// Runs statements beside the store, and returns the last result with rows.
  @discardableResult
  func run(_ sql: String) throws -> PostgreSQLResult {
    try connection().run("SET search_path = \(quoted(schema)); \(sql)")
  }

  func open(
    _ mapping: Mapping, _ options: PostgreSQLStoreOptions = PostgreSQLStoreOptions()
  ) throws -> (context: ManagedObjectContext, store: PostgreSQLStore) {
    let schema = StoreSchema(mapping)
    var options = options
    let log = options.log
    options.log = StoreLog(.statements) { level, text in
      log?.note(level, text)
      guard level == .statements else { return }
      if let objection = PortableSubset.objection(to: text) { Issue.record("\(objection)") }
    }
    let store = try PostgreSQLStore(url, schema: schema, options: options)
    return (try ManagedObjectContext(mapping: mapping, schema: schema, store: store), store)
  }
}

extension PostgreSQLPlace: LawPlace {
  var hasOneZero: Bool { true }

  func openWorld(_ mapping: Mapping) throws -> (ManagedObjectContext, any LawFault) {
    let (context, store) = try open(mapping)
    return (context, CutConnection(store))
  }
}

/// Cuts the connection of a store before one of its statements.
final class CutConnection: LawFault {
  let mayRecover = true
  private let connection: PostgreSQLConnection

  init(_ store: PostgreSQLStore) { connection = store.connection }

  func after(_ steps: Int, _ body: () throws -> Void) rethrows -> Bool {
    var left = steps % 16 + 1
    var isCut = false
    let trace = connection.trace
    connection.trace = { [unowned connection] text in
      trace?(text)
      left -= 1
      guard left == 0, let handle = try? connection.connected() else { return }
      isCut = true
      shutdown(connection.library.functions.socket(handle), Int32(SHUT_RDWR))
    }
    defer { connection.trace = trace }
    try body()
    return isCut
  }
}
