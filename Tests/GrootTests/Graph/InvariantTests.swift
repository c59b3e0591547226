import Testing

@testable import Groot

/// Each kind of broken state is planted, and found: else the silence of the checks would mean nothing.
struct InvariantTests {
  /// Three nodes with each kind of link among them.
  private struct Example {
    let context: ManagedObjectContext
    let nodes: [Row]
    let badge: Row

    var graph: Graph { context.graph }

    init() throws {
      let context = ManagedObjectContext(mapping: try GraphLawTests.mapping())
      let objects = try (0..<3).map { number in
        let node = try context.insert("Node")
        try node.set("key", to: .integer(Int64(number)))
        return node
      }
      let tag = try context.insert("Tag")
      let badge = try context.insert("Badge")
      try objects[0].set("badge", to: badge)
      try objects[1].set("parent", to: objects[0])
      try objects[2].set("parent", to: objects[0])
      try objects[0].set("tags", to: [tag])
      self.context = context
      nodes = objects.map { $0.id.row }
      self.badge = badge.id.row
      let key = try context.model.property(named: "key", of: 0)
      _ = try context.graph.identityIndex(table: 0, [key.number])
      #expect(context.brokenInvariants() == [])
    }

    func field(_ name: String) throws -> Field {
      try context.model.property(named: name, of: 0).field
    }

    func link(_ name: String) throws -> Link { graph.links[try field(name).link] }
  }

  private func expectFound(
    _ parts: [String], _ place: SourceLocation = #_sourceLocation,
    _ plant: (Example) throws -> Void
  ) throws {
    let example = try Example()
    try plant(example)
    let found = example.context.brokenInvariants()
    for part in parts {
      #expect(found.contains { $0.contains(part) }, "\(part) in \(found)", sourceLocation: place)
    }
  }

  @Test func aPartnerThatDoesNotLeadBackIsFound() throws {
    try expectFound(["leads to 0, not back"]) { example in
      let side = try example.field("badge").side
      example.graph.slot(try example.link("badge"), side: side.inverse, row: example.badge)
        .pointee = OptionalRow(1)
    }
  }

  @Test func aMemberOutsideTheListOfItsOwnerIsFound() throws {
    try expectFound(["is misplaced"]) { example in
      let slot = example.graph.memberSlot(try example.link("parent"), row: example.nodes[1])
      slot.pointee.owner = OptionalRow(example.nodes[2])
    }
    try expectFound(["has a wrong end or count", "2 members have owners that list 3"]) { example in
      let link = try example.link("parent")
      example.graph.listHead(link, side: .second, row: example.nodes[0]).pointee.count = 3
    }
  }

  @Test func aMemberOfAnotherEntityIsFound() throws {
    let model = try ManagedObjectModel(
      document: """
        {"entities": {"Root": {"relationships": {
          "subs": {"destination": "Sub", "toMany": true, "optional": true, "inverse": "roots"},
          "sub": {"destination": "Sub", "optional": true, "inverse": "root"}}},
         "Sub": {"parent": "Root", "relationships": {
          "roots": {"destination": "Root", "toMany": true, "optional": true, "inverse": "subs"},
          "root": {"destination": "Root", "optional": true, "inverse": "sub"}}}}}
        """)
    let context = ManagedObjectContext(mapping: try Mapping(model: model))
    let (root, sub) = (try context.insert("Root"), try context.insert("Sub"))
    try root.set("subs", to: [sub])
    try root.set("sub", to: sub)
    #expect(context.brokenInvariants() == [])
    context.graph.tables[0].header(sub.id.row).pointee.entity = 0
    let found = context.brokenInvariants()
    for part in ["leads to 1, not back", "node 0 of 0 is misplaced"] {
      #expect(found.contains { $0.contains(part) }, "\(part) in \(found)")
    }
  }

  @Test func aLinkOutsideItsListsIsFound() throws {
    try expectFound(["node 0 of 0 is misplaced"]) { example in
      example.graph.linkTables[try example.field("tags").link].node(0).pointee.previous = (
        OptionalNode(8), OptionalNode(8)
      )
    }
    try expectFound(["the list of 0 has a wrong end or count", "lists 2 of 1 nodes"]) { example in
      let (link, side) = (try example.link("tags"), try example.field("tags").side)
      example.graph.listHead(link, side: side, row: example.nodes[0]).pointee.count = 2
    }
    try expectFound(["node 0 is not in the pair index"]) { example in
      let number = try example.field("tags").link
      example.graph.linkTables[number].pairs = PairIndex(
        minimumCount: 1, Memory(example.graph.memory))
    }
  }

  @Test func aRowOutsideAnIndexOrACountIsFound() throws {
    try expectFound(["row 1 keeps a passing mark"]) { example in
      example.graph.tables[0].header(1).pointee.state |= RecordState.passing
    }
    try expectFound(["row 1 is not in an index", "an index has 2 of 3 rows"]) { example in
      example.graph.indexes[0][0].pointee.remove(1)
    }
    try expectFound(["table 0: 3 objects live, 4 are counted"]) { example in
      example.graph.tables[0].liveCount += 1
    }
  }
}
