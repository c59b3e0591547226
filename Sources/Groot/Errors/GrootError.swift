/// The failure of a call: a status and every issue that led to it.
public struct GrootError: Error, Sendable {
  /// What went wrong: the status of the first error among the issues.
  public let status: Status
  /// The issues, in the order they were met; at least one.
  public let issues: [Issue]
  /// The error a callback threw, when one caused the failure.
  public let underlying: (any Error)?

  /// Makes an error of one issue.
  public init(_ issue: Issue, underlying: (any Error)? = nil) {
    self.status = issue.status
    self.issues = [issue]
    self.underlying = underlying
  }

  /// Makes an error of several issues under one status; an empty list gets one issue of that
  /// status.
  public init(_ status: Status, _ issues: [Issue], underlying: (any Error)? = nil) {
    self.status = status
    self.issues = issues.isEmpty ? [Issue(status, "the call failed")] : issues
    self.underlying = underlying
  }

  /// Makes an error of one issue that concerns no JSON.
  public init(_ status: Status, _ message: String, entity: String = "", property: String = "") {
    self.init(Issue(status, message, entity: entity, property: property))
  }
}

extension GrootError: CustomStringConvertible {
  /// All issues, one a line.
  public var description: String {
    issues.map(\.description).joined(separator: "\n")
  }
}
