import Groot

/// A model of people who know, parent and employ each other, and generated JSON for it.
enum Generated {
  static let document = """
    {"entities": {
      "Thing": {"abstract": true, "userInfo": {"identityAttributes": "key"},
        "attributes": {"key": {"type": "integer64", "userInfo": {"JSONKeyPath": "key"}}}},
      "Person": {"parent": "Thing",
        "attributes": {
          "name": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "name"}},
          "born": {"type": "date", "optional": true, "userInfo": {"JSONKeyPath": "life.born"}},
          "height": {"type": "double", "optional": true, "userInfo": {"JSONKeyPath": "life.height"}},
          "wealth": {"type": "decimal", "optional": true, "userInfo": {"JSONKeyPath": "wealth"}},
          "photo": {"type": "binary", "optional": true, "userInfo": {"JSONKeyPath": "photo"}},
          "badge": {"type": "uuid", "optional": true, "userInfo": {"JSONKeyPath": "badge"}},
          "notes": {"type": "transformable", "optional": true, "userInfo": {"JSONKeyPath": "notes"}},
          "active": {"type": "boolean", "default": true, "userInfo": {"JSONKeyPath": "active"}}},
        "relationships": {
          "parent": {"destination": "Person", "inverse": "children", "optional": true,
            "userInfo": {"JSONKeyPath": "parent"}},
          "children": {"destination": "Person", "toMany": true, "ordered": true,
            "inverse": "parent", "optional": true, "userInfo": {"JSONKeyPath": "children"}},
          "friends": {"destination": "Person", "toMany": true, "inverse": "friends",
            "optional": true, "userInfo": {"JSONKeyPath": "friends"}},
          "employer": {"destination": "Company", "inverse": "staff", "optional": true,
            "userInfo": {"JSONKeyPath": "employer"}}}},
      "Company": {"parent": "Thing",
        "attributes": {
          "title": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "title"}}},
        "relationships": {
          "staff": {"destination": "Person", "toMany": true, "inverse": "employer",
            "optional": true, "userInfo": {"JSONKeyPath": "staff"}},
          "owner": {"destination": "Person", "optional": true,
            "userInfo": {"JSONKeyPath": "owner"}}}}
    }}
    """

  static func context() throws -> ManagedObjectContext {
    ManagedObjectContext(mapping: try Mapping(model: ManagedObjectModel(document: document)))
  }

  /// A list of people, nested at random, with some given as identifiers, some twice.
  static func people(_ count: Int, _ random: inout SeededGenerator) -> JSONValue {
    .array((0..<count).map { _ in person(3, &random) })
  }

  private static func person(_ depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    let key = JSONValue.integer(random.number(in: 1...60))
    if depth == 0 || random.once(in: 5) { return key }
    var object = JSONObject()
    object["key"] = key
    func maybe(_ name: String, _ value: @autoclosure () -> JSONValue) {
      switch random.below(4) {
      case 0: break
      case 1: object[name] = .null
      default: object[name] = value()
      }
    }
    var inner = random
    maybe(
      "name", .string(inner.pick(["Ada", "Zoë", "Ævar", "x\n\"y\"", ""])))
    maybe("wealth", .string("12345678901234567890.0\(inner.number(in: 1...9))"))
    maybe("photo", .string("AQIDBA=="))
    maybe("badge", .string("7d444840-9dc0-11d1-b245-5ffdce74fad2"))
    maybe("notes", ["b": [1, 2.5, nil], "a": .boolean(inner.flip())])
    object["active"] = .boolean(random.flip())
    object["life"] = [
      "born": .string("19\(random.number(in: 10...99))-02-03T04:05:06.5Z"),
      "height": .real(Double.random(in: 1...2, using: &random)),
    ]
    if random.flip() { object["parent"] = person(depth - 1, &random) }
    for name in ["children", "friends"] where random.flip() {
      let count = random.number(in: 0...3)
      object[name] = .array((0..<count).map { _ in person(depth - 1, &random) })
    }
    if random.flip() {
      object["employer"] = [
        "key": .integer(random.number(in: 101...110)), "title": "Works",
        "owner": person(0, &random),
      ]
    }
    return .object(object)
  }
}
