/// Values of an object that only its members have, since the object has no property for them.
///
/// It may touch the text, and has no state of its own.
struct MemberValues {
  private let rules: ExportRules
  private let graph: Graph
  private let plan: Plan
  private let text: ExportText
  private let values: ExportValues

  init(_ rules: ExportRules, text: ExportText, values: ExportValues) {
    self.rules = rules
    graph = rules.graph
    plan = rules.plan
    self.text = text
    self.values = values
  }

  /// Writes a value of an object that its members have, if all members have the same value.
  ///
  /// It returns false if the value is not written.
  func write(_ output: PlanPart<OutputOperation>, of object: ObjectKey) throws -> Bool {
    var found: (value: StoredValue, step: PlanPart<StepPlan>, object: ObjectKey)?
    for source in plan.memberValues[Int(output.level)] {
      let relationship = plan.steps + Int(source.step)
      let table = graph.links[relationship.link].table(relationship.field.side.inverse)
      let field = graph.fields[table][source.number]
      for row in members(of: object, along: relationship) {
        let record = graph.tables[table].record(row)
        let value = StoredValue(record, field: field, table: graph.tables + table)
        let member = ObjectKey(table: table, row: row)
        let isOther = found.map { $0.value.order(value, as: field.type) != 0 } ?? false
        if isOther || !value.isPresent { return false }
        if found == nil,
          let step = step(of: source.number, in: rules.planNumber(member, step: relationship))
        {
          found = (value, step, member)
        }
      }
    }
    guard let found else { return false }
    text.key(output)
    try values.write(found.step, of: found.object)
    return true
  }

  /// Returns whether there are members that can have a value of their parent object.
  func hasMembers(_ output: PlanPart<OutputOperation>, of object: ObjectKey) -> Bool {
    plan.memberValues[Int(output.level)].contains {
      !members(of: object, along: plan.steps + Int($0.step)).isEmpty
    }
  }

  /// Returns whether a member has the value.
  func hasValue(_ output: PlanPart<OutputOperation>, of object: ObjectKey) -> Bool {
    plan.memberValues[Int(output.level)].contains { source in
      let step = plan.steps + Int(source.step)
      let table = graph.links[step.link].table(step.field.side.inverse)
      let field = graph.fields[table][source.number]
      return members(of: object, along: step).contains {
        graph.tables[table].has(field, in: graph.tables[table].record($0))
      }
    }
  }

  private func members(of object: ObjectKey, along step: PlanPart<StepPlan>) -> [Row] {
    guard !step.field.isToMany else { return graph.members(of: object.row, field: step.field) }
    let link = graph.links[step.link]
    return graph.target(link, side: step.field.side, row: object.row).index.map { [$0] } ?? []
  }

  /// Returns the step of an entity that reads a property; nil without one.
  private func step(of number: Int, in plan: PlanIndex) -> PlanPart<StepPlan>? {
    let entity = self.plan.entities[plan]
    let position = (0..<Int(entity.stepCount)).first {
      Int(self.plan.steps[Int(entity.firstStep) + $0].field.number) == number
    }
    return position.map { self.plan.steps + (Int(entity.firstStep) + $0) }
  }
}
