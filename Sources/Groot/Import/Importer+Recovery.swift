// Issues that are noted in the report instead of failing the import.

extension Importer {
  /// Deals with what was wrong with a property as its policy says; whether that changed the object.
  @inline(never)
  func settle(
    _ error: any Error, step: PlanPart<StepPlan>, frame: ImportFrame, table: TableIndex
  ) throws -> Bool {
    guard noteInvalid(error, step: step) else {
      try gather(error)
      return false
    }
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
  private static func isAboutValue(_ error: GrootError) -> Bool {
    switch error.status {
    case .missingValue, .wrongType, .wrongShape, .outOfRange, .transformFailed, .unknownIdentifier:
      error.underlying == nil
    default: false
    }
  }
}
