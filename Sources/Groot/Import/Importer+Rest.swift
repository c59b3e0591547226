// `@rest`: what no path of an entity names in an object, kept so that an export writes it again.

extension Importer {
  /// An object of the members that no path names, also inside of objects that paths lead through;
  /// nil when there are none.
  func rest(of object: TokenIndex, entity: PlanPart<EntityPlan>) throws -> TokenIndex? {
    let start = tape.next
    let isLeft =
      tape.tokens[object].kind == .object
      ? try appendRest(of: object, under: entity.root)
      : try appendRest(ofArray: object, under: plan.nodes + Int(entity.root))
    guard isLeft else { return nil }
    addSynthesized(start, origin: object)
    return start
  }

  /// Appends what is left of an object, or nothing when nothing is; whether something was.
  ///
  /// Recursion is bounded by the length of the longest key path.
  private func appendRest(of object: TokenIndex, under parent: Int32) throws -> Bool {
    let rest = try tape.append(JSONToken(kind: .object))
    var count: UInt64 = 0
    var key = object.next
    for _ in 0..<Int(clamping: tape.tokens[object].payload) {
      let value = key.next
      let before = tape.count
      let node = matcher.find(parent, after: -1, key: tape.tokens[key])
      try tape.append(tape.tokens[key])
      if try appendRest(ofValue: tape.resolved(value), at: node) {
        count += 1
      } else {
        tape.count = before
      }
      key = tape.end(of: value)
    }
    return close(rest, kind: .object, count: count)
  }

  /// Appends what is left of a value under a key or at a position.
  private func appendRest(ofValue value: TokenIndex, at node: Int32) throws -> Bool {
    guard node >= 0 else {
      try copy(value)
      return true
    }
    let found = plan.nodes + Int(node)
    guard found.slotCount == 0 else { return false }
    switch tape.tokens[value].kind {
    case .object: return try appendRest(of: value, under: node)
    case .array where found.positionCount > 0:
      return try appendRest(ofArray: value, under: found)
    default: return false
    }
  }

  /// Appends an array with null for each element that has nothing left.
  private func appendRest(
    ofArray array: TokenIndex, under node: PlanPart<KeyNode>
  ) throws -> Bool {
    let rest = try tape.append(JSONToken(kind: .array))
    let count = tape.tokens[array].payload
    var isLeft = false
    var element = array.next
    for position in 0..<Int(clamping: count) {
      let child =
        position < Int(node.positionCount) ? plan.positions[Int(node.firstPosition) + position] : -1
      if try appendRest(ofValue: tape.resolved(element), at: child) {
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
}
