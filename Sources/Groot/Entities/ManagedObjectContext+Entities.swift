#if Entities

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
  ///   - options: The options of the synchronization.
  ///   - condition: The function that makes the scope; nil for the scope in the options.
  /// - Throws: as ``sync(_:with:options:)``; ``Status/invalidModel`` when the type and the model
  ///   disagree.
  @discardableResult
  public func sync<Object: Entity>(
    _ type: Object.Type, with input: JSONInput, options: SyncOptions = SyncOptions(),
    where condition: ((EntityPaths<Object>) -> Condition<Object>)? = nil
  ) throws(GrootError) -> ImportedObjects<Object> {
    try check(type)
    var options = options
    if let condition { options.predicate = Condition(condition).predicate }
    return ImportedObjects(result: try sync(type.entity.name, with: input, options: options))
  }

  /// Fetches objects.
  ///
  /// ```swift
  /// try context.fetch(Hero.self, sort: .descending(\.rating), limit: 10) { $0.publisher.name == "DC" }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The entity of the objects.
  ///   - keys: The sort keys; without any, the order is that of insertion.
  ///   - limit: The greatest number of objects; nil means no limit.
  ///   - offset: The number of objects to skip.
  ///   - condition: The function that makes the condition; nil means no condition.
  /// - Throws: as ``fetch(_:)-(FetchRequest)``; ``Status/invalidModel`` when the type and the model
  ///   disagree.
  public func fetch<Object: Entity>(
    _ type: Object.Type, sort keys: EntitySortKey<Object>..., limit: Int? = nil, offset: Int = 0,
    where condition: ((EntityPaths<Object>) -> Condition<Object>)? = nil
  ) throws(GrootError) -> [Object] {
    try check(type)
    let request = FetchRequest(
      type.entity.name, where: condition.map { Condition($0).predicate }, sort: keys.map(\.key),
      limit: limit, offset: offset)
    return try fetchIDs(request).map {
      Object(managedObject: ManagedObject(context: self, id: $0))
    }
  }

  /// Returns the number of objects that meet a condition.
  ///
  /// - Parameters:
  ///   - type: The entity of the objects.
  ///   - condition: The function that makes the condition; nil means no condition.
  /// - Throws: as ``fetch(_:sort:limit:offset:where:)``.
  public func count<Object: Entity>(
    _ type: Object.Type,
    where condition: ((EntityPaths<Object>) -> Condition<Object>)? = nil
  ) throws(GrootError) -> Int {
    try check(type)
    let predicate = condition.map { Condition($0).predicate }
    return try count(FetchRequest(type.entity.name, where: predicate))
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

  /// Sets the attributes of one object from a JSON object; relationships are unchanged.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - input: One JSON object.
  ///   - options: The options for reading it.
  /// - Throws: as for a ``ManagedObject``.
  @discardableResult
  public func fill(
    _ object: some Entity, from input: JSONInput, options: ImportOptions = ImportOptions()
  ) throws(GrootError) -> ImportReport {
    try fill(object.managedObject, from: input, options: options)
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

  /// Returns an object as a JSON value.
  ///
  /// - Throws: as for a ``ManagedObject``.
  public func exportValue(
    _ object: some Entity, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> JSONValue {
    try exportValue(object.managedObject, options: options)
  }

  /// Returns objects as a JSON value, an array.
  ///
  /// - Throws: as for several values of ``ManagedObject``.
  public func exportValue<Object: Entity>(
    _ objects: some Sequence<Object>, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> JSONValue {
    try exportValue(objects.map(\.managedObject), options: options)
  }
}

#endif
