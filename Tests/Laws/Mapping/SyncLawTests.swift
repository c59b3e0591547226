import Testing

import Groot

/// Laws of synchronization over generated lists.
struct SyncLawTests {
  private static let document = """
    {"entities": {
      "User": {
        "attributes": {
          "remoteID": {"type": "integer32", "optional": true},
          "name": {"type": "string", "optional": true},
          "age": {"type": "integer16", "optional": true}},
        "relationships": {
          "notes": {"destination": "Note", "toMany": true, "ordered": true, "inverse": "user",
            "optional": true},
          "tags": {"destination": "Tag", "toMany": true, "inverse": "users", "optional": true},
          "company": {"destination": "Company", "inverse": "users", "optional": true}}},
      "Note": {
        "attributes": {
          "remoteID": {"type": "integer32", "optional": true},
          "text": {"type": "string", "optional": true}},
        "relationships": {
          "user": {"destination": "User", "inverse": "notes", "optional": true}}},
      "Tag": {
        "attributes": {"code": {"type": "string", "optional": true,
          "userInfo": {"sync.isPrimaryKey": "YES"}}},
        "relationships": {
          "users": {"destination": "User", "toMany": true, "inverse": "tags", "optional": true,
            "userInfo": {"sync.nonExportable": "YES"}}}},
      "Company": {
        "attributes": {
          "remoteID": {"type": "integer32", "optional": true},
          "name": {"type": "string", "optional": true}},
        "relationships": {
          "users": {"destination": "User", "toMany": true, "inverse": "company", "optional": true,
            "userInfo": {"sync.nonExportable": "YES"}}}}
    }}
    """

  private static func context() throws -> ManagedObjectContext {
    let model = try ManagedObjectModel(document: document)
    return ManagedObjectContext(mapping: try Mapping(model: model, dialect: .hyper))
  }

  /// Users, each with every key, so that nothing depends on what was there before.
  private static func users(_ random: inout SeededGenerator) -> JSONValue {
    let count = Int.random(in: 0...12, using: &random)
    return .array((0..<count).map { _ in user(&random) })
  }

  private static func user(_ random: inout SeededGenerator) -> JSONValue {
    let company = Int64.random(in: 0...4, using: &random)
    let notes = (0..<Int.random(in: 0...4, using: &random)).map { _ -> JSONValue in
      [
        "id": .integer(Int64.random(in: 1...30, using: &random)),
        "text": .string("\(Int.random(in: 0...2, using: &random))"),
      ]
    }
    let tags = (0..<Int.random(in: 0...3, using: &random)).map { _ -> JSONValue in
      ["code": .integer(Int64.random(in: 1...6, using: &random))]
    }
    let identifier = Int64.random(in: 1...15, using: &random)
    return [
      "id": Bool.random(using: &random) ? .integer(identifier) : .string("\(identifier)"),
      "name": .string("\(Int.random(in: 0...3, using: &random))"),
      "age": Bool.random(using: &random) ? .null : "30",
      "notes": .array(notes), "tags": .array(tags),
      "company": company == 0 ? .null : ["id": .integer(company), "name": .string("c\(company)")],
    ]
  }

  /// All users with their members, by key, as text.
  private static func state(_ context: ManagedObjectContext) throws -> [String] {
    let users = try context.fetch(FetchRequest("User"))
    return try users.map { CaseComparison.withoutOrder(try context.exportValue($0)) }.sorted()
  }

  private static func count(_ context: ManagedObjectContext, _ entity: String) throws -> Int {
    try context.count(FetchRequest(entity))
  }

  @Test(arguments: 0..<40)
  func earlierObjectsDoNotMatter(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let lists = (0..<4).map { _ in Self.users(&random) }
    let context = try Self.context()
    for list in lists {
      let report = try context.sync("User", with: .value(list)).report
      // Lists that name a member twice are told of, and fail nothing.
      #expect(report.issues.allSatisfy { $0.status == .tooMany && $0.severity == .warning })
      #expect(context.brokenInvariants() == [])
      let fresh = try Self.context()
      try fresh.sync("User", with: .value(list))
      #expect(try Self.state(context) == Self.state(fresh))
    }
  }

  @Test(arguments: 0..<40)
  func theSameListAgainChangesNothing(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(100 + seed))
    let context = try Self.context()
    try context.sync("User", with: .value(Self.users(&random)))
    // What is stored, as a list that names each object once.
    let list = try context.exportValue(try context.fetch(FetchRequest("User")))
    try context.save()
    let before = dump(context)
    let report = try context.sync("User", with: .value(list)).report
    #expect(report.inserted == 0 && report.updated == 0 && report.deleted == 0)
    #expect(dump(context) == before)
    #expect(try context.changes == ChangeCounts())
  }

  @Test(arguments: 0..<40)
  func countsAreTheChanges(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(200 + seed))
    let context = try Self.context()
    try context.sync("User", with: .value(Self.users(&random)))
    try context.save()
    let entities = ["User", "Note", "Tag", "Company"]
    let before = try entities.map { try Self.count(context, $0) }.reduce(0, +)
    let list = Self.users(&random)
    var options = SyncOptions()
    options.isDryRun = true
    let state = dump(context)
    let foreseen = try context.sync("User", with: .value(list), options: options).report
    #expect(dump(context) == state)
    let report = try context.sync("User", with: .value(list)).report
    let after = try entities.map { try Self.count(context, $0) }.reduce(0, +)
    #expect(after == before + report.inserted - report.deleted)
    #expect(foreseen.inserted == report.inserted && foreseen.updated == report.updated)
    #expect(foreseen.deleted == report.deleted && foreseen.unchanged == report.unchanged)
    let changes = try context.changes
    #expect(changes.deleted <= report.deleted && changes.inserted <= report.inserted)
  }
}
