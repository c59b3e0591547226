// The numbers of an entity, and of the slots of a step and of the paths at and below a node.

extension Plan {
  /// Returns the number of an entity's plan.
  @inline(__always)
  func number(of entity: PlanPart<EntityPlan>) -> PlanIndex { PlanIndex(entity - entities) }

  /// Returns the slots of all paths below a node.
  func slotNumbers(under node: Int32) -> Set<Int32> {
    var numbers: Set<Int32> = []
    var waiting = [node]
    while let next = waiting.popLast() {
      let parent = nodes + Int(next)
      for child in parent.firstChild..<parent.firstChild + parent.childCount {
        numbers.formUnion(slotNumbers(at: nodes + Int(child)))
        waiting.append(child)
      }
    }
    return numbers
  }

  /// Returns the slots of the paths that end at a node.
  func slotNumbers(at node: PlanPart<KeyNode>) -> [Int32] {
    (0..<node.slotCount).map { slots[Int(node.firstSlot + $0)] }
  }
}

extension StepPlan {
  /// Returns the slots of a step that are in a set.
  func slots(among numbers: Set<Int32>) -> [Int32] {
    (firstSlot..<firstSlot + slotCount).filter(numbers.contains)
  }
}
