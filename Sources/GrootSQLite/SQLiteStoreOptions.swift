import Groot

/// How a store in SQLite is opened and written.
public struct SQLiteStoreOptions {
  /// The guarantee that a save waits for.
  public enum Durability: String, CaseIterable, Sendable {
    /// The disk: saved objects survive a loss of power.
    case full
    /// The operating system: saved objects survive the end of the process; after a loss of power
    /// the last saves may be missing, whole.
    case normal
  }

  /// The treatment of a store that was made for another model.
  public enum Migration: Sendable {
    /// It is refused.
    case refused
    /// It is brought to this model, unless objects, values or links would go.
    case lossless
    /// It is brought to this model, and what that has no place for goes.
    case destructive
  }

  /// The guarantee that a save waits for.
  public var durability = Durability.full
  /// The behaviour of a save where another process has written to the same object.
  public var conflicts = ConflictPolicy.error
  /// How long to wait for another process that is writing, in milliseconds.
  public var busyTimeout = 10_000
  /// Whether a file is made when there is none.
  public var creates = true
  /// Whether a store that was made for another model is brought to this one, where that can be
  /// done.
  public var migration = Migration.lossless
  /// Whether the file may have triggers, which run inside saves.
  ///
  /// A store is made without triggers: a person who had the file has put them there.
  public var allowsTriggers = false
  /// Whether the file gets a view of each entity: `Hero_view` with dates as ISO 8601 has them and
  /// the names of linked objects.
  ///
  /// Once made, the views stay: each migration makes them anew.
  public var makesViews = false
  /// Where a copy of the store goes before it is brought to another model; nil for none.
  public var backup: String?
  /// Is told now and then that a store is being brought to another model; false ends that, and the
  /// file is then as it was.
  public var progress: ((CallProgress) -> Bool)?
  /// Is told what happens; nil: nobody is.
  public var log: SQLiteLog?

  /// Makes the default options.
  public init() {}
}

extension ManagedObjectContext {
  /// Makes a context that a file keeps: with all objects in it, and saved to it.
  ///
  /// The file is an SQLite database (docs/reference/store.md). One that does not exist, or is
  /// empty, is made a store.
  ///
  /// - Parameters:
  ///   - mapping: The mapping of imports and exports, with the model that the store is made for.
  ///   - storePath: Where the file is.
  ///   - options: How the store is opened and written.
  /// - Throws: ``Status/storeInvalid`` for a file that is something else, ``Status/storeTooNew``,
  ///   ``Status/storeModel`` for a store of another model, ``Status/fileError``; the file is then
  ///   as it was.
  public convenience init(
    mapping: Mapping, storePath: String, options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(GrootError) {
    let schema = StoreSchema(mapping)
    let store = try GrootError.carrying {
      try SQLiteStore(storePath, schema: schema, options: options)
    }
    try self.init(mapping: mapping, schema: schema, store: store)
  }
}
