import Testing

@testable import Groot
@testable import GrootSQLite

/// Files that somebody else has made, or changed.
struct StoreTrustTests {
  private static let document = """
    {"entities": {"Hero": {"userInfo": {"identityAttributes": "id"},
      "attributes": {
        "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
        "name": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "name"}},
        "any": {"type": "transformable", "optional": true, "userInfo": {"JSONKeyPath": "any"}},
        "made": {"type": "composite", "optional": true, "userInfo": {"JSONKeyPath": "made"},
          "elements": {"x": {"type": "integer16"}}},
        "size": {"type": "float", "optional": true, "userInfo": {"JSONKeyPath": "size"}},
        "rate": {"type": "double", "optional": true, "userInfo": {"JSONKeyPath": "rate"}}}}}}
    """

  private func mapping(_ patch: JSONValue = [:]) throws -> Mapping {
    let document = CaseComparison.patched(try JSONValue(parsing: Self.document), patch)
    return try Mapping(model: ManagedObjectModel(document: document))
  }

  private func open(
    _ file: StoreFile, _ options: JSONValue = [:], _ patch: JSONValue = [:]
  ) throws -> ManagedObjectContext {
    try ManagedObjectContext(
      mapping: mapping(patch), storePath: file.path, options: SQLiteStoreOptions(options))
  }

  private func makeStore() throws -> StoreFile {
    let file = try StoreFile()
    let context = try open(file)
    try context.importJSON(
      #"[{"id": 1, "name": "Ada", "any": {"b": [1], "a": "é"}, "made": {"x": 1}, "size": 0.5}]"#,
      into: "Hero")
    try context.save()
    return file
  }

  private func execute(_ sql: String, _ file: StoreFile) throws {
    let database = try file.database()
    for sql in sql.split(separator: "; ") { try database.execute(String(sql)) }
  }

  private func failure(_ body: () throws -> Void) -> GrootError? {
    do {
      try body()
      return nil
    } catch {
      return error as? GrootError
    }
  }

  private func export(_ context: ManagedObjectContext) throws -> String {
    try context.exportText(context.fetch(FetchRequest("Hero")))
  }

  // MARK: JSON in text

  @Test(arguments: [
    #"1,"role":"admin""#, "", " ", "{", "[1,]", "nul", #"{"a":1}}"#, #"{"a":1},"b":2"#, "1 2",
    #""\ud800""#, "NaN", "{\"a\":\u{1}}", "01", "'x'", "{\"a\": \"\u{7}\"}",
  ])
  func textThatIsNotJSONIsToldWhenItIsRead(text: String) throws {
    for column in ["any", "made"] {
      let file = try makeStore()
      let quoted = text.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "''")
      try execute("UPDATE Hero SET \(column) = '\(quoted)'", file)
      let error = failure { _ = try export(open(file)) }
      #expect(error?.status == .storeInvalid, "\(column): \(text)")
      #expect(error?.description.contains("'\(column)'") == true)
      let values = failure {
        _ = try open(file).distinct(FetchRequest.SortKey(column), request: FetchRequest("Hero"))
      }
      #expect(values?.status == .storeInvalid, "\(column): \(text)")
    }
  }

  @Test func textThatIsAnotherFormOfJSONIsReadAsWhatItMeans() throws {
    for (column, text, expected) in [
      ("any", #" { "b" : 1.0, "a":2, "b": 3 } "#, #"{"a":2,"b":3}"#),
      ("any", "\n7", "7"), ("any", #""\u0041""#, #""A""#), ("any", "null", "null"),
      ("made", "{ \"x\": 2\n}", #"{"x":2}"#),
    ] {
      let file = try makeStore()
      try execute("UPDATE Hero SET \(column) = '\(text)'", file)
      #expect(try export(open(file)).contains("\"\(column)\":\(expected)"), "\(text)")
      let first = try #require(open(file).fetch(FetchRequest("Hero")).first)
      #expect(try first[column] == .json(JSONValue(parsing: expected)))
    }
    for text in ["7", "[]", "null", #""x""#] {
      let file = try makeStore()
      try execute("UPDATE Hero SET made = '\(text)'", file)
      #expect(failure { _ = try export(open(file)) }?.status == .storeInvalid, "\(text)")
    }
  }

  @Test func numbersThatTheTypeDoesNotHoldAreTold() throws {
    for (column, value) in [
      ("size", "1e300"), ("rate", "9007199254740993"), ("rate", "9e999"), ("_version", "'x'"),
      ("_version", "9223372036854775807"), ("_version", "-9223372036854775807"),
      ("_version", "0.5"),
    ] {
      let file = try makeStore()
      try execute("UPDATE Hero SET \(column) = \(value)", file)
      #expect(
        failure { _ = try export(open(file)) }?.status == .storeInvalid, "\(column) = \(value)")
    }
    let file = try makeStore()
    try execute("UPDATE Hero SET size = 0.1", file)
    #expect(
      try open(file).fetch(FetchRequest("Hero")).first?["size"] == .real(Double(Float(0.1))))
  }

  @Test func numbersThatCountOnAreNotUsedUp() throws {
    for sql in [
      "UPDATE sqlite_sequence SET seq = 9223372036854775807",
      "UPDATE sqlite_sequence SET seq = 'x'", "UPDATE sqlite_sequence SET seq = -1",
      "DELETE FROM sqlite_sequence", "UPDATE sqlite_sequence SET seq = 0",
    ] {
      let file = try makeStore()
      let whole = try export(open(file))
      try execute(sql, file)
      let context = try open(file)
      #expect(try export(context) == whole, "\(sql)")
      let failed = failure {
        try context.importJSON(#"[{"id": 2}]"#, into: "Hero")
        try context.save()
      }
      if let error = failed {
        #expect(error.status == .storeInvalid, "\(sql): \(error)")
      } else {
        #expect(try open(file).count(FetchRequest("Hero")) == 2, "\(sql)")
      }
      #expect(context.brokenInvariants() == [])
    }
  }

  // MARK: What runs by itself

  private static let planted = [
    "CREATE TRIGGER thief AFTER INSERT ON Hero BEGIN UPDATE Hero SET name = 'stolen'; END",
    "CREATE TRIGGER lost AFTER UPDATE ON Hero BEGIN DELETE FROM Hero; END",
  ]

  @Test(arguments: planted) func triggersAreRefusedUnlessAllowed(sql: String) throws {
    let file = try makeStore()
    try file.database().execute(sql)
    let error = failure { _ = try open(file) }
    #expect(error?.status == .storeInvalid)
    #expect(error?.description.contains("trigger") == true)
    let context = try open(file, ["triggers": true])
    try context.importJSON(#"[{"id": 2, "name": "Bob"}]"#, into: "Hero")
    try context.save()
    let isStolen = sql.contains("thief")
    #expect(try export(open(file, ["triggers": true])).contains("stolen") == isStolen)
  }

  @Test func viewsOfOtherProgramsAreLeftAlone() throws {
    let file = try makeStore()
    try execute(
      "CREATE VIEW heroes AS SELECT * FROM Hero; CREATE VIEW wrong AS SELECT x FROM y", file)
    let context = try open(file)
    try context.importJSON(#"[{"id": 2, "name": "Bob"}]"#, into: "Hero")
    try context.save()
    #expect(try open(file).count(FetchRequest("Hero")) == 2)
    let database = try file.database()
    #expect(try database.integer("SELECT count(*) FROM heroes") == 2)
  }

  @Test func aTriggerThatIsPlantedLaterDoesNotRun() throws {
    let file = try makeStore()
    let context = try open(file)
    let database = try file.database()
    try database.execute(Self.planted[0])
    try context.importJSON(#"[{"id": 2, "name": "Bob"}]"#, into: "Hero")
    _ = failure { try context.save() }
    #expect(try database.integer("SELECT count(*) FROM Hero WHERE name = 'stolen'") == 0)
  }

  @Test func tablesThatAreNotAsTheStoreMadeThemAreRefused() throws {
    for sql in [
      "DROP INDEX _Hero_identity_1", "ALTER TABLE Hero RENAME COLUMN name TO title",
      "ALTER TABLE Hero RENAME TO Villain", "DROP TABLE Hero",
      "ALTER TABLE Hero ADD COLUMN more DEFAULT 1",
      "DROP INDEX _Hero_identity_1; CREATE INDEX _Hero_identity_1 ON Hero (id)",
      "ALTER TABLE Hero RENAME TO kept; CREATE TABLE Hero AS SELECT * FROM kept",
    ] {
      let file = try makeStore()
      try execute(sql, file)
      let bytes = try file.bytes()
      #expect(failure { _ = try open(file) }?.status == .storeInvalid, "\(sql)")
      #expect(try file.bytes() == bytes, "\(sql)")
    }
    // What is beside them is nobody's business.
    let file = try makeStore()
    try execute("CREATE TABLE notes (text); CREATE INDEX Hero_name ON Hero (name)", file)
    #expect(try open(file).count(FetchRequest("Hero")) == 1)
  }

  @Test func aDamagedDescriptionStartsNoMigration() throws {
    let more: JSONValue = [
      "entities": ["Hero": ["attributes": ["age": ["type": "integer64", "optional": true]]]]
    ]
    for sql in [
      "UPDATE _groot SET value = replace(value, 'Hero', 'Herp')",
      "UPDATE _groot SET value = replace(value, 'Hero', 'Herp') WHERE key = 'structure'",
      "UPDATE _groot SET value = replace(value, 'name', 'nome') WHERE key = 'structure'",
      "UPDATE _groot SET value = replace(value, 'name', 'nome') WHERE key = 'model'",
      "UPDATE _groot SET value = replace(value, 'float', 'double') WHERE key = 'model'",
      "UPDATE _groot SET value = '' WHERE key = 'structure'",
      "UPDATE _groot SET value = NULL WHERE key = 'structure'",
      "UPDATE _groot SET value = x'00' WHERE key = 'structure'",
      "UPDATE _groot SET value = '{}' WHERE key = 'model'",
      "UPDATE _groot SET value = '{\"entities\": {}}' WHERE key = 'model'",
      "UPDATE _groot SET value = x'ff' WHERE key = 'model'", "DELETE FROM _groot",
      "DELETE FROM _groot WHERE key = 'model'", "DELETE FROM _groot WHERE key = 'structure'",
      "DROP TABLE _groot",
      "UPDATE _groot SET value = substr(value, 1, 200) WHERE key = 'structure'",
    ] {
      for patch in [[:], more] {
        let file = try makeStore()
        try execute(sql, file)
        let bytes = try file.bytes()
        for migrate: JSONValue in [true, "destructive"] {
          if let error = failure({ _ = try open(file, ["migrate": migrate], patch) }) {
            #expect(error.status == .storeInvalid, "\(sql): \(error)")
            #expect(try file.bytes() == bytes, "\(sql)")
          } else {
            // What nothing asks for may be damaged, and is found when it is asked for.
            #expect(sql.hasSuffix("'model'") && patch == [:], "\(sql)")
            #expect(try open(file).count(FetchRequest("Hero")) == 1)
          }
        }
      }
    }
  }

  @Test func invalidDecimalsAreReportedWhenTheyAreSorted() throws {
    let patch: JSONValue = [
      "entities": ["Hero": ["attributes": ["price": ["type": "decimal", "optional": true]]]]
    ]
    let file = try StoreFile()
    let context = try open(file, [:], patch)
    try context.importJSON(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#, into: "Hero")
    for (number, hero) in try context.fetch(FetchRequest("Hero")).enumerated() {
      try hero.set("price", to: .decimal(DecimalNumber(Int64(number))))
    }
    try context.save()
    try execute("UPDATE Hero SET price = 'x' || id WHERE id > 1", file)
    let request = FetchRequest("Hero", sort: [.ascending("price")])
    let error = failure { _ = try open(file, [:], patch).fetch(request) }
    #expect(error?.status == .storeInvalid, "\(String(describing: error))")
  }
}
