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
    return try exportText(options) { try $0.write(object.id) }
  }

  /// Returns objects as JSON text, an array.
  ///
  /// - Throws: as ``exportText(_:options:)-(ManagedObject,_)``.
  public func exportText(
    _ objects: some Sequence<ManagedObject>, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> String {
    let ids = try ids(of: objects)
    return try exportText(options) { exporter in
      try ids.withUnsafeBufferPointer { try exporter.write($0) }
    }
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
    try exportBytes(options) { exporter in
      try objects.withUnsafeBufferPointer { try exporter.write($0) }
    }
  }

  private func exportText(
    _ options: ExportOptions, body: (Exporter) throws -> Void
  ) throws(GrootError) -> String {
    try withExport(options) { exporter, writer in
      try body(exporter)
      return String(decoding: try writer.finish(), as: UTF8.self)
    }
  }

  private func exportBytes(
    _ options: ExportOptions, body: (Exporter) throws -> Void
  ) throws(GrootError) -> [UInt8] {
    try withExport(options) { exporter, writer in
      try body(exporter)
      return Array(try writer.finish())
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
    try GrootError.carrying {
      try objects.withUnsafeBufferPointer { try export($0, options: options, to: sink) }
    }
  }

  package func export(
    _ objects: UnsafeBufferPointer<ObjectID>, options: ExportOptions,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try cancellably(.exporting) { try write(objects, options: options, to: sink) }
  }

  /// Writes objects inside a call that uses the context.
  func write(
    _ objects: UnsafeBufferPointer<ObjectID>, options: ExportOptions,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let writer = JSONWriter(account: graph.memory, sink: sink)
    try work.exporter(writer, options: options).write(objects)
    try writer.finish()
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
    try GrootError.carrying {
      try objects.withUnsafeBufferPointer { try export($0, options: options, toFile: path) }
    }
  }

  package func export(
    _ objects: UnsafeBufferPointer<ObjectID>, options: ExportOptions, toFile path: String
  ) throws {
    let file = try OutputFile(path)
    try export(objects, options: options) { try file.write($0) }
    try file.finish()
  }

  /// Calls `body` with an exporter that writes into memory.
  package func withExport<Result>(
    _ options: ExportOptions, body: (Exporter, JSONWriter) throws -> Result
  ) throws(GrootError) -> Result {
    try cancellably(.exporting) {
      let writer = JSONWriter(account: graph.memory)
      return try body(work.exporter(writer, options: options), writer)
    }
  }
}

extension UnitOfWork {
  /// Returns an exporter of the objects.
  func exporter(_ writer: JSONWriter, options: ExportOptions) throws -> Exporter {
    try Exporter(
      graph: graph, store: coordinator, mapping: usable(options.mapping), writer: writer,
      options: options)
  }
}
