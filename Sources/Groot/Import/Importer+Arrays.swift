// Key paths that lead through arrays: `powers.name` gives the list of the powers' names.

/// A value in an array where a path cannot continue.
private struct WrongStep: Error {
  let token: TokenIndex
  let wantsObject: Bool
}

extension Importer {
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
    addSynthesized(start, origin: array)
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
    let numbers = Set(slotNumbers(at: node))
    var error = error
    if isEmptyText(error.token), readsEmptyAsNull(numbers, entity: entity) {
      let start = tape.next
      do {
        return try gatherList(array, path, at: node, base: base, readsEmptyAsNull: true)
      } catch let other as WrongStep {
        tape.count = start.offset
        error = other
      }
    }
    try settle(numbers, base: base, entity: entity, token: array) {
      failure(
        .wrongShape,
        "there is \(shown(error.token)) where the model's key paths expect "
          + (error.wantsObject ? "an object" : "an array"),
        token: error.token, entity: planIndex(entity), property: $0)
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
    guard let node = path.first else { return try copy(value) }
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
    case .string where asNull && isEmptyText(value): try tape.append(JSONToken(kind: .null))
    default: throw WrongStep(token: value, wantsObject: key.position == KeyNode.isKey)
    }
  }

  /// Appends a copy of a value, with the ends of its containers moved.
  func copy(_ value: TokenIndex) throws {
    let shift = value.distance(to: tape.next)
    for index in value..<tape.end(of: value) {
      let token = tape.tokens[index]
      if token.rawKind >= JSONKind.array.rawValue {
        try tape.append(
          JSONToken(
            kind: token.kind, size: UInt32(truncatingIfNeeded: Int(token.size) + shift),
            payload: token.payload))
      } else {
        try tape.append(token)
      }
    }
  }
}
