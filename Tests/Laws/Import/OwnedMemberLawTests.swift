import Testing

@testable import Groot

/// Members that are identified within their owners, with one to-one, with two, and with a partner.
///
/// A search through all objects tells how many an import makes. Whatever comes, goes and moves, the
/// indexes agree with the objects.
struct OwnedMemberLawTests {
  /// Parts have a second identity in a sub-entity, and so two indexes; seals have partners.
  private static let document = """
    {"entities": {
      "Record": {"userInfo": {"identityAttributes": "id"},
        "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
        "relationships": {
          "parts": {"destination": "Part", "toMany": true, "ordered": true, "optional": true,
            "inverse": "record", "userInfo": {"JSONKeyPath": "parts", "groot.form": "grouped",
              "groot.invalid": "keep"}},
          "places": {"destination": "Place", "toMany": true, "optional": true,
            "inverse": "record", "userInfo": {"JSONKeyPath": "places"}},
          "seal": {"destination": "Seal", "optional": true, "inverse": "record",
            "userInfo": {"JSONKeyPath": "seal"}}}},
      "Part": {"userInfo": {"identityAttributes": "record, name"},
        "attributes": {
          "name": {"type": "string", "userInfo": {"JSONKeyPath": "@key",
            "groot.alternatives": "name"}},
          "size": {"type": "integer16", "optional": true, "userInfo": {"JSONKeyPath": "size"}}},
        "relationships": {
          "record": {"destination": "Record", "optional": true, "inverse": "parts",
            "userInfo": {"JSONKeyPath": "record"}}}},
      "Screw": {"parent": "Part", "userInfo": {"identityAttributes": "record, thread"},
        "attributes": {
          "thread": {"type": "integer16", "optional": true, "userInfo": {"JSONKeyPath": "thread"}}}},
      "Place": {"userInfo": {"identityAttributes": "record, index, shelf"},
        "attributes": {"index": {"type": "integer32", "userInfo": {"JSONKeyPath": "@index"}}},
        "relationships": {
          "record": {"destination": "Record", "optional": true, "inverse": "places"},
          "shelf": {"destination": "Shelf", "optional": true, "inverse": "places",
            "userInfo": {"JSONKeyPath": "shelf"}}}},
      "Shelf": {"userInfo": {"identityAttributes": "number"},
        "attributes": {"number": {"type": "integer64", "userInfo": {"JSONKeyPath": "number"}}},
        "relationships": {
          "places": {"destination": "Place", "toMany": true, "optional": true,
            "inverse": "shelf"}}},
      "Seal": {"userInfo": {"identityAttributes": "record, colour"},
        "attributes": {"colour": {"type": "string", "userInfo": {"JSONKeyPath": "colour"}}},
        "relationships": {
          "record": {"destination": "Record", "optional": true, "inverse": "seal"}}}
    }}
    """

  private static let names = ["bolt", "nut", "a washer with a name of its own", ""]

  private struct Key: Hashable {
    let owner: ObjectID?
    let name: Value
  }

  // MARK: The objects

  private func keys(_ context: ManagedObjectContext) throws -> [Key: Int] {
    try context.fetch(FetchRequest("Part")).reduce(into: [:]) { keys, part in
      keys[Key(owner: try part.target("record")?.id, name: try part["name"]), default: 0] += 1
    }
  }

  private func record(_ id: Int64, _ context: ManagedObjectContext) throws -> ManagedObject? {
    try context.fetch(FetchRequest("Record")).first { try $0["id"] == .integer(id) }
  }

  private func text(_ context: ManagedObjectContext) throws -> [String] {
    try ["Record", "Part", "Place", "Shelf", "Seal"].map {
      try context.exportText(context.fetch(FetchRequest($0)))
    }
  }

  // MARK: The steps

  /// Imports a record with its lists, and expects the parts that the search does not find.
  private func importRecord(
    _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws {
    let id = Int64(random.below(4))
    var parts = JSONObject()
    for _ in 0..<random.below(5) {
      // Several of a group are one: they have one identity.
      parts[random.pick(Self.names)] = .array(
        (0...random.below(2)).map { _ in ["size": .integer(Int64(random.below(9)))] })
    }
    let places = (0..<random.below(4)).map { _ in
      random.flip()
        ? JSONValue.object(JSONObject())
        : ["shelf": ["number": .integer(Int64(random.below(3)))]]
    }
    var value = JSONObject(["id": .integer(id), "parts": .object(parts)])
    if random.flip() { value["places"] = .array(places) }
    if random.flip() { value["seal"] = ["colour": .string(random.pick(["red", "blue"]))] }
    let (owner, known) = (try record(id, context)?.id, try keys(context))
    let new = Set(parts.keys).filter { name in
      owner == nil || known[Key(owner: owner, name: .string(name))] == nil
    }
    let before = try context.count(FetchRequest("Part"))
    try context.importJSON(.value(.object(value)), into: "Record")
    #expect(try context.count(FetchRequest("Part")) == before + new.count)
  }

  /// Imports a part that names its owner, or has none.
  private func importPart(
    _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws {
    let (id, name) = (Int64(random.below(4)), random.pick(Self.names))
    let owner = random.chance(70) ? try record(id, context)?.id : nil
    var value = JSONObject(["name": .string(name)])
    if owner != nil { value["record"] = .integer(id) }
    let known = try keys(context)[Key(owner: owner, name: .string(name))] ?? 0
    let report = try context.importJSON(.value(.object(value)), into: "Part").report
    #expect(report.inserted == (known == 0 ? 1 : 0))
  }

  /// Fails in the last of some parts, which must leave nothing behind.
  private func failToImport(
    _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws {
    let before = try text(context)
    let id = Int64(random.below(6))
    #expect(throws: GrootError.self) {
      try context.importJSON(
        .value(["id": .integer(id), "parts": ["new": [["size": 1]]], "seal": 5]),
        into: "Record")
    }
    #expect(try text(context) == before)
  }

  /// Inserts a part that may have the identity of another one, moves one, or deletes one.
  private func change(_ context: ManagedObjectContext, _ random: inout SeededGenerator) throws {
    let owner = try record(Int64(random.below(4)), context)
    let parts = try context.fetch(FetchRequest("Part"))
    switch random.below(4) {
    case 0:
      let part = try context.insert(random.once(in: 4) ? "Screw" : "Part")
      try part.set("name", to: .string(random.pick(Self.names)))
      try part.set("record", to: owner)
    case 1: try random.one(of: parts)?.set("record", to: random.flip() ? owner : nil)
    case 2: try random.one(of: parts)?.set("name", to: .string(random.pick(Self.names)))
    default:
      if let part = random.one(of: parts) { try context.delete(part) }
      if random.once(in: 4), let owner { try context.delete(owner) }
    }
  }

  private func run(_ context: ManagedObjectContext, seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    var saved = try text(context)
    for _ in 0..<40 {
      switch random.below(10) {
      case 0...3: try importRecord(context, &random)
      case 4, 5: try importPart(context, &random)
      case 6: try failToImport(context, &random)
      case 7, 8: try change(context, &random)
      default:
        if random.flip() {
          try context.rollback()
          #expect(try text(context) == saved)
        } else {
          // A duplicate identity cannot be saved in a store.
          do { try context.save() } catch { try context.rollback() }
          saved = try text(context)
        }
      }
      #expect(context.brokenInvariants() == [])
    }
  }

  private func mapping() throws -> Mapping {
    try Mapping(model: ManagedObjectModel(document: Self.document))
  }

  @Test(arguments: SeedRange.named("GROOT_OWNED_SEEDS", usually: 0...39))
  func indexesAgreeWithTheObjects(seed: Int) throws {
    try run(ManagedObjectContext(mapping: mapping()), seed: seed)
  }

  @Test(arguments: 0..<10)
  func soDoThoseOfAStore(seed: Int) throws {
    let file = try StoreFile()
    try run(Heroes.open(file, mapping()).0, seed: seed)
  }
}
