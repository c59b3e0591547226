import Testing

import Groot

/// Errors of entities that a program made, which a document cannot have.
struct ModelErrorTests {
  private func errors(_ attribute: AttributeDescription) throws -> [String] {
    let error = #expect(throws: GrootError.self) {
      try ManagedObjectModel(entities: [EntityDescription("Thing", attributes: [attribute])])
    }
    #expect(error?.status == .invalidModel)
    return try #require(error).issues.map { "\($0.property): \($0.message)" }
  }

  @Test func defaultsAndLimitsAreOfTheType() throws {
    var number = AttributeDescription("number", .integer16, defaultValue: 40_000)
    number.constraints.minimum = "one"
    let found = try errors(number)
    #expect(found.contains { $0.contains("number: its default") })
    #expect(found.contains { $0.contains("number: its min") })
  }

  @Test func elementsHaveDifferentNames() throws {
    var place = AttributeDescription("place", .composite)
    place.elements = [AttributeDescription("x", .double), AttributeDescription("x", .string)]
    #expect(try errors(place) == ["place: two elements are called 'x'"])
  }

  @Test func lengthsAreNotNegative() throws {
    var name = AttributeDescription("name", .string)
    name.constraints.minimumLength = -1
    #expect(try errors(name) == ["name: its minLength and maxLength contradict each other"])
  }

  /// The interface in C tells it in its own words before.
  @Test func optionsOfOtherDialectsAreRefused() throws {
    let model = try ManagedObjectModel(entities: [EntityDescription("Thing")])
    let error = #expect(throws: GrootError.self) {
      try Mapping(model: model, dialect: .hyper, isImplicit: true)
    }
    #expect(error?.status == .invalidArgument)
    #expect(error?.description.contains("names are implicit in the dialect 'hyper'") == true)
    let rules = #expect(throws: GrootError.self) {
      try Mapping(model: model, rules: ["thing": ["Thing": ["id": "id"]]])
    }
    #expect(rules?.description.contains("only the dialect 'kvc' takes rules") == true)
  }
}
