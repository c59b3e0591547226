// The results of callbacks for one record are limited: a dictionary transformer whose result holds
// another object of its entity would be called for ever.

/// Whether the current record keeps within the limits for callbacks.
enum RecordLimit {
  case kept
  /// It does not, and the error is on its way.
  case exceeded
  /// The error is among the issues.
  case noted
}

extension Importer {
  /// How many values callbacks may add to any record.
  static let synthesizedValues = 1 << 20
  /// How many more for each of its own: as many as when each nested object is copied with all that
  /// is inside it.
  static let synthesizedValuesPerValue = JanssonBridge.maxDepth

  /// Notes that the current record exceeds the limits, and says so of the value that led there.
  func exceeded(
    _ function: Int32, token: TokenIndex, entity: PlanIndex, property: Field?,
    cause: GrootError? = nil
  ) -> GrootError {
    if recordLimit == .kept { recordLimit = .exceeded }
    let reason =
      cause.flatMap { $0.issues.first?.message }.map { "; \($0)" } ?? ""
    return failure(
      .limitExceeded,
      "the results of '\(plan.functionNames[Int(function)])' and other callbacks for one record "
        + "exceed the limits: \(tape.maximumCount) values, and \(JanssonBridge.maxDepth) results "
        + "within one another\(reason)", token: token, entity: entity, property: property)
  }

  /// Notes the error of a record that exceeds the limits, once, and gives up the rest of it; false
  /// when that was not what happened.
  func noteLimit(_ error: GrootError) -> Bool {
    switch recordLimit {
    case .kept: return false
    case .exceeded:
      guard error.status == .limitExceeded else { return false }
      recordLimit = .noted
      issues.append(contentsOf: error.issues)
      frames.removeLast(to: 0)
    case .noted: break
    }
    return true
  }
}

extension JSONTape {
  /// Lets the tape grow by so many values, and by a multiple of those that are on it.
  func limitGrowth(by allowed: Int) {
    let (more, overflow) = count.multipliedReportingOverflow(by: Importer.synthesizedValuesPerValue)
    maximumCount = overflow ? Self.maxCount : min(count &+ more &+ allowed, Self.maxCount)
  }
}
