// The search for relationships that can lead back to themselves.

extension PlanBuilder {
  /// Marks the relationships that can lead back to themselves; all entities must be added before.
  ///
  /// A relationship leads to a plan and the plans of its sub-entities. A node for each such group
  /// keeps the number of edges below the number of steps and entities.
  mutating func markRecursion() {
    let groups = EntityIndex(0)..<EntityIndex(model.entities.count)
    let plans = PlanIndex(0)..<PlanIndex(entities.count)
    var edges: [[Int]] = Array(repeating: [], count: entities.count + groups.count)
    for entity in groups {
      edges[node(of: entity)].append(PlanIndex(of: entity).offset)
      if let parent = model.resolved[entity].parent {
        edges[node(of: parent)].append(node(of: entity))
      }
    }
    for index in plans {
      for step in steps(of: index) where steps[step].destination != .none {
        edges[index].append(node(of: steps[step].destination))
      }
    }
    let components = StrongComponents(edges)
    for index in plans {
      for step in steps(of: index) where steps[step].destination != .none {
        guard components.areTogether(index.offset, node(of: steps[step].destination)) else {
          continue
        }
        steps[step].isRecursive = true
        entities[index].isRecursive = true
      }
    }
  }

  private func steps(of plan: PlanIndex) -> Range<Int> {
    let first = Int(entities[plan].firstStep)
    return first..<first + Int(entities[plan].stepCount)
  }

  /// Returns the target of a relationship to a plan: the plan alone, or the group of its entity.
  private func node(of plan: PlanIndex) -> Int {
    entities[plan].isFixed ? plan.offset : node(of: entities[plan].entity)
  }

  /// Returns the node of an entity's group.
  private func node(of entity: EntityIndex) -> Int { entities.count + entity.offset }
}
