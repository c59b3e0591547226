import Testing

import Groot

/// Laws of rules beside the model, over generated data.
@Suite struct RulesLawTests {
  /// JSON of another shape than the annotations of ``Generated`` say, for the same objects.
  static let rules: JSONValue = [
    "person, people": [
      "Person.key": [
        "nr": "key", "info.name": "name", "info.life.born": "born", "height": "height",
        "wealth": "wealth", "info.photo": "photo", "badge": "badge", "notes": "notes",
        "active": "active", "up": "parent.key", "down": "children.key", "knows": "friends.key",
        "work.at": "employer.key",
      ]
    ],
    "companies": [
      "Company.key": ["0": "key", "1": "title", "2": "owner.key", "3": "staff.key"]
    ],
  ]

  /// A context of annotations with generated people, and an empty one of rules for the same model.
  static func contexts(
    _ random: inout SeededGenerator
  ) throws -> (annotated: ManagedObjectContext, ruled: ManagedObjectContext) {
    let annotated = try Generated.context()
    try annotated.importJSON(.value(Generated.people(20, &random)), into: "Person")
    let mapping = try Mapping(model: annotated.model, dialect: .kvc, rules: rules)
    return (annotated, ManagedObjectContext(mapping: mapping))
  }

  /// All objects as a batch, in any order.
  static func batch(
    _ context: ManagedObjectContext, _ rules: Mapping, _ random: inout SeededGenerator
  ) throws -> String {
    var options = ExportOptions()
    options.mapping = rules
    options.writesToMany = true
    var parts: [String] = []
    for (name, entity) in [("people", "Person"), ("companies", "Company")] {
      let objects = try context.fetch(FetchRequest(entity)).shuffled(using: &random)
      parts.append("\"\(name)\":\(try context.exportText(objects, options: options))")
    }
    return "{\(parts.shuffled(using: &random).joined(separator: ","))}"
  }

  @Test(arguments: 0..<30)
  func annotationsAndRulesGiveTheSameGraph(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(2_000 + seed))
    let (annotated, ruled) = try Self.contexts(&random)
    let text = try Self.batch(annotated, ruled.mapping, &random)
    let report = try ruled.importJSON(.text(text), into: nil).report
    #expect(report.issues.isEmpty)
    #expect(ruled.brokenInvariants() == [])
    #expect(try ImportLawTests.meaning(ruled) == ImportLawTests.meaning(annotated))
    // Once more, and without making objects, there is nothing to do.
    var options = ImportOptions()
    options.createsObjects = seed % 2 == 0
    let again = try ruled.importJSON(.text(text), into: nil, options: options).report
    #expect(again.inserted == 0 && again.updated == 0)
    // And from where it came.
    options.mapping = ruled.mapping
    let back = try annotated.importJSON(.text(text), into: nil, options: options).report
    #expect(back.inserted == 0 && back.updated == 0 && back.issues.isEmpty)
  }

  @Test(arguments: 0..<20)
  func withoutMakingObjectsNothingIsInserted(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(2_100 + seed))
    let (annotated, ruled) = try Self.contexts(&random)
    let text = try Self.batch(annotated, ruled.mapping, &random)
    for key: Int64 in 1...10 {
      try ruled.importJSON(.value([["nr": .integer(key)]]), into: "Person")
    }
    var options = ImportOptions()
    options.createsObjects = false
    let result = try ruled.importJSON(.text(text), into: nil, options: options)
    #expect(result.report.inserted == 0 && result.report.issues.isEmpty)
    #expect(try ruled.count(FetchRequest("Thing")) == 10)
    #expect(result.count <= 10)
    #expect(ruled.brokenInvariants() == [])
  }

  /// Foreign keys that are not primary keys: whoever comes first, all find the same.
  @Test(arguments: 0..<30)
  func orderDoesNotMatter(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(2_200 + seed))
    let rules: JSONValue = [
      "people": [
        "Person.key": [
          "nr": "key", "name": "name", "boss": "parent.name", "friends": "friends.name",
          "at": "employer.title",
        ]
      ],
      "companies": ["Company.key": ["nr": "key", "title": "title", "owner": "owner.name"]],
    ]
    // The last of the names are of nobody: they become placeholders, once each.
    let names = (1...25).map { JSONValue.string("name \($0)") }
    let titles = (1...6).map { JSONValue.string("title \($0)") }
    var people: [JSONValue] = []
    for key: Int64 in 1...20 {
      people.append([
        "nr": .integer(key), "name": names[Int(key) - 1],
        "boss": names.randomElement(using: &random) ?? nil,
        "friends": .array(Array(names.shuffled(using: &random).prefix(3))),
        "at": titles.randomElement(using: &random) ?? nil,
      ])
    }
    var companies: [JSONValue] = []
    for key: Int64 in 1...5 {
      companies.append([
        "nr": .integer(100 + key), "title": titles[Int(key) - 1],
        "owner": names.randomElement(using: &random) ?? nil,
      ])
    }
    var found: [Set<String>] = []
    let model = try ManagedObjectModel(document: Generated.document)
    let mapping = try Mapping(model: model, dialect: .kvc, rules: rules)
    for round in 0..<4 {
      let context = ManagedObjectContext(mapping: mapping)
      let parts: [(String, JSONValue)] = [
        ("people", .array(round == 0 ? people : people.shuffled(using: &random))),
        ("companies", .array(round == 0 ? companies : companies.shuffled(using: &random))),
      ]
      let batch = JSONObject(round % 2 == 0 ? parts : parts.reversed())
      try context.importJSON(.value(.object(batch)), into: nil)
      #expect(context.brokenInvariants() == [])
      found.append(try Self.links(context))
    }
    #expect(found.allSatisfy { $0 == found[0] })
    #expect(found[0].count >= 25)
  }

  /// Each object as its name and the names that it is linked to.
  static func links(_ context: ManagedObjectContext) throws -> Set<String> {
    func name(_ object: ManagedObject?, _ property: String) throws -> String {
      try object.map { try "\($0[property])" } ?? "none"
    }
    var result: Set<String> = []
    for object in try context.fetch(FetchRequest("Person")) {
      let friends = try object.members("friends").map { try name($0, "name") }.sorted()
      let parts = try [
        name(object, "key"), name(object, "name"), name(object.target("parent"), "name"),
        "\(friends)", name(object.target("employer"), "title"),
      ]
      #expect(result.insert(parts.joined(separator: "; ")).inserted)
    }
    for object in try context.fetch(FetchRequest("Company")) {
      let owner = try name(object.target("owner"), "name")
      let parts = try [name(object, "key"), name(object, "title"), owner]
      #expect(result.insert(parts.joined(separator: "; ")).inserted)
    }
    return result
  }
}
