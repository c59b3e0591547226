// Limits of the results of callbacks for one record: without them, a dictionary transformer whose
// result holds another object of its entity would be called without end.

/// The state of the current record with respect to the limits for callbacks.
enum RecordLimit {
  case kept
  /// The record exceeds the limits, and the error is being thrown.
  case exceeded
  /// The record exceeds the limits, and the error is among the issues.
  case noted
}

extension Importer {
  /// The number of values that callbacks may add to any record.
  static let synthesizedValues = 1 << 20
  /// The number of additional values for each of a record's own values.
  ///
  /// It allows for a copy of each nested object with all objects inside it.
  static let synthesizedValuesPerValue = JanssonBridge.maxDepth

  /// Notes that the current record exceeds the limits, and returns the failure at a value.
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

  /// Notes the error of a record that exceeds the limits, once, and drops the rest of the record.
  ///
  /// It returns false for any other error.
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
  /// Lets the tape grow by `allowed` values, and by a multiple of its current values.
  func limitGrowth(by allowed: Int) {
    let (more, overflow) = count.multipliedReportingOverflow(by: Importer.synthesizedValuesPerValue)
    maximumCount = overflow ? Self.maxCount : min(count &+ more &+ allowed, Self.maxCount)
  }
}
