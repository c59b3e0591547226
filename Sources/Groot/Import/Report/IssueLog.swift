/// The issues of an import: those that fail a record, and the notes of its report.
///
/// It knows where a value stands, and changes nothing but its lists.
final class IssueLog {
  let graph: Graph
  let mapping: Mapping
  let plan: Plan
  let current: CurrentElement
  let errorMode: ImportOptions.ErrorMode
  let maximumIssues: Int
  /// The issues of the current element, unless the first one ends the import.
  @exclusivity(unchecked) private(set) var issues: [GrootIssue] = []
  /// The first error of a callback among those of the gathered issues.
  @exclusivity(unchecked) private(set) var cause: (any Error)?
  /// Whether there are more issues than the options allow: an error is then thrown, not gathered.
  @exclusivity(unchecked) private var hasTooMany = false
  /// The issues of values that were left unchanged.
  @exclusivity(unchecked) private(set) var notes = ImportNotes()
  /// The state of the current record with respect to the limits for callbacks.
  @exclusivity(unchecked) private(set) var recordLimit = RecordLimit.kept
  /// Whether an entry or a member could not be identified.
  @exclusivity(unchecked) private(set) var hasUnidentified = false

  init(
    _ graph: Graph, mapping: Mapping, current: CurrentElement,
    errorMode: ImportOptions.ErrorMode, maximumIssues: Int
  ) {
    self.graph = graph
    self.mapping = mapping
    plan = mapping.plan
    self.current = current
    self.errorMode = errorMode
    self.maximumIssues = max(maximumIssues, 1)
  }

  /// Begins an element.
  func begin() { recordLimit = .kept }

  /// Notes that the results of callbacks exceed the limits of a record; the caller throws the error.
  func exceedLimit() { if recordLimit == .kept { recordLimit = .exceeded } }

  /// Notes that an entry or a member could not be identified.
  func noteUnidentified() { hasUnidentified = true }

  /// Notes issues for the report.
  func note(_ issues: [GrootIssue]) { notes.append(issues) }

  /// The number of notes, for returning to an earlier state.
  var noteCount: Int { notes.count }

  /// Forgets all notes after the first `count`.
  func removeNotes(to count: Int) { notes.removeLast(to: count) }

  /// Returns the gathered issues, and forgets them.
  func takeIssues() -> [GrootIssue] {
    defer { issues = [] }
    return issues
  }

  /// Throws if there are more issues than the options allow.
  func requireFew(_ all: [GrootIssue]) throws {
    guard all.count > maximumIssues else { return }
    throw GrootError.tooMany(all, maximum: maximumIssues, cause: cause)
  }

  /// Whether the record is already left out, so that its lists need not be set.
  var isLeftOut: Bool { errorMode == .skip && !issues.isEmpty }

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

  /// Notes the error of a record that exceeds the limits, once, and takes all later ones for its consequences.
  ///
  /// It returns false for any other error.
  func noteLimit(_ error: GrootError) -> Bool {
    switch recordLimit {
    case .kept: return false
    case .exceeded:
      guard error.status == .limitExceeded else { return false }
      recordLimit = .noted
      issues.append(contentsOf: error.issues)
    case .noted: break
    }
    return true
  }

  /// Notes an invalid value and returns true if the policy allows it.
  func noteInvalid(_ error: any Error, step: PlanPart<StepPlan>) -> Bool {
    guard step.policies.invalid != .fail, let error = error as? GrootError,
      Self.isAboutValue(error)
    else { return false }
    if step.policies.invalid != .ignore { notes.append(error.issues) }
    return true
  }

  /// Notes an unusable entry; returns false for any other error.
  ///
  /// - Parameter isWhole: Whether the issue has the path of the entry, not of a value in it.
  func noteEntry(_ error: any Error, token: TokenIndex, isWhole: Bool) -> Bool {
    guard let error = error as? GrootError, Self.isAboutValue(error) else { return false }
    let location = current.path(token)
    notes.append(
      error.issues.map { issue in
        var issue = issue
        if isWhole { issue.path = location }
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

/// The state of the current record with respect to the limits for callbacks.
enum RecordLimit {
  case kept
  /// The record exceeds the limits, and the error is being thrown.
  case exceeded
  /// The record exceeds the limits, and the error is among the issues.
  case noted
}
