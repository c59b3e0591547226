import Groot

// Exports decoded as a program's Decodable types.

extension ManagedObjectContext {
  /// Decodes the export of an object as a type of the program.
  ///
  /// The keys are the JSON keys, and the mapping's functions have transformed the values. So
  /// ``importEncoded(_:into:options:)`` can import the same type.
  ///
  /// - Parameters:
  ///   - type: The type of the result.
  ///   - object: The object, of this context.
  ///   - options: The options.
  /// - Throws: as ``exportText(_:options:)`` and ``decode(_:from:depth:userInfo:)``.
  public func decode<Content: Decodable>(
    _ type: Content.Type, fromExportOf object: ManagedObject,
    options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> Content {
    try requireOwn(object)
    return try decode(type, .object(object.id), options)
  }

  /// Decodes the export of an object as a type of the program.
  ///
  /// - Parameters:
  ///   - type: The type of the result.
  ///   - object: The object, of this context.
  ///   - options: The options.
  /// - Throws: as for a `ManagedObject`.
  public func decode<Content: Decodable>(
    _ type: Content.Type, fromExportOf object: some Entity,
    options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> Content {
    try decode(type, fromExportOf: object.managedObject, options: options)
  }

  /// Decodes the export of objects as values of a type of the program.
  ///
  /// - Parameters:
  ///   - type: The type of the result.
  ///   - objects: The objects, of this context.
  ///   - options: The options.
  /// - Throws: as for one object.
  public func decode<Content: Decodable>(
    _ type: Content.Type, fromExportOf objects: some Sequence<ManagedObject>,
    options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> [Content] {
    let ids = try ids(of: objects)
    var options = options
    options.writesLines = false
    return try ExportTarget.borrowing(ids) { try decode([Content].self, $0, options) }
  }

  /// Decodes the export of objects as values of a type of the program.
  ///
  /// - Parameters:
  ///   - type: The type of the result.
  ///   - objects: The objects, of this context.
  ///   - options: The options.
  /// - Throws: as for one object.
  public func decode<Content: Decodable, Object: Entity>(
    _ type: Content.Type, fromExportOf objects: some Sequence<Object>,
    options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> [Content] {
    try decode(type, fromExportOf: objects.map(\.managedObject), options: options)
  }

  private func decode<Content: Decodable>(
    _ type: Content.Type, _ target: ExportTarget, _ options: ExportOptions
  ) throws(GrootError) -> Content {
    // As doubles, decimals keep their digits.
    let json = try withExport(of: target, options: options, asDoubles: true) { writer, _ in
      try JSONValue(parsing: writer.finish())
    }
    do {
      return try NodeDecoder(.value(.json(json)), userInfo: [:]).content(type)
    } catch {
      throw GrootError(coding: error)
    }
  }
}
