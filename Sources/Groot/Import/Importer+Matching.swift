// The tokens in an object that the key paths of its entity lead to.

extension Importer {
  /// Notes the value of each key path of an entity in an object.
  @inline(__always)
  func match(
    _ object: TokenIndex, entity: PlanPart<EntityPlan>, base: Int
  ) throws {
    let count = Int(entity.slotCount)
    guard slots.count &+ count <= maximumSlots else { throw tooManySlots(object) }
    _ = try slots.reserve(count)
    (slots.start + base).update(repeating: .none, count: count)
    let kind = tape.tokens[object].rawKind
    if kind == JSONKind.object.rawValue {
      if entity.takesArrays { try requireKeys(object, entity: entity) }
      try match(object, under: entity.root, base: base, entity: entity)
    } else if kind == JSONKind.array.rawValue {
      try matchPositions(object, under: entity.root, base: base, entity: entity)
    }
    if entity.places >= 0 { try matchPlaces(object, entity: entity, base: base) }
    if !place.key.isNone { try matchKey(object, entity: entity, base: base) }
  }

  /// Throws for an object if an entity reads only positions in an array.
  private func requireKeys(_ object: TokenIndex, entity: PlanPart<EntityPlan>) throws {
    let root = plan.nodes + Int(entity.root)
    guard root.keyCount == 0 && root.positionCount > 0 else { return }
    throw failure(
      .wrongShape, "there is an object where '\(name(planIndex(entity)))' is an array",
      token: object, entity: planIndex(entity))
  }

  @inline(never)
  private func tooManySlots(_ object: TokenIndex) -> GrootError {
    failure(
      .limitExceeded,
      "the objects that one record nests have more than \(maximumSlots) properties in all",
      token: object)
  }

  /// Notes the values of the paths below a node in an array, by position.
  func matchPositions(
    _ array: TokenIndex, under parent: Int32, base: Int, entity: PlanPart<EntityPlan>
  ) throws {
    var element = array.next
    let above = plan.nodes + Int(parent)
    let count = min(Int(clamping: tape.tokens[array].payload), Int(above.positionCount))
    for position in 0..<count {
      let node = plan.positions[Int(above.firstPosition) + position]
      if node >= 0 {
        let value = tape.resolved(element)
        note(value, at: plan.nodes + Int(node), base: base)
        if plan.nodes[Int(node)].innerSlot >= 0 {
          try descend(value, node: node, base: base, entity: entity)
        }
      }
      element = tape.end(of: element)
    }
  }

  /// Notes the values of the paths below a node in an object.
  ///
  /// The last of several equal keys counts. Paths that continue below a value are therefore
  /// followed after all members are known. The depth of recursion is limited by the length of the
  /// longest key path.
  func match(
    _ object: TokenIndex, under parent: Int32, base: Int, entity: PlanPart<EntityPlan>
  ) throws {
    let tokens = tape.tokens
    let hasAliases = tape.hasAliases
    var index = object.next
    var previous: Int32 = -1
    for _ in 0..<Int(truncatingIfNeeded: tokens[object].payload) {
      let node = matcher.find(parent, after: previous, key: tokens[index])
      let value = index.next
      if node >= 0 {
        previous = node
        note(hasAliases ? tape.resolved(value) : value, at: plan.nodes + Int(node), base: base)
      } else if entity.hasSpellings && parent == entity.root {
        noteSpelled(index, value: tape.resolved(value), entity: entity, base: base)
      }
      index = tokens[value].end(at: value)
    }
    let above = plan.nodes + Int(parent)
    guard above.hasInnerChildren else { return }
    for child in above.firstChild..<above.firstChild + above.childCount {
      let inner = plan.nodes[Int(child)].innerSlot
      guard inner >= 0 else { continue }
      let value = slots.start[base &+ Int(inner)]
      if !value.isNone { try descend(value, node: child, base: base, entity: entity) }
    }
  }

  /// Notes a value for the paths of a node.
  @inline(__always)
  func note(_ value: TokenIndex, at node: PlanPart<KeyNode>, base: Int) {
    for position in 0..<Int(node.slotCount) {
      let slot = plan.slots[Int(node.firstSlot) &+ position]
      slots.start[base &+ Int(slot)] = value
    }
    if node.innerSlot >= 0 {
      slots.start[base &+ Int(node.innerSlot)] = value
    }
  }

  /// Notes a value whose key is an alternative spelling of a property's key.
  private func noteSpelled(
    _ key: TokenIndex, value: TokenIndex, entity: PlanPart<EntityPlan>, base: Int
  ) {
    let number = planIndex(entity)
    guard let spelling = plan.spellings[number],
      let position = spelled.position(of: tape.tokens[key].bytes, in: number, spelling)
    else { return }
    let step = steps + (Int(entity.firstStep) + position)
    guard step.options.contains(.hasSpellings) else { return }
    let slot = base + Int(step.firstSlot) + Int(step.slotCount) - 1
    slots.start[slot] = value
  }

  /// Reads attributes that may be missing below a node as null; relationships are unchanged.
  func clearSlots(
    under node: Int32, _ object: TokenIndex, base: Int, entity: PlanPart<EntityPlan>
  ) throws {
    if missingLeaf.isNone { missingLeaf = try appendNull(for: object) }
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

  /// Returns the token of a step, from its first existing key path; -1 without one.
  @inline(__always)
  func slot(_ step: PlanPart<StepPlan>, base: Int) throws -> TokenIndex {
    if step.hasSpecialSlots { return try specialSlot(step, base: base) }
    let first = base &+ Int(step.firstSlot)
    for position in 0..<Int(step.slotCount) where !slots.start[first &+ position].isNone {
      return slots.start[first &+ position]
    }
    return .none
  }

  @inline(never)
  private func specialSlot(_ step: PlanPart<StepPlan>, base: Int) throws -> TokenIndex {
    let first = base + Int(step.firstSlot)
    if step.options.contains(.combines) { return try combinedSlot(step, first: first) }
    for position in 0..<Int(step.slotCount) {
      let token = slots.start[first + position]
      guard !token.isNone else { continue }
      if position >= step.identifierSlots || isIdentifiers(token, step: step) {
        return step.policies.emptyText == .null ? try nullForEmpty(token, step) : token
      }
    }
    return .none
  }

  /// Returns the list of the values of all paths of a step; -1 if all values are missing.
  ///
  /// A single missing value is null in the list.
  private func combinedSlot(_ step: PlanPart<StepPlan>, first: Int) throws -> TokenIndex {
    let count = Int(step.slotCount)
    let known = (0..<count).map { slots.start[first + $0] }.filter { !$0.isNone }
    guard let origin = known.first else { return .none }
    // Exports write null for a missing value, and the transformer is not called for nulls.
    if known.allSatisfy({ tape.tokens[$0].kind == .null }) { return origin }
    let list = try tape.append(JSONToken(kind: .array, payload: UInt64(count)))
    for position in 0..<count {
      let token = slots.start[first + position]
      if !token.isNone { try copy(token) } else { try tape.append(JSONToken(kind: .null)) }
    }
    tape.tokens[list] = JSONToken(
      kind: .array, size: UInt32(truncatingIfNeeded: tape.count), payload: UInt64(count))
    addSynthesized(list, origin: origin)
    return list
  }
}
