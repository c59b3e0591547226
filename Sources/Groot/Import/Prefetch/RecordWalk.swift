/// A reader of records that are looked at before they are imported.
///
/// It is told what a ``RecordWalk`` finds, and may read the slots of the current record.
protocol RecordVisitor {
  /// Takes a record of the entity of a plan, whose values are in the first slots.
  mutating func visit(record: TokenIndex, of number: PlanIndex)
  /// Takes a relationship of that record, which has a value.
  mutating func visit(relationship step: PlanPart<StepPlan>, of number: PlanIndex)
  /// Takes an identifier in the place of an object.
  mutating func visit(identifier: TokenIndex, of number: PlanIndex)
}

/// Finds the records in an element without side effects, including nested ones.
///
/// Records that a function changes, or whose entity one chooses, are left to the import.
struct RecordWalk {
  private let plan: Plan
  private let steps: PlanPart<StepPlan>
  private let tape: JSONTape
  private let matcher: RecordMatcher
  private let chooser: EntityChooser

  init(_ resolver: Resolver) {
    plan = resolver.plan
    (steps, tape, matcher) = (resolver.steps, resolver.tape, resolver.matcher)
    chooser = resolver.chooser
  }

  /// Passes the records and identifiers in a value to `visitor`.
  func walk(_ value: TokenIndex, of entity: PlanIndex, visitor: inout some RecordVisitor) {
    var waiting = [NamedValue(token: value, plan: entity, key: matcher.place.key)]
    while let next = waiting.popLast() {
      matcher.place = Place(key: next.key)
      switch tape.tokens[next.token].kind {
      case .object:
        walkObject(next.token, number: next.plan, visitor: &visitor, waiting: &waiting)
      case .array:
        var element = next.token.next
        for _ in 0..<Int(clamping: tape.tokens[next.token].payload) {
          waiting.append(NamedValue(token: element, plan: next.plan, key: next.key))
          element = tape.end(of: element)
        }
      case .string, .integer, .real, .largeNumber:
        if namesByValue(next.plan) {
          walkObject(next.token, number: next.plan, visitor: &visitor, waiting: &waiting)
        } else {
          visitor.visit(identifier: next.token, of: next.plan)
        }
      case .null, .true, .false, .alias: break
      }
    }
  }

  /// Returns whether a scalar in the place of an object is the identifier of another object.
  private func namesByValue(_ number: PlanIndex) -> Bool {
    let step = plan.entities[number].valueStep
    return step >= 0 && !steps[Int(step)].destination.isNone
  }

  private func walkObject(
    _ token: TokenIndex, number: PlanIndex, visitor: inout some RecordVisitor,
    waiting: inout [NamedValue]
  ) {
    var number = number
    if plan.entities[number].discriminator >= 0 {
      // The import itself reports errors in the other records.
      guard let chosen = try? chooser.discriminated(token, requested: number), !chosen.isNone else {
        return
      }
      number = chosen
    }
    let entity = plan.entities + number
    guard entity.dictionaryTransformer < 0, entity.entityMapper < 0 else { return }
    matcher.removeSlots()
    guard (try? matcher.match(token, entity: entity, base: 0)) != nil else { return }
    visitor.visit(record: token, of: number)
    for position in 0..<Int(entity.stepCount) {
      let step = steps + (Int(entity.firstStep) + position)
      // Objects that many objects share are read once, by the import.
      guard !step.destination.isNone, !step.options.contains(.readsPlace),
        let value = try? matcher.slot(step, base: 0), !value.isNone
      else {
        continue
      }
      visitor.visit(relationship: step, of: number)
      if step.form != .array, tape.tokens[value].kind == .object {
        for key in (try? matcher.keys(of: value)) ?? [] {
          waiting.append(
            NamedValue(token: tape.resolved(key.next), plan: step.destination, key: key))
        }
        continue
      }
      guard let destination = try? chooser.destination(of: value, step, record: token),
        !destination.isNone
      else { continue }
      waiting.append(NamedValue(token: value, plan: destination))
    }
  }
}

/// A value to search, with the plan of its record and its key.
private struct NamedValue {
  let token: TokenIndex
  let plan: PlanIndex
  var key = TokenIndex.none
}
