import Foundation
import Groot

// Calls that update Foundation's Progress, which can cancel them.

/// The unit that a `Progress` counts in calls of a context.
public enum ProgressUnit: Sendable {
  /// Records imported, objects written or examined.
  case records
  /// Bytes of text read or written.
  case bytes
}

extension ManagedObjectContext {
  /// Runs calls of the context that update a `Progress`, whose cancellation ends them.
  ///
  /// ```swift
  /// let progress = Progress(totalUnitCount: fileSize)
  /// try context.reporting(to: progress, in: .bytes) {
  ///   try context.importJSON(.file(url), into: "Hero")
  /// }
  /// ```
  ///
  /// When `body` has returned, `progress` is at its total, and gets one if it had none. `body` is
  /// cancelled as one call, which fails with ``Status/cancelled``. The context's own progress
  /// function is called as well. An import whose options have a progress function calls only that.
  ///
  /// - Parameters:
  ///   - progress: Receives the number of records; its cancellation ends the call.
  ///   - unit: The unit of `completedUnitCount`.
  ///   - body: The work, which is called once, before this returns.
  /// - Throws: ``Status/cancelled`` when `progress` is already cancelled; the error of `body`.
  @discardableResult
  public func reporting<Result>(
    to progress: Progress, in unit: ProgressUnit = .records, _ body: () throws -> Result
  ) throws -> Result {
    let relay = CancellationRelay(cancellation)
    let (handler, cancelled) = (self.progress, progress.cancellationHandler)
    progress.cancellationHandler = {
      relay.cancel()
      cancelled?()
    }
    // Each call counts from 0, so the counts of earlier calls are added.
    var (before, last) = (Int64(0), Int64(0))
    self.progress = { call in
      let count = Int64(unit == .records ? call.records : call.bytes)
      if count < last { before += last }
      last = count
      progress.completedUnitCount = before + count
      return !progress.isCancelled && (handler?(call) ?? true)
    }
    defer {
      self.progress = handler
      progress.cancellationHandler = cancelled
    }
    if progress.isCancelled { throw Cancellation.failure }
    let result = try relay.run { try body() }
    if progress.totalUnitCount <= 0 { progress.totalUnitCount = max(before + last, 1) }
    progress.completedUnitCount = progress.totalUnitCount
    return result
  }
}
