@testable import Groot

/// A model in one of the dialects, and a sequence of what is done with it.
struct ReportSubject {
  let mapping: Mapping
  let document: JSONValue
  let operations: [LawOperation]
  /// Records for filling an object, from a seed.
  let record: (EntityIndex, UInt64) -> JSONValue

  init(dialect: Mapping.Dialect, seed: UInt64, steps: Int) throws {
    var random = SeededGenerator(seed: seed)
    if dialect == .groot {
      let law = try LawModel(seed: random.next())
      mapping = law.mapping
      document = law.document
      operations = LawOperation.sequence(law, steps, &random).filter(\.isOfOneContext)
      record = { entity, seed in
        var records = LawRecords(law: law, random: SeededGenerator(seed: seed))
        return records.record(entity, 2)
      }
      return
    }
    let feed = ReportFeed(dialect: dialect, random: &random)
    document = feed.document
    let model = try ManagedObjectModel(document: document)
    mapping =
      dialect == .hyper
      ? try Mapping(model: model, dialect: .hyper)
      : try Mapping(model: model, dialect: .kvc, rules: feed.rules)
    operations = feed.operations(steps, &random)
    record = { entity, seed in
      var random = SeededGenerator(seed: seed)
      return feed.record(model.resolved[entity].name, 1, &random)
    }
  }
}

extension LawOperation {
  /// Whether it is not a work of another context.
  fileprivate var isOfOneContext: Bool {
    if case .other = self { return false }
    return true
  }
}

/// Feeds by conventions or rules: few keys, so that records come twice, and links from both sides.
struct ReportFeed {
  let dialect: Mapping.Dialect
  let document: JSONValue

  init(dialect: Mapping.Dialect, random: inout SeededGenerator) {
    self.dialect = dialect
    func side(_ to: String, _ inverse: String?, isToMany: Bool) -> JSONValue {
      var side: JSONObject = [
        "destination": .string(to), "toMany": .boolean(isToMany), "optional": true,
        "deleteRule": .string(random.chance(75) ? "nullify" : "cascade"),
      ]
      if let inverse { side["inverse"] = .string(inverse) }
      if isToMany && random.chance(50) { side["ordered"] = true }
      return .object(side)
    }
    func attributes() -> JSONValue {
      [
        "id": ["type": "integer32", "optional": true, "userInfo": ["sync.isPrimaryKey": "YES"]],
        "name": ["type": "string", "optional": true],
        "age": ["type": "integer16", "optional": true],
      ]
    }
    let hasOwner = random.chance(50)
    let owner: JSONValue = ["owner": side("Unit", "notes", isToMany: false)]
    document = [
      "entities": [
        "Unit": [
          "attributes": attributes(),
          "relationships": [
            "items": side("Item", "unit", isToMany: true),
            "tags": side("Tag", "units", isToMany: true),
            "peers": side("Unit", "peers", isToMany: true),
            "mate": side("Unit", "mate", isToMany: false),
            "badge": side("Tag", "holder", isToMany: false),
            "notes": side("Note", hasOwner ? "owner" : nil, isToMany: true),
          ],
        ],
        "Item": [
          "attributes": attributes(),
          "relationships": ["unit": side("Unit", "items", isToMany: false)],
        ],
        "Tag": [
          "attributes": attributes(),
          "relationships": [
            "units": side("Unit", "tags", isToMany: true),
            "holder": side("Unit", "badge", isToMany: false),
          ],
        ],
        "Note": [
          "attributes": ["name": ["type": "string", "optional": true]],
          "relationships": hasOwner ? owner : [:],
        ],
      ]
    ]
  }

  static let links: [String: [(name: String, to: String, isToMany: Bool)]] = [
    "Unit": [
      ("items", "Item", true), ("tags", "Tag", true), ("peers", "Unit", true),
      ("mate", "Unit", false), ("badge", "Tag", false), ("notes", "Note", true),
    ],
    "Item": [("unit", "Unit", false)],
    "Tag": [("units", "Unit", true), ("holder", "Unit", false)],
    "Note": [],
  ]

  /// Rules that give each relationship two keys: one for objects, one for foreign keys.
  var rules: JSONValue {
    func mapping(_ entity: String, _ depth: Int) -> JSONValue {
      var keys: JSONObject = ["name": "name"]
      if entity != "Note" {
        keys["id"] = "id"
        keys["age"] = "age"
      }
      for link in Self.links[entity] ?? [] {
        let key = link.to == "Note" ? "" : ".id"
        if depth > 0 {
          keys[link.name] = .object([link.name + key: mapping(link.to, depth - 1)])
        }
        if link.to != "Note" { keys[link.name + "_ids"] = .string(link.name + key) }
      }
      return .object(keys)
    }
    return [
      "units": ["Unit.id": mapping("Unit", 2)], "items": ["Item.id": mapping("Item", 2)],
      "tags": ["Tag.id": mapping("Tag", 2)],
    ]
  }

  func operations(_ count: Int, _ random: inout SeededGenerator) -> [LawOperation] {
    (0..<count).map { number in
      let entity = random.pick(["Unit", "Unit", "Item", "Tag"])
      let records = JSONValue.array(
        (0..<random.number(in: 1...6)).map { _ in record(entity, 2, &random) })
      switch random.below(20) {
      case 0..<11: return .importRecords(entity, records, LawImport(&random))
      case 11..<14: return .sync(entity, records, random.next())
      case 14: return .fill(random.next())
      case 15: return .delete(random.next())
      case 16: return .rollback
      case 17: return .reopen(random.next())
      default: return .save
      }
    }
  }

  func record(_ entity: String, _ depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    func key() -> JSONValue { .integer(random.number(in: 1...4)) }
    var object: JSONObject = [:]
    if entity != "Note", random.chance(97) { object["id"] = key() }
    if random.chance(60) { object["name"] = random.pick(["a", "b", nil] as [JSONValue]) }
    if entity != "Note", random.chance(40) { object["age"] = random.pick([1, 2, "old"]) }
    for link in Self.links[entity] ?? [] where random.chance(depth > 0 ? 30 : 10) {
      if random.chance(8) {
        object[link.name] = .null
      } else if link.to != "Note", depth == 0 || random.chance(50) {
        let suffix = dialect == .hyper && !link.isToMany ? "_id" : "_ids"
        let keys = (0..<random.number(in: 0...3)).map { _ in key() }
        object[link.name + suffix] = link.isToMany ? .array(keys) : key()
      } else if depth > 0 {
        object[link.name] =
          link.isToMany
          ? .array(
            (0..<random.number(in: 0...3)).map { _ in
              record(link.to, depth - 1, &random)
            })
          : record(link.to, depth - 1, &random)
      }
    }
    return .object(object)
  }
}
