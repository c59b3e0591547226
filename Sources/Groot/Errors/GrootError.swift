/// The failure of a call: a status and the issues that caused it.
public struct GrootError: Error, Sendable {
  /// The status of the first error among the issues.
  public let status: Status
  /// The issues in the order in which they were found; at least one.
  public let issues: [GrootIssue]
  /// The error of the callback that caused the failure; nil without one.
  public let underlying: (any Error)?

  /// Makes an error of one issue.
  public init(_ issue: GrootIssue, underlying: (any Error)? = nil) {
    self.status = issue.status
    self.issues = [issue]
    self.underlying = underlying
  }

  /// Makes an error of several issues with one status; an empty list becomes one issue of the
  /// status.
  ///
  /// - Parameters:
  ///   - status: The kind of failure.
  ///   - issues: The issues that caused it.
  ///   - underlying: The error of the callback that caused it; nil without one.
  public init(_ status: Status, _ issues: [GrootIssue], underlying: (any Error)? = nil) {
    self.status = status
    self.issues = issues.isEmpty ? [GrootIssue(status, "the call failed")] : issues
    self.underlying = underlying
  }

  /// Makes an error of one issue that does not concern JSON.
  ///
  /// - Parameters:
  ///   - status: The kind of failure.
  ///   - message: The value that was found, and the expected one.
  ///   - entity: The entity; empty without one.
  ///   - property: The property; empty without one.
  public init(_ status: Status, _ message: String, entity: String = "", property: String = "") {
    self.init(GrootIssue(status, message, entity: entity, property: property))
  }

  /// Returns the error with the name of a text before each message.
  package func naming(_ text: String) -> GrootError {
    let named = issues.map { issue in
      var issue = issue
      issue.message = "\(text): \(issue.message)"
      return issue
    }
    return GrootError(status, named, underlying: underlying)
  }
}

extension GrootError: CustomStringConvertible {
  /// All issues, one per line.
  public var description: String {
    issues.map(\.description).joined(separator: "\n")
  }
}

extension GrootError {
  /// Makes the error itself, or one with the error of a function of the program.
  @inline(never)
  package init(carrying error: any Error) {
    self =
      error as? GrootError
      ?? GrootError(GrootIssue(.callbackFailed, "\(error)"), underlying: error)
  }

  /// Runs a function, and converts the errors of the program's functions.
  @inline(__always)
  package static func carrying<Result>(
    _ body: () throws -> Result
  ) throws(GrootError) -> Result {
    do {
      return try body()
    } catch {
      throw GrootError(carrying: error)
    }
  }
}
