import Foundation
import Groot

// The descriptions of errors for Foundation.

extension GrootError: LocalizedError {
  /// All issues, one per line.
  public var errorDescription: String? { description }

  /// The message of the first issue, without its place.
  public var failureReason: String? { issues.first?.message }
}
