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
      try input.openWhole(usesScanner: options.usesScanner, graph.memory) { input in
        return try importing(input, options: options) { transaction in
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
