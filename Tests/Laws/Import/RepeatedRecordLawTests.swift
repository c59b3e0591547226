import Testing

@testable import Groot

/// Feeds that write out the same objects with each record.
///
/// An import of text leaves out what a text said before; an import of values reads all of it. Both
/// must make the same graph, with the same changes, and the same report.
struct RepeatedRecordLawTests {
  private static let document = """
    {"entities": {
      "Post": {"userInfo": {"identityAttributes": "id"},
        "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
        "relationships": {
          "author": {"destination": "Author", "inverse": "posts", "optional": true,
            "userInfo": {"JSONKeyPath": "author"}},
          "editor": {"destination": "Author", "optional": true,
            "userInfo": {"JSONKeyPath": "editor"}},
          "tags": {"destination": "Tag", "toMany": true, "inverse": "posts", "optional": true,
            "userInfo": {"JSONKeyPath": "tags"}},
          "places": {"destination": "Place", "toMany": true, "optional": true,
            "userInfo": {"JSONKeyPath": "places"}}}},
      "Author": {"userInfo": {"identityAttributes": "id"},
        "attributes": {
          "id": {"type": "integer64", "optional": true, "userInfo": {"JSONKeyPath": "id"}},
          "name": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "name"}},
          "age": {"type": "integer16", "optional": true,
            "userInfo": {"JSONKeyPath": "life.age", "groot.invalid": "keep"}},
          "wealth": {"type": "decimal", "optional": true, "userInfo": {"JSONKeyPath": "wealth"}},
          "isActive": {"type": "boolean", "default": true,
            "userInfo": {"JSONKeyPath": "active"}}},
        "relationships": {
          "posts": {"destination": "Post", "toMany": true, "inverse": "author",
            "optional": true}}},
      "Tag": {"userInfo": {"identityAttributes": "slug"},
        "attributes": {
          "slug": {"type": "string", "userInfo": {"JSONKeyPath": "slug"}},
          "label": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "label"}},
          "extra": {"type": "transformable", "optional": true,
            "userInfo": {"JSONKeyPath": "extra"}}},
        "relationships": {
          "posts": {"destination": "Post", "toMany": true, "inverse": "tags",
            "optional": true}}},
      "City": {"parent": "Place",
        "attributes": {
          "size": {"type": "integer64", "optional": true, "userInfo": {"JSONKeyPath": "size"}}}},
      "Place": {"userInfo": {"identityAttributes": "east,north"},
        "attributes": {
          "east": {"type": "integer64", "userInfo": {"JSONKeyPath": "east"}},
          "north": {"type": "integer64", "userInfo": {"JSONKeyPath": "north"}},
          "note": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "note"}}}}
    }}
    """

  private static func context() throws -> ManagedObjectContext {
    ManagedObjectContext(mapping: try Mapping(model: ManagedObjectModel(document: document)))
  }

  // MARK: Feeds

  private static func author(_ rarity: Int, known: Int, _ random: inout SeededGenerator)
    -> JSONValue
  {
    let id = Int64(random.number(in: 1...known))
    if random.once(in: 12) { return .integer(id) }
    // Without an identity each record is an object of its own.
    if random.once(in: rarity) { return ["name": "nobody"] }
    var object = JSONObject()
    object["id"] = .integer(id)
    if random.once(in: rarity) { object["id"] = .string("none") }
    // An object mostly comes with the same values.
    object["name"] = .string("Ævar \(id) \"\(random.once(in: rarity) ? "2" : "1")\"")
    if random.once(in: rarity) { object["name"] = .null }
    if id % 3 == 0 { object["wealth"] = .string("1.\(id)0") }
    if id % 2 == 0 { object["active"] = .boolean(!random.once(in: rarity)) }
    if id % 4 == 0 { object["life"] = ["age": .integer(id == 4 ? 99_999 : 30 + id)] }
    return .object(object)
  }

  private static func tag(_ rarity: Int, known: Int, _ random: inout SeededGenerator) -> JSONValue {
    let number = random.number(in: 1...known)
    var object = JSONObject()
    if number % 3 != 0 || random.once(in: rarity) { object["label"] = .string("label \(number)") }
    object["slug"] = .string("tag\(number)")
    // The two differ only in the ends of their arrays.
    if number % 5 == 0 { object["extra"] = random.flip() ? [[["x"], 1]] : [[["x", 1]]] }
    if random.once(in: rarity) { object["unmapped"] = [["slug": "tag1"], 1] }
    return .object(object)
  }

  private static func place(_ rarity: Int, _ random: inout SeededGenerator) -> JSONValue {
    var object = JSONObject()
    let east = Int64(random.number(in: 0...3))
    object["note"] = .string(east == 1 || random.once(in: rarity) ? "north" : "south \\ north")
    object["east"] = .integer(east)
    object["north"] = .integer(Int64(random.number(in: 0...1)))
    return .object(object)
  }

  /// A list of posts, in which one of `rarity` values is invalid or unlike that of earlier ones, and
  /// one of `failures` records is invalid.
  private static func posts(
    _ count: Int, rarity: Int, failures: Int, _ random: inout SeededGenerator
  ) -> JSONValue {
    var random = random
    return .array(
      (0..<count).map { number in
        var post = JSONObject()
        post["id"] =
          random.once(in: rarity) ? .string("?") : .integer(Int64(random.number(in: 1...60)))
        post["author"] = author(rarity, known: 3 + number / 20, &random)
        if random.flip() { post["editor"] = author(rarity, known: 3 + number / 20, &random) }
        let tags = (0..<random.number(in: 0...4)).map { _ in
          tag(rarity, known: 5 + number / 4, &random)
        }
        // The last tag may make the whole record invalid.
        post["tags"] = .array(tags + (random.once(in: failures) ? [["slug": true]] : []))
        post["places"] = .array((0..<random.number(in: 0...2)).map { _ in place(rarity, &random) })
        return .object(post)
      })
  }

  private static func options(_ random: inout SeededGenerator) -> ImportOptions {
    var options = ImportOptions()
    options.errorMode = random.pick([.skip, .skip, .collect])
    options.maximumIssues = 10_000
    options.listsChanges = random.flip()
    options.listsAccess = random.once(in: 5)
    options.policies = random.pick(policies)
    return options
  }

  private static let policies: [NameMap<String>] = [
    [:], [:], ["invalid": "keep"], ["assignment": "deleteMissing"],
    ["assignment": "deleteMissing", "null": "keep"], ["null": "keep"],
    ["missing": "clear"], ["unknownKeys": "report"], ["unknownIdentifier": "skip"],
  ]

  // MARK: The law

  /// An issue without its line, which values lack.
  private static func shown(_ issue: GrootIssue) -> String {
    "\(issue.status) \(issue.path) \(issue.entity).\(issue.property): \(issue.message)"
  }

  /// Returns the report of an import, or its error.
  private func outcome(_ importing: () throws -> ImportResult) throws -> String {
    do {
      let result = try importing()
      return "\(result.report.counts) \(result.report.issues.map(Self.shown))"
    } catch let error as GrootError {
      return "\(error.issues.map(Self.shown))"
    }
  }

  @Test(arguments: 0..<24)
  func aTextImportsLikeItsValues(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(7_700 + seed))
    let (texts, values) = (try Self.context(), try Self.context())
    for round in 0..<3 {
      let feed = Self.posts(
        200, rarity: random.pick([6, 30, 400, 4_000]), failures: random.pick([4, 1_000]), &random)
      let options = Self.options(&random)
      let fromText = try outcome {
        try texts.importJSON(.text(feed.description), into: "Post", options: options)
      }
      let fromValues = try outcome {
        try values.importJSON(.value(feed), into: "Post", options: options)
      }
      #expect(fromText == fromValues, "round \(round)")
      #expect(dump(texts) == dump(values), "round \(round)")
      #expect(texts.brokenInvariants() == [])
      if random.flip() { for context in [texts, values] { try context.save() } }
      _ = random.below(9)
    }
  }

  @Test func theseFeedsRepeatRecords() throws {
    var random = SeededGenerator(seed: 7_700)
    let context = try Self.context()
    var options = ImportOptions()
    options.errorMode = .skip
    options.maximumIssues = 10_000
    let stream = try context.beginImport(into: "Post", options: options)
    try stream.write(Self.posts(400, rarity: 400, failures: 1_000, &random).description)
    let importer = try #require(stream.transaction).importer
    #expect(importer.resolver.repeats.rate.hits > 300)
    _ = try stream.finish()
  }
}
