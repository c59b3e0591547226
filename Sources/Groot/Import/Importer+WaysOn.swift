// Values on the way of key paths: an object or an array leads on, another value is of the wrong shape.

extension Importer {
  /// Notes where the paths lead that go on at a value.
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

  /// Asks the properties below a value that no path goes on at, each for itself.
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

  /// Asks the properties of some slots, each for itself, what becomes of a value of the wrong shape.
  ///
  /// - Parameter isSettled: Whether a property is not concerned.
  /// - Throws: The failure, where the policy of a property says so.
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
      // By conventions a missing value in an object counts as null; this one is not missing.
      for slot in own { slots.start[base + Int(slot)] = found }
    }
    if let noted { notes.append(noted.issues) }
  }

  /// The slots of a step that are among some.
  func ownSlots(_ step: PlanPart<StepPlan>, among numbers: Set<Int32>) -> [Int32] {
    (step.firstSlot..<step.firstSlot + step.slotCount).filter(numbers.contains)
  }

  /// The slots of all paths that go through a node.
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

  /// The slots of the paths that end at a node.
  func slotNumbers(at node: PlanPart<KeyNode>) -> [Int32] {
    (0..<node.slotCount).map { plan.slots[Int(node.firstSlot + $0)] }
  }

  /// Whether a path of a step has led to something.
  private func hasValue(_ step: PlanPart<StepPlan>, base: Int) -> Bool {
    (0..<Int(step.slotCount)).contains {
      let token = slots.start[base + Int(step.firstSlot) + $0]
      return !token.isNone && token != missingLeaf
    }
  }

  // MARK: Text without characters

  /// Whether text without characters counts as null for the properties of some slots.
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

  /// The token of a value, or a null in the place of a text without characters.
  func nullForEmpty(_ token: TokenIndex, _ step: PlanPart<StepPlan>) throws -> TokenIndex {
    guard isEmptyText(token) else { return token }
    leaveAlone(token, step)
    return try appendNull(for: token)
  }

  /// A null in the place of a value.
  func appendNull(for token: TokenIndex) throws -> TokenIndex {
    let null = try tape.append(JSONToken(kind: .null))
    addSynthesized(null, origin: token)
    return null
  }
}
