extension PlanBuilder {
  /// Finds the relationships that can lead to themselves again; all entities must be added.
  ///
  /// A relationship leads to a plan and those of its sub-entities. With a node for each such group
  /// there are no more edges than steps and entities.
  mutating func markRecursion() {
    let groups = model.entities.count
    var edges: [[Int]] = Array(repeating: [], count: entities.count + groups)
    for index in 0..<groups {
      edges[entities.count + index].append(index)
      if let parent = model.resolved[index].parent {
        edges[entities.count + parent].append(entities.count + index)
      }
    }
    for index in entities.indices {
      for step in steps(of: index) where steps[step].destination >= 0 {
        edges[index].append(node(of: Int(steps[step].destination)))
      }
    }
    let components = StrongComponents(edges)
    for index in entities.indices {
      for step in steps(of: index) where steps[step].destination >= 0 {
        guard components.areTogether(index, node(of: Int(steps[step].destination))) else {
          continue
        }
        steps[step].isRecursive = true
        entities[index].isRecursive = true
      }
    }
  }

  private func steps(of entity: Int) -> Range<Int> {
    let first = Int(entities[entity].firstStep)
    return first..<first + Int(entities[entity].stepCount)
  }

  /// What a relationship to a plan leads to: the plan alone, or the group of its entity.
  private func node(of plan: Int) -> Int {
    entities[plan].isFixed ? plan : entities.count + Int(entities[plan].entity)
  }
}
