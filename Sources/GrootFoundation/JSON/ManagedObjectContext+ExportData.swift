import Foundation
import Groot

// Exports as data, and to files at URLs.

extension ManagedObjectContext {
  /// Exports one object as JSON text in UTF-8.
  ///
  /// - Throws: as ``exportText(_:options:)``.
  public func exportData(
    _ object: ManagedObject, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> Data {
    try requireOwn(object)
    return try exportData(.object(object.id), options)
  }

  /// Exports one object as JSON text in UTF-8.
  ///
  /// - Throws: as ``exportText(_:options:)``.
  public func exportData(
    _ object: some Entity, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> Data {
    try exportData(object.managedObject, options: options)
  }

  /// Exports objects as JSON text in UTF-8, an array.
  ///
  /// - Throws: as ``exportText(_:options:)``.
  public func exportData(
    _ objects: some Sequence<ManagedObject>, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> Data {
    try exportData(ids(of: objects), options: options)
  }

  /// Exports objects as JSON text in UTF-8, an array.
  ///
  /// - Throws: as ``exportText(_:options:)``.
  public func exportData<Object: Entity>(
    _ objects: some Sequence<Object>, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> Data {
    try exportData(ids(of: objects.lazy.map(\.managedObject)), options: options)
  }

  /// Exports objects as JSON text in UTF-8, an array.
  ///
  /// - Throws: as ``exportText(_:options:)``.
  public func exportData(
    _ objects: [ObjectID], options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> Data {
    try ExportTarget.borrowing(objects) { try exportData($0, options) }
  }

  /// Exports the objects of a fetch as JSON text in UTF-8, an array.
  ///
  /// - Throws: as ``export(_:options:to:)-(FetchRequest,_,_)``.
  public func exportData(
    _ request: FetchRequest, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> Data {
    try exportData(.request(request), options)
  }

  /// Exports objects as JSON text to a file.
  ///
  /// The file appears, or is replaced, only when it is complete.
  ///
  /// - Parameters:
  ///   - objects: The objects, of this context.
  ///   - url: The file URL.
  ///   - options: The options.
  /// - Throws: ``Status/invalidArgument`` when the URL is not a file URL; ``Status/fileError``, and
  ///   an existing file is then unchanged.
  public func export(
    _ objects: [ObjectID], toFile url: URL, options: ExportOptions = ExportOptions()
  ) throws(GrootError) {
    try export(objects, toFile: url.filePath(), options: options)
  }

  /// Exports the objects of a fetch as JSON text to a file.
  ///
  /// The file appears, or is replaced, only when it is complete.
  ///
  /// - Parameters:
  ///   - request: The request for the objects and their order.
  ///   - url: The file URL.
  ///   - options: The options.
  /// - Returns: The number of objects that were written.
  /// - Throws: as for objects.
  @discardableResult
  public func export(
    _ request: FetchRequest, toFile url: URL, options: ExportOptions = ExportOptions()
  ) throws(GrootError) -> Int {
    try export(request, toFile: url.filePath(), options: options)
  }

  private func exportData(
    _ target: ExportTarget, _ options: ExportOptions
  ) throws(GrootError) -> Data {
    try withExport(of: target, options: options) { writer, _ in Data(try writer.finish()) }
  }
}
