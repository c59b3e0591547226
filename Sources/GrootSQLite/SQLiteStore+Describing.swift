import Groot
import GrootSQL

// The facts about a store of any model.

extension SQLiteStore {
  /// Describes a store that was opened without its schema.
  func description(countsObjects: Bool) throws -> StoreDescription {
    guard try !check() else {
      throw GrootError(.storeInvalid, "the file '\(database.path)' is empty, not a store")
    }
    try beginReading()
    defer { endReading() }
    let text = try metadata("model")
    guard let model = try? JSONValue(parsing: text),
      let schema = try? StoreSchema(document: model)
    else { throw damaged("its model cannot be read") }
    let format = try fileFormat()
    let layout = SQLLayout(schema, dialect: SQLiteDialect(format: format))
    var found = StoreDescription(
      format: format,
      size: try database.integer("PRAGMA page_count") * database.integer("PRAGMA page_size"),
      hasViews: try optionalMetadata(Self.viewsKey) != nil, model: model)
    try eachNote { found.notes[$0] = $1 }
    found.statements = SQLDefinition(schema: schema, layout: layout).statements
    if countsObjects {
      found.counts = try SQLContent(layout, runner: database).entityCounts(schema)
    }
    return found
  }
}

extension StoreDescription {
  /// Reads the facts about the store in a file, which is not changed.
  ///
  /// - Parameters:
  ///   - storePath: The path of the file.
  ///   - countsObjects: Whether to count the objects, which reads the whole store.
  /// - Throws: ``Status/storeInvalid`` for a file that is not a store, ``Status/storeTooNew``,
  ///   ``Status/fileError``.
  public init(storePath: String, countsObjects: Bool = false) throws(GrootError) {
    self = try GrootError.carrying {
      var options = SQLiteStoreOptions()
      options.creates = false
      let store = try SQLiteStore(
        storePath, schema: StoreSchema.unknown, options: options, isKnown: false)
      return try store.description(countsObjects: countsObjects)
    }
  }
}
