/// Ordered lists that name an object more than once, although it is only one member.
///
/// Each relationship has the location of the first such list, and the number of lists.
struct RepeatedMembers {
  private var found: [Int32: (issue: GrootIssue, count: Int)] = [:]
  private var order: [Int32] = []

  /// Counts a list of a step; the location is computed only for the first.
  mutating func count(_ step: Int32, _ issue: () -> GrootIssue) {
    if found[step] != nil {
      found[step]?.count += 1
    } else {
      found[step] = (issue(), 1)
      order.append(step)
    }
  }

  /// A warning for each relationship, in the order of the first lists.
  var warnings: [GrootIssue] {
    order.compactMap { step in
      guard case (var issue, let count)? = found[step] else { return nil }
      issue.severity = .warning
      if count > 1 { issue.message += "; \(count) lists do so" }
      return issue
    }
  }
}
