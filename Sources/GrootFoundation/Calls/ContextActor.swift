import Foundation
import Groot

/// A context that tasks share: one after the other uses it, on a queue of its own.
///
/// ```swift
/// let comics = ContextActor(ManagedObjectContext(mapping: mapping))
/// try await comics.importJSON(.file(url), into: "Hero")
/// let names = try await comics.perform { context in
///   try context.fetch(Hero.self, where: \.rating > 8).map(\.name)
/// }
/// ```
///
/// Objects stay inside: results are `Sendable`, such as ids, data, and values that objects are
/// decoded as. Cancelling a task ends its call with ``Status/cancelled``, and the graph is as
/// before that call.
public actor ContextActor {
  private let context: ManagedObjectContext
  private let executor = ContextExecutor(label: "groot.context")

  /// Where the actor's functions run.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Takes over a context, in memory or on a store, which nobody else uses.
  public init(_ context: sending ManagedObjectContext) { self.context = context }

  /// Makes an empty context in memory.
  public init(mapping: Mapping) { context = ManagedObjectContext(mapping: mapping) }

  /// Runs a function with the context.
  ///
  /// When the task is cancelled, the running call of the context fails, and so do those that
  /// follow; earlier changes of the function stay.
  ///
  /// - Parameter body: The work; it is called at once, and once.
  /// - Throws: ``Status/cancelled`` for a task that is cancelled before; the error of `body`.
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

  /// Runs a call of the context, which tells a `Progress` how far it is.
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
