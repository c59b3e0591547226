import Testing

import Groot

/// The law of `@rest`: whatever an object of JSON has, an export writes it again.
///
/// The generator knows nothing of the model but a few of its keys.
struct RestLawTests {
  private static let seeds = SeedRange.named("GROOT_REST", usually: 0...1_999)
  private static let keys = [
    "s", "n", "m", "x", "t", "l", "o", "d", "k", "z", "p", "b", "u",
  ]

  private static func attribute(_ type: String, _ path: String) -> JSONValue {
    [
      "type": .string(type), "optional": true,
      "userInfo": [
        "JSONKeyPath": .string(path), "groot.exportNull": "omit", "groot.invalid": "ignore",
        "groot.shape": "ignore",
      ],
    ]
  }

  private static func relationship(
    _ destination: String, _ path: String, form: String? = "array"
  ) -> JSONValue {
    var annotations: JSONObject = [
      "JSONKeyPath": .string(path), "groot.exportNull": "omit", "groot.shape": "ignore",
    ]
    if let form { annotations["groot.form"] = .string(form) }
    return [
      "destination": .string(destination), "toMany": .boolean(form != nil),
      "ordered": .boolean(form != nil), "optional": true, "userInfo": .object(annotations),
    ]
  }

  private static let rest: JSONValue = [
    "type": "transformable", "optional": true, "userInfo": ["JSONKeyPath": "@rest"],
  ]

  private static let document: JSONValue = [
    "entities": [
      "Record": [
        "userInfo": [
          "identityAttributes": "id", "groot.discriminator": "k",
          "groot.unknownDiscriminator": "base",
        ],
        "attributes": [
          "id": ["type": "integer64", "userInfo": ["JSONKeyPath": "id"]],
          "s": attribute("string", "s"), "n": attribute("integer64", "n"),
          "inner": attribute("string", "m.s"), "real": attribute("double", "m.n"),
          "deep": attribute("boolean", "m.m.b"), "first": attribute("integer64", "x[0]"),
          "third": attribute("string", "x[2].s"), "any": attribute("transformable", "t"),
          "rest": rest,
        ],
        "relationships": [
          "lines": relationship("Line", "l"), "one": relationship("Line", "o", form: nil),
          "days": relationship("Day", "d", form: "keyed"),
        ],
      ],
      "Kind": [
        "parent": "Record", "userInfo": ["groot.discriminatorValue": "b"],
        "attributes": ["z": attribute("string", "z")],
      ],
      "Line": [
        "attributes": [
          "n": attribute("integer64", "n"), "inner": attribute("string", "m.s"),
          "around": attribute("transformable", "@parent.p"), "rest": rest,
        ]
      ],
      "Day": [
        "attributes": [
          "key": attribute("string", "@key"), "value": attribute("transformable", "@value"),
          "n": attribute("integer64", "n"), "rest": rest,
        ]
      ],
    ]
  ]

  // MARK: JSON

  /// A record whose list of lines has objects only: of others nothing is kept.
  private static func record(_ random: inout SeededGenerator) -> JSONObject {
    var record = random.object(3, keys: keys)
    if let lines = record["l"]?.arrayValue, lines.contains(where: { $0.objectValue == nil }) {
      record["l"] = .null
    }
    record["id"] = 1
    return record
  }

  /// Whether two values are the same JSON: 1 and 1.0 are one number.
  private static func areEqual(_ one: JSONValue?, _ other: JSONValue?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    switch (one, other) {
    case (.array(let left), .array(let right)):
      return left.elements.count == right.elements.count
        && zip(left.elements, right.elements).allSatisfy { areEqual($0, $1) }
    case (.object(let left), .object(let right)):
      return left.keys.count == right.keys.count
        && left.keys.allSatisfy { areEqual(left[$0], right[$0]) }
    default:
      return one == other || one.realValue != nil && one.realValue == other.realValue
    }
  }

  // MARK: Laws

  @Test func importedJSONIsExported() throws {
    let mapping = try Mapping(model: ManagedObjectModel(document: Self.document))
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      let json = JSONValue.object(Self.record(&random))
      let context = ManagedObjectContext(mapping: mapping)
      let found = try context.importJSON(.value(json), into: "Record")[0]
      let written = try JSONValue(parsing: context.exportText(found))
      #expect(Self.areEqual(written, json), "seed \(seed): \(json) is \(written)")
      #expect(context.brokenInvariants() == [])
    }
  }

  @Test func anExportOfTwoRecordsOfOneObjectChangesNothing() throws {
    let mapping = try Mapping(model: ManagedObjectModel(document: Self.document))
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      var records = [Self.record(&random), Self.record(&random)]
      for key in ["l", "o", "d"] { for index in 0..<2 { records[index][key] = nil } }
      let context = ManagedObjectContext(mapping: mapping)
      guard let found = try? context.importJSON(.value(.object(records[0])), into: "Record")[0],
        // An object keeps its entity.
        (try? context.importJSON(.value(.object(records[1])), into: "Record")) != nil
      else { continue }
      let text = try context.exportText(found)
      let report = try context.importJSON(.text(text), into: "Record").report
      #expect(report.updated == 0, "seed \(seed): \(records) is \(text)")
      #expect(try context.exportText(found) == text, "seed \(seed): \(records)")
    }
  }
}
