import Foundation
import Groot

/// A context that tasks share, one after the other, on a separate queue.
///
/// ```swift
/// let comics = ContextActor(ManagedObjectContext(mapping: mapping))
/// try await comics.importJSON(.file(url), into: "Hero")
/// let names = try await comics.perform { context in
///   try context.fetch(Hero.self) { $0.rating > 8 }.map(\.name)
/// }
/// ```
///
/// Objects stay inside. Results are `Sendable`, such as ids, data and decoded values. If a task is
/// cancelled, its call fails with ``Status/cancelled`` and leaves the graph unchanged.
public actor ContextActor {
  private let context: ManagedObjectContext
  private let executor = ContextExecutor(label: "groot.context")

  /// The executor of the actor's functions.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Takes ownership of a context in memory or on a store.
  public init(_ context: sending ManagedObjectContext) { self.context = context }

  /// Makes an empty context in memory.
  public init(mapping: Mapping) { context = ManagedObjectContext(mapping: mapping) }

  /// Runs a function with the context.
  ///
  /// If the task is cancelled, the running call of the context and all later calls fail. Earlier
  /// changes of the function remain.
  ///
  /// - Parameter body: The work, which is called once, before this returns.
  /// - Throws: ``Status/cancelled`` for a task that is already cancelled; the error of `body`.
  @discardableResult
  public func perform<Result: Sendable>(
    _ body: @Sendable (ManagedObjectContext) throws -> Result
  ) async throws -> Result {
    let relay = CancellationRelay(context.cancellation)
    return try await withTaskCancellationHandler {
      try relay.run { try body(context) }
    } onCancel: {
      relay.cancel()
    }
  }

  /// Runs a call of the context, which updates a `Progress`.
  func call<Result: Sendable>(
    _ progress: Progress?, _ body: (ManagedObjectContext) throws -> Result
  ) async throws(GrootError) -> Result {
    let relay = CancellationRelay(context.cancellation)
    do {
      return try await withTaskCancellationHandler {
        try relay.run {
          guard let progress else { return try body(context) }
          return try context.reporting(to: progress) { try body(context) }
        }
      } onCancel: {
        relay.cancel()
      }
    } catch {
      throw GrootError(carrying: error)
    }
  }
}

// The most frequent calls of tasks: import, export, fetch, save.

/// The objects that an import found or made, and its report.
public struct ImportSummary: Sendable {
  /// The ids of the objects, as in ``ImportResult/ids``.
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
  ///   - input: The JSON.
  ///   - entity: The entity; nil for a document of several entities.
  ///   - options: The options.
  ///   - progress: Receives the number of records; its cancellation ends the call.
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

  /// Imports an encoded value.
  ///
  /// - Parameters:
  ///   - content: The value to encode; an object, or an array of objects.
  ///   - entity: The entity; nil for a document of several entities.
  ///   - options: The options.
  ///   - progress: Receives the number of records; its cancellation ends the call.
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

  /// Synchronizes the objects of an entity with JSON that lists all of them.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - input: The JSON.
  ///   - options: The options.
  ///   - progress: Receives the number of records; its cancellation ends the call.
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
  ///   - request: The request for the objects and their order.
  ///   - options: The options.
  ///   - progress: Receives the number of records; its cancellation ends the call.
  /// - Throws: as for a context; ``Status/cancelled``.
  public func exportData(
    _ request: FetchRequest, options: ExportOptions = ExportOptions(), progress: Progress? = nil
  ) async throws(GrootError) -> Data {
    try await call(progress) { try $0.exportData(request, options: options) }
  }

  /// Exports the objects of a fetch as JSON text to a file.
  ///
  /// The file appears, or is replaced, only when it is complete.
  ///
  /// - Parameters:
  ///   - request: The request for the objects and their order.
  ///   - url: The file URL.
  ///   - options: The options.
  ///   - progress: Receives the number of records; its cancellation ends the call.
  /// - Returns: The number of objects that were written.
  /// - Throws: as for a context; ``Status/cancelled``.
  @discardableResult
  public func export(
    _ request: FetchRequest, toFile url: URL, options: ExportOptions = ExportOptions(),
    progress: Progress? = nil
  ) async throws(GrootError) -> Int {
    try await call(progress) { try $0.export(request, toFile: url, options: options) }
  }

  /// Fetches objects as values of a type of the program.
  ///
  /// - Parameters:
  ///   - request: The request for the objects and their order.
  ///   - type: The type of the result.
  ///   - depth: The number of steps along relationships with objects in full; nil means no limit.
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

  /// Counts the objects that a fetch would return.
  ///
  /// - Throws: as ``ManagedObjectContext/count(_:)``; ``Status/cancelled``.
  public func count(_ request: FetchRequest) async throws(GrootError) -> Int {
    try await call(nil) { try $0.count(request) }
  }

  /// Saves all changes since the last save, and writes them to the store, if there is one.
  ///
  /// - Throws: as ``ManagedObjectContext/save()``; ``Status/cancelled``.
  public func save() async throws(GrootError) {
    try await call(nil) { try $0.save() }
  }
}
