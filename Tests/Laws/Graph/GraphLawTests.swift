import Testing

@testable import Groot

/// Laws of the graph under random operations: its invariants always hold, and going back to a
/// savepoint or to the last save restores every value, link, order and mark.
struct GraphLawTests {
  /// A model with each kind of relationship, inheritance, and an identity.
  static func mapping() throws -> Mapping {
    func both(
      _ name: String, _ destination: String, _ inverse: String, many: Bool, ordered: Bool = false
    )
      -> RelationshipDescription
    {
      RelationshipDescription(
        name, to: destination, isToMany: many, isOrdered: ordered, inverse: inverse,
        isOptional: true)
    }
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Node",
        attributes: [
          AttributeDescription(
            "key", .integer64, isOptional: true, userInfo: ["JSONKeyPath": "key"]),
          AttributeDescription("text", .string, isOptional: true),
          AttributeDescription("amount", .decimal, isOptional: true),
        ],
        relationships: [
          both("parent", "Node", "children", many: false),
          both("children", "Node", "parent", many: true, ordered: true),
          both("spouse", "Node", "spouse", many: false),
          both("friends", "Node", "friends", many: true),
          both("tags", "Tag", "nodes", many: true, ordered: true),
          both("badge", "Badge", "owner", many: false),
          RelationshipDescription("likes", to: "Tag", isToMany: true, isOptional: true),
          RelationshipDescription("home", to: "Tag", isOptional: true),
        ], userInfo: ["identityAttributes": "key"]),
      EntityDescription(
        "Leaf", parent: "Node",
        attributes: [AttributeDescription("flag", .boolean, defaultValue: true)]),
      EntityDescription(
        "Tag",
        attributes: [
          AttributeDescription("name", .string, defaultValue: "none yet, a long default")
        ],
        relationships: [both("nodes", "Node", "tags", many: true)]),
      EntityDescription(
        "Badge",
        relationships: [
          RelationshipDescription(
            "owner", to: "Node", inverse: "badge", isOptional: true, deleteRule: .cascade)
        ]),
    ])
    return try Mapping(model: model)
  }

  /// Makes random changes; what is refused (a deny rule, say) is simply not done.
  struct Driver {
    let context: ManagedObjectContext
    var random: SeededGenerator

    mutating func pick(_ entity: String) throws -> ObjectID? {
      try context.fetchIDs(FetchRequest(entity)).randomElement(using: &random)
    }

    mutating func step() throws {
      switch Int.random(in: 0..<22, using: &random) {
      case 0...4:
        let entity = ["Node", "Leaf", "Tag", "Badge"].randomElement(using: &random) ?? "Node"
        let object = try context.insert(entity)
        if entity == "Node" || entity == "Leaf" {
          try object.set("key", to: .integer(Int64.random(in: 0..<40, using: &random)))
        }
      case 5:
        let entity = ["Node", "Tag", "Badge"].randomElement(using: &random) ?? "Node"
        if let object = try pick(entity) { try context.delete(object) }
      case 6...8:
        guard let node = try pick("Node") else { return }
        let text = String(repeating: "é", count: Int.random(in: 0..<20, using: &random))
        try context.setValue(.string(text), for: "text", of: node)
        try context.setValue(
          Bool.random(using: &random) ? .null : .integer(Int64.random(in: 0..<40, using: &random)),
          for: "key", of: node)
        try context.setValue(.decimal(DecimalNumber(7)), for: "amount", of: node)
      case 9...12:
        guard let node = try pick("Node") else { return }
        let (name, entity) =
          [("parent", "Node"), ("spouse", "Node"), ("badge", "Badge"), ("home", "Tag")]
          .randomElement(using: &random) ?? ("parent", "Node")
        let target = Int.random(in: 0..<4, using: &random) == 0 ? nil : try pick(entity)
        try context.setTarget(target, for: .name(name), of: node)
      default:
        guard let node = try pick("Node") else { return }
        let (name, entity) =
          [("children", "Node"), ("friends", "Node"), ("tags", "Tag"), ("likes", "Tag")]
          .randomElement(using: &random) ?? ("tags", "Tag")
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          if let member = try pick(entity) { try context.add(member, to: .name(name), of: node) }
        case 1:
          if let member = try context.members(.name(name), of: node).randomElement(using: &random) {
            try context.remove(member, from: .name(name), of: node)
          }
        case 2:
          let members = try context.members(.name(name), of: node).shuffled(using: &random)
          try context.setMembers(members, for: .name(name), of: node)
        default:
          let all = try context.fetchIDs(FetchRequest(entity)).shuffled(using: &random)
          let count = Int.random(in: 0...min(all.count, 30), using: &random)
          try context.setMembers(
            Array(all.prefix(count)) + all.prefix(count / 2), for: .name(name), of: node)
        }
      }
    }
  }

  @Test(arguments: 0..<40)
  func rollbackRestoresEverything(seed: Int) throws {
    let context = ManagedObjectContext(mapping: try Self.mapping())
    _ = try context.importJSON("[]", into: "Node")
    var driver = Driver(context: context, random: SeededGenerator(seed: UInt64(seed)))
    for _ in 0..<12 {
      for _ in 0..<30 { try driver.step() }
      #expect(context.brokenInvariants() == [])
      context.mayKeep(&driver.random)
      let saved = dump(context)
      let before = saved
      try context.graph.begin()
      for _ in 0..<25 { try driver.step() }
      #expect(context.brokenInvariants() == [])
      let middle = dump(context)
      try context.graph.begin()
      for _ in 0..<25 { try driver.step() }
      #expect(context.brokenInvariants() == [])
      context.graph.rollBack()
      #expect(context.brokenInvariants() == [])
      #expect(dump(context) == middle)
      try context.graph.begin()
      for _ in 0..<10 { try driver.step() }
      context.graph.commit()
      context.graph.rollBack()
      #expect(context.brokenInvariants() == [])
      #expect(dump(context) == before)
    }
  }

  /// Changes the keys of nodes that have that of another, since a save refuses them.
  private func giveKeysOfTheirOwn(_ context: ManagedObjectContext) throws {
    var taken: Set<Int64> = []
    var next: Int64 = 1_000
    for node in try context.fetchIDs(FetchRequest("Node")) {
      guard case .integer(let key) = try context.value("key", of: node) else { continue }
      if taken.insert(key).inserted { continue }
      while !taken.insert(next).inserted { next += 1 }
      try context.setValue(.integer(next), for: "key", of: node)
    }
  }

  @Test(arguments: 0..<20)
  func rollbackToTheLastSave(seed: Int) throws {
    let context = ManagedObjectContext(mapping: try Self.mapping())
    _ = try context.importJSON("[]", into: "Node")
    var driver = Driver(context: context, random: SeededGenerator(seed: UInt64(1_000 + seed)))
    for _ in 0..<12 {
      for _ in 0..<40 { try driver.step() }
      try giveKeysOfTheirOwn(context)
      try context.save()
      #expect(context.brokenInvariants() == [])
      #expect(try context.changes == ChangeCounts())
      let saved = dump(context)
      let old = try context.fetchIDs(FetchRequest("Node"))
      for _ in 0..<60 { try driver.step() }
      let new = Set(try context.fetchIDs(FetchRequest("Node"))).subtracting(old)
      try context.rollback()
      #expect(context.brokenInvariants() == [])
      #expect(dump(context) == saved)
      #expect(try context.changes == ChangeCounts())
      for id in new { #expect(context.status(of: id) == .objectDeleted) }
    }
  }

  @Test
  func idsOfDeletedObjectsNeverComeBack() throws {
    let context = ManagedObjectContext(mapping: try Self.mapping())
    var dead: Set<ObjectID> = []
    for round in 0..<200 {
      let object = try context.insert("Tag")
      #expect(!dead.contains(object.id))
      if round % 3 == 0 {
        try context.rollback()
      } else {
        try context.save()
        try context.delete(object.id)
        try context.save()
      }
      dead.insert(object.id)
      for id in dead { #expect(context.status(of: id) == .objectDeleted) }
    }
    #expect(context.status(of: ObjectID(rawValue: 0)) == .unknownObject)
    #expect(context.status(of: ObjectID(rawValue: .max)) == .unknownObject)
    #expect(context.status(of: ObjectID(rawValue: 1 << 50 | 5)) == .unknownObject)
  }
}

extension ManagedObjectContext {
  /// Saves now and then, so that laws are tried with and without pending changes.
  func mayKeep(_ random: inout SeededGenerator) {
    if Bool.random(using: &random) { graph.save() }
  }
}
