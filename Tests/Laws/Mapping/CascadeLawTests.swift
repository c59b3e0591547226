import Testing

import Groot

/// Laws of synchronizations whose deletions cascade, over generated delete rules and lists.
struct CascadeLawTests {
  private static func document(_ random: inout SeededGenerator) -> JSONValue {
    func relationship(
      _ destination: String, _ inverse: String, many: Bool = true
    ) -> JSONValue {
      [
        "destination": .string(destination), "inverse": .string(inverse),
        "toMany": .boolean(many), "optional": true,
        "deleteRule": Bool.random(using: &random) ? "cascade" : "nullify",
      ]
    }
    func entity(_ relationships: JSONObject) -> JSONValue {
      [
        "attributes": [
          "id": ["type": "integer64", "optional": true],
          "gone": ["type": "boolean", "optional": true],
        ],
        "relationships": .object(relationships),
        "userInfo": [
          "identityAttributes": "id", "groot.tombstone": "dead=true",
        ],
      ]
    }
    return [
      "entities": [
        "Task": entity([
          "kids": relationship("Task", "over"),
          "over": relationship("Task", "kids", many: false),
          "tags": relationship("Tag", "tasks"),
          "next": relationship("Task", "last", many: false),
          "last": relationship("Task", "next", many: false),
        ]),
        "Tag": entity([
          "tasks": relationship("Task", "tags"),
          "notes": relationship("Note", "tag"),
        ]),
        "Note": entity(["tag": relationship("Tag", "notes", many: false)]),
      ]
    ]
  }

  private static let entities = ["Task", "Tag", "Note"]

  /// A name in a list: entity and identity.
  private struct Named: Hashable {
    let entity: String
    let id: Int64
  }

  /// Lists of entries, and the names in them.
  private struct Lists {
    var random: SeededGenerator
    let isHyper: Bool
    /// By records, and by identifiers.
    var named: Set<Named> = []
    var mentioned: Set<Named> = []

    mutating func list(_ entity: String, depth: Int) -> JSONValue {
      .array((0..<Int.random(in: 0...3, using: &random)).map { _ in record(entity, depth: depth) })
    }

    mutating func identifiers(_ entity: String) -> JSONValue {
      .array(
        (0..<Int.random(in: 0...2, using: &random)).map { _ in
          let id = Int64.random(in: 1...8, using: &random)
          mentioned.insert(Named(entity: entity, id: id))
          return .integer(id)
        })
    }

    mutating func record(_ entity: String, depth: Int) -> JSONValue {
      let id = Int64.random(in: 1...8, using: &random)
      let isNew = named.insert(Named(entity: entity, id: id)).inserted
      var record: JSONObject = ["id": .integer(id)]
      // In the dialect `hyper` members are deleted that a second list of their owner does not have.
      guard depth > 0, isNew || !isHyper else { return .object(record) }
      let members = ["Task": [("kids", "Task"), ("tags", "Tag")], "Tag": [("notes", "Note")]]
      for (key, destination) in members[entity] ?? [] where Bool.random(using: &random) {
        if Bool.random(using: &random) {
          record[isHyper ? key + "_ids" : key] = identifiers(destination)
        } else {
          record[key] = list(destination, depth: depth - 1)
        }
      }
      if entity == "Task", Int.random(in: 0...3, using: &random) == 0 {
        record["next"] = self.record("Task", depth: depth - 1)
      }
      return .object(record)
    }
  }

  private static func ids(_ context: ManagedObjectContext, _ entity: String) throws -> Set<Int64> {
    Set(
      try context.fetch(FetchRequest(entity)).compactMap {
        if case .integer(let id) = try $0["id"] { id } else { nil }
      })
  }

  @Test(arguments: SeedRange.named("GROOT_CASCADE_SEEDS", usually: 0...199))
  func aListedObjectStays(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let model = try ManagedObjectModel(document: Self.document(&random))
    let isHyper = Bool.random(using: &random)
    let mapping = try Mapping(
      model: model, dialect: isHyper ? .hyper : .groot, isImplicit: !isHyper)
    let context = ManagedObjectContext(mapping: mapping)
    var lists = Lists(random: random, isHyper: isHyper)
    for _ in 0..<6 {
      (lists.named, lists.mentioned) = ([], [])
      let list = lists.list("Task", depth: 3)
      let before = try Self.entities.map { try Self.ids(context, $0) }
      let result = try context.sync("Task", with: .value(list))
      #expect(result.report.issues.isEmpty)
      #expect(context.brokenInvariants() == [])
      for object in result { #expect(context.status(of: object.id) == .ok) }
      for (entity, former) in zip(Self.entities, before) {
        let known = try Self.ids(context, entity)
        for name in lists.named.union(lists.mentioned) where name.entity == entity {
          guard lists.named.contains(name) || former.contains(name.id) else { continue }
          #expect(known.contains(name.id), "\(name) of \(list)")
        }
      }
      let again = try context.sync("Task", with: .value(list))
      #expect(again.report.inserted == 0, "\(list)")
    }
  }
}
