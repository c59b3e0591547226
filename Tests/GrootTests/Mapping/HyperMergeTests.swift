import Testing

@testable import Groot

/// Attributes that are written into the object of a to-one, where entities inherit both.
struct HyperMergeTests {
  private static func model(_ count: Int) throws -> ManagedObjectModel {
    func attribute(_ name: String, _ key: String) -> AttributeDescription {
      AttributeDescription(name, .string, isOptional: true, userInfo: ["sync.remoteKey": key])
    }
    let root = EntityDescription(
      "Node",
      attributes: [
        attribute("id", "id"), attribute("name", "name"), attribute("above", "parent.name"),
        attribute("remark", "parent.more.remark"),
      ],
      relationships: [
        RelationshipDescription(
          "parent", to: "Node", inverse: "children", isOptional: true),
        RelationshipDescription(
          "children", to: "Node", isToMany: true, inverse: "parent", isOptional: true),
      ])
    let kinds = (0..<count).map { EntityDescription("K\($0)", parent: "Node") }
    return try ManagedObjectModel(entities: [root] + kinds)
  }

  /// Sub-entities share what they inherit, so that there is one range for each, not for each two.
  @Test func rangesGrowLinearlyWithTheNumberOfEntities() throws {
    for count in [10, 100] {
      let mapping = try Mapping(model: Self.model(count), dialect: .hyper)
      var builder = PlanBuilder(model: mapping.model)
      for entity in mapping.entities { try builder.add(entity) }
      try builder.addMerges(mapping.entities)
      // One for each spelling of the keys; a nested export has another key.
      #expect(builder.merges.count == 2)
      #expect(builder.mergedRanges.count == 2 * (count + 1))
      #expect(builder.mergedRanges.allSatisfy { $0 >= 0 })
    }
  }

  @Test(arguments: ["Node", "K0", "K2"], ["Node", "K1", "K2"])
  func subEntitiesMergeInheritedAttributesIntoAToOne(owner: String, object: String) throws {
    let context = ManagedObjectContext(
      mapping: try Mapping(model: Self.model(3), dialect: .hyper))
    let parent = try context.insert(object)
    try parent.set("id", to: .string("1"))
    try parent.set("name", to: .string("top"))
    let node = try context.insert(owner)
    try node.set("id", to: .string("2"))
    try node.set("above", to: .string("top"))
    try node.set("remark", to: .string("r"))
    try node.set("parent", to: parent)
    let exported = try JSONValue(parsing: context.exportText(node))
    #expect(exported["parent"]?["name"] == "top")
    #expect(exported["parent"]?["more"]?["remark"] == "r")
    #expect(exported["parent.name"] == nil)
    try node.set("above", to: .string("other"))
    let apart = try JSONValue(parsing: context.exportText(node))
    #expect(apart["parent"]?["name"] == "top")
    #expect(apart["parent.name"] == "other")
    #expect(apart["parent.more.remark"] == "r")
  }
}
