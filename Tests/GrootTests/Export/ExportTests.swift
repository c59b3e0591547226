import Testing

@testable import Groot

/// Exports of graphs that are cyclic, deep or wide.
struct ExportTests {
  @Test func aRingOfThreeEntitiesEnds() throws {
    func entity(_ name: String, _ next: String) -> EntityDescription {
      EntityDescription(
        name,
        attributes: [AttributeDescription("id", .integer64, userInfo: ["JSONKeyPath": "id"])],
        relationships: [
          RelationshipDescription(
            "next", to: next, isOptional: true, userInfo: ["JSONKeyPath": "next"])
        ], userInfo: ["identityAttributes": "id"])
    }
    let model = try ManagedObjectModel(entities: [
      entity("A", "B"), entity("B", "C"), entity("C", "A"),
    ])
    let mapping = try Mapping(model: model)
    let context = ManagedObjectContext(mapping: mapping)
    let text = #"{"id":1,"next":{"id":2,"next":{"id":3,"next":{"id":1}}}}"#
    let first = try context.importJSON(.text(text), into: "A")[0]
    #expect(try context.exportText(first) == text)
    let copy = ManagedObjectContext(mapping: mapping)
    let again = try copy.importJSON(.text(text), into: "A")[0]
    #expect(try copy.exportText(again) == text)
    #expect(try copy.count(FetchRequest("A")) == 1)
  }

  @Test func aChainLongerThanJSONMayNestIsWritten() throws {
    let context = try Generated.context()
    let count = 5_000
    let people = (1...count).map { JSONValue.object(["key": .integer(Int64($0))]) }
    let chain = Array(try context.importJSON(.value(.array(people)), into: "Person"))
    for index in 1..<count { try chain[index].set("parent", to: chain[index - 1]) }
    let text = try context.exportText(chain[0])
    let copy = try Generated.context()
    try copy.importJSON(.text(text), into: "Person")
    #expect(try copy.count(FetchRequest("Person")) > 900)
    let all = try Generated.context()
    // No step is needed, since every object is at the top once.
    let flat = try context.exportText(chain, options: ExportOptions(depth: 0))
    try all.importJSON(.text(flat), into: "Person")
    #expect(try ImportLawTests.meaning(all) == ImportLawTests.meaning(context))
  }

  @Test func anExportOfADenseGraphStaysSmallAndComesBack() throws {
    let context = try Generated.context()
    let everybody = try (1...40).map { key in
      let person = try context.insert("Person")
      try person.set("key", to: .integer(Int64(key)))
      return person
    }
    for person in everybody { try person.set("friends", to: everybody) }
    let text = try context.exportText(everybody[0])
    #expect(text.utf8.count < 200_000)
    let copy = try Generated.context()
    try copy.importJSON(.text(text), into: "Person")
    #expect(try ImportLawTests.meaning(copy) == ImportLawTests.meaning(context))
  }

  @Test func anExportOfObjectsThatWouldRepeatWithoutEndIsRefused() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Node",
        relationships: [
          RelationshipDescription(
            "a", to: "Node", isOptional: true, userInfo: ["JSONKeyPath": "a"]),
          RelationshipDescription(
            "b", to: "Node", isOptional: true, userInfo: ["JSONKeyPath": "b"]),
        ])
    ])
    let context = ManagedObjectContext(mapping: try Mapping(model: model))
    let nodes = try (0..<60).map { _ in try context.insert("Node") }
    for index in 1..<nodes.count {
      try nodes[index - 1].set("a", to: nodes[index])
      try nodes[index - 1].set("b", to: nodes[index])
    }
    let error = #expect(throws: GrootError.self) { try context.exportText(nodes[0]) }
    #expect(error?.status == .limitExceeded)
    #expect(context.brokenInvariants() == [])
    let limited = try context.exportText(nodes[0], options: ExportOptions(depth: 3))
    #expect(limited.utf8.count < 400)
  }

  @Test func aListOfAMillionMembersIsExportedAndChanged() throws {
    let context = try Generated.context()
    let count = 1_000_000
    let company = try context.insert("Company")
    try company.set("key", to: 1)
    let mapping = context.mapping
    var staff: [ObjectID] = []
    staff.reserveCapacity(count)
    let person = try mapping.model.index(of: "Person")
    for key in 0..<count {
      let id = try context.graph.insert(entity: person)
      try context.setValue(.integer(Int64(key + 2)), for: "key", of: id)
      try context.add(id, to: "staff", of: company.id)
      staff.append(id)
    }
    #expect(try context.memberCount("staff", of: company.id) == count)
    var bytes = 0
    try context.export([company.id]) { bytes += $0.count }
    #expect(bytes > count * 20)
    for index in stride(from: 0, to: count, by: 2) {
      try context.remove(staff[index], from: "staff", of: company.id)
    }
    #expect(try context.memberCount("staff", of: company.id) == count / 2)
    #expect(try context.contains(staff[1], in: "staff", of: company.id))
    #expect(try !context.contains(staff[0], in: "staff", of: company.id))
  }

  @Test func anExportWritesTheChosenPropertiesToTheChosenDepth() throws {
    let context = try Generated.context()
    let ada = try context.importJSON(
      #"{"key":1,"name":"Ada","life":{"height":1.5},"parent":{"key":2,"name":"B","parent":3}}"#,
      into: "Person")[0]
    let some = ExportOptions(depth: 0, properties: ["name", "height", "parent"])
    #expect(
      try context.exportText(ada, options: some)
        == #"{"name":"Ada","life":{"height":1.5},"parent":{"key":2}}"#)
    let error = #expect(throws: GrootError.self) {
      try context.exportText(ada, options: ExportOptions(properties: ["title"]))
    }
    #expect(error?.status == .unknownProperty)
  }

  @Test func aChainThatNothingCanStandForIsRefused() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Link",
        relationships: [
          RelationshipDescription(
            "next", to: "Link", isOptional: true, userInfo: ["JSONKeyPath": "next"])
        ])
    ])
    let context = ManagedObjectContext(mapping: try Mapping(model: model))
    let chain = try (0..<2_100).map { _ in try context.insert("Link") }
    for (one, next) in zip(chain, chain.dropFirst()) { try one.set("next", to: next) }
    let error = #expect(throws: GrootError.self) { try context.exportText(chain[0]) }
    #expect(error?.status == .limitExceeded)
    #expect(error?.issues.first?.entity == "Link")
    #expect(error?.description.contains("nest deeper than") == true)
    #expect(try context.exportText(chain[2_099]) == #"{"next":null}"#)
  }
}
