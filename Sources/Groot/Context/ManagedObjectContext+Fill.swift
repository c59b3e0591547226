// Setting the attributes of one object from a JSON object.

extension ManagedObjectContext {
  /// Sets the attributes of one object from a JSON object; relationships are unchanged.
  ///
  /// Identity attributes are set too. On failure the object is unchanged.
  ///
  /// - Parameters:
  ///   - object: The id of the object.
  ///   - input: One JSON object.
  ///   - options: The options for reading it.
  /// - Throws: ``GrootError`` as an import does; ``Status/objectDeleted``,
  ///   ``Status/unknownObject``.
  @discardableResult
  public func fill(
    _ object: ObjectID, from input: JSONInput, options: ImportOptions = ImportOptions()
  ) throws(GrootError) -> ImportReport {
    try cancellably(.importing) {
      try input.borrow { input in
        let source = try ImportSource(
          whole: input, usesScanner: options.usesScanner, graph.memory)
        return try importing(source, options: options) { transaction in
          _ = try graph.record(object)
          try coordinator?.read(object.row, in: object.table)
          guard try transaction.next(), transaction.path == "$" else { throw Importer.noObject }
          try transaction.importer.fillObject(object)
          coordinator?.noteClaim(object.row, in: object.table)
        }.report
      }
    }
  }

  /// Sets the attributes of one object from a JSON object; relationships are unchanged.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - input: One JSON object.
  ///   - options: The options for reading it.
  /// - Throws: as ``fill(_:from:options:)-(ObjectID,_,_)``; ``Status/invalidArgument`` for an object
  ///   of another context.
  @discardableResult
  public func fill(
    _ object: ManagedObject, from input: JSONInput, options: ImportOptions = ImportOptions()
  ) throws(GrootError) -> ImportReport {
    try requireOwn(object)
    return try fill(object.id, from: input, options: options)
  }
}

extension Importer {
  fileprivate static var noObject: GrootError {
    GrootError(
      GrootIssue(.wrongShape, "a fill takes one JSON object", path: "$"))
  }

  /// Sets the attributes of an object from the element on the tape.
  func fillObject(_ object: ObjectID) throws {
    beginElement()
    fillsAttributesOnly = true
    let number = PlanIndex(of: graph.entity(try graph.record(object), in: object.table))
    let entity = plan.entities + number
    let kind = tape.tokens[0].kind
    guard kind == .object || (kind == .array && entity.takesArrays) else {
      throw Self.noObject
    }
    var record = MatchedRecord(object: .first, plan: number, slots: slots.count)
    if entity.dictionaryTransformer >= 0 {
      record.token = try transformObject(
        entity.dictionaryTransformer, object: record.object, entity: number)
    }
    try match(record.token, entity: entity, base: record.slots)
    // An object of an abstract entity stays a placeholder until a record determines its entity.
    if !entity.isAbstract { graph.bring(object.row, in: object.table) }
    let scope = Scope(.skip, operations: targetOperations)
    let frame = ImportFrame(record, row: object.row, scope: scope, isNew: false)
    if looksForUnknownKeys { try noteUnknownKeys(frame) }
    try fill(frame)
  }
}
