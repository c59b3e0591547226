// Values on the way of key paths: paths continue in objects and arrays, but not in other values.

extension Importer {
  /// Notes the values of the paths that continue in a value.
  func descend(
    _ value: TokenIndex, node: Int32, base: Int, entity: PlanPart<EntityPlan>
  ) throws {
    let isArrayOnly = plan.nodes[Int(node)].keyCount == 0
    switch tape.tokens[value].kind {
    case .object where !isArrayOnly:
      if entity.clearsMissingLeaves {
        try clearSlots(under: node, value, base: base, entity: entity)
      }
      try match(value, under: node, base: base, entity: entity)
    case .null: fillSlots(under: node, value, base: base)
    case .array where entity.entersArrays:
      try gatherSlots(under: node, value, base: base, entity: entity)
    default: try passOver(value, node: node, base: base, entity: entity)
    }
  }

  /// Applies the policy of each property below a value where no path continues.
  @inline(never)
  private func passOver(
    _ value: TokenIndex, node: Int32, base: Int, entity: PlanPart<EntityPlan>
  ) throws {
    let isArray = tape.tokens[value].kind == .array
    let wanted = plan.nodes[Int(node)].keyCount == 0 ? "an array" : "an object"
    let below = slotNumbers(under: node)
    try settle(below, base: base, entity: entity, token: value) {
      failure(
        .wrongShape, "there is \(shown(value)) where the model's key paths expect \(wanted)",
        token: value, entity: planIndex(entity), property: $0)
    } unless: { step in
      if isArray && hasValue(step, base: base) { return true }
      guard step.policies.emptyText == .null, isEmptyText(value) else { return false }
      let null = try nullForEmpty(value, step)
      for slot in ownSlots(step, among: below) { slots.start[base + Int(slot)] = null }
      return true
    }
  }

  /// Applies the policy of each property with the given slots to a value of the wrong shape.
  ///
  /// - Parameter isSettled: A function that returns whether a property is unaffected.
  /// - Throws: The failure, if the policy of a property requires it.
  func settle(
    _ numbers: Set<Int32>, base: Int, entity: PlanPart<EntityPlan>, token: TokenIndex,
    failure: (Field) -> GrootError, unless isSettled: (PlanPart<StepPlan>) throws -> Bool
  ) throws {
    var noted: GrootError?
    for position in 0..<Int(entity.stepCount) {
      let step = steps + (Int(entity.firstStep) + position)
      let own = ownSlots(step, among: numbers)
      if try own.isEmpty || isSettled(step) { continue }
      leaveAlone(token, step)
      var found = TokenIndex.none
      if step.policies.shape != .ignore {
        switch step.policies.invalid {
        case .fail: throw failure(step.field)
        case .keep: noted = noted ?? failure(step.field)
        case .clear:
          noted = noted ?? failure(step.field)
          found = try appendNull(for: token)
        case .ignore: break
        }
      }
      // By conventions a missing value in an object counts as null; this value is not missing.
      for slot in own { slots.start[base + Int(slot)] = found }
    }
    if let noted { notes.append(noted.issues) }
  }

  /// Returns the slots of a step that are in a set.
  func ownSlots(_ step: PlanPart<StepPlan>, among numbers: Set<Int32>) -> [Int32] {
    (step.firstSlot..<step.firstSlot + step.slotCount).filter(numbers.contains)
  }

  /// Returns the slots of all paths below a node.
  func slotNumbers(under node: Int32) -> Set<Int32> {
    var numbers: Set<Int32> = []
    var nodes = [node]
    while let next = nodes.popLast() {
      let parent = plan.nodes + Int(next)
      for child in parent.firstChild..<parent.firstChild + parent.childCount {
        numbers.formUnion(slotNumbers(at: plan.nodes + Int(child)))
        nodes.append(child)
      }
    }
    return numbers
  }

  /// Returns the slots of the paths that end at a node.
  func slotNumbers(at node: PlanPart<KeyNode>) -> [Int32] {
    (0..<node.slotCount).map { plan.slots[Int(node.firstSlot + $0)] }
  }

  /// Returns whether a path of a step has a value.
  private func hasValue(_ step: PlanPart<StepPlan>, base: Int) -> Bool {
    (0..<Int(step.slotCount)).contains {
      let token = slots.start[base + Int(step.firstSlot) + $0]
      return !token.isNone && token != missingLeaf
    }
  }

  // MARK: Empty text

  /// Returns whether empty text counts as null for all properties with the given slots.
  func readsEmptyAsNull(_ numbers: Set<Int32>, entity: PlanPart<EntityPlan>) -> Bool {
    (0..<Int(entity.stepCount)).allSatisfy { position in
      let step = steps + (Int(entity.firstStep) + position)
      return ownSlots(step, among: numbers).isEmpty || step.policies.emptyText == .null
    }
  }

  func isEmptyText(_ token: TokenIndex) -> Bool {
    let value = tape.tokens[token]
    return value.rawKind == JSONKind.string.rawValue && value.size == 0
  }

  /// Returns the token of a value, or of a null for empty text.
  func nullForEmpty(_ token: TokenIndex, _ step: PlanPart<StepPlan>) throws -> TokenIndex {
    guard isEmptyText(token) else { return token }
    leaveAlone(token, step)
    return try appendNull(for: token)
  }

  /// Appends a null that replaces a value.
  func appendNull(for token: TokenIndex) throws -> TokenIndex {
    let null = try tape.append(JSONToken(kind: .null))
    addSynthesized(null, origin: token)
    return null
  }
}
