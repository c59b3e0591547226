// Setting the attributes of one object from a JSON object.

extension ManagedObjectContext {
  /// Sets the attributes of one object from JSON text, an object; relationships are not touched.
  ///
  /// Identity attributes are set, too. On failure the object is as it was.
  ///
  /// - Throws: ``GrootError`` as an import does; ``Status/objectDeleted``, ``Status/unknownObject``.
  @discardableResult
  public func fillText(
    _ text: String, into object: ObjectID, options: ImportOptions = ImportOptions()
  ) throws -> ImportReport {
    var text = text
    return try text.withUTF8 {
      try fillBytes(UnsafeRawBufferPointer($0), into: object, options: options)
    }
  }

  /// The same with text in memory that is borrowed for the call.
  @discardableResult
  public func fillBytes(
    _ text: UnsafeRawBufferPointer, into object: ObjectID,
    options: ImportOptions = ImportOptions()
  ) throws -> ImportReport {
    let reader = JSONReader(text: text, usesScanner: options.usesScanner)
    return try fill(object, options: options, on: reader.tape, reader: reader) { _ in
      guard try reader.next(), reader.elementPath == "$" else { throw Self.noObject }
    }
  }

  /// The same with a JSON value.
  @discardableResult
  public func fillValue(
    _ json: JSONValue, into object: ObjectID, options: ImportOptions = ImportOptions()
  ) throws -> ImportReport {
    let tape = JSONTape()
    return try fill(object, options: options, on: tape, reader: nil) { _ in
      _ = try json.append(to: tape)
    }
  }

  static var noObject: GrootError {
    GrootError(
      Issue(.wrongShape, "an object is filled from one JSON object", path: "$"))
  }

  /// Fills an object from what `read` puts on the tape.
  func fill(
    _ object: ObjectID, options: ImportOptions, on tape: JSONTape, reader: JSONReader?,
    read: (Importer) throws -> Void
  ) throws -> ImportReport {
    try transaction(options, on: tape, reader: reader) { run in
      _ = try graph.record(object)
      try coordinator?.read(object.row, in: object.table)
      try read(run.importer)
      try run.importer.fillObject(object)
    }.report
  }
}

extension Importer {
  /// Sets the attributes of an object from the element on the tape.
  func fillObject(_ object: ObjectID) throws {
    beginElement()
    fillsAttributesOnly = true
    let number = PlanIndex(of: graph.entity(try graph.record(object), in: object.table))
    let entity = plan.entities + number
    let kind = tape.tokens[0].kind
    guard kind == .object || (kind == .array && entity.pointee.positionCount > 0) else {
      throw ManagedObjectContext.noObject
    }
    var record = MatchedRecord(object: 0, plan: number, slots: slots.count)
    if entity.pointee.dictionaryTransformer >= 0 {
      record.token = try transformObject(
        entity.pointee.dictionaryTransformer, object: record.object, entity: number)
    }
    try match(record.token, entity: entity, base: record.slots)
    // What is of an abstract entity stays a placeholder: a record has yet to say of which it is.
    if !entity.pointee.isAbstract { graph.bring(object.row, in: object.table) }
    let scope = Scope(.skip, operations: targetOperations)
    try fill(ImportFrame(record, row: object.row, scope: scope, isNew: false))
  }
}
