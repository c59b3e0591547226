/// Notes the values of records that functions of many values will get.
struct ValueCollector: RecordVisitor {
  private let memo: BatchMemo
  private let plan: Plan
  private let steps: PlanPart<StepPlan>
  private let tape: JSONTape
  private let matcher: RecordMatcher

  init(_ resolver: Resolver, memo: BatchMemo) {
    self.memo = memo
    (plan, steps) = (resolver.plan, resolver.steps)
    (tape, matcher) = (resolver.tape, resolver.matcher)
  }

  func visit(record: TokenIndex, of number: PlanIndex) {
    let entity = plan.entities + number
    for position in 0..<Int(entity.attributeCount) {
      let step = steps + (Int(entity.firstStep) + position)
      guard step.forward >= 0, let value = try? matcher.slot(step, base: 0), !value.isNone else {
        continue
      }
      note(value, step)
    }
  }

  func visit(relationship step: PlanPart<StepPlan>, of number: PlanIndex) {}

  func visit(identifier: TokenIndex, of number: PlanIndex) {
    let entity = plan.entities + number
    guard entity.identityCount == 1, !entity.isScoped else { return }
    let step = steps + Int(plan.identities[Int(entity.firstIdentity)])
    if step.forward >= 0 { note(identifier, step) }
  }

  private func note(_ value: TokenIndex, _ step: PlanPart<StepPlan>) {
    if tape.tokens[value].kind == .null { return }
    // Without memory, the account knows it; the function then gets the value alone.
    try? memo.note(value, of: step.forward, on: tape)
  }
}
