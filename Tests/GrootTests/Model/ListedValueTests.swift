import Testing

@testable import Groot

@Suite("Attributes that list their values")
struct ListedValueTests {
  private static func model(
    _ type: AttributeType, _ values: [Value], default initial: Value = .null
  ) throws -> ManagedObjectModel {
    let constraints = AttributeDescription.Constraints(values: values)
    let attribute = AttributeDescription(
      "value", type, isOptional: true, defaultValue: initial, constraints: constraints,
      userInfo: ["JSONKeyPath": "value"])
    return try ManagedObjectModel(entities: [EntityDescription("Thing", attributes: [attribute])])
  }

  @Test func valuesAreThoseOfTheType() throws {
    let model = try Self.model(.double, [1, 2.5, 0], default: 1)
    let context = ManagedObjectContext(mapping: try Mapping(model: model))
    for value in [1.0, 2.5, 0.0, -0.0] {
      try context.insert("Thing").set("value", to: .real(value))
    }
    try context.insert("Thing").set("value", to: .null)
    try context.save()
    let other = try context.insert("Thing")
    #expect(try other["value"] == .real(1))
    try other.set("value", to: 2)
    expectFailure(.unlistedValue, "2.0 is not one of the values") { try context.save() }
  }

  @Test func aDocumentSaysTheSame() throws {
    let model = try Self.model(.string, ["a", "b\"\u{0}", ""], default: "")
    let document = model.document
    #expect(
      document["entities"]?["Thing"]?["attributes"]?["value"]?["values"] == ["a", "b\"\u{0}", ""])
    let again = try ManagedObjectModel(document: document)
    #expect(again.entities == model.entities)
    #expect(again.document == document)
    let free = try Self.model(.string, [])
    #expect(free.document["entities"]?["Thing"]?["attributes"]?["value"]?["values"] == .null)
  }

  @Test func valuesOtherThanAListAreRefused() {
    for (type, values, reason) in [
      (.string, [.null], "one of its values is null"), (.string, [5], "one of its values is an"),
      (.integer16, [40_000], "one of its values 40000 is not from"),
      (.double, [1, 1.0], "its values have the duplicate 1.0"),
      (.double, [.real(-0.0), 0], "its values have the duplicate 0.0"),
      (.double, [.real(.nan)], "one of its values is a real"),
      (.transformable, [.json(1)], "values are not for the type"),
    ] as [(AttributeType, [Value], String)] {
      expectFailure(.invalidModel, reason) { _ = try Self.model(type, values) }
    }
    expectFailure(.invalidModel, "its default is not one of its values") {
      _ = try Self.model(.integer64, [1, 2], default: 3)
    }
  }

  @Test func manyValuesMakeNoLongMessage() throws {
    let values = (0..<10_000).map {
      Value.string("value \($0) " + String(repeating: "x", count: 99))
    }
    let model = try Self.model(.string, values)
    let context = ManagedObjectContext(mapping: try Mapping(model: model))
    for value in values { try context.insert("Thing").set("value", to: value) }
    try context.save()
    do throws(GrootError) {
      _ = try context.importJSON(#"{"value": "value 10000"}"#, into: "Thing")
      Issue.record("this did not fail")
    } catch {
      #expect(error.status == .unlistedValue)
      #expect(error.issues[0].message.utf8.count < 2_000)
      #expect(error.issues[0].message.hasSuffix(", ..."))
    }
  }
}
