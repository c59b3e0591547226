// The notes of an import that continues: a limited number of issues for its report.

extension GrootError {
  /// Returns the failure of an import with more issues than its options allow.
  static func tooMany(
    _ issues: [GrootIssue], maximum: Int, cause: (any Error)? = nil
  ) -> GrootError {
    let hint = GrootIssue(
      .limitExceeded,
      "there are more than \(maximum) issues, the limit of maxIssues; the option takes any number"
    )
    return GrootError(
      issues.first?.status ?? .limitExceeded, issues + [hint], underlying: cause)
  }
}

/// The issues of values that an import left unchanged.
struct ImportNotes {
  private(set) var issues: [GrootIssue] = []
  /// The number of issues that are not listed.
  private var unlisted = 0
  /// The number of listed issues: memory must not grow with the number of errors.
  static let maximumCount = 10_000

  /// The number of issues, for returning to an earlier state.
  var count: Int { issues.count }

  mutating func append(_ found: [GrootIssue]) {
    for issue in found {
      if issues.count < Self.maximumCount { issues.append(issue) } else { unlisted += 1 }
    }
  }

  /// Forgets all issues after the first `count`.
  mutating func removeLast(to count: Int) { issues.removeSubrange(count...) }

  /// The issues, and one with the number of unlisted issues.
  var all: [GrootIssue] {
    if unlisted == 0 { return issues }
    return issues + [
      GrootIssue(.limitExceeded, "\(unlisted) more issues are not listed", severity: .warning)
    ]
  }
}
