import Foundation
import Groot

/// Passes a cancellation on to the calls of one function, and to no others before or after them.
final class CancellationRelay: @unchecked Sendable {
  // Guards the others.
  private let lock = NSLock()
  private let cancellation: Cancellation
  private var isRunning = false
  private var isCancelled = false

  init(_ cancellation: Cancellation) { self.cancellation = cancellation }

  /// Cancels what runs, or what is about to; any thread may call this, at any time.
  func cancel() {
    lock.withLock {
      isCancelled = true
      if isRunning { cancellation.cancel() }
    }
  }

  /// Runs a function, all of which is one call as to cancelling.
  ///
  /// - Throws: ``Status/cancelled`` when it was cancelled before.
  func run<Result>(_ body: () throws -> Result) throws -> Result {
    try cancellation.run {
      try lock.withLock {
        if isCancelled { throw Cancellation.failure }
        isRunning = true
      }
      defer { lock.withLock { isRunning = false } }
      return try body()
    }
  }
}
