// `@rest`: the unmapped keys of an object, kept so that an export writes them again.

extension Importer {
  /// An object of the unmapped members, also inside objects that paths lead through; nil without
  /// any.
  ///
  /// - Parameter row: The object, once its properties are set: those that have a value are written, so
  ///   that nothing is kept for them.
  func rest(
    of object: TokenIndex, entity: PlanPart<EntityPlan>, row: OptionalRow = .none
  ) throws -> TokenIndex? {
    let start = tape.next
    namedRests.row = row
    defer { namedRests.row = .none }
    let isLeft =
      tape.tokens[object].kind == .object
      ? try appendRest(of: object, under: entity.root, entity: entity)
      : try appendRest(ofArray: object, under: plan.nodes + Int(entity.root), entity: entity)
    guard try isLeft || appendBare(object, entity: entity) else { return nil }
    addSynthesized(start, origin: object)
    if namedRests.isUncertain { namedRests.uncertain.insert(start) }
    namedRests.isUncertain = false
    return start
  }

  /// Appends an object without members that stands where null or a scalar could; whether it is one.
  private func appendBare(_ object: TokenIndex, entity: PlanPart<EntityPlan>) throws -> Bool {
    guard entity.takesScalars, tape.tokens[object].kind == .object,
      tape.tokens[object].payload == 0
    else { return false }
    try copy(object)
    return true
  }

  /// Appends what is left of an object, or nothing when nothing is; whether something was.
  ///
  /// Recursion is bounded by the length of the longest key path.
  private func appendRest(
    of object: TokenIndex, under parent: Int32, entity: PlanPart<EntityPlan>
  ) throws -> Bool {
    let rest = try tape.append(JSONToken(kind: .object))
    var count: UInt64 = 0
    var key = object.next
    for _ in 0..<Int(clamping: tape.tokens[object].payload) {
      let value = key.next
      let before = tape.count
      let node = matcher.find(parent, after: -1, key: tape.tokens[key])
      try tape.append(tape.tokens[key])
      if try appendRest(ofValue: tape.resolved(value), at: node, entity: entity) {
        count += 1
      } else {
        tape.count = before
      }
      key = tape.end(of: value)
    }
    return close(rest, kind: .object, count: count)
  }

  /// Appends what is left of a value under a key or at a position.
  private func appendRest(
    ofValue value: TokenIndex, at node: Int32, entity: PlanPart<EntityPlan>
  ) throws -> Bool {
    guard node >= 0 else {
      try copy(value)
      return true
    }
    let found = plan.nodes + Int(node)
    if found.slotCount > 0 || found.childCount == 0 {
      return isTaken(value, at: found, entity: entity)
        ? false : try keep(value, at: node, entity: entity)
    }
    switch tape.tokens[value].kind {
    case .object where isEmpty(value, at: found), .array where isEmpty(value, at: found):
      return try keep(value, at: node, entity: entity)
    case .object where found.keyCount > 0 && !namedRests.leftAlone.contains(value):
      return try appendRest(of: value, under: node, entity: entity)
    case .array where found.positionCount > 0 && !namedRests.leftAlone.contains(value):
      return try appendRest(ofArray: value, under: found, entity: entity)
    case .array where entity.entersArrays && !namedRests.leftAlone.contains(value): return false
    // No path goes on there.
    default: return try keep(value, at: node, entity: entity)
    }
  }

  /// Appends a value that a path names, unless what is read there has a value all the same.
  private func keep(
    _ value: TokenIndex, at node: Int32, entity: PlanPart<EntityPlan>
  ) throws -> Bool {
    if let row = namedRests.row.index, hasValue(at: node, entity: entity, row: row) { return false }
    try copy(value)
    namedRests.isUncertain = true
    return true
  }

  /// Whether a property that is read at a node, or below it, has a value.
  private func hasValue(at node: Int32, entity: PlanPart<EntityPlan>, row: Row) -> Bool {
    let numbers = slotNumbers(under: node).union(slotNumbers(at: plan.nodes + Int(node)))
    return (0..<Int(entity.stepCount)).contains { position in
      let step = steps + (Int(entity.firstStep) + position)
      return !ownSlots(step, among: numbers).isEmpty
        && hasValue(row, table: entity.table, field: step.field)
    }
  }

  /// Whether a value is a container without content that an export leaves out.
  private func isEmpty(_ value: TokenIndex, at node: PlanPart<KeyNode>) -> Bool {
    node.leavings.contains(.empty) && tape.tokens[value].payload == 0
  }

  /// Whether an export of what properties take of a value writes it again.
  private func isTaken(
    _ value: TokenIndex, at node: PlanPart<KeyNode>, entity: PlanPart<EntityPlan>
  ) -> Bool {
    guard node.slotCount > 0 else { return false }
    if node.leavings.contains(.kind) { return isKind(value, writtenFor: entity) }
    if !namedRests.leftAlone.isEmpty && namedRests.leftAlone.contains(value) { return false }
    switch tape.tokens[value].kind {
    case .null: return !node.leavings.contains(.null)
    case .array, .object: return !isEmpty(value, at: node)
    default: return true
    }
  }

  /// Whether a value is the one that an export writes for an entity.
  private func isKind(_ value: TokenIndex, writtenFor entity: PlanPart<EntityPlan>) -> Bool {
    guard entity.writesKind, tape.tokens[value].kind == .string else { return false }
    let choice = plan.choices + Int(entity.discriminator)
    return choice.pointee.entity(tape.tokens[value].bytes) == entity.entity
  }

  /// Appends an array with null for each element that has nothing left.
  private func appendRest(
    ofArray array: TokenIndex, under node: PlanPart<KeyNode>, entity: PlanPart<EntityPlan>
  ) throws -> Bool {
    let rest = try tape.append(JSONToken(kind: .array))
    let count = tape.tokens[array].payload
    var isLeft = false
    var element = array.next
    for position in 0..<Int(clamping: count) {
      let child =
        position < Int(node.positionCount) ? plan.positions[Int(node.firstPosition) + position] : -1
      if try appendRest(ofValue: tape.resolved(element), at: child, entity: entity) {
        isLeft = true
      } else {
        try tape.append(JSONToken(kind: .null))
      }
      element = tape.end(of: element)
    }
    return close(rest, kind: .array, count: isLeft ? count : 0)
  }

  /// Ends a container that was begun, or takes it back when it is empty.
  private func close(_ container: TokenIndex, kind: JSONKind, count: UInt64) -> Bool {
    guard count > 0 else {
      tape.count = container.offset
      return false
    }
    tape.tokens[container] = JSONToken(
      kind: kind, size: UInt32(truncatingIfNeeded: tape.count), payload: count)
    return true
  }

  // MARK: Filling

  /// Notes a value that a property does without, as the mapping says: the value is kept.
  @inline(never)
  func leaveAlone(_ token: TokenIndex, _ step: PlanPart<StepPlan>) {
    guard plan.hasRest, !token.isNone else { return }
    // A call may refuse a value that this one lets pass.
    let policies = plan.steps[step - steps].policies
    if policies.invalid != .fail || policies.shape == .ignore || policies.emptyText == .null {
      // A list that was put together stands for the array it is from.
      namedRests.leftAlone.insert(synthesizedValue(around: token)?.origin ?? token)
    }
  }

  /// Keeps what no property has taken, when all others are set; whether that changed the object.
  ///
  /// - Parameter isLater: Whether values were left alone since the record was matched.
  @inline(never)
  func fillRest(_ frame: ImportFrame, table: TableIndex, isLater: Bool) throws -> Bool {
    let entity = plan.entities + frame.plan
    let step = steps + Int(entity.restStep)
    if step.slotCount == 0 { return false }
    do {
      var token = try slot(step, base: Int(frame.slots))
      if isLater || namedRests.uncertain.contains(token), hasRest(frame.token, entity: entity) {
        token = try rest(of: frame.token, entity: entity, row: OptionalRow(frame.row)) ?? .none
      }
      if !frame.isNew, !frame.isPartial, step.policies.missing == .keep,
        hasRest(frame.token, entity: entity),
        let isChanged = try addRest(token, of: frame, table: table, step: step)
      {
        return isChanged
      }
      return try fill(step, frame: frame, table: table, token: token)
    } catch {
      return try settle(error, step: step, frame: frame, table: table)
    }
  }

  /// Whether a record has members, or elements, of which paths name some.
  func hasRest(_ token: TokenIndex, entity: PlanPart<EntityPlan>) -> Bool {
    switch tape.tokens[token].kind {
    case .object: true
    case .array: plan.nodes[Int(entity.root)].positionCount > 0
    default: false
    }
  }

  /// Appends an object whose members are what a record brings of what paths name: null for a value, an
  /// object for one in which paths go on.
  ///
  /// Recursion is bounded by the length of the longest key path.
  func appendTaken(of object: TokenIndex, under parent: Int32) throws {
    let taken = try tape.append(JSONToken(kind: .object))
    var count: UInt64 = 0
    var key = object.next
    for _ in 0..<Int(clamping: tape.tokens[object].payload) {
      let value = tape.resolved(key.next)
      let node = matcher.find(parent, after: -1, key: tape.tokens[key])
      if node >= 0 {
        try tape.append(tape.tokens[key])
        if plan.nodes[Int(node)].leadsOn && tape.tokens[value].kind == .object {
          try appendTaken(of: value, under: node)
        } else {
          try tape.append(JSONToken(kind: .null))
        }
        count += 1
      }
      key = tape.end(of: key.next)
    }
    tape.tokens[taken] = JSONToken(
      kind: .object, size: UInt32(truncatingIfNeeded: tape.count), payload: count)
  }
}
