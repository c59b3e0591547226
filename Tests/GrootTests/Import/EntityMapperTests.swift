import Groot
import Testing

/// Entity mappers choose among few descendants and among many.
struct EntityMapperTests {
  /// A root with so many sub-entities, and an entity that is not one of them.
  private func context(_ count: Int) throws -> ManagedObjectContext {
    var entities: JSONObject = [
      "Shape": ["userInfo": ["entityMapperName": "Kind"]],
      "Colour": [:],
    ]
    for number in 0..<count {
      entities["Shape\(number)"] = [
        "parent": "Shape", "abstract": .boolean(number == 0),
        "attributes": [
          "side\(number)": [
            "type": "integer64", "optional": true, "userInfo": ["JSONKeyPath": "side"],
          ]
        ],
      ]
    }
    var registry = TransformerRegistry()
    registry.setEntityMapper("Kind") { $0["kind"]?.stringValue }
    return ManagedObjectContext(
      mapping: try Mapping(
        model: ManagedObjectModel(document: ["entities": .object(entities)]), registry: registry))
  }

  @Test(arguments: [3, 15, 16, 17, 200])
  func theEntityThatIsNamedIsChosen(count: Int) throws {
    let context = try context(count)
    let records = (1..<count).map { "{\"kind\": \"Shape\($0)\", \"side\": \($0)}" }
    let result = try context.importJSON("[\(records.joined(separator: ","))]", into: "Shape")
    #expect(
      try result.ids.map { try context.entity(of: $0).name } == (1..<count).map { "Shape\($0)" })
    for number in [1, count - 1] {
      let found = try context.fetch(FetchRequest("Shape\(number)"))
      #expect(try found.map { try $0["side\(number)"] } == [.integer(Int64(number))])
    }
  }

  @Test(arguments: [3, 200], ["Shape0", "Colour", "shape1", "Shape1 ", ""])
  func entitiesOtherThanDescendantsAreErrors(count: Int, name: String) throws {
    let error = try #require(throws: GrootError.self) {
      try context(count).importJSON("{\"kind\": \"\(name)\"}", into: "Shape")
    }
    #expect(error.status == .mapperFailed)
    #expect(error.issues.first?.path == "$")
  }
}
