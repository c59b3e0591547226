/// The questions that all parts of an export ask about objects and the plan.
///
/// It is immutable, reads the graph and the plan, and writes nothing.
struct ExportRules {
  let graph: Graph
  let plan: Plan
  /// The variant of the mapping's outputs that is written.
  let variant: Int
  /// Whether missing values are left out if no annotation decides.
  let omitsNull: Bool
  /// The number of steps along relationships within which objects are written in full.
  let depthLimit: Int

  /// Returns the plan for writing an object of a relationship.
  @inline(__always)
  func planNumber(_ object: ObjectKey, step: PlanPart<StepPlan>) -> PlanIndex {
    let destination = plan.entities + step.destination
    return destination.isFixed ? step.destination : planNumber(of: object)
  }

  /// Returns the plan of an object's own entity.
  @inline(__always)
  func planNumber(of object: ObjectKey) -> PlanIndex {
    PlanIndex(of: graph.entity(graph.tables[object.table].record(object.row), in: object.table))
  }

  /// Returns the outputs of an object, including attributes of its owner that a to-one merges.
  @inline(__always)
  func outputRange(_ number: PlanIndex, merge: Int32 = -1) -> UnsafeMutablePointer<OutputRange> {
    if merge >= 0 {
      let merged = plan.mergedRanges[plan.mergedIndex(merge, number: number)]
      if merged >= 0 { return plan.outputRanges + Int(merged) }
    }
    return plan.outputRanges + (Int(plan.entities[number].firstRange) &+ variant)
  }

  /// Returns the outputs of a member of which only some properties are written.
  func partialRange(
    _ number: PlanIndex, step: PlanPart<StepPlan>
  ) -> UnsafeMutablePointer<OutputRange> {
    let partial = plan.partials[Int(step.partial)]
    return plan.outputRanges + partial.range(plan.entities[number].localIndex)
  }

  /// Returns whether a property without a value is left out.
  @inline(__always)
  func omits(_ step: PlanPart<StepPlan>) -> Bool {
    step.options.contains(.omitsNull) || omitsNull && !step.options.contains(.choosesNull)
  }

  /// Returns whether a relationship leads back to the object's parent.
  @inline(__always)
  func isWayBack(_ step: PlanPart<StepPlan>, arrivedBy arrival: LinkDirection) -> Bool {
    guard arrival.link == step.link, step.options.contains(.skipsWayBack)
    else { return false }
    return graph.links[step.link].isSymmetric
      ? false : step.field.side != arrival.side
  }

  /// Returns whether a property has a value, or a member.
  func hasContent(
    _ step: PlanPart<StepPlan>, record: UnsafeRawPointer, object: ObjectKey
  ) -> Bool {
    if step.destination.isNone { return graph.tables[object.table].has(step.field, in: record) }
    if step.field.isToMany { return graph.memberCount(of: object.row, field: step.field) > 0 }
    return !graph.target(graph.links[step.link], side: step.field.side, row: object.row).isNone
  }

  /// Returns whether a part of an identity is the parent of the object.
  func isImplied(_ step: PlanPart<StepPlan>, by arrival: LinkDirection) -> Bool {
    arrival.link == step.link
      && (step.field.side != arrival.side || graph.links[arrival.link].isSymmetric)
  }

  /// Returns the step of an object's scalar; nil if another property has a value.
  func scalarStep(_ number: PlanIndex, object: ObjectKey) -> PlanPart<StepPlan>? {
    let entity = plan.entities + number
    guard entity.valueStep >= 0 else { return nil }
    let value = plan.steps + Int(entity.valueStep)
    let record = graph.tables[object.table].record(object.row)
    let range = outputRange(number).pointee
    for position in range.first..<range.first &+ range.count {
      let output = plan.outputs + Int(position)
      switch output.kind {
      case .constant: return nil
      case .value, .rest, .restTail, .restElement:
        let step = plan.steps + Int(output.step)
        if step.field.number == value.field.number || output.isKey { continue }
        if hasContent(step, record: record, object: object) { return nil }
      case .open, .close, .openArray, .closeArray, .gap, .ownersValue, .membersValue, .kind: break
      }
    }
    return value
  }
}
