import Groot

/// The options for opening and writing a store in PostgreSQL.
public struct PostgreSQLStoreOptions {
  /// The schema of the tables; nil for the first one that the role's `search_path` has.
  ///
  /// A missing schema is created.
  public var schema: String?
  /// Whether the tables have foreign keys; an engine that shards tables may not have them.
  public var hasForeignKeys = true
  /// The guarantee that a save waits for.
  ///
  /// `normal` is `synchronous_commit = off`: the end of the server may undo the last saves, each as
  /// a whole.
  public var durability = StoreDurability.full
  /// The behaviour of a save when another process has written to the same object.
  public var conflicts = ConflictPolicy.error
  /// Whether the tables of a new store are created.
  public var creates = true
  /// The treatment of a store that was made for another model.
  public var migration = StoreMigrationRule.lossless
  /// Whether the schema has a view of each entity for people, such as `Hero_view`.
  ///
  /// A view has the labels of linked objects. A store with views keeps them: a migration makes them
  /// anew.
  public var makesViews = false
  /// The time to wait for the locks of others, in milliseconds; 0 for no limit.
  public var lockTimeout = 10_000
  /// The time that a statement may take, in milliseconds; 0 for no limit.
  public var statementTimeout = 0
  /// The time that a transaction may be left unused, in milliseconds; 0 for no limit.
  ///
  /// The server then ends the session, so that it can remove old rows again. The next call connects
  /// again, and goes on unless others have written meanwhile.
  public var snapshotTimeout = 300_000
  /// How often a save is tried again that failed because of others.
  public var retries = 10
  /// The function that receives the progress of a migration; false ends the migration, and leaves
  /// the store unchanged.
  public var progress: ((CallProgress) -> Bool)?
  /// The receiver of log messages; nil for none.
  public var log: StoreLog?

  /// Makes the default options.
  public init() {}

  /// Returns whether a text is the URL of a store in PostgreSQL.
  public static func isURL(_ text: String) -> Bool { PostgreSQLAddress.isURL(text) }

  /// Takes the parameters of a URL, which come before the options.
  mutating func take(_ parameters: [String: String]) throws {
    for (name, value) in parameters {
      switch name {
      case "schema":
        // The server would cut a longer name, and two could be one.
        guard (1...63).contains(value.utf8.count) else {
          throw Self.invalid(name, value, "the name of a schema, of 1 to 63 bytes")
        }
        schema = value
      case "foreignKeys":
        guard value == "on" || value == "off" else {
          throw Self.invalid(name, value, "\"on\" or \"off\"")
        }
        hasForeignKeys = value == "on"
      case "lockTimeout": lockTimeout = try Self.number(name, value)
      case "statementTimeout": statementTimeout = try Self.number(name, value)
      case "snapshotTimeout": snapshotTimeout = try Self.number(name, value)
      case "retries": retries = try Self.number(name, value)
      default:
        throw GrootError(
          .invalidArgument,
          "'groot.\(name)' is not a parameter of a store: there are groot.schema, groot.foreignKeys, "
            + "groot.lockTimeout, groot.statementTimeout, groot.snapshotTimeout and groot.retries")
      }
    }
  }

  private static func number(_ name: String, _ value: String) throws -> Int {
    guard let number = Int(value), (0...86_400_000).contains(number) else {
      throw invalid(name, value, "a whole number from 0 to 86400000")
    }
    return number
  }

  private static func invalid(_ name: String, _ value: String, _ form: String) -> GrootError {
    GrootError(.invalidArgument, "'groot.\(name)' is \(form), not '\(value)'")
  }
}

extension ManagedObjectContext {
  /// Makes a context on the store in a database of PostgreSQL.
  ///
  /// A database without a store gets the tables of one (docs/guides/postgresql.md).
  ///
  /// - Parameters:
  ///   - mapping: The mapping of imports and exports, with the model that the store is made for.
  ///   - storeURL: `postgresql://USER@HOST:PORT/DATABASE?NAME=VALUE`, as libpq takes it. Parameters
  ///     that begin with `groot.` are options of the store, and come before `options`.
  ///   - options: The options for opening and writing the store.
  /// - Throws: ``Status/storeInvalid`` for a store that is damaged, ``Status/storeTooNew``,
  ///   ``Status/storeModel`` for a store of another model that cannot be migrated,
  ///   ``Status/storeDisconnected``, ``Status/unsupported`` without libpq; the database is then
  ///   unchanged.
  public convenience init(
    mapping: Mapping, storeURL: String, options: PostgreSQLStoreOptions = PostgreSQLStoreOptions()
  ) throws(GrootError) {
    let schema = StoreSchema(mapping)
    let store = try GrootError.carrying {
      try PostgreSQLStore(storeURL, schema: schema, options: options)
    }
    try self.init(mapping: mapping, schema: schema, store: store)
  }
}
