// Notes of an import that goes on: issues for its report, up to a number.

extension GrootError {
  /// The failure of an import that has more issues than its options allow.
  static func tooMany(
    _ issues: [GrootIssue], maximum: Int, cause: (any Error)? = nil
  ) -> GrootError {
    let hint = GrootIssue(
      .limitExceeded,
      "these are more issues than the \(maximum) that maxIssues allows; the option takes any number"
    )
    return GrootError(
      issues.first?.status ?? .limitExceeded, issues + [hint], underlying: cause)
  }
}

/// The issues of values that an import left as they were.
struct ImportNotes {
  private(set) var issues: [GrootIssue] = []
  /// How many there were besides.
  private var unlisted = 0
  /// After these, issues are counted only: memory is not to grow with what is wrong.
  static let maximumCount = 10_000

  /// The number of issues so far, to come back to.
  var count: Int { issues.count }

  mutating func append(_ found: [GrootIssue]) {
    for issue in found {
      if issues.count < Self.maximumCount { issues.append(issue) } else { unlisted += 1 }
    }
  }

  /// Forgets the issues since there were `count`.
  mutating func removeLast(to count: Int) { issues.removeSubrange(count...) }

  /// All issues, and one that says how many are not among them.
  var all: [GrootIssue] {
    if unlisted == 0 { return issues }
    return issues + [
      GrootIssue(.limitExceeded, "\(unlisted) more issues are not listed", severity: .warning)
    ]
  }
}
