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
