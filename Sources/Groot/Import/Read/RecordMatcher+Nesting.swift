// Values on the way of key paths: paths continue in objects and arrays, but not in other values.
// `powers.name` gives the list of the powers' names.

/// A value in an array where a path cannot continue.
private struct WrongStep: Error {
  let token: TokenIndex
  let wantsObject: Bool
}

extension RecordMatcher {
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
    let below = plan.slotNumbers(under: node)
    try settle(below, base: base, entity: entity, token: value) {
      log.failure(
        .wrongShape,
        "there is \(current.shown(value)) where the model's key paths expect \(wanted)",
        token: value, entity: plan.number(of: entity), property: $0)
    } unless: { step in
      if isArray && hasValue(step, base: base) { return true }
      guard step.policies.emptyText == .null, current.isEmptyText(value) else { return false }
      let null = try nullForEmpty(value, step)
      for slot in step.value.slots(among: below) { slots.start[base + Int(slot)] = null }
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
      let own = step.value.slots(among: numbers)
      if try own.isEmpty || isSettled(step) { continue }
      rests?.leaveAlone(token, step)
      var found = TokenIndex.none
      if step.policies.shape != .ignore {
        switch step.policies.invalid {
        case .fail: throw failure(step.field)
        case .keep: noted = noted ?? failure(step.field)
        case .clear:
          noted = noted ?? failure(step.field)
          found = try current.appendNull(for: token)
        case .ignore: break
        }
      }
      // By conventions a missing value in an object counts as null; this value is not missing.
      for slot in own { slots.start[base + Int(slot)] = found }
    }
    if let noted { log.note(noted.issues) }
  }

  /// Returns whether a path of a step has a value.
  private func hasValue(_ step: PlanPart<StepPlan>, base: Int) -> Bool {
    (0..<Int(step.slotCount)).contains {
      let token = slots.start[base + Int(step.firstSlot) + $0]
      return !token.isNone && token != missingLeaf
    }
  }

  /// Returns whether empty text counts as null for all properties with the given slots.
  func readsEmptyAsNull(_ numbers: Set<Int32>, entity: PlanPart<EntityPlan>) -> Bool {
    (0..<Int(entity.stepCount)).allSatisfy { position in
      let step = steps + (Int(entity.firstStep) + position)
      return step.value.slots(among: numbers).isEmpty || step.policies.emptyText == .null
    }
  }

  /// Reads attributes that may be missing below a node as null; relationships are unchanged.
  func clearSlots(
    under node: Int32, _ object: TokenIndex, base: Int, entity: PlanPart<EntityPlan>
  ) throws {
    if missingLeaf.isNone { missingLeaf = try current.appendNull(for: object) }
    fillSlots(under: node, missingLeaf, base: base, below: entity.attributeSlots)
  }

  /// Sets the slots of all paths below a node to the null that is on their way.
  ///
  /// Slots from `limit` on are unchanged.
  func fillSlots(under node: Int32, _ token: TokenIndex, base: Int, below limit: Int32 = .max) {
    let parent = plan.nodes + Int(node)
    for child in parent.firstChild..<parent.firstChild + parent.childCount {
      let found = plan.nodes + Int(child)
      for position in 0..<Int(found.slotCount) {
        let slot = plan.slots[Int(found.firstSlot) + position]
        if slot < limit { slots.start[base + Int(slot)] = token }
      }
      fillSlots(under: child, token, base: base, below: limit)
    }
  }

  // MARK: Arrays

  /// Fills the slots below a node from an array.
  ///
  /// A slot at a position gets one element; any other slot gets a list combined from all elements.
  func gatherSlots(
    under node: Int32, _ array: TokenIndex, base: Int, entity: PlanPart<EntityPlan>
  ) throws {
    let parent = plan.nodes + Int(node)
    if parent.positionCount > 0 {
      try matchPositions(array, under: node, base: base, entity: entity)
    }
    for child in parent.firstChild..<parent.firstChild + parent.keyCount {
      try gatherSlots(at: child, [child], from: array, base: base, entity: entity)
    }
    guard parent.elements >= 0 else { return }
    let elements = plan.nodes + Int(parent.elements)
    note(array, at: elements, base: base)
    for child in elements.firstChild..<elements.firstChild + elements.childCount {
      try gatherSlots(at: child, [child], from: array, base: base, entity: entity)
    }
  }

  /// Recurses at most as deep as the longest key path is long.
  private func gatherSlots(
    at node: Int32, _ path: [Int32], from array: TokenIndex, base: Int,
    entity: PlanPart<EntityPlan>
  ) throws {
    let found = plan.nodes + Int(node)
    if found.slotCount > 0 {
      let start = tape.next
      do {
        try gatherList(array, path, at: found, base: base, readsEmptyAsNull: false)
      } catch let error as WrongStep {
        tape.count = start.offset
        try settle(error, array, path, base: base, entity: entity)
      }
    }
    for child in found.firstChild..<found.firstChild + found.childCount {
      try gatherSlots(
        at: child, path + [child], from: array, base: base, entity: entity)
    }
  }

  /// Fills the slots of a node with the list of a path's values in all elements.
  private func gatherList(
    _ array: TokenIndex, _ path: [Int32], at node: PlanPart<KeyNode>, base: Int,
    readsEmptyAsNull: Bool
  ) throws {
    let start = tape.next
    let list = try appendList(array, path: path[...], readsEmptyAsNull: readsEmptyAsNull)
    try current.addSynthesized(start, origin: array)
    for position in 0..<Int(node.slotCount) {
      slots.start[base + Int(plan.slots[Int(node.firstSlot) + position])] = list
    }
  }

  /// Applies the policies of the path's properties to an array in which the path cannot continue.
  @inline(never)
  private func settle(
    _ error: WrongStep, _ array: TokenIndex, _ path: [Int32], base: Int,
    entity: PlanPart<EntityPlan>
  ) throws {
    guard let last = path.last else { return }
    let node = plan.nodes + Int(last)
    let numbers = Set(plan.slotNumbers(at: node))
    var error = error
    if current.isEmptyText(error.token), readsEmptyAsNull(numbers, entity: entity) {
      let start = tape.next
      do {
        return try gatherList(array, path, at: node, base: base, readsEmptyAsNull: true)
      } catch let other as WrongStep {
        tape.count = start.offset
        error = other
      }
    }
    try settle(numbers, base: base, entity: entity, token: array) {
      log.failure(
        .wrongShape,
        "there is \(current.shown(error.token)) where the model's key paths expect "
          + (error.wantsObject ? "an object" : "an array"),
        token: error.token, entity: plan.number(of: entity), property: $0)
    } unless: { _ in
      false
    }
  }

  /// Appends the list of a path's values in all elements, with null for each missing value.
  private func appendList(
    _ array: TokenIndex, path: ArraySlice<Int32>, readsEmptyAsNull: Bool
  ) throws -> TokenIndex {
    let count = tape.tokens[array].payload
    let list = try tape.append(JSONToken(kind: .array, payload: count))
    var element = array.next
    for _ in 0..<Int(truncatingIfNeeded: count) {
      let end = tape.end(of: element)
      try appendValue(element, path: path, readsEmptyAsNull: readsEmptyAsNull)
      element = end
    }
    tape.tokens[list] = JSONToken(
      kind: .array, size: UInt32(truncatingIfNeeded: tape.count), payload: count)
    return list
  }

  private func appendValue(
    _ value: TokenIndex, path: ArraySlice<Int32>, readsEmptyAsNull asNull: Bool
  ) throws {
    let value = tape.resolved(value)
    guard let node = path.first else { return try tape.appendCopy(of: value) }
    let key = plan.nodes + Int(node)
    switch tape.tokens[value].kind {
    case .array where key.position >= 0:
      if let element = tape.element(at: Int(key.position), inArray: value) {
        try appendValue(element, path: path.dropFirst(), readsEmptyAsNull: asNull)
      } else {
        try tape.append(JSONToken(kind: .null))
      }
    case .array where key.position == KeyNode.isElements:
      _ = try appendList(value, path: path.dropFirst(), readsEmptyAsNull: asNull)
    case .array: _ = try appendList(value, path: path, readsEmptyAsNull: asNull)
    case .object where key.position == KeyNode.isKey:
      let bytes = UnsafeBufferPointer(start: key.bytes, count: Int(key.length))
      if let member = tape.value(forKey: bytes, inObject: value) {
        try appendValue(member, path: path.dropFirst(), readsEmptyAsNull: asNull)
      } else {
        try tape.append(JSONToken(kind: .null))
      }
    case .null: try tape.append(JSONToken(kind: .null))
    case .string where asNull && current.isEmptyText(value): try tape.append(JSONToken(kind: .null))
    default: throw WrongStep(token: value, wantsObject: key.position == KeyNode.isKey)
    }
  }
}
