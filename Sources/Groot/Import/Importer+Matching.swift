// From the members of an object to the tokens that its entity's key paths lead to.

extension Importer {
  /// Notes for each key path of an entity where it leads in an object.
  @inline(__always)
  func match(
    _ object: Int, _ entity: UnsafeMutablePointer<EntityPlan>, _ base: Int
  ) throws {
    let count = Int(entity.pointee.slotCount)
    _ = slots.reserve(count)
    (slots.start + base).update(repeating: -1, count: count)
    try match(object, under: entity.pointee.root, base)
  }

  /// Recursion is bounded by the length of the longest key path.
  ///
  /// Of a key that comes again the last value counts. What paths go on below is therefore looked
  /// at when all members are known.
  func match(_ object: Int, under parent: Int32, _ base: Int) throws {
    let tokens = tape.tokens
    var index = object &+ 1
    var previous: Int32 = -1
    for _ in 0..<Int(truncatingIfNeeded: tokens[object].payload) {
      let node = matcher.find(parent, after: previous, tokens[index])
      let value = index &+ 1
      if node >= 0 {
        previous = node
        let found = plan.nodes + Int(node)
        for position in 0..<Int(found.pointee.slotCount) {
          let slot = plan.slots[Int(found.pointee.firstSlot) &+ position]
          slots.start[base &+ Int(slot)] = Int32(truncatingIfNeeded: value)
        }
        if found.pointee.innerSlot >= 0 {
          slots.start[base &+ Int(found.pointee.innerSlot)] = Int32(truncatingIfNeeded: value)
        }
      }
      index = tokens[value].end(at: value)
    }
    let above = plan.nodes + Int(parent)
    guard above.pointee.hasInnerChildren else { return }
    for child in above.pointee.firstChild..<above.pointee.firstChild + above.pointee.childCount {
      let inner = plan.nodes[Int(child)].innerSlot
      guard inner >= 0 else { continue }
      let value = slots.start[base &+ Int(inner)]
      if value >= 0 { try descend(Int(value), child, base) }
    }
  }

  func descend(_ value: Int, _ node: Int32, _ base: Int) throws {
    switch tape.tokens[value].kind {
    case .object: try match(value, under: node, base)
    case .null: fillSlots(under: node, value, base)
    case .array: try gatherSlots(under: node, value, base)
    default:
      throw failure(
        .wrongShape, "\(shown(value)) stands where the model's key paths expect an object", value)
    }
  }

  /// A null on the way makes all that would be below it null.
  func fillSlots(under node: Int32, _ token: Int, _ base: Int) {
    let parent = plan.nodes + Int(node)
    for child in parent.pointee.firstChild..<parent.pointee.firstChild + parent.pointee.childCount {
      let found = plan.nodes + Int(child)
      for position in 0..<Int(found.pointee.slotCount) {
        let slot = plan.slots[Int(found.pointee.firstSlot) + position]
        slots.start[base + Int(slot)] = Int32(truncatingIfNeeded: token)
      }
      fillSlots(under: child, token, base)
    }
  }

  /// The token of a step: that of its first key path which is there, or -1.
  @inline(__always)
  func slot(_ step: UnsafeMutablePointer<StepPlan>, _ base: Int) -> Int32 {
    let first = base &+ Int(step.pointee.firstSlot)
    for position in 0..<Int(step.pointee.slotCount) where slots.start[first &+ position] >= 0 {
      return slots.start[first &+ position]
    }
    return -1
  }
}
