import Testing

@testable import Groot
@testable import GrootSQLite

/// Triggers of a store raise the version of each row that another program changes.
struct VersionTriggerTests {
  private func open(
    _ file: StoreFile, _ options: JSONValue = ["versions": true], _ patch: JSONValue = [:]
  ) throws -> ManagedObjectContext {
    try ManagedObjectContext(
      mapping: Heroes.mapping(patch), storePath: file.path, options: SQLiteStoreOptions(options))
  }

  private func fill(_ context: ManagedObjectContext) throws {
    try context.importJSON(
      #"[{"id": 1, "name": "A", "friends": [2]}, {"id": 2, "mentor": {"id": 3, "name": "C"}}]"#,
      into: "Hero")
    try context.save()
  }

  private func versions(_ file: StoreFile) throws -> [Int64] {
    let statement = try SQLiteStatement(
      "SELECT _version FROM Hero ORDER BY id", database: file.database())
    var found: [Int64] = []
    while try statement.step() { found.append(statement.integer(0)) }
    return found
  }

  private func triggers(_ file: StoreFile) throws -> Int64 {
    try file.database().integer("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'")
  }

  @Test func aChangeOfAnotherProgramIsAConflict() throws {
    let file = try StoreFile()
    let context = try open(file)
    try fill(context)
    let other = try open(file, [:])
    let hero = try other.hero(1)
    try hero.set("name", to: "mine")
    try file.execute("UPDATE Hero SET name = 'theirs' WHERE id = 1")
    expectFailure(.storeConflict, "id=1") { try other.save() }
    try other.refresh()
    #expect(try hero["name"] == .string("theirs"))
  }

  @Test func aVersionRisesOnceForEachChangeAndFallsForAPlaceholder() throws {
    let file = try StoreFile()
    let context = try open(file)
    try context.importJSON(#"{"id": 1, "friends": [2]}"#, into: "Hero")
    try context.save()
    #expect(try versions(file) == [1, -1])
    try file.execute("UPDATE Hero SET name = 'x'")
    #expect(try versions(file) == [2, -2])
    try file.execute("UPDATE Hero SET name = 'y', _version = _version + 1 WHERE id = 1")
    #expect(try versions(file) == [3, -2])
    #expect(try open(file, [:]).count(FetchRequest("Hero")) == 2)
  }

  @Test(arguments: [false, true]) func savesSetVersionsAloneAlsoWhereTriggersMayRun(
    allowsTriggers: Bool
  ) throws {
    var found: [[Int64]] = []
    for hasTriggers in [false, true] {
      let file = try StoreFile()
      try fill(open(file, ["versions": .boolean(hasTriggers)]))
      let context = try open(file, ["triggers": .boolean(allowsTriggers)])
      for _ in 0..<2 {
        // The order of pupils changes, two objects exchange their identities, and one goes.
        try context.hero(1).set("mentor", to: context.hero(3))
        try context.save()
        let (first, second) = (try context.hero(1), try context.hero(2))
        try first.set("id", to: .integer(2))
        try second.set("id", to: .integer(1))
        try context.save()
      }
      try context.delete(context.hero(3).id)
      try context.save()
      found.append(try versions(file))
      #expect(try triggers(file) == (hasTriggers ? 2 : 0))
      #expect(context.brokenInvariants() == [])
    }
    #expect(found[0] == found[1])
  }

  @Test func aStoreKeepsItsTriggersAndNeedsNoOptionForThem() throws {
    let file = try StoreFile()
    try fill(open(file))
    for options: JSONValue in [[:], ["versions": true], ["triggers": true]] {
      #expect(try open(file, options).count(FetchRequest("Hero")) == 3)
      #expect(try triggers(file) == 2)
    }
  }

  @Test func aMigrationMakesTheTriggersAnew() throws {
    let file = try StoreFile()
    try fill(open(file))
    let patch: JSONValue = [
      "entities": [
        "Villain": ["attributes": ["plan": ["type": "string", "optional": true]]],
        "Hero": ["attributes": ["age": ["type": "integer16", "optional": true]]],
      ]
    ]
    #expect(try open(file, [:], patch).count(FetchRequest("Hero")) == 3)
    #expect(try triggers(file) == 3)
    try file.execute("UPDATE Hero SET age = 7")
    #expect(try versions(file).allSatisfy { abs($0) == 2 })
  }

  @Test func aChangedTriggerIsOfAnotherProgram() throws {
    let file = try StoreFile()
    try fill(open(file))
    try file.execute("DROP TRIGGER _Hero_version")
    try file.execute(
      "CREATE TRIGGER _Hero_version AFTER UPDATE ON Hero BEGIN DELETE FROM Hero; END")
    expectFailure(.storeInvalid, "trigger") { _ = try open(file) }
  }
}
