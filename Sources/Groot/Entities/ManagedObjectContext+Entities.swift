#if Entities

// Typed objects: imports, fetches and inserts, accesses, and checks of their types.

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

// Reading and writing the properties of typed objects, which cannot throw.

extension ManagedObjectContext {
  /// Throws the first failure in reading or writing a typed object's property.
  ///
  /// Imports, exports, fetches, aggregates, saves and refreshes do this first, once for each
  /// failure. ``rollback()`` discards it.
  ///
  /// - Throws: as reading or writing the property of a ``ManagedObject``; ``Status/missingValue``
  ///   or ``Status/wrongType`` for a value that does not fit the type of the property.
  public func checkAccess() throws(GrootError) { try accessFailure.check() }

  /// Returns whether an object exists and is of an entity or its descendants.
  func isObject(_ object: ObjectID, of type: (some Entity).Type) -> Bool {
    do {
      return try exclusively {
        let record = try graph.record(object)
        let entity = try model.index(of: type.entity.name)
        return model.isKind(graph.entity(record, in: object.table), of: entity)
      }
    } catch {
      return false
    }
  }

  /// Keeps a failure for the next call that throws.
  @usableFromInline
  func note(_ error: GrootError) { accessFailure.note(error) }

  /// Keeps a failure in reading or writing a property of an object.
  @usableFromInline @inline(never)
  func note(_ error: GrootError, in access: PropertyAccess, of key: PropertyKey) {
    guard error.status == .objectDeleted, let issue = error.issues.first else { return note(error) }
    note(
      GrootError(
        .objectDeleted,
        "\(access.rawValue) after delete: \(issue.message); "
          + "ask its managedObject.isDeleted first", entity: issue.entity, property: key.name))
  }

  /// Runs an access, and keeps its failure for the next call that throws.
  @discardableResult
  func noting<Result>(
    _ access: PropertyAccess, of key: PropertyKey, body: () throws -> Result
  ) -> Result? {
    do {
      return try body()
    } catch {
      note(GrootError(carrying: error), in: access, of: key)
      return nil
    }
  }
}

/// A use of a property.
@usableFromInline
enum PropertyAccess: String {
  case read
  case write
}

// The checks of entity types against the model.

extension ManagedObjectContext {
  /// Throws an error if a type contradicts the model; each type is checked once.
  ///
  /// - Throws: ``Status/unknownEntity``; ``Status/invalidModel`` with an issue for each property.
  func check<Object: Entity>(_ type: Object.Type) throws(GrootError) {
    if checkedTypes.contains(ObjectIdentifier(type)) { return }
    let entity = type.entity.name
    let index = try GrootError.carrying { try model.index(of: entity) }
    let issues = type.propertyKeys.compactMap { key -> GrootIssue? in
      guard let declaration = key.declaration else { return nil }
      return disagreement(declaration, key.name, of: index).map {
        GrootIssue(.invalidModel, "the type \(type) \($0)", entity: entity, property: key.name)
      }
    }
    guard issues.isEmpty else { throw GrootError(.invalidModel, issues) }
    checkedTypes.insert(ObjectIdentifier(type))
  }

  private func disagreement(
    _ declaration: PropertyKey.Declaration, _ name: String, of entity: EntityIndex
  ) -> String? {
    guard let property = try? model.property(named: name, of: entity) else {
      return "has this property, which the entity of the model lacks"
    }
    switch (declaration, property.attribute, property.relationship) {
    case (.attribute(let declared), let actual?, _):
      guard ValueKind(declared.type) != ValueKind(actual.type) else { return nil }
      // A URI may be read as a string.
      if declared.type == .string && actual.type == .uri { return nil }
      return "has \(declared.type.rawValue) here; the model has \(actual.type.rawValue)"
    case (.relationship(let declared), _, let actual?):
      guard declared.isToMany == actual.isToMany else {
        return "has \(declared.isToMany ? "many members" : "one member") here; the model has "
          + "\(declared.isToMany ? "one" : "many")"
      }
      guard let destination = try? model.index(of: declared.destination),
        let found = try? model.index(of: actual.destination), model.isKind(found, of: destination)
      else {
        return "has '\(declared.destination)' as destination; the model has '\(actual.destination)'"
      }
      return nil
    case (.attribute, _, _): return "has an attribute here; the model has a relationship"
    case (.relationship, _, _): return "has a relationship here; the model has an attribute"
    }
  }
}

#endif
