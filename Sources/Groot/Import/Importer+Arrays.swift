// Key paths that lead through arrays: `powers.name` gives the list of the powers' names.

extension Importer {
  /// Fills the slots below a node with lists, put together from the elements of an array.
  func gatherSlots(under node: Int32, _ array: TokenIndex, base: Int) throws {
    let parent = plan.nodes + Int(node)
    for child in parent.firstChild..<parent.firstChild + parent.childCount {
      try gatherSlots(at: child, [child], from: array, base: base)
    }
  }

  /// Recursion is bounded by the length of the longest key path.
  private func gatherSlots(
    at node: Int32, _ path: [Int32], from array: TokenIndex, base: Int
  ) throws {
    let found = plan.nodes + Int(node)
    if found.slotCount > 0 {
      let start = tape.next
      let list = try appendList(array, path: path[...])
      addSynthesized(start, origin: array)
      for position in 0..<Int(found.slotCount) {
        let slot = plan.slots[Int(found.firstSlot) + position]
        slots.start[base + Int(slot)] = list
      }
    }
    for child in found.firstChild..<found.firstChild + found.childCount {
      try gatherSlots(at: child, path + [child], from: array, base: base)
    }
  }

  /// Appends a list of what a path leads to in each element; null where it leads nowhere.
  private func appendList(_ array: TokenIndex, path: ArraySlice<Int32>) throws -> TokenIndex {
    let count = tape.tokens[array].payload
    let list = try tape.append(JSONToken(kind: .array, payload: count))
    var element = array.next
    for _ in 0..<Int(truncatingIfNeeded: count) {
      let end = tape.end(of: element)
      try appendValue(element, path: path)
      element = end
    }
    tape.tokens[list] = JSONToken(
      kind: .array, size: UInt32(truncatingIfNeeded: tape.count), payload: count)
    return list
  }

  private func appendValue(_ value: TokenIndex, path: ArraySlice<Int32>) throws {
    let value = tape.resolved(value)
    guard let node = path.first else { return try copy(value) }
    switch tape.tokens[value].kind {
    case .array: _ = try appendList(value, path: path)
    case .object:
      let key = plan.nodes + Int(node)
      let bytes = UnsafeBufferPointer(start: key.bytes, count: Int(key.length))
      if let member = tape.value(forKey: bytes, inObject: value) {
        try appendValue(member, path: path.dropFirst())
      } else {
        try tape.append(JSONToken(kind: .null))
      }
    case .null: try tape.append(JSONToken(kind: .null))
    default:
      throw failure(
        .wrongShape, "there is \(shown(value)) where the model's key paths expect an object",
        token: value)
    }
  }

  /// Appends a copy of a value; what containers say about their ends moves with it.
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
