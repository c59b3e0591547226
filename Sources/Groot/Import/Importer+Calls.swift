// The current call of a program's function, which callbacks may ask about.

extension Importer: CallDescriber {
  /// The purpose of a function's call.
  struct Call {
    var token = TokenIndex.none
    var entity = PlanIndex.none
    var property: Field?
  }

  package func describeCall() -> CallDescription {
    guard !call.token.isNone else { return CallDescription() }
    let issue = issue(
      .ok, "", token: call.token, entity: call.entity, property: call.property)
    return CallDescription(entity: issue.entity, property: issue.property, path: issue.path)
  }
}
