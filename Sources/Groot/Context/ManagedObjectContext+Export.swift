// Exporting objects as JSON text.

extension ManagedObjectContext {
  /// Returns one object as JSON text.
  ///
  /// - Throws: ``Status/objectDeleted``, ``Status/unknownObject``; ``Status/invalidArgument`` for
  ///   an object of another context; the error of a reverse transformer is
  ///   ``GrootError/underlying``.
  public func exportText(
    _ object: ManagedObject, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> String {
    try requireOwn(object)
    return try exportText(.object(object.id), options: options)
  }

  /// Returns objects as JSON text, an array.
  ///
  /// - Throws: as ``exportText(_:options:)-(ManagedObject,_)``.
  public func exportText(
    _ objects: some Sequence<ManagedObject>, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> String {
    let ids = try ids(of: objects)
    return try ExportTarget.borrowing(ids) { try exportText($0, options: options) }
  }

  /// Returns one object as a JSON value.
  ///
  /// - Throws: as ``exportText(_:options:)-(ManagedObject,_)``.
  public func exportValue(
    _ object: ManagedObject, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> JSONValue {
    try JSONValue(parsing: exportText(object, options: options))
  }

  /// Returns objects as a JSON value, an array.
  ///
  /// - Throws: as ``exportText(_:options:)-(ManagedObject,_)``.
  public func exportValue(
    _ objects: some Sequence<ManagedObject>, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> JSONValue {
    var options = options
    options.writesLines = false
    return try JSONValue(parsing: exportText(objects, options: options))
  }

  /// Returns objects as JSON text in bytes, an array.
  ///
  /// - Throws: as ``exportText(_:options:)-(ManagedObject,_)``.
  public func exportBytes(
    _ objects: [ObjectID], options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> [UInt8] {
    try ExportTarget.borrowing(objects) { target in
      try withExport(of: target, options: options) { writer, _ in Array(try writer.finish()) }
    }
  }

  /// Writes objects as JSON text, an array, in pieces of about 64 KiB.
  ///
  /// Memory does not grow with the text.
  ///
  /// - Parameters:
  ///   - objects: The ids of the objects, in the order of the output.
  ///   - options: The properties to write, and their form.
  ///   - sink: The function that gets each piece, borrowed for the call; its error ends the export.
  /// - Throws: as ``exportText(_:options:)-(ManagedObject,_)``; the error of `sink` is
  ///   ``GrootError/underlying``.
  public func export(
    _ objects: [ObjectID], options: ExportOptions = ExportOptions(),
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws(GrootError) {
    try ExportTarget.borrowing(objects) { try export($0, options: options, to: sink) }
  }

  /// Writes objects as JSON text, an array, to a file.
  ///
  /// The file is created or replaced only when the text is complete.
  ///
  /// - Parameters:
  ///   - objects: The ids of the objects, in the order of the output.
  ///   - path: The path of the file.
  ///   - options: The properties to write, and their form.
  /// - Throws: as ``exportText(_:options:)-(ManagedObject,_)``; also ``Status/fileError``. An
  ///   existing file at `path` is then unchanged.
  public func export(
    _ objects: [ObjectID], toFile path: String, options: ExportOptions = ExportOptions()
  ) throws(GrootError) {
    try ExportTarget.borrowing(objects) { try export($0, options: options, toFile: path) }
  }
}
