import Foundation
import Groot

// Calls that tell Foundation's Progress how far they are, and that it can cancel.

/// The unit that a `Progress` counts in calls of a context.
public enum ProgressUnit: Sendable {
  /// Records imported, objects written or looked at.
  case records
  /// Bytes of text read or written.
  case bytes
}

extension ManagedObjectContext {
  /// Runs calls of the context that tell of their progress, and that end when it is cancelled.
  ///
  /// ```swift
  /// let progress = Progress(totalUnitCount: fileSize)
  /// try context.reporting(to: progress, in: .bytes) {
  ///   try context.importJSON(.file(url), into: "Hero")
  /// }
  /// ```
  ///
  /// `progress` stands at its total when `body` has returned; without a total it gets one then. All
  /// of `body` is one call as to cancelling: a cancelled one fails with ``Status/cancelled``. The
  /// context's own progress function is called as well; an import whose options have one tells that
  /// alone.
  ///
  /// - Parameters:
  ///   - progress: Is told how many records are done; cancelling it ends the call.
  ///   - unit: The unit of `completedUnitCount`.
  ///   - body: The work; it is called at once, and once.
  /// - Throws: ``Status/cancelled`` when it is cancelled already; the error of `body`.
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
    // Counts of one call after the other add up.
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
