// Issues that are gathered, or noted in the report, instead of failing the import at once.

extension Importer {
  /// Notes an issue and goes on, when the error mode says so; else throws it.
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

  /// Whether other records can be imported after an error: a limit of one property's value, unlike
  /// one of the whole import, is an issue of its record.
  private static func leavesImportUsable(_ error: GrootError) -> Bool {
    switch error.status {
    case .cancelled, .busy, .outOfMemory: false
    case .limitExceeded: error.issues.first?.property.isEmpty == false
    default: !error.status.isAboutStore
    }
  }

  /// Deals with what was wrong with a property as its policy says; whether that changed the object.
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

  /// Notes a value that is wrong where the policy lets it pass; false when it does not.
  func noteInvalid(_ error: any Error, step: PlanPart<StepPlan>) -> Bool {
    guard step.policies.invalid != .fail, let error = error as? GrootError,
      Self.isAboutValue(error)
    else { return false }
    if step.policies.invalid != .ignore { notes.append(error.issues) }
    return true
  }

  /// Notes an entry that cannot be used, under its own path; false when something else went wrong.
  func noteEntry(_ error: any Error, token: TokenIndex) -> Bool {
    guard let error = error as? GrootError, Self.isAboutValue(error) else { return false }
    let location = path(token)
    notes.append(
      error.issues.map { issue in
        var issue = issue
        // An entry of a synchronization is its key; a record is more than that.
        if takesEntriesOnly { issue.path = location }
        return issue
      })
    return true
  }

  /// Whether an error says that a value in the JSON is not what it is to be.
  static func isAboutValue(_ error: GrootError) -> Bool {
    switch error.status {
    case .missingValue, .wrongType, .wrongShape, .outOfRange, .transformFailed, .unknownIdentifier,
      .identityConflict:
      error.underlying == nil
    default: false
    }
  }
}
