import CPostgreSQL
import Groot

/// The functions of libpq, found on first use.
final class PostgreSQLLibrary: Sendable {
  let functions: groot_pq

  private init(_ functions: groot_pq) { self.functions = functions }

  private static let loaded: Result<PostgreSQLLibrary, GrootError> = {
    var functions = groot_pq()
    var missing: UnsafePointer<CChar>?
    guard groot_pq_load(&functions, &missing) == 0 else {
      let name = missing.map { String(cString: $0) } ?? "libpq"
      return .failure(
        GrootError(
          .unsupported,
          "a store in PostgreSQL needs its library, but '\(name)' is missing: install libpq 10 or "
            + "later (Debian: libpq5)"))
    }
    return .success(PostgreSQLLibrary(functions))
  }()

  /// Returns the library.
  ///
  /// - Throws: ``Status/unsupported`` when the system does not have it.
  static func load() throws -> PostgreSQLLibrary { try loaded.get() }
}
