import Testing

@testable import Groot

/// What is larger than a limit is refused with a status of its own, and what is as large is not.
struct ModelLimitTests {
  private static func attribute(_ name: String) -> AttributeDescription {
    AttributeDescription(
      name, .string, isOptional: true, userInfo: ["JSONKeyPath": name])
  }

  private static func chain(_ count: Int) -> [EntityDescription] {
    (0..<count).map { number in
      EntityDescription(
        "E\(number)", parent: number > 0 ? "E\(number - 1)" : nil,
        attributes: [attribute("a\(number)")])
    }
  }

  /// The failure of a model, or nil.
  private static func failure(_ entities: [EntityDescription]) throws -> GrootError? {
    do {
      _ = try ManagedObjectModel(entities: entities)
      return nil
    } catch {
      return error
    }
  }

  private static func expectLimit(
    _ entities: [EntityDescription], _ part: String, _ place: SourceLocation = #_sourceLocation
  ) throws {
    let error = try #require(try failure(entities), sourceLocation: place)
    #expect(error.status == .limitExceeded, sourceLocation: place)
    #expect(error.issues.count == 1, "\(error)", sourceLocation: place)
    #expect(error.description.contains(part), "\(error)", sourceLocation: place)
  }

  @Test func inheritanceHasNoMoreThan256Levels() throws {
    let deepest = try ManagedObjectModel(entities: Self.chain(256))
    #expect(deepest.resolved[255].attributes.count == 256)
    for dialect in [Mapping.Dialect.groot, .hyper] {
      #expect(try Mapping(model: deepest, dialect: dialect).entities[255].properties.count == 256)
    }
    try Self.expectLimit(Self.chain(257), "256 levels")
  }

  @Test func aModelHasNoMoreThan60000Entities() throws {
    let many = (0...60_000).map { EntityDescription("E\($0)") }
    #expect(try Self.failure(many.dropLast()) == nil)
    try Self.expectLimit(many, "60000 entities")
  }

  @Test func anEntityHasNoMoreThan6000Properties() throws {
    let many = (0...6_000).map { Self.attribute("a\($0)") }
    #expect(try Self.failure([EntityDescription("E", attributes: many.dropLast())]) == nil)
    try Self.expectLimit([EntityDescription("E", attributes: many)], "6000 properties")
  }

  @Test func aTreeOfEntitiesHasNoMoreThan60000Properties() throws {
    let many = (0..<6_000).map { Self.attribute("a\($0)") }
    var entities = [EntityDescription("Root")]
    entities += (1...10).map { EntityDescription("E\($0)", parent: "Root", attributes: many) }
    #expect(try Self.failure(entities) == nil)
    // It has a way back to where it comes from, which records have room for.
    entities[0].relationships = [RelationshipDescription("one", to: "Far", isOptional: true)]
    entities.append(EntityDescription("Far"))
    try Self.expectLimit(entities, "60000 properties")
  }

  @Test func allEntitiesTogetherHaveNoMoreThan500000Properties() throws {
    let many = (0..<5_000).map { Self.attribute("a\($0)") }
    var entities = [EntityDescription("Root", attributes: many)]
    entities += (1...99).map { EntityDescription("E\($0)", parent: "Root") }
    #expect(try Self.failure(entities) == nil)
    entities.append(EntityDescription("One", parent: "Root"))
    try Self.expectLimit(entities, "500000 properties")
  }

  @Test func aNameHasNoMoreThan1024Bytes() throws {
    let long = String(repeating: "ä", count: 512)
    #expect(try Self.failure([EntityDescription(long, attributes: [Self.attribute(long)])]) == nil)
    try Self.expectLimit([EntityDescription(long + "b")], "1024 bytes")
    try Self.expectLimit(
      [EntityDescription("E", attributes: [Self.attribute(long + "b")])], "1024 bytes")
  }

  @Test func compositesNestNoMoreThan16Deep() throws {
    var nested = AttributeDescription("leaf", .string, isOptional: true)
    for _ in 0..<16 {
      nested = AttributeDescription("c", .composite, isOptional: true, elements: [nested])
    }
    #expect(try Self.failure([EntityDescription("E", attributes: [nested])]) == nil)
    nested = AttributeDescription("c", .composite, isOptional: true, elements: [nested])
    try Self.expectLimit([EntityDescription("E", attributes: [nested])], "16 deep")
  }

  @Test func aCycleOfParentsIsRefused() throws {
    let count = 20_000
    let cycle = (0..<count).map { EntityDescription("E\($0)", parent: "E\(($0 + 1) % count)") }
    let error = try #require(try Self.failure(cycle))
    #expect(error.status == .invalidModel && error.issues.count == count)
  }

  // MARK: Mappings

  private static func mapping(
    _ model: ManagedObjectModel, _ rules: JSONValue
  ) throws -> Mapping {
    try Mapping(model: model, dialect: .kvc, rules: rules)
  }

  private static func expectLimit(
    _ part: String, _ place: SourceLocation = #_sourceLocation, _ body: () throws -> Mapping
  ) {
    do {
      _ = try body()
      Issue.record("no error", sourceLocation: place)
    } catch let error as GrootError {
      #expect(error.status == .limitExceeded, "\(error)", sourceLocation: place)
      #expect(error.description.contains(part), "\(error)", sourceLocation: place)
    } catch {
      Issue.record("\(error)", sourceLocation: place)
    }
  }

  @Test func rulesNestNoMoreThan64Deep() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "E", attributes: [Self.attribute("a")],
        relationships: [RelationshipDescription("next", to: "E", isOptional: true)])
    ])
    func rules(_ depth: Int) -> JSONValue {
      let innermost: JSONValue = ["x": "a"]
      let nested = (1..<depth).reduce(innermost) { rules, _ in ["n": ["next": rules]] }
      return ["e": ["E": nested]]
    }
    _ = try Self.mapping(model, rules(64))
    Self.expectLimit("64 deep") { try Self.mapping(model, rules(65)) }
  }

  @Test func rulesOfAllEntitiesTakeNoMoreThan500000Steps() throws {
    // Rules hold for all entities that inherit them.
    var entities = [EntityDescription("Root", attributes: [Self.attribute("a")])]
    entities += (1...999).map { EntityDescription("E\($0)", parent: "Root") }
    let model = try ManagedObjectModel(entities: entities)
    func rules(_ count: Int) -> JSONValue {
      ["e": ["Root": .object(JSONObject((0..<count).map { (key: "k\($0)", value: "a") }))]]
    }
    _ = try Self.mapping(model, rules(10))
    Self.expectLimit("500000 steps") { try Self.mapping(model, rules(600)) }
  }

  @Test func theNumberOfPositionsInRulesIsLimited() throws {
    // Each of these little rules makes room for 4,096 positions, in each variant of exports.
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "E", attributes: [Self.attribute("a")],
        relationships: [RelationshipDescription("next", to: "E", isOptional: true)])
    ])
    let nested: JSONValue = ["next": ["4095": "a"]]
    func rules(_ count: Int) -> JSONValue {
      ["e": ["E": .object(JSONObject((0..<count).map { (key: "k\($0)", value: nested) }))]]
    }
    _ = try Self.mapping(model, rules(10))
    Self.expectLimit("keys, positions") { try Self.mapping(model, rules(4_000)) }
  }

  @Test func anIdentityHasNoMoreThan64Properties() throws {
    func model(_ count: Int) throws -> ManagedObjectModel {
      let names = (0..<count).map { "a\($0)" }
      return try ManagedObjectModel(entities: [
        EntityDescription(
          "E", attributes: names.map(Self.attribute),
          userInfo: ["identityAttributes": names.joined(separator: ",")])
      ])
    }
    #expect(try Mapping(model: model(64)).entities[0].identity.count == 64)
    Self.expectLimit("64 properties") { try Mapping(model: model(65)) }
  }

  @Test func aPathHasNoMoreThan256KeysAnd4096Bytes() throws {
    func mapping(_ path: String) throws -> Mapping {
      var attribute = Self.attribute("a")
      attribute.userInfo["JSONKeyPath"] = path
      return try Mapping(
        model: ManagedObjectModel(entities: [EntityDescription("E", attributes: [attribute])]))
    }
    _ = try mapping(Array(repeating: "k", count: 256).joined(separator: "."))
    _ = try mapping(String(repeating: "k", count: 4_096))
    for path in [
      Array(repeating: "k", count: 257).joined(separator: "."),
      String(repeating: "k", count: 4_097),
    ] {
      #expect(throws: GrootError.self) { try mapping(path) }
    }
  }

  /// Faults that are said once for a rule, and not once for each entity that inherits it.
  @Test func aWrongRuleIsReportedOnceForAllEntitiesThatInheritIt() throws {
    var entities = [EntityDescription("Root", attributes: [Self.attribute("a")])]
    entities += (1...50).map { EntityDescription("E\($0)", parent: "Root") }
    let model = try ManagedObjectModel(entities: entities)
    do {
      _ = try Self.mapping(model, ["e": ["Root": ["x": "nothing"]]])
      Issue.record("no error")
    } catch let error as GrootError {
      #expect(error.issues.count == 1)
    }
  }
}
