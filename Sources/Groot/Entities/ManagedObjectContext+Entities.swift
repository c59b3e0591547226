// Imports, fetches and inserts of typed objects.

extension ManagedObjectContext {
  /// Imports JSON text: one object, or an array of objects, of identifiers, or of both.
  ///
  /// - Parameters:
  ///   - text: The JSON.
  ///   - type: The entity of the objects.
  ///   - options: How it is imported.
  /// - Throws: as ``importJSON(_:as:options:)``.
  @discardableResult
  public func importText<Object: Entity>(
    _ text: String, as type: Object.Type, options: ImportOptions = ImportOptions()
  ) throws(GrootError) -> [Object] {
    try Array(importJSON(.text(text), as: type, options: options))
  }

  /// Imports JSON, and returns the objects and a report.
  ///
  /// - Parameters:
  ///   - input: The JSON: a text, bytes, a file or a value.
  ///   - type: The entity of the objects.
  ///   - options: How it is imported.
  /// - Throws: as ``importJSON(_:into:options:)``; ``Status/invalidModel`` when the type and the
  ///   model disagree.
  @discardableResult
  public func importJSON<Object: Entity>(
    _ input: JSONInput, as type: Object.Type, options: ImportOptions = ImportOptions()
  ) throws(GrootError) -> ImportedObjects<Object> {
    try check(type)
    return ImportedObjects(result: try importJSON(input, into: type.entity.name, options: options))
  }

  /// Synchronizes objects with JSON that lists all of them.
  ///
  /// - Parameters:
  ///   - type: The entity of the objects.
  ///   - input: The JSON with all objects.
  ///   - condition: The scope of the synchronization; nil for the one in the options.
  ///   - options: The options of the synchronization.
  /// - Throws: as ``sync(_:with:options:)``; ``Status/invalidModel`` when the type and the model
  ///   disagree.
  @discardableResult
  public func sync<Object: Entity>(
    _ type: Object.Type, with input: JSONInput, where condition: Condition<Object>? = nil,
    options: SyncOptions = SyncOptions()
  ) throws(GrootError) -> ImportedObjects<Object> {
    try check(type)
    var options = options
    if let condition { options.predicate = condition.predicate }
    return ImportedObjects(result: try sync(type.entity.name, with: input, options: options))
  }

  /// Fetches objects.
  ///
  /// - Parameters:
  ///   - type: The entity of the objects.
  ///   - condition: The condition for the objects; nil means no condition.
  ///   - keys: The sort keys; without any, the order is that of insertion.
  ///   - limit: The greatest number of objects; nil means no limit.
  ///   - offset: The number of objects to skip.
  /// - Throws: as ``fetch(_:)-(FetchRequest)``; ``Status/invalidModel`` when the type and the model
  ///   disagree.
  public func fetch<Object: Entity>(
    _ type: Object.Type, where condition: Condition<Object>? = nil,
    sort keys: [EntitySortKey<Object>] = [],
    limit: Int? = nil, offset: Int = 0
  ) throws(GrootError) -> [Object] {
    try check(type)
    let request = FetchRequest(
      type.entity.name, where: condition?.predicate, sort: keys.map(\.key), limit: limit,
      offset: offset)
    return try fetchIDs(request).map {
      Object(managedObject: ManagedObject(context: self, id: $0))
    }
  }

  /// Returns the number of objects that meet a condition.
  ///
  /// - Throws: as ``fetch(_:where:sort:limit:offset:)``.
  public func count<Object: Entity>(
    _ type: Object.Type, where condition: Condition<Object>? = nil
  ) throws(GrootError) -> Int {
    try check(type)
    return try count(FetchRequest(type.entity.name, where: condition?.predicate))
  }

  /// Inserts an object with default values.
  ///
  /// - Throws: as ``insert(_:)``.
  public func insert<Object: Entity>(_ type: Object.Type) throws(GrootError) -> Object {
    try check(type)
    return Object(managedObject: try insert(type.entity.name))
  }

  /// Deletes an object by the delete rules of its relationships; on failure, nothing is deleted.
  ///
  /// - Throws: as ``delete(_:)-(ManagedObject)``.
  public func delete(_ object: some Entity) throws(GrootError) {
    try delete(object.managedObject)
  }

  /// Returns an object as JSON text.
  ///
  /// - Throws: as for a ``ManagedObject``.
  public func exportText(
    _ object: some Entity, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> String {
    try exportText(object.managedObject, options: options)
  }

  /// Returns objects as the JSON text of an array.
  ///
  /// - Throws: as for several values of ``ManagedObject``.
  public func exportText<Object: Entity>(
    _ objects: some Sequence<Object>, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> String {
    try exportText(objects.map(\.managedObject), options: options)
  }
}
