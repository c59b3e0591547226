/// Reads `@rest`: the unmapped keys of an object, which are stored and exported again.
///
/// It adds the rest to the tape, asks rows for the properties that have a value, and touches nothing
/// else.
final class RestReader {
  let graph: Graph
  let plan: Plan
  private let steps: PlanPart<StepPlan>
  let tape: JSONTape
  private let current: CurrentElement
  let keyMatcher: KeyMatcher
  /// The mapped values of the element that `@rest` nevertheless keeps.
  @exclusivity(unchecked) private(set) var named = NamedRests()
  /// The members of the object being matched that its rest may have; see ``roomForLeft(of:)``.
  @exclusivity(unchecked) var left: Buffer<LeftMember>
  /// The object whose members are noted; none without one.
  @exclusivity(unchecked) private(set) var leftOf = TokenIndex.none
  /// The writer of the tape's values.
  let writer: JSONWriter

  /// A member that exports may not write from properties: its key, and its node or -1.
  struct LeftMember {
    let key: TokenIndex
    let node: Int32
  }

  init(
    _ graph: Graph, plan: Plan, steps: PlanPart<StepPlan>, current: CurrentElement,
    keyMatcher: KeyMatcher
  ) {
    self.graph = graph
    self.plan = plan
    self.steps = steps
    self.current = current
    tape = current.tape
    writer = tape.writer
    self.keyMatcher = keyMatcher
    left = Buffer(graph.memory)
  }

  deinit { left.deallocate() }

  /// Forgets the previous element.
  func begin() {
    named.removeAll()
    leftOf = .none
  }

  // MARK: Members noted while an object is matched

  /// Returns room for all members of an object; nil if all members of the element may be left.
  ///
  /// Those left are noted while keys are matched, so that the rest looks up no key again.
  @inline(__always)
  func roomForLeft(of object: TokenIndex) throws -> UnsafeMutablePointer<LeftMember>? {
    left.removeLast(to: 0)
    leftOf = .none
    guard named.leftAlone.isEmpty else { return nil }
    _ = try left.reserve(Int(clamping: tape.tokens[object].payload))
    return left.start
  }

  /// Ends the notes of an object.
  @inline(__always)
  func endLeft(of object: TokenIndex, count: Int) {
    left.removeLast(to: count)
    leftOf = object
  }

  // MARK: The rest

  /// The number of values that properties ignore.
  var ignoredCount: Int { named.leftAlone.count }

  /// Returns whether a rest has mapped values, which may change after the properties are set.
  func isUncertain(_ rest: TokenIndex) -> Bool { named.uncertain.contains(rest) }

  /// Returns an object with the unmapped members, also of objects inside paths; nil without any.
  ///
  /// - Parameter row: The object after its properties are set. The rest does not repeat properties
  ///   that have a value, since exports write these.
  func rest(
    of object: TokenIndex, entity: PlanPart<EntityPlan>, row: OptionalRow = .none
  ) throws -> TokenIndex? {
    let start = tape.next
    named.row = row
    defer { named.row = .none }
    let isLeft =
      tape.tokens[object].kind == .object
      ? try appendRest(of: object, under: entity.root, entity: entity)
      : try appendRest(ofArray: object, under: plan.nodes + Int(entity.root), entity: entity)
    guard try isLeft || appendBare(object, entity: entity) else { return nil }
    try current.addSynthesized(start, origin: object)
    if named.isUncertain { named.uncertain.insert(start) }
    named.isUncertain = false
    return start
  }

  /// Appends an empty object where null or a scalar is also valid; returns whether it did.
  private func appendBare(_ object: TokenIndex, entity: PlanPart<EntityPlan>) throws -> Bool {
    guard entity.takesScalars, tape.tokens[object].kind == .object,
      tape.tokens[object].payload == 0
    else { return false }
    try tape.appendCopy(of: object)
    return true
  }

  /// Appends the rest of an object if there is one, and returns whether it did.
  ///
  /// The depth of recursion is limited by the length of the longest key path.
  private func appendRest(
    of object: TokenIndex, under parent: Int32, entity: PlanPart<EntityPlan>
  ) throws -> Bool {
    let rest = try tape.append(JSONToken(kind: .object))
    var count: UInt64 = 0
    if object == leftOf, named.leftAlone.isEmpty {
      for position in 0..<left.count {
        let member = left.start[position]
        if try appendRest(ofMember: member.key, at: member.node, entity: entity) { count += 1 }
      }
      return close(rest, kind: .object, count: count)
    }
    var key = object.next
    var place = keyMatcher.beginning(of: parent)
    for _ in 0..<Int(clamping: tape.tokens[object].payload) {
      let member = key
      let node = keyMatcher.find(parent, at: place, key: tape.tokens[member])
      key = tape.end(of: member.next)
      if node >= 0 {
        place = keyMatcher.end(of: node)
        if isSurelyTaken(tape.resolved(member.next), at: plan.nodes + Int(node)) { continue }
      }
      if try appendRest(ofMember: member, at: node, entity: entity) { count += 1 }
    }
    return close(rest, kind: .object, count: count)
  }

  /// Appends a member with the rest of its value if there is one, and returns whether it did.
  @inline(__always)
  private func appendRest(
    ofMember key: TokenIndex, at node: Int32, entity: PlanPart<EntityPlan>
  ) throws -> Bool {
    let before = tape.count
    let value = tape.resolved(key.next)
    try tape.append(tape.tokens[key])
    if node < 0 {
      try tape.appendCopy(of: value)
    } else if try !appendRest(ofValue: value, at: node, entity: entity) {
      tape.count = before
      return false
    }
    return true
  }

  /// Appends the rest of a value under a key or at a position.
  private func appendRest(
    ofValue value: TokenIndex, at node: Int32, entity: PlanPart<EntityPlan>
  ) throws -> Bool {
    guard node >= 0 else {
      try tape.appendCopy(of: value)
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
    case .object where found.keyCount > 0 && !named.leftAlone.contains(value):
      return try appendRest(of: value, under: node, entity: entity)
    case .array where found.positionCount > 0 && !named.leftAlone.contains(value):
      return try appendRest(ofArray: value, under: found, entity: entity)
    case .array where entity.entersArrays && !named.leftAlone.contains(value): return false
    // No path continues at the value.
    default: return try keep(value, at: node, entity: entity)
    }
  }

  /// Appends a mapped value, unless a property that is read there has a value anyway.
  private func keep(
    _ value: TokenIndex, at node: Int32, entity: PlanPart<EntityPlan>
  ) throws -> Bool {
    if let row = named.row.index, hasValue(at: node, entity: entity, row: row) { return false }
    try tape.appendCopy(of: value)
    named.isUncertain = true
    return true
  }

  /// Returns whether a property that is read at or below a node has a value.
  private func hasValue(at node: Int32, entity: PlanPart<EntityPlan>, row: Row) -> Bool {
    let numbers = plan.slotNumbers(under: node).union(plan.slotNumbers(at: plan.nodes + Int(node)))
    return (0..<Int(entity.stepCount)).contains { position in
      let step = steps + (Int(entity.firstStep) + position)
      return !step.value.slots(among: numbers).isEmpty
        && graph.hasValue(row, table: entity.table, field: step.field)
    }
  }

  /// Returns whether a value is an empty container that exports leave out.
  func isEmpty(_ value: TokenIndex, at node: PlanPart<KeyNode>) -> Bool {
    node.leavings.contains(.empty) && tape.tokens[value].payload == 0
  }

  /// Returns whether exports write a value again from the properties that read it.
  func isTaken(
    _ value: TokenIndex, at node: PlanPart<KeyNode>, entity: PlanPart<EntityPlan>
  ) -> Bool {
    guard node.slotCount > 0 else { return false }
    if node.leavings.contains(.kind) { return isKind(value, writtenFor: entity) }
    if named.leftAlone.contains(value) { return false }
    switch tape.tokens[value].kind {
    case .null: return !node.leavings.contains(.null)
    case .array, .object: return !isEmpty(value, at: node)
    default: return true
    }
  }

  /// Returns whether a value has content that a property reads and no policy ignores: exports
  /// then write it again.
  @inline(__always)
  func isSurelyTaken(_ value: TokenIndex, at node: PlanPart<KeyNode>) -> Bool {
    guard node.slotCount > 0, !node.leavings.contains(.kind), named.leftAlone.isEmpty else {
      return false
    }
    let token = tape.tokens[value]
    return token.rawKind >= JSONKind.array.rawValue
      ? token.payload > 0 : token.rawKind != JSONKind.null.rawValue
  }

  /// Returns whether a value is the one that exports write to name an entity.
  private func isKind(_ value: TokenIndex, writtenFor entity: PlanPart<EntityPlan>) -> Bool {
    guard entity.writesKind, tape.tokens[value].kind == .string else { return false }
    let choice = plan.choices + Int(entity.discriminator)
    return choice.pointee.entity(tape.tokens[value].bytes) == entity.entity
  }

  /// Appends an array with null for each element without a rest.
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

  /// Ends a container, or removes it if it is empty.
  private func close(_ container: TokenIndex, kind: JSONKind, count: UInt64) -> Bool {
    guard count > 0 else {
      tape.count = container.offset
      return false
    }
    tape.tokens[container] = JSONToken(
      kind: kind, size: UInt32(truncatingIfNeeded: tape.count), payload: count)
    return true
  }

  /// Notes a value that a property ignores under its policy: `@rest` keeps the value.
  @inline(never)
  func leaveAlone(_ token: TokenIndex, _ step: PlanPart<StepPlan>) {
    guard !token.isNone else { return }
    // Another call may have stricter policies than this one.
    let policies = plan.steps[step - steps].policies
    if policies.invalid != .fail || policies.shape == .ignore || policies.emptyText == .null {
      // A combined list is noted by the array that it comes from.
      named.leftAlone.insert(current.synthesizedValue(around: token)?.origin ?? token)
    }
  }

  /// Returns whether a record has members, or elements, that paths can name.
  func hasRest(_ token: TokenIndex, entity: PlanPart<EntityPlan>) -> Bool {
    switch tape.tokens[token].kind {
    case .object: true
    case .array: plan.nodes[Int(entity.root)].positionCount > 0
    default: false
    }
  }

  /// Appends an object with the mapped keys of a record.
  ///
  /// The value of a key is null, or an object if paths continue in the member. The depth of
  /// recursion is limited by the length of the longest key path.
  func appendTaken(of object: TokenIndex, under parent: Int32) throws {
    let taken = try tape.append(JSONToken(kind: .object))
    var count: UInt64 = 0
    var key = object.next
    var place = keyMatcher.beginning(of: parent)
    for _ in 0..<Int(clamping: tape.tokens[object].payload) {
      let value = tape.resolved(key.next)
      let node = keyMatcher.find(parent, at: place, key: tape.tokens[key])
      if node >= 0 {
        place = keyMatcher.end(of: node)
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
