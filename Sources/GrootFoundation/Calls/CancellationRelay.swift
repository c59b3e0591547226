import Foundation
import Groot

/// Passes a cancellation on to the calls of one function only.
final class CancellationRelay: @unchecked Sendable {
  // Guards the properties below.
  private let lock = NSLock()
  private let cancellation: Cancellation
  private var isRunning = false
  private var isCancelled = false

  init(_ cancellation: Cancellation) { self.cancellation = cancellation }

  /// Cancels the running or the next function; any thread may call this at any time.
  func cancel() {
    lock.withLock {
      isCancelled = true
      if isRunning { cancellation.cancel() }
    }
  }

  /// Runs a function that is cancelled as one call.
  ///
  /// - Throws: ``Status/cancelled`` when this was cancelled before; the error of `body`.
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
