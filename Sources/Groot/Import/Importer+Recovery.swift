// Issues that are gathered, or noted in the report, instead of failing the import immediately.

extension Importer {
  /// Notes an issue and continues if the error mode allows it; otherwise throws it.
  @inline(never)
  func gather(_ error: any Error) throws {
    if recordLimit != .kept, errorMode != .abort, let error = error as? GrootError,
      noteLimit(error)
    {
      return
    }
    guard errorMode != .abort, !hasTooMany, let grootError = error as? GrootError,
      Self.leavesImportUsable(grootError)
    else { throw error }
    issues.append(contentsOf: grootError.issues)
    if cause == nil { cause = grootError.underlying }
    if issues.count > maximumIssues {
      hasTooMany = true
      throw GrootError.tooMany(issues, maximum: maximumIssues, cause: cause)
    }
  }

  /// Returns whether other records can be imported after an error.
  ///
  /// A limit of one property's value is an issue of its record; a limit of the whole import is not.
  private static func leavesImportUsable(_ error: GrootError) -> Bool {
    switch error.status {
    case .cancelled, .busy, .outOfMemory: false
    case .limitExceeded: error.issues.first?.property.isEmpty == false
    default: !error.status.isAboutStore
    }
  }

  /// Handles an invalid property by its policy, and returns whether the object changed.
  @inline(never)
  func settle(
    _ error: any Error, step: PlanPart<StepPlan>, frame: ImportFrame, table: TableIndex
  ) throws -> Bool {
    guard noteInvalid(error, step: step) else {
      try gather(error)
      return false
    }
    if plan.hasRest { leaveAlone(try slot(step, base: Int(frame.slots)), step) }
    guard step.policies.invalid == .clear else { return false }
    return try clear(frame, table: table, step: step)
  }

  /// Notes an invalid value and returns true if the policy allows it.
  func noteInvalid(_ error: any Error, step: PlanPart<StepPlan>) -> Bool {
    guard step.policies.invalid != .fail, let error = error as? GrootError,
      Self.isAboutValue(error)
    else { return false }
    if step.policies.invalid != .ignore { notes.append(error.issues) }
    return true
  }

  /// Notes an unusable entry under its own path; returns false for any other error.
  func noteEntry(_ error: any Error, token: TokenIndex) -> Bool {
    guard let error = error as? GrootError, Self.isAboutValue(error) else { return false }
    let location = path(token)
    notes.append(
      error.issues.map { issue in
        var issue = issue
        // A synchronization reports the path of the entry, not of a value in it.
        if takesEntriesOnly { issue.path = location }
        return issue
      })
    return true
  }

  /// Returns whether an error reports a value in the JSON that is not of the expected kind.
  static func isAboutValue(_ error: GrootError) -> Bool {
    switch error.status {
    case .missingValue, .wrongType, .wrongShape, .outOfRange, .transformFailed, .unknownIdentifier,
      .identityConflict:
      error.underlying == nil
    default: false
    }
  }
}
