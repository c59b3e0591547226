import Groot

/// The options for opening and writing a store in SQLite.
public struct SQLiteStoreOptions {
  /// The guarantee that a save waits for.
  public typealias Durability = StoreDurability
  /// The treatment of a store that was made for another model.
  public typealias Migration = StoreMigrationRule
  /// The access to the file.
  public typealias Access = StoreAccess

  /// The guarantee that a save waits for.
  public var durability = Durability.full
  /// The behaviour of a save when another process has written to the same object.
  public var conflicts = ConflictPolicy.error
  /// The time to wait for another process that is writing, in milliseconds.
  public var busyTimeout = 10_000
  /// The access to the file; a store that is not written must exist and be of the same model.
  public var access = Access.readWrite
  /// Whether a missing file is created.
  public var creates = true
  /// The treatment of a store that was made for another model.
  public var migration = Migration.lossless
  /// Whether the file may have triggers, which run during saves.
  ///
  /// A new store has no triggers: another program or person has added them, so they are untrusted.
  public var allowsTriggers = false
  /// Whether the file has a view of each entity for people, such as `Hero_view`.
  ///
  /// A view has dates as ISO 8601 text and the names of linked objects. A file with views keeps
  /// them: a migration makes them anew.
  public var makesViews = false
  /// Whether the file has triggers that raise the version of each row that another program changes.
  ///
  /// A context then finds such changes without help of the program. A file with these triggers keeps
  /// them, a migration makes them anew, and ``allowsTriggers`` is not needed for them.
  public var raisesVersions = false
  /// The path for a copy of the store, made before a migration; nil for no copy.
  public var backup: String?
  /// The function that receives the progress of a migration; false ends the migration, and leaves
  /// the file unchanged.
  public var progress: ((CallProgress) -> Bool)?
  /// The receiver of log messages; nil for none.
  public var log: StoreLog?

  /// Makes the default options.
  public init() {}
}

extension ManagedObjectContext {
  /// Makes a context on the store in a file.
  ///
  /// The file is an SQLite database (docs/reference/store.md). If the file is missing or empty, a
  /// new store is created.
  ///
  /// - Parameters:
  ///   - mapping: The mapping of imports and exports, with the model that the store is made for.
  ///   - storePath: The path of the file.
  ///   - options: The options for opening and writing the store.
  /// - Throws: ``Status/storeInvalid`` for a file that is not a store, ``Status/storeTooNew``,
  ///   ``Status/storeModel`` for a store of another model that cannot be migrated,
  ///   ``Status/fileError``; the file is then unchanged.
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
