// From the members of an object to the tokens that its entity's key paths lead to.

extension Importer {
  /// Notes for each key path of an entity where it leads in an object.
  @inline(__always)
  func match(
    _ object: Int, entity: UnsafeMutablePointer<EntityPlan>, base: Int
  ) throws {
    let count = Int(entity.pointee.slotCount)
    guard slots.count &+ count <= maximumSlots else { throw tooManySlots(object) }
    _ = slots.reserve(count)
    (slots.start + base).update(repeating: -1, count: count)
    if tape.tokens[object].kind == .array {
      try matchPositions(object, entity: entity, base: base)
    } else {
      try match(object, under: entity.pointee.root, base: base, entity: entity)
    }
  }

  @inline(never)
  private func tooManySlots(_ object: Int) -> GrootError {
    failure(
      .limitExceeded,
      "the objects that one record nests have more than \(maximumSlots) properties in all",
      token: object)
  }

  /// As ``match(_:entity:base:)`` for an array, whose elements have positions for keys.
  private func matchPositions(
    _ array: Int, entity: UnsafeMutablePointer<EntityPlan>, base: Int
  ) throws {
    var element = array + 1
    let count = min(Int(clamping: tape.tokens[array].payload), Int(entity.pointee.positionCount))
    for position in 0..<count {
      let node = plan.positions[Int(entity.pointee.firstPosition) + position]
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

  /// Recursion is bounded by the length of the longest key path.
  ///
  /// Of a key that comes again the last value counts. What paths go on below is therefore looked
  /// at when all members are known.
  func match(
    _ object: Int, under parent: Int32, base: Int, entity: UnsafeMutablePointer<EntityPlan>
  ) throws {
    let tokens = tape.tokens
    let hasAliases = tape.hasAliases
    var index = object &+ 1
    var previous: Int32 = -1
    for _ in 0..<Int(truncatingIfNeeded: tokens[object].payload) {
      let node = matcher.find(parent, after: previous, key: tokens[index])
      let value = index &+ 1
      if node >= 0 {
        previous = node
        note(hasAliases ? tape.resolved(value) : value, at: plan.nodes + Int(node), base: base)
      } else if entity.pointee.hasSpellings && parent == entity.pointee.root {
        noteSpelled(index, value: tape.resolved(value), entity: entity, base: base)
      }
      index = tokens[value].end(at: value)
    }
    let above = plan.nodes + Int(parent)
    guard above.pointee.hasInnerChildren else { return }
    for child in above.pointee.firstChild..<above.pointee.firstChild + above.pointee.childCount {
      let inner = plan.nodes[Int(child)].innerSlot
      guard inner >= 0 else { continue }
      let value = slots.start[base &+ Int(inner)]
      if value >= 0 { try descend(Int(value), node: child, base: base, entity: entity) }
    }
  }

  /// Notes that a node's paths lead to a value.
  @inline(__always)
  private func note(_ value: Int, at node: UnsafeMutablePointer<KeyNode>, base: Int) {
    for position in 0..<Int(node.pointee.slotCount) {
      let slot = plan.slots[Int(node.pointee.firstSlot) &+ position]
      slots.start[base &+ Int(slot)] = Int32(truncatingIfNeeded: value)
    }
    if node.pointee.innerSlot >= 0 {
      slots.start[base &+ Int(node.pointee.innerSlot)] = Int32(truncatingIfNeeded: value)
    }
  }

  /// Notes a value whose key is another spelling of a property's.
  private func noteSpelled(
    _ key: Int, value: Int, entity: UnsafeMutablePointer<EntityPlan>, base: Int
  ) {
    let number = planIndex(entity)
    guard let spelling = plan.spellings[number],
      let position = spelled.position(of: tape.tokens[key].bytes, in: number, spelling)
    else { return }
    let step = steps + (Int(entity.pointee.firstStep) + position)
    guard step.pointee.options.contains(.hasSpellings) else { return }
    let slot = base + Int(step.pointee.firstSlot) + Int(step.pointee.slotCount) - 1
    slots.start[slot] = Int32(truncatingIfNeeded: value)
  }

  func descend(
    _ value: Int, node: Int32, base: Int, entity: UnsafeMutablePointer<EntityPlan>
  ) throws {
    switch tape.tokens[value].kind {
    case .object:
      if entity.pointee.clearsMissingLeaves {
        try clearSlots(under: node, value, base: base, entity: entity)
      }
      try match(value, under: node, base: base, entity: entity)
    case .null: fillSlots(under: node, value, base: base)
    case .array:
      do {
        try gatherSlots(under: node, value, base: base)
      } catch let error as GrootError where entity.pointee.keepsInvalid {
        notes.append(error.issues)
        fillSlots(under: node, -1, base: base)
      }
    default:
      let property = firstProperty(under: node, entity)
      let failure = failure(
        .wrongShape, "there is \(shown(value)) where the model's key paths expect an object",
        token: value,
        entity: planIndex(entity), property: property)
      guard entity.pointee.keepsInvalid else { throw failure }
      notes.append(failure.issues)
      fillSlots(under: node, -1, base: base)
    }
  }

  /// The property of the first path that goes through a node.
  private func firstProperty(
    under node: Int32, _ entity: UnsafeMutablePointer<EntityPlan>
  ) -> Field? {
    var next = plan.nodes + Int(node)
    while next.pointee.slotCount == 0 || next.pointee.innerSlot >= 0 {
      guard next.pointee.childCount > 0 else { return nil }
      next = plan.nodes + Int(next.pointee.firstChild)
      if next.pointee.slotCount > 0 { break }
    }
    guard next.pointee.slotCount > 0 else { return nil }
    let slot = plan.slots[Int(next.pointee.firstSlot)]
    let first = steps + Int(entity.pointee.firstStep)
    for position in 0..<Int(entity.pointee.stepCount) {
      let step = first[position]
      if step.firstSlot <= slot && slot < step.firstSlot + step.slotCount { return step.field }
    }
    return nil
  }

  /// Makes attributes that may be missing below a node count as null; relationships stay.
  private func clearSlots(
    under node: Int32, _ object: Int, base: Int, entity: UnsafeMutablePointer<EntityPlan>
  ) throws {
    if missingLeaf < 0 {
      let index = try tape.append(JSONToken(kind: .null))
      missingLeaf = Int32(truncatingIfNeeded: index)
      addSynthesized(index, origin: object)
    }
    fillSlots(under: node, Int(missingLeaf), base: base, below: entity.pointee.attributeSlots)
  }

  /// A null on the way makes all that would be below it null.
  ///
  /// Slots from `limit` on are left alone.
  func fillSlots(under node: Int32, _ token: Int, base: Int, below limit: Int32 = .max) {
    let parent = plan.nodes + Int(node)
    for child in parent.pointee.firstChild..<parent.pointee.firstChild + parent.pointee.childCount {
      let found = plan.nodes + Int(child)
      for position in 0..<Int(found.pointee.slotCount) {
        let slot = plan.slots[Int(found.pointee.firstSlot) + position]
        if slot < limit { slots.start[base + Int(slot)] = Int32(truncatingIfNeeded: token) }
      }
      fillSlots(under: child, token, base: base, below: limit)
    }
  }

  /// The token of a step: that of its first key path which is there, or -1.
  @inline(__always)
  func slot(_ step: UnsafeMutablePointer<StepPlan>, base: Int) throws -> Int32 {
    if step.pointee.hasSpecialSlots { return try specialSlot(step, base: base) }
    let first = base &+ Int(step.pointee.firstSlot)
    for position in 0..<Int(step.pointee.slotCount) where slots.start[first &+ position] >= 0 {
      return slots.start[first &+ position]
    }
    return -1
  }

  @inline(never)
  private func specialSlot(_ step: UnsafeMutablePointer<StepPlan>, base: Int) throws -> Int32 {
    let first = base + Int(step.pointee.firstSlot)
    if step.pointee.options.contains(.combines) { return try combinedSlot(step, first: first) }
    for position in 0..<Int(step.pointee.slotCount) {
      let token = slots.start[first + position]
      guard token >= 0 else { continue }
      if position >= step.pointee.identifierSlots || isIdentifiers(Int(token), step: step) {
        return token
      }
    }
    return -1
  }

  /// Whether a value is allowed under a key that is for identifiers only.
  private func isIdentifiers(_ token: Int, step: UnsafeMutablePointer<StepPlan>) -> Bool {
    switch tape.tokens[token].kind {
    case .null: return true
    case .array: return step.pointee.field.isToMany && !holdsObjects(token)
    case .string, .integer, .real, .largeNumber: return !step.pointee.field.isToMany
    case .object, .true, .false, .alias: return false
    }
  }

  /// Whether an array has anything but identifiers in it.
  func holdsObjects(_ array: Int) -> Bool {
    var element = array + 1
    for _ in 0..<Int(clamping: tape.tokens[array].payload) {
      switch tape.tokens[element].kind {
      case .string, .integer, .real, .largeNumber: element = tape.end(of: element)
      default: return true
      }
    }
    return false
  }

  /// Whether what a to-many gets is given as objects, by the key or by the value under it.
  func isGivenAsObjects(
    _ token: Int, step: UnsafeMutablePointer<StepPlan>, base: Int
  ) -> Bool {
    if tape.tokens[token].kind == .array, tape.tokens[token].payload > 0 {
      return holdsObjects(token)
    }
    let first = base + Int(step.pointee.firstSlot)
    let keys = Int(step.pointee.identifierSlots)
    for position in keys..<keys + Int(step.pointee.objectSlots)
    where Int(slots.start[first + position]) == token {
      return true
    }
    return false
  }

  /// A list of what all paths of a step lead to, null where one leads nowhere; -1 when all do.
  private func combinedSlot(_ step: UnsafeMutablePointer<StepPlan>, first: Int) throws -> Int32 {
    let count = Int(step.pointee.slotCount)
    guard let known = (0..<count).map({ slots.start[first + $0] }).first(where: { $0 >= 0 }) else {
      return -1
    }
    let list = try tape.append(JSONToken(kind: .array, payload: UInt64(count)))
    for position in 0..<count {
      let token = slots.start[first + position]
      if token >= 0 { try copy(Int(token)) } else { try tape.append(JSONToken(kind: .null)) }
    }
    tape.tokens[list] = JSONToken(
      kind: .array, size: UInt32(truncatingIfNeeded: tape.count), payload: UInt64(count))
    addSynthesized(list, origin: Int(known))
    return Int32(truncatingIfNeeded: list)
  }
}
