import Testing

@testable import Groot

/// What a graph does now and then: it sweeps text, begins its epochs anew, gives memory back.
struct GraphUpkeepTests {
  @Test func textIsKeptWhenGarbageIsSweptAway() throws {
    let context = ManagedObjectContext(mapping: try GraphLawTests.mapping())
    let graph = context.graph
    let nodes = try (0..<200).map { number in
      let node = try context.insert("Node")
      try node.set("key", to: .integer(Int64(number)))
      return node
    }
    _ = try context.insert("Tag")
    let letters = ["a", "b", "c", "é"]
    for letter in letters {
      for (number, node) in nodes.enumerated() where number % 10 != 0 || letter == "a" {
        try node.set("text", to: .string("\(number)" + String(repeating: letter, count: 4_000)))
      }
    }
    try context.delete(nodes[1].id)
    func texts() throws -> [Value] {
      try context.fetch(FetchRequest("Node")).map { try $0["text"] }
    }
    let (before, used) = (try texts(), graph.text.pointee.used)
    try context.save()
    #expect(graph.text.pointee.used < used / 2)
    #expect(graph.text.pointee.garbage == 0)
    #expect(before.count == 199)
    #expect(try texts() == before)
    #expect(context.brokenInvariants() == [])
    #expect(try context.insert("Tag")["name"] == "none yet, a long default")
    try nodes[2].set("text", to: "later")
    try context.rollback()
    #expect(try texts() == before)
  }

  /// An object that was met in the epoch of the same number, long ago, counts as not met.
  @Test func epochsBeginAnew() throws {
    let context = ManagedObjectContext(mapping: try GraphLawTests.mapping())
    try context.importJSON(#"[{"key": 1}, {"key": 2}]"#, into: "Node")
    let graph = context.graph
    let epoch = graph.epoch
    #expect(epoch == 1)
    while graph.epoch < .max { graph.beginEpoch() }
    #expect(graph.tables[0].header(0).pointee.epoch == epoch)
    let report = try context.importJSON(#"[{"key": 1}, {"key": 1}]"#, into: "Node").report
    #expect(graph.epoch == epoch)
    #expect(report.unchanged == 1)
    #expect(report.inserted == 0)
  }

  @Test func aLongLogGivesItsMemoryBack() {
    var log = UndoLog(nil)
    defer { log.deallocate() }
    for row in 0..<70_000 { log.append(.inserted, table: 0, row: Row(row)) }
    #expect(log.capacity >= 70_000)
    #expect(log.entries[69_999].row == 69_999)
    log.removeLast(to: 0)
    #expect(log.count == 0)
    #expect(log.capacity < 1_000)
    for row in 0..<100 { log.append(.deleted, table: 1, row: Row(row)) }
    #expect((0..<100).allSatisfy { log.entries[$0].row == Row($0) })
  }

  @Test func aHierarchyHasNoMoreThan32Identities() throws {
    let leaves = (0..<33).map { number in
      EntityDescription(
        "E\(number)", parent: "Base",
        attributes: [
          AttributeDescription(
            "a\(number)", .integer64, isOptional: true, userInfo: ["JSONKeyPath": "a\(number)"])
        ], userInfo: ["identityAttributes": "a\(number)"])
    }
    let model = try ManagedObjectModel(entities: [EntityDescription("Base")] + leaves)
    let context = ManagedObjectContext(mapping: try Mapping(model: model))
    for number in 0..<32 {
      try context.importJSON("[{\"a\(number)\": 1}, {\"a\(number)\": 1}]", into: "E\(number)")
    }
    let error = #expect(throws: GrootError.self) {
      try context.importJSON(#"{"a32": 1}"#, into: "E32")
    }
    #expect(error?.status == .limitExceeded)
    #expect(error?.description.contains("more than 32 different identities") == true)
    #expect(try context.count(FetchRequest("Base")) == 32)
    #expect(context.brokenInvariants() == [])
  }

  /// Hashes are secret, so that two texts of one are not to be had: the second is looked for with that
  /// of the first.
  @Test func identitiesOfOneHashAreToldApart() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Item", attributes: [AttributeDescription("name", .string)])
    ])
    let context = ManagedObjectContext(mapping: try Mapping(model: model))
    try context.insert("Item").set("name", to: "one")
    let name = try context.model.property(named: "name", of: 0).number
    let index = context.graph.indexes[0][try context.graph.identityIndex(table: 0, [name])].pointee
    func found(_ text: String, hashOf other: String) -> Row? {
      Array(text.utf8).withUnsafeBufferPointer { bytes in
        Array(other.utf8).withUnsafeBufferPointer { others in
          var (key, hashed) = (StoredValue(bytes: bytes), StoredValue(bytes: others))
          return index.hash(&hashed).flatMap { index.find(&key, hash: $0, first: 0, last: 0) }
        }
      }
    }
    #expect(found("one", hashOf: "one") == 0)
    #expect(found("two", hashOf: "one") == nil)
  }
}
