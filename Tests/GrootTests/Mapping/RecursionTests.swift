import Testing

@testable import Groot

/// Which relationships lead to themselves again: what the plan says, against a search from each.
struct RecursionTests {
  @Test(arguments: 0..<60)
  func aPlanSaysWhatASearchFinds(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let count = Int.random(in: 1...12, using: &random)
    let entities = (0..<count).map { number -> EntityDescription in
      let hasParent = number > 0 && Bool.random(using: &random)
      let relationships = (0..<Int.random(in: 0...2, using: &random)).map { position in
        RelationshipDescription(
          "r\(number)_\(position)", to: "E\(Int.random(in: 0..<count, using: &random))",
          isToMany: Bool.random(using: &random), isOptional: true)
      }
      return EntityDescription(
        "E\(number)", parent: hasParent ? "E\(Int.random(in: 0..<number, using: &random))" : nil,
        relationships: relationships, userInfo: ["groot.implicit": "true"])
    }
    let model = try ManagedObjectModel(entities: entities)
    let plan = try Mapping(model: model).plan
    for entity in PlanIndex(0)..<PlanIndex(count) {
      let isRecursive = Self.reachable(from: entity, model, plan).contains(entity)
      #expect(plan.entities[entity].isRecursive == isRecursive, "entity \(entity), seed \(seed)")
      for step in Self.steps(plan, entity) {
        let leadsBack = Self.kinds(plan.steps[step].destination, model).contains {
          $0 == entity || Self.reachable(from: $0, model, plan).contains(entity)
        }
        #expect(plan.steps[step].isRecursive == leadsBack, "step \(step), seed \(seed)")
      }
    }
  }

  private static func steps(_ plan: Plan, _ entity: PlanIndex) -> Range<Int> {
    let first = Int(plan.entities[entity].firstStep)
    return first..<first + Int(plan.entities[entity].stepCount)
  }

  private static func kinds(_ plan: PlanIndex, _ model: ManagedObjectModel) -> [PlanIndex] {
    model.entityIndices.filter { model.isKind($0, of: EntityIndex(plan.offset)) }
      .map(PlanIndex.init(of:))
  }

  private static func reachable(
    from entity: PlanIndex, _ model: ManagedObjectModel, _ plan: Plan
  ) -> Set<PlanIndex> {
    var found: Set<PlanIndex> = []
    var waiting = [entity]
    while let next = waiting.popLast() {
      for step in steps(plan, next) {
        for kind in kinds(plan.steps[step].destination, model)
        where found.insert(kind).inserted { waiting.append(kind) }
      }
    }
    return found
  }
}
