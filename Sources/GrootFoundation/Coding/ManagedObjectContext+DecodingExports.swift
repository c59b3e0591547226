import Groot

// Exports as values of a program's own types, which are Decodable.

extension ManagedObjectContext {
  /// Decodes the export of an object as a value of a program's own type.
  ///
  /// The keys are those of the JSON, so that the same type can be imported by
  /// ``importEncoded(_:into:options:)``; values went through the mapping's functions.
  ///
  /// - Parameters:
  ///   - type: The type that is made.
  ///   - object: The object, of this context.
  ///   - options: How to do it.
  /// - Throws: as ``exportText(_:options:)`` and ``decode(_:from:depth:userInfo:)``.
  public func decode<Content: Decodable>(
    _ type: Content.Type, fromExportOf object: ManagedObject,
    options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> Content {
    try requireOwn(object)
    return try decode(type, options) { try $0.write(object.id) }
  }

  /// Decodes the export of an object as a value of a program's own type.
  ///
  /// - Parameters:
  ///   - type: The type that is made.
  ///   - object: The object, of this context.
  ///   - options: How to do it.
  /// - Throws: as for an object without type.
  public func decode<Content: Decodable>(
    _ type: Content.Type, fromExportOf object: some Entity,
    options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> Content {
    try decode(type, fromExportOf: object.managedObject, options: options)
  }

  /// Decodes the export of objects as values of a program's own type.
  ///
  /// - Parameters:
  ///   - type: The type that is made.
  ///   - objects: The objects, of this context.
  ///   - options: How to do it.
  /// - Throws: as for one object.
  public func decode<Content: Decodable>(
    _ type: Content.Type, fromExportOf objects: some Sequence<ManagedObject>,
    options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> [Content] {
    let ids = try ids(of: objects)
    var options = options
    options.writesLines = false
    return try decode([Content].self, options) { exporter in
      try ids.withUnsafeBufferPointer { try exporter.write($0) }
    }
  }

  /// Decodes the export of objects as values of a program's own type.
  ///
  /// - Parameters:
  ///   - type: The type that is made.
  ///   - objects: The objects, of this context.
  ///   - options: How to do it.
  /// - Throws: as for one object.
  public func decode<Content: Decodable, Object: Entity>(
    _ type: Content.Type, fromExportOf objects: some Sequence<Object>,
    options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> [Content] {
    try decode(type, fromExportOf: objects.map(\.managedObject), options: options)
  }

  private func decode<Content: Decodable>(
    _ type: Content.Type, _ options: ExportOptions, body: (Exporter) throws -> Void
  ) throws(GrootError) -> Content {
    let json = try withExport(options) { exporter, writer in
      // So that decimals keep their digits.
      writer.isReadAsDoubles = true
      try body(exporter)
      return try JSONValue(parsing: writer.finish())
    }
    do {
      return try NodeDecoder(.value(.json(json)), userInfo: [:]).content(type)
    } catch {
      throw GrootError(coding: error)
    }
  }
}
