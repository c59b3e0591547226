/// The failure of a call: a status and every issue that led to it.
public struct GrootError: Error, Sendable {
  /// The status of the first error among the issues.
  public let status: Status
  /// The issues, in the order they were met; at least one.
  public let issues: [GrootIssue]
  /// The error a callback threw, when one caused the failure.
  public let underlying: (any Error)?

  /// Makes an error of one issue.
  public init(_ issue: GrootIssue, underlying: (any Error)? = nil) {
    self.status = issue.status
    self.issues = [issue]
    self.underlying = underlying
  }

  /// Makes an error of several issues under one status; an empty list gets one issue of that
  /// status.
  ///
  /// - Parameters:
  ///   - status: The kind of failure.
  ///   - issues: The issues that led to it.
  ///   - underlying: The error of a callback that is the cause; nil for none.
  public init(_ status: Status, _ issues: [GrootIssue], underlying: (any Error)? = nil) {
    self.status = status
    self.issues = issues.isEmpty ? [GrootIssue(status, "the call failed")] : issues
    self.underlying = underlying
  }

  /// Makes an error of one issue that concerns no JSON.
  ///
  /// - Parameters:
  ///   - status: The kind of failure.
  ///   - message: The value that was found, and the expected one.
  ///   - entity: The entity concerned; empty when none is.
  ///   - property: The property concerned; empty when none is.
  public init(_ status: Status, _ message: String, entity: String = "", property: String = "") {
    self.init(GrootIssue(status, message, entity: entity, property: property))
  }
}

extension GrootError: CustomStringConvertible {
  /// All issues, one a line.
  public var description: String {
    issues.map(\.description).joined(separator: "\n")
  }
}

extension GrootError {
  /// The error itself, or one that carries what a function of the program threw.
  @inline(never)
  package init(carrying error: any Error) {
    self =
      error as? GrootError
      ?? GrootError(GrootIssue(.callbackFailed, "\(error)"), underlying: error)
  }

  /// Runs what throws nothing but errors of this kind, and what functions of the program throw.
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
