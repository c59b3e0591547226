import Foundation
import Groot

// Failures in the words that Foundation asks errors for.

extension GrootError: LocalizedError {
  /// All issues, one a line.
  public var errorDescription: String? { description }

  /// The message of the first issue, without where it is.
  public var failureReason: String? { issues.first?.message }
}
