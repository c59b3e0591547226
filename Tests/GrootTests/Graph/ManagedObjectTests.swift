import Testing

import Groot

/// Objects as a program holds them.
struct ManagedObjectTests {
  @Test func membersAreAddedAndRemoved() throws {
    let context = ManagedObjectContext(mapping: try GraphLawTests.mapping())
    let (node, friend) = (try context.insert("Node"), try context.insert("Node"))
    try node.add(friend, to: "friends")
    #expect(try friend.members("friends") == [node])
    try friend.remove(node, from: "friends")
    #expect(try node.members("friends") == [])
    let error = #expect(throws: GrootError.self) { try node.remove(friend, from: "badge") }
    #expect(error?.issues.first?.property == "badge")
  }

  @Test func propertiesAreOfTheKindThatIsAskedFor() throws {
    let context = ManagedObjectContext(mapping: try GraphLawTests.mapping())
    let (node, other) = (
      try context.insert("Node"),
      try ManagedObjectContext(mapping: context.mapping).insert("Node")
    )
    let attribute = try #require(context.entity(of: node.id).attributes.first?.name)
    func status(_ body: () throws -> Void) -> Status? {
      #expect(throws: GrootError.self, performing: body)?.status
    }
    #expect(status { _ = try node["friends"] } == .wrongType)
    #expect(status { _ = try node.target(attribute) } == .wrongType)
    #expect(status { _ = try node.members(attribute) } == .wrongType)
    #expect(status { try node.set("friends", to: .null) } == .wrongType)
    #expect(status { try node.add(other, to: "friends") } == .invalidArgument)
    #expect(status { try node.set("friends", to: [other]) } == .invalidArgument)
    #expect(try node.members("friends") == [])
  }

  @Test func memoryIsUnlimitedUnlessToldOtherwise() throws {
    let context = ManagedObjectContext(mapping: try GraphLawTests.mapping())
    #expect(context.memoryLimit == nil)
    context.memoryLimit = 1 << 20
    #expect(context.memoryLimit == 1 << 20)
    context.memoryLimit = nil
    #expect(context.memoryLimit == nil)
  }

  @Test func objectsOfOneContextAreOneInASet() throws {
    let mapping = try GraphLawTests.mapping()
    let (context, other) = (
      ManagedObjectContext(mapping: mapping), ManagedObjectContext(mapping: mapping)
    )
    let (one, two) = (try context.insert("Node"), try context.insert("Tag"))
    let again = try #require(context.fetch(FetchRequest("Node")).first)
    let stranger = try other.insert("Node")
    #expect(one.id == stranger.id)
    #expect(Set([one, two, again, stranger]).count == 3)
    #expect(Set([one]).contains(again))
  }

  @Test func entitiesAreFoundByName() throws {
    let model = try GraphLawTests.mapping().model
    #expect(model.entity(named: "Leaf")?.parent == "Node")
    #expect(model.entity(named: "leaf") == nil)
  }

  @Test func idsOfNoObjectAreUnknown() throws {
    let context = ManagedObjectContext(mapping: try GraphLawTests.mapping())
    let object = try context.insert("Tag").id
    #expect(context.status(of: object) == .ok)
    #expect(context.status(of: ObjectID(rawValue: 1 << 50 | 9 << 46)) == .unknownObject)
    try context.delete(object)
    #expect(context.status(of: object) == .objectDeleted)
  }
}
