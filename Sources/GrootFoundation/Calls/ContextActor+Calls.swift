import Foundation
import Groot

// The most frequent calls of tasks: import, export, fetch, save.

/// The objects that an import found or made, and its report.
public struct ImportSummary: Sendable {
  /// As ``ImportResult/ids``.
  public let ids: [ObjectID]
  /// The report of the import.
  public let report: ImportReport

  init(_ result: ImportResult) {
    ids = result.ids
    report = result.report
  }
}

extension ContextActor {
  /// Imports JSON.
  ///
  /// - Parameters:
  ///   - input: The JSON; how it is read is the options'.
  ///   - entity: The entity; nil for an envelope, which names entities itself.
  ///   - options: How to do it.
  ///   - progress: Is told how many records are done; cancelling it ends the call.
  /// - Throws: as ``ManagedObjectContext/importJSON(_:into:options:)``; ``Status/cancelled``.
  @discardableResult
  public func importJSON(
    _ input: sending JSONInput, into entity: String?,
    options: sending ImportOptions = ImportOptions(), progress: Progress? = nil
  ) async throws(GrootError) -> ImportSummary {
    try await call(progress) {
      ImportSummary(try $0.importJSON(input, into: entity, options: options))
    }
  }

  /// Imports what a value is encoded as.
  ///
  /// - Parameters:
  ///   - content: The value to encode; an object, or an array of objects.
  ///   - entity: The entity; nil for an envelope, which names entities itself.
  ///   - options: How to do it.
  ///   - progress: Is told how many records are done; cancelling it ends the call.
  /// - Throws: as ``ManagedObjectContext/importEncoded(_:into:options:)``; ``Status/cancelled``.
  @discardableResult
  public func importEncoded(
    _ content: some Encodable & Sendable, into entity: String?,
    options: sending ImportOptions = ImportOptions(), progress: Progress? = nil
  ) async throws(GrootError) -> ImportSummary {
    try await call(progress) {
      ImportSummary(try $0.importEncoded(content, into: entity, options: options))
    }
  }

  /// Brings the objects of an entity up to date with JSON that lists all of them.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - input: The JSON; how it is read is the options'.
  ///   - options: How to do it.
  ///   - progress: Is told how many records are done; cancelling it ends the call.
  /// - Throws: as ``ManagedObjectContext/sync(_:with:options:)``; ``Status/cancelled``.
  @discardableResult
  public func sync(
    _ entity: String, with input: sending JSONInput,
    options: sending SyncOptions = SyncOptions(), progress: Progress? = nil
  ) async throws(GrootError) -> ImportSummary {
    try await call(progress) {
      ImportSummary(try $0.sync(entity, with: input, options: options))
    }
  }

  /// Exports the objects of a fetch as JSON text in UTF-8, an array.
  ///
  /// - Parameters:
  ///   - request: Which objects, in which order.
  ///   - options: How to do it.
  ///   - progress: Is told how many records are done; cancelling it ends the call.
  /// - Throws: as for a context; ``Status/cancelled``.
  public func exportData(
    _ request: FetchRequest, options: ExportOptions = ExportOptions(), progress: Progress? = nil
  ) async throws(GrootError) -> Data {
    try await call(progress) { try $0.exportData(request, options: options) }
  }

  /// Exports the objects of a fetch as JSON text in a file, which appears, or is replaced, when it
  /// is complete.
  ///
  /// - Parameters:
  ///   - request: Which objects, in which order.
  ///   - url: Where the file is; a file URL.
  ///   - options: How to do it.
  ///   - progress: Is told how many records are done; cancelling it ends the call.
  /// - Returns: The number of objects that were written.
  /// - Throws: as for a context; ``Status/cancelled``.
  @discardableResult
  public func export(
    _ request: FetchRequest, toFile url: URL, options: ExportOptions = ExportOptions(),
    progress: Progress? = nil
  ) async throws(GrootError) -> Int {
    try await call(progress) { try $0.export(request, toFile: url, options: options) }
  }

  /// Fetches objects as values of a program's own type.
  ///
  /// - Parameters:
  ///   - request: Which objects, in which order.
  ///   - type: The type that is made.
  ///   - depth: How many steps along relationships objects are decoded in full; nil means no limit.
  /// - Throws: as ``ManagedObjectContext/fetch(_:)`` and
  ///   ``ManagedObjectContext/decode(_:from:depth:userInfo:)``; ``Status/cancelled``.
  public func fetch<Content: Decodable & Sendable>(
    _ request: FetchRequest, as type: Content.Type, depth: Int? = nil
  ) async throws(GrootError) -> [Content] {
    try await call(nil) { try $0.decode(type, from: $0.fetch(request), depth: depth) }
  }

  /// Fetches the ids of objects.
  ///
  /// - Throws: as ``ManagedObjectContext/fetchIDs(_:)``; ``Status/cancelled``.
  public func fetchIDs(_ request: FetchRequest) async throws(GrootError) -> [ObjectID] {
    try await call(nil) { try $0.fetchIDs(request) }
  }

  /// The number of objects that a fetch would give.
  ///
  /// - Throws: as ``ManagedObjectContext/count(_:)``; ``Status/cancelled``.
  public func count(_ request: FetchRequest) async throws(GrootError) -> Int {
    try await call(nil) { try $0.count(request) }
  }

  /// Accepts all changes since the last save, and writes them to the store, if there is one.
  ///
  /// - Throws: as ``ManagedObjectContext/save()``; ``Status/cancelled``.
  public func save() async throws(GrootError) {
    try await call(nil) { try $0.save() }
  }
}
