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
    return try fill(object, options, reader.tape, reader) { _ in
      guard try reader.next(), reader.elementPath == "$" else { throw Self.noObject }
    }
  }

  /// The same with a JSON value.
  @discardableResult
  public func fillValue(
    _ json: JSONValue, into object: ObjectID, options: ImportOptions = ImportOptions()
  ) throws -> ImportReport {
    let tape = JSONTape()
    return try fill(object, options, tape, nil) { _ in _ = try json.append(to: tape) }
  }

  static var noObject: GrootError {
    GrootError(
      Issue(.wrongShape, "an object is filled from one JSON object", path: "$"))
  }

  /// Fills an object from what `read` puts on the tape.
  func fill(
    _ object: ObjectID, _ options: ImportOptions, _ tape: JSONTape, _ reader: JSONReader?,
    _ read: (Importer) throws -> Void
  ) throws -> ImportReport {
    try transaction(options, tape, reader) { run in
      _ = try graph.record(object)
      try coordinator?.read(object.table, object.row)
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
    let number = PlanIndex(of: graph.entity(object.table, try graph.record(object)))
    let entity = plan.entities + number
    let kind = tape.tokens[0].kind
    guard kind == .object || (kind == .array && entity.pointee.positionCount > 0) else {
      throw ManagedObjectContext.noObject
    }
    var token = 0
    if entity.pointee.dictionaryTransformer >= 0 {
      token = try transformObject(entity.pointee.dictionaryTransformer, token, number)
    }
    try match(token, entity, slots.count)
    // What is of an abstract entity stays a placeholder: a record has yet to say of which it is.
    if !entity.pointee.isAbstract { graph.bring(object.table, object.row) }
    let scope = Scope(.skip, targetOperations)
    try fill(ImportFrame(token, number, object.row, 0, scope, isNew: false, false))
  }
}
