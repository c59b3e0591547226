import Testing

@testable import Groot

/// The law of the text of unmapped keys: it is the canonical JSON of an attribute that gets the same
/// members under one key.
struct WrittenRestLawTests {
  private static let seeds = SeedRange.named("GROOT_WRITTEN_REST", usually: 0...399)

  private static let document = """
    {"entities": {
      "Item": {"userInfo": {"identityAttributes": "id"},
        "attributes": {
          "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
          "name": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "name"}},
          "width": {"type": "integer64", "optional": true,
            "userInfo": {"JSONKeyPath": "size.width", "groot.shape": "ignore",
              "groot.invalid": "ignore"}},
          "deep": {"type": "string", "optional": true,
            "userInfo": {"JSONKeyPath": "size.inner.deep", "groot.shape": "ignore",
              "groot.invalid": "ignore"}},
          "rest": {"type": "transformable", "optional": true,
            "userInfo": {"JSONKeyPath": "@rest"}}},
        "relationships": {
          "next": {"destination": "Item", "optional": true, "userInfo": {"JSONKeyPath": "next"}},
          "parts": {"destination": "Item", "toMany": true, "optional": true,
            "userInfo": {"JSONKeyPath": "parts"}}}},
      "Plain": {"userInfo": {"identityAttributes": "id"},
        "attributes": {
          "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
          "rest": {"type": "transformable", "optional": true,
            "userInfo": {"JSONKeyPath": "members"}}}}}}
    """

  /// Keys that no path of the model names at their place, some of them alike.
  private static let keys = [
    "", "a", "b", "ab", "abc", "width", "deep", "inner", "Zoë", "日本", #"q\"\\"#, #"A\u0042"#,
    "\u{7f}",
    "a key of more than thirty-two bytes in all", "a key of more than thirty-two bytes, too",
  ]

  private static let scalars = [
    "null", "true", "false", "0", "-0", "-17", "9223372036854775807", "9223372036854775808",
    "123456789012345678901234567890", "1.0", "1E5", "0.1", "0.10", "0.30000000000000004",
    "0.1000000000000000055511151231257827", "9223372036854775000.0", "1e400", "2.5e-308", #""""#,
    #""b""#, #""Zoë 日本""#, #""\u0041\u0001\n\"\\\/""#, #""thirty bytes are still copied""#,
    #""a text of more than thirty-two bytes, which is long""#,
    #""a long text with an escape \" before and after its thirty-second byte\n""#,
  ]

  // MARK: Generated records

  /// A record's text and that of its unmapped members; nil without any.
  private struct Record {
    var members: [String] = []
    var rest: [String] = []

    var text: String { "{" + members.joined(separator: ",") + "}" }

    mutating func add(_ key: String, _ value: String, isLeft: Bool) {
      members.append("\"\(key)\": \(value)")
      if isLeft { rest.append("\"\(key)\":\(value)") }
    }
  }

  /// The records of a text, with the rest of each by its identifier.
  private struct Feed {
    var random: SeededGenerator
    /// Whether some key paths end at another value than an object.
    var breaksPaths = true
    var rests: [Int: String] = [:]
    var count = 0

    mutating func value(_ depth: Int) -> String {
      switch random.below(depth > 0 ? 9 : 5) {
      case 5: return random.flip() ? "{}" : "[ ]"
      case 6, 7: return object(depth - 1)
      case 8:
        return "[" + (0..<random.below(4)).map { _ in value(depth - 1) }.joined(separator: " , ")
          + "]"
      default: return random.pick(WrittenRestLawTests.scalars)
      }
    }

    /// Returns some unmapped members, sorted now and then; more than sixteen in rare cases.
    mutating func unmapped(except used: Set<String> = []) -> [(key: String, value: String)] {
      let count = random.once(in: 12) ? 9 + random.below(20) : random.below(6)
      var keys = (0..<count).map { _ in random.pick(WrittenRestLawTests.keys) }
      if count > 9 { keys = keys.enumerated().map { "\($0.offset % 25)\($0.element)" } }
      if random.chance(30) {
        keys = Array(Set(keys)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      }
      return keys.filter { !used.contains($0) }.map { ($0, value(2)) }
    }

    mutating func object(_ depth: Int) -> String {
      let members = (0..<random.below(5)).map { _ in
        "\"\(random.pick(WrittenRestLawTests.keys))\" : \(value(depth))"
      }
      return "{" + members.joined(separator: ",") + "}"
    }

    /// Adds the members of an object inside key paths.
    mutating func addInner(_ key: String, to record: inout Record, depth: Int) {
      if breaksPaths, random.once(in: 8) {
        // No path continues in an array or a scalar.
        return record.add(key, random.pick(["[1,{\"width\":2}]", "[]", "7", "\"\""]), isLeft: true)
      }
      var inner = Record()
      if random.flip() {
        inner.add(depth == 0 ? "width" : "deep", depth == 0 ? "3" : "\"x\"", isLeft: false)
      }
      for member in unmapped(except: depth == 0 ? ["width", "inner"] : ["deep"]) {
        inner.add(member.key, member.value, isLeft: true)
      }
      if depth == 0, random.flip() { addInner("inner", to: &inner, depth: 1) }
      record.members.append("\"\(key)\":\(inner.text)")
      if !inner.rest.isEmpty {
        record.rest.append("\"\(key)\":{\(inner.rest.joined(separator: ","))}")
      }
    }

    /// Returns the text of a record, and notes its rest.
    mutating func record(_ depth: Int) -> String {
      count += 1
      let id = count
      var record = Record()
      record.add("id", "\(id)", isLeft: false)
      var parts = unmapped().map { member in
        { (record: inout Record) in
          record.add(member.key, member.value, isLeft: true)
        }
      }
      if random.flip() {
        let name = random.pick(["null", "\"Ada\""])
        parts.append { $0.add("name", name, isLeft: false) }
      }
      var inner = Record()
      if random.chance(60) { addInner("size", to: &inner, depth: 0) }
      parts.append { [inner] in
        $0.members += inner.members
        $0.rest += inner.rest
      }
      if depth > 0, random.flip() {
        let next = self.record(depth - 1)
        parts.append { $0.add("next", next, isLeft: false) }
      }
      if depth > 0, random.once(in: 3) {
        let list = (0..<1 + random.below(3)).map { _ in self.record(depth - 1) }
        parts.append { $0.add("parts", "[\(list.joined(separator: ","))]", isLeft: false) }
      }
      for part in parts.shuffled(using: &random) { part(&record) }
      if !record.rest.isEmpty { rests[id] = "{\(record.rest.joined(separator: ","))}" }
      return record.text
    }
  }

  // MARK: Stored texts

  /// The bytes of unmapped keys by the identifiers of their objects.
  private func texts(of name: String, in context: ManagedObjectContext) throws -> [Int64: String] {
    let graph = context.graph
    var found: [Int64: String] = [:]
    for object in try context.fetch(FetchRequest(name)) {
      let record = try graph.record(object.id)
      let entity = graph.entity(record, in: object.id.table)
      let properties = context.model.namedProperties(of: entity)
      guard case .integer(let identifier) = try object["id"],
        let rest = properties.first(where: { $0.name == "rest" })
      else { continue }
      let value = StoredValue(record, field: rest.field, table: graph.tables + object.id.table)
      if value.isPresent { found[identifier] = String(decoding: value.bytes, as: UTF8.self) }
    }
    return found
  }

  private func plainTexts(of rests: [Int: String], mapping: Mapping) throws -> [Int64: String] {
    let context = ManagedObjectContext(mapping: mapping)
    let records = rests.map { "{\"id\":\($0.key),\"members\":\($0.value)}" }
    _ = try context.importJSON(.text("[\(records.joined(separator: ","))]"), into: "Plain")
    return try texts(of: "Plain", in: context)
  }

  @Test func unmappedKeysAreStoredAsTheirCanonicalText() throws {
    let mapping = try Mapping(
      model: ManagedObjectModel(document: JSONValue(parsing: Self.document)))
    for seed in Self.seeds {
      var feed = Feed(random: SeededGenerator(seed: seed))
      let text = "[" + (0..<4).map { _ in feed.record(2) }.joined(separator: ",") + "]"
      let expected = try plainTexts(of: feed.rests, mapping: mapping)
      let context = ManagedObjectContext(mapping: mapping)
      _ = try context.importJSON(.text(text), into: "Item")
      #expect(try texts(of: "Item", in: context) == expected, "seed \(seed): \(text)")
      for (identifier, rest) in feed.rests {
        let found = expected[Int64(identifier)].flatMap { try? JSONValue(parsing: $0) }
        #expect(try found == JSONValue(parsing: rest), "seed \(seed): \(rest)")
      }
      // A second import changes nothing; one that replaces the rests sets those of the second feed.
      #expect(try context.importJSON(.text(text), into: "Item").report.updated == 0)
      var other = Feed(
        random: SeededGenerator(seed: seed + 1_000_000), breaksPaths: false)
      let second = "[" + (0..<4).map { _ in other.record(2) }.joined(separator: ",") + "]"
      var options = ImportOptions()
      options.policies = ["missing": "clear"]
      _ = try context.importJSON(.text(second), into: "Item", options: options)
      let replaced = try plainTexts(of: other.rests, mapping: mapping)
      let kept = expected.filter { $0.key > other.count }
      #expect(
        try texts(of: "Item", in: context) == kept.merging(replaced) { $1 },
        "seed \(seed): \(text), \(second)")
      #expect(context.brokenInvariants() == [])
    }
  }
}
