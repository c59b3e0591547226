import Testing

import Groot

/// Any JSON under any key: the graph stays whole, counts are right, and what fails changes nothing.
struct HyperFuzzTests {
  private static let document = """
    {"entities": {
      "User": {
        "attributes": {
          "remoteID": {"type": "integer32", "optional": true, "default": 0},
          "name": {"type": "string", "optional": true},
          "age": {"type": "integer16", "optional": true},
          "wealth": {"type": "decimal", "optional": true},
          "height": {"type": "float", "optional": true},
          "active": {"type": "boolean", "optional": true},
          "bornAt": {"type": "date", "optional": true},
          "photo": {"type": "binary", "optional": true},
          "badge": {"type": "uuid", "optional": true},
          "extra": {"type": "transformable", "optional": true},
          "city": {"type": "string", "optional": true,
            "userInfo": {"sync.remoteKey": "address.place.city"}},
          "zip": {"type": "integer32", "optional": true,
            "userInfo": {"sync.remoteKey": "address.zip"}}},
        "relationships": {
          "notes": {"destination": "Note", "toMany": true, "ordered": true, "inverse": "user",
            "optional": true},
          "lines": {"destination": "Line", "toMany": true, "inverse": "user", "optional": true},
          "tags": {"destination": "Tag", "toMany": true, "inverse": "users", "optional": true,
            "userInfo": {"sync.remoteKey": "data.tags"}},
          "boss": {"destination": "User", "inverse": "staff", "optional": true},
          "staff": {"destination": "User", "toMany": true, "inverse": "boss", "optional": true}}},
      "Note": {
        "attributes": {
          "remoteID": {"type": "integer32", "optional": true},
          "text": {"type": "string", "optional": true}},
        "relationships": {
          "user": {"destination": "User", "inverse": "notes", "optional": true}}},
      "Line": {
        "attributes": {"text": {"type": "string", "optional": true}},
        "relationships": {
          "user": {"destination": "User", "inverse": "lines", "optional": true}}},
      "Tag": {
        "attributes": {"code": {"type": "string", "optional": true,
          "userInfo": {"hyper.isPrimaryKey": "true"}}},
        "relationships": {
          "users": {"destination": "User", "toMany": true, "inverse": "tags", "optional": true}}}
    }}
    """

  private static let keys = [
    "id", "id", "id", "remote_id", "name", "Name", "age", "wealth", "height", "active", "born_at",
    "bornAt", "photo", "badge", "extra", "address", "address.zip", "place", "city", "zip", "notes",
    "notes", "notes_ids", "lines", "data", "tags", "boss", "boss_id", "bossId", "staff",
    "staff_ids", "text", "code", "user", "user_id", "users", "", "_", "type",
  ]

  private static func value(_ depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 14 : 9), using: &random) {
    case 0: return .null
    case 1: return .boolean(Bool.random(using: &random))
    case 2: return .integer(Int64.random(in: 0...6, using: &random))
    case 3: return .string("\(Int.random(in: 0...6, using: &random))")
    case 4:
      return .integer([-1, 40_000, 1_441_888_808, .max, .min].randomElement(using: &random) ?? 0)
    case 5: return .real([0.5, -2.75, 1e300, 1e18].randomElement(using: &random) ?? 0)
    case 6:
      let texts = ["", " 3 ", "x", "2014-01-02", "1e400", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"]
      return .string(texts.randomElement(using: &random) ?? "")
    case 7: return []
    case 8: return [:]
    case 9, 10:
      let count = Int.random(in: 1...3, using: &random)
      return .array((0..<count).map { _ in value(depth - 1, &random) })
    default: return object(depth - 1, &random)
    }
  }

  private static func object(_ depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    var object = JSONObject()
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      object[keys.randomElement(using: &random) ?? "id"] = value(depth, &random)
    }
    return .object(object)
  }

  private static func count(_ context: ManagedObjectContext) throws -> Int {
    try ["User", "Note", "Line", "Tag"].map { try context.count(FetchRequest($0)) }.reduce(0, +)
  }

  @Test(arguments: 0..<40)
  func anyJSONUnderAnyKeyLeavesTheGraphWhole(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(7_000 + seed))
    let model = try ManagedObjectModel(document: Self.document)
    let context = ManagedObjectContext(mapping: try Mapping(model: model, dialect: .hyper))
    for round in 0..<60 {
      let before = dump(context)
      let stored = try Self.count(context)
      do {
        let report = try Self.run(context, &random)
        #expect(try Self.count(context) == stored + report.inserted - report.deleted)
      } catch is GrootError {
        #expect(dump(context) == before)
      }
      #expect(context.brokenInvariants() == [])
      try Self.exportAll(context)
      if round % 13 == 0 { try context.rollback() }
      if round % 7 == 0 { try context.saveOrRollBack() }
    }
  }

  /// Whatever is stored can be written, in every style.
  private static func exportAll(_ context: ManagedObjectContext) throws {
    let users = try context.fetch(FetchRequest("User"))
    for style in RelationshipStyle.allCases {
      var options = ExportOptions()
      options.relationships = style
      _ = try context.exportValue(users, options: options)
    }
  }

  /// One call of any kind.
  private static func run(
    _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws -> ImportReport {
    let entries = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      Int.random(in: 0..<8, using: &random) == 0 ? value(2, &random) : object(3, &random)
    }
    let entity = ["User", "User", "Note", "Tag"].randomElement(using: &random) ?? "User"
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      return try context.importJSON(.value(.array(entries)), into: entity).report
    case 1:
      guard let object = try context.fetch(FetchRequest("User")).first else {
        return ImportReport()
      }
      return try context.fill(object.id, from: .value(Self.object(2, &random)))
    default:
      var options = SyncOptions()
      options.inserts = Int.random(in: 0..<4, using: &random) > 0
      options.updates = Int.random(in: 0..<4, using: &random) > 0
      options.deletes = Bool.random(using: &random)
      options.memberInserts = [nil, true, false].randomElement(using: &random) ?? nil
      options.memberDeletes = [nil, true, false].randomElement(using: &random) ?? nil
      if entity == "Note", Bool.random(using: &random) {
        options.parent = try context.fetch(FetchRequest("User")).first?.id
      }
      return try context.sync(entity, with: .value(.array(entries)), options: options).report
    }
  }
}
