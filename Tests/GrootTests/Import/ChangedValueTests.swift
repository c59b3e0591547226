import Groot
import Testing

/// Plain values that an import changes in an object that is there.
struct ChangedValueTests {
  private static let document = """
    {"entities": {"Page": {"userInfo": {"identityAttributes": "id"},
      "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
      "relationships": {"reading": {"destination": "Reading", "inverse": "pages",
        "userInfo": {"JSONKeyPath": "reading"}}}},
    "Reading": {"relationships": {"pages": {"destination": "Page", "toMany": true, "optional": true,
      "inverse": "reading"}}, "userInfo": {"identityAttributes": "id"}, "attributes": {
      "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
      "small": {"type": "integer16", "optional": true, "userInfo": {"JSONKeyPath": "small"}},
      "medium": {"type": "integer32", "optional": true, "userInfo": {"JSONKeyPath": "medium"}},
      "large": {"type": "integer64", "optional": true, "userInfo": {"JSONKeyPath": "large"}},
      "ratio": {"type": "double", "optional": true, "userInfo": {"JSONKeyPath": "ratio"}},
      "isOn": {"type": "boolean", "optional": true, "userInfo": {"JSONKeyPath": "isOn"}},
      "time": {"type": "date", "optional": true, "userInfo": {"JSONKeyPath": "time"}},
      "text": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "text"}}}}}}
    """

  /// The values of each property: other bits, limits, none, and one of another kind.
  private static let values: [(name: String, texts: [String])] = [
    ("small", ["0", "-32768", "32767", "7.0", "null"]),
    ("medium", ["0", "-2147483648", "2147483647", "null"]),
    ("large", ["0", "-9223372036854775808", "9223372036854775807", "null"]),
    ("ratio", ["0.0", "-0.0", "2", "1e300", "null"]),
    ("isOn", ["true", "false", "null"]),
    ("time", [#""2016-02-29T12:00:00Z""#, #""2016-02-29T12:00:00.5+01:00""#, "null"]),
    ("text", [#""""#, #""short""#, #""of thirteen c""#, #""a text of more than twelve bytes""#]),
  ]
  /// Values that their properties do not take.
  private static let invalid = [
    #""small": 32768"#, #""medium": -2147483649"#, #""large": 1.5"#, #""ratio": "x""#,
    #""isOn": 1"#, #""time": "then""#, #""text": 1"#,
  ]

  private static func context() throws -> ManagedObjectContext {
    ManagedObjectContext(mapping: try Mapping(model: ManagedObjectModel(document: document)))
  }

  /// A value for most of the properties.
  private static func draw(_ random: inout SeededGenerator) -> [String: String] {
    var drawn: [String: String] = [:]
    for (name, texts) in values where random.chance(70) { drawn[name] = random.pick(texts) }
    return drawn
  }

  private static func record(_ values: [String: String]) -> String {
    "{" + values.map { "\"\($0.key)\": \($0.value), " }.joined() + #""id": 1}"#
  }

  private static func text(_ context: ManagedObjectContext) throws -> String {
    try context.exportText(context.fetch(FetchRequest("Reading")))
  }

  @Test(arguments: 0..<40) func theyAreThoseOfANewObjectAndAreUndone(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let context = try Self.context()
    var given = Self.draw(&random)
    try context.importJSON(.text(Self.record(given)), into: "Reading")
    try context.save()
    var saved = (text: try Self.text(context), given: given)
    for _ in 0..<30 {
      let before = try Self.text(context)
      let drawn = Self.draw(&random)
      let report = try context.importJSON(.text(Self.record(drawn)), into: "Reading").report
      let after = try Self.text(context)
      #expect(report.updated == (after == before ? 0 : 1))
      // What the record does not have stays.
      given.merge(drawn) { $1 }
      let new = try Self.context()
      try new.importJSON(.text(Self.record(given)), into: "Reading")
      #expect(try Self.text(new) == after)

      let invalid = #"{"id": 1, \#(random.pick(Self.invalid))}"#
      #expect(throws: GrootError.self) {
        try context.importJSON(
          .text("[\(Self.record(Self.draw(&random))), \(invalid)]"), into: "Reading")
      }
      #expect(try Self.text(context) == after)
      if random.once(in: 3) {
        try context.rollback()
        #expect(try Self.text(context) == saved.text)
        given = saved.given
      } else if random.once(in: 3) {
        try context.save()
        saved = (after, given)
      }
    }
  }

  @Test(arguments: [
    (#""small": 5"#, #""small": 6"#), (#""ratio": 0.5"#, #""ratio": 1.5"#),
    (#""isOn": true"#, #""isOn": false"#), (#""text": "a""#, #""text": "b""#),
  ])
  func theLastOfAlternatingNestedRecordsCounts(first: String, second: String) throws {
    for count in 200...201 {
      let context = try Self.context()
      let pages = (0..<count).map {
        #"{"id": \#($0), "reading": {\#($0 % 2 == 0 ? first : second), "id": 1, "large": 7}}"#
      }
      try context.importJSON(.text("[\(pages.joined(separator: ", "))]"), into: "Page")
      let last = try Self.context()
      try last.importJSON(
        .text(#"{\#(count % 2 == 1 ? first : second), "id": 1, "large": 7}"#), into: "Reading")
      #expect(try Self.text(context) == Self.text(last))
    }
  }
}
