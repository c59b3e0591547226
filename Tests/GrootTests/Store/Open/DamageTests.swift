import Testing

@testable import Groot
@testable import GrootSQLite

/// Files that are damaged, or that another program made or changed.
struct DamageTests {
  // MARK: Bytes

  private static let pageSize = SQLiteStore.pageSize

  /// Pupils and friends are not written, since an export of all heroes would nest them deeply.
  private func shallowHeroes() throws -> Mapping {
    let unmapped: JSONValue = ["userInfo": nil]
    return try Heroes.mapping([
      "entities": ["Hero": ["relationships": ["pupils": unmapped, "friends": unmapped]]]
    ])
  }

  /// A store has the objects of the graph, and they can be imported again; a failure changes nothing.
  private func use(_ mapping: Mapping, _ file: StoreFile) throws -> String {
    let context = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    do {
      let heroes = try context.fetch(FetchRequest("Hero"))
      let text = try context.exportText(heroes)
      #expect(try context.importJSON(.text(text), into: "Hero").report.updated == 0)
      for power in try context.fetch(FetchRequest("Power")) { _ = try power.members("heroes") }
      return text
    } catch {
      #expect(context.brokenInvariants() == [])
      #expect(try context.changes == ChangeCounts())
      throw error
    }
  }

  @Test(arguments: [0x00, 0xFF, nil] as [UInt8?])
  func aDamagedPageIsReportedUnlessNothingReadsIt(filling: UInt8?) throws {
    let mapping = try shallowHeroes()
    let file = try StoreFile()
    try {
      let context = try ManagedObjectContext(mapping: mapping, storePath: file.path)
      let heroes = (1...300).map { id in
        #"{"id": \#(id), "name": "a name of hero \#(id)", "mentor": \#(id / 2 + 1), "#
          + #""powers": ["Flight", "Power \#(id % 7)"]}"#
      }
      try context.importJSON("[\(heroes.joined(separator: ","))]", into: "Hero")
      try context.save()
    }()
    let whole = try use(mapping, file)
    let bytes = try file.bytes()
    let pages = bytes.count / Self.pageSize
    #expect(pages > 12)
    var random = SeededGenerator(seed: 3)
    var told = 0
    for page in 0..<pages {
      var damaged = bytes
      for offset in 0..<Self.pageSize {
        damaged[page * Self.pageSize + offset] =
          filling ?? UInt8.random(in: 0...255, using: &random)
      }
      try file.replace(damaged)
      do {
        // Unread pages do not matter: free pages, and those of unused indexes.
        #expect(try use(mapping, file) == whole, "page \(page)")
      } catch let error as GrootError {
        #expect(error.status == .storeInvalid, "page \(page): \(error)")
        #expect(try file.bytes() == damaged, "page \(page)")
        told += 1
      }
      try file.replace(bytes)
      #expect(try use(mapping, file) == whole)
    }
    #expect(told > pages / 2)
  }

  @Test func aTruncatedFileIsReportedAndLeftAsItIs() throws {
    let mapping = try shallowHeroes()
    let file = try StoreFile()
    try {
      let context = try ManagedObjectContext(mapping: mapping, storePath: file.path)
      let heroes = (1...300).map { #"{"id": \#($0), "name": "a name of hero \#($0)"}"# }
      try context.importJSON("[\(heroes.joined(separator: ","))]", into: "Hero")
      try context.save()
    }()
    let bytes = try file.bytes()
    for length in [
      99, 100, 512, Self.pageSize - 1, Self.pageSize, Self.pageSize + 9, bytes.count / 2,
      bytes.count - Self.pageSize,
    ] {
      let cut = Array(bytes[..<length])
      try file.replace(cut)
      do {
        _ = try use(mapping, file)
        Issue.record("a file of \(length) bytes is taken for a store")
      } catch let error as GrootError {
        #expect(error.status == .storeInvalid, "\(length) bytes: \(error)")
      }
      #expect(try file.bytes() == cut)
    }
  }

  // MARK: Content

  @Test(arguments: [
    ("UPDATE Hero SET _entity = 'Villain'", Status.storeInvalid),
    ("PRAGMA foreign_keys = OFF; UPDATE Hero SET mentor = 99", .storeInvalid),
    ("PRAGMA foreign_keys = OFF; INSERT INTO Hero_friends VALUES (1, 99, 1, 1)", .storeInvalid),
    ("DELETE FROM _groot", .storeInvalid),
    ("INSERT INTO Hero_friends VALUES (1, 2, 1, 1)", .storeInvalid),
    ("UPDATE Hero SET id = 'one' WHERE id = 1", .storeValueInvalid),
    ("UPDATE Hero SET name = x'00ff'", .storeValueInvalid),
    ("UPDATE Hero SET name = CAST(x'ff' AS TEXT)", .storeValueInvalid),
  ])
  func contentThatContradictsTheModelIsReported(sql: String, status: Status) throws {
    let file = try StoreFile()
    let (context, _) = try Heroes.open(file)
    try context.importJSON(#"[{"id": 1, "name": "Ada"}, {"id": 2}]"#, into: "Hero")
    try context.save()
    try file.execute(sql)
    expectFailure(status) { _ = try Heroes.export(Heroes.open(file).0) }
  }

  @Test func anInvalidCounterOfListPositionsIsReported() throws {
    for (sql, part) in [
      ("UPDATE _groot SET value = 'x' WHERE key LIKE 'place of %'", "the next place of"),
      ("UPDATE _groot SET value = -1 WHERE key LIKE 'place of %'", "the next place of"),
    ] {
      let file = try StoreFile()
      let (context, _) = try Heroes.open(file)
      try context.importJSON(#"[{"id": 1, "pupils": [2, 3]}, {"id": 4}]"#, into: "Hero")
      try context.save()
      try file.execute(sql)
      let (again, _) = try Heroes.open(file)
      try again.hero(4).set("mentor", to: again.hero(1))
      expectFailure(.storeInvalid, part) { try again.save() }
      #expect(again.brokenInvariants() == [])
    }
  }

  @Test func aLinkWithoutAPositionIsReported() throws {
    let file = try StoreFile()
    let (context, _) = try Heroes.open(file)
    try context.importJSON(#"[{"id": 1, "friends": [2]}]"#, into: "Hero")
    try context.save()
    try file.execute("UPDATE Hero_friends SET source_order = 'x'")
    expectFailure(.storeInvalid, "lacks a key or a position") {
      _ = try Heroes.export(Heroes.open(file).0)
    }
  }

  // MARK: Values

  private static let valuesDocument = """
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
    let document = CaseComparison.patched(try JSONValue(parsing: Self.valuesDocument), patch)
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

  @Test(arguments: [
    #"1,"role":"admin""#, "", " ", "{", "[1,]", "nul", #"{"a":1}}"#, #"{"a":1},"b":2"#, "1 2",
    #""\ud800""#, "NaN", "{\"a\":\u{1}}", "01", "'x'", "{\"a\": \"\u{7}\"}",
  ])
  func invalidJSONInAColumnIsReportedWhenItIsRead(text: String) throws {
    for column in ["any", "made"] {
      let file = try makeStore()
      let quoted = text.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "''")
      try file.execute("UPDATE Hero SET \(column) = '\(quoted)'")
      let error = failure { _ = try export(open(file)) }
      #expect(error?.status == .storeValueInvalid, "\(column): \(text)")
      #expect(error?.description.contains("'\(column)'") == true)
      let values = failure {
        _ = try open(file).distinct(FetchRequest.SortKey(column), request: FetchRequest("Hero"))
      }
      #expect(values?.status == .storeValueInvalid, "\(column): \(text)")
    }
  }

  @Test func jsonInAnotherSpellingIsReadAsTheSameValue() throws {
    for (column, text, expected) in [
      ("any", #" { "b" : 1.0, "a":2, "b": 3 } "#, #"{"a":2,"b":3}"#),
      ("any", "\n7", "7"), ("any", #""\u0041""#, #""A""#), ("any", "null", "null"),
      ("made", "{ \"x\": 2\n}", #"{"x":2}"#),
    ] {
      let file = try makeStore()
      try file.execute("UPDATE Hero SET \(column) = '\(text)'")
      #expect(try export(open(file)).contains("\"\(column)\":\(expected)"), "\(text)")
      let first = try #require(open(file).fetch(FetchRequest("Hero")).first)
      #expect(try first[column] == .json(JSONValue(parsing: expected)))
    }
    for text in ["7", "[]", "null", #""x""#] {
      let file = try makeStore()
      try file.execute("UPDATE Hero SET made = '\(text)'")
      #expect(failure { _ = try export(open(file)) }?.status == .storeValueInvalid, "\(text)")
    }
  }

  @Test func aNumberThatItsTypeCannotHoldIsReported() throws {
    for (column, value) in [
      ("size", "1e300"), ("rate", "9e999"), ("rate", "x'00'"), ("_version", "'x'"),
      ("_version", "9223372036854775807"), ("_version", "-9223372036854775807"),
      ("_version", "0.5"),
    ] {
      let file = try makeStore()
      try file.execute("UPDATE Hero SET \(column) = \(value)")
      let status: Status = column == "_version" ? .storeInvalid : .storeValueInvalid
      #expect(failure { _ = try export(open(file)) }?.status == status, "\(column) = \(value)")
    }
    let file = try makeStore()
    try file.execute("UPDATE Hero SET size = 0.1")
    #expect(
      try open(file).fetch(FetchRequest("Hero")).first?["size"] == .real(Double(Float(0.1))))
  }

  @Test func anInvalidDecimalIsReportedByASort() throws {
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
    try file.execute("UPDATE Hero SET price = 'x' || id WHERE id > 1")
    let request = FetchRequest("Hero", sort: [.ascending("price")])
    let error = failure { _ = try open(file, [:], patch).fetch(request) }
    #expect(error?.status == .storeValueInvalid, "\(String(describing: error))")
  }

  @Test func aDamagedCounterOfKeysLosesNoObjects() throws {
    for sql in [
      "UPDATE sqlite_sequence SET seq = 9223372036854775807",
      "UPDATE sqlite_sequence SET seq = 'x'", "UPDATE sqlite_sequence SET seq = -1",
      "DELETE FROM sqlite_sequence", "UPDATE sqlite_sequence SET seq = 0",
    ] {
      let file = try makeStore()
      let whole = try export(open(file))
      try file.execute(sql)
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

  // MARK: Triggers, views and tables

  private static let planted = [
    "CREATE TRIGGER thief AFTER INSERT ON Hero BEGIN UPDATE Hero SET name = 'stolen'; END",
    "CREATE TRIGGER lost AFTER UPDATE ON Hero BEGIN DELETE FROM Hero; END",
  ]

  @Test(arguments: planted) func aFileWithTriggersIsRefusedUnlessAnOptionAllowsThem(sql: String)
    throws
  {
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

  @Test func aTriggerAddedToAnOpenStoreDoesNotRun() throws {
    let file = try makeStore()
    let context = try open(file)
    let database = try file.database()
    try database.execute(Self.planted[0])
    try context.importJSON(#"[{"id": 2, "name": "Bob"}]"#, into: "Hero")
    _ = failure { try context.save() }
    #expect(try database.integer("SELECT count(*) FROM Hero WHERE name = 'stolen'") == 0)
  }

  @Test func viewsOfOtherProgramsAreLeftAlone() throws {
    let file = try makeStore()
    try file.execute(
      "CREATE VIEW heroes AS SELECT * FROM Hero; CREATE VIEW wrong AS SELECT x FROM y")
    let context = try open(file)
    try context.importJSON(#"[{"id": 2, "name": "Bob"}]"#, into: "Hero")
    try context.save()
    #expect(try open(file).count(FetchRequest("Hero")) == 2)
    let database = try file.database()
    #expect(try database.integer("SELECT count(*) FROM heroes") == 2)
  }

  @Test func tablesThatAnotherProgramChangedAreRefused() throws {
    for sql in [
      "DROP INDEX _Hero_identity_1", "ALTER TABLE Hero RENAME COLUMN name TO title",
      "ALTER TABLE Hero RENAME TO Villain", "DROP TABLE Hero",
      "ALTER TABLE Hero ADD COLUMN more DEFAULT 1",
      "DROP INDEX _Hero_identity_1; CREATE INDEX _Hero_identity_1 ON Hero (id)",
      "ALTER TABLE Hero RENAME TO kept; CREATE TABLE Hero AS SELECT * FROM kept",
    ] {
      let file = try makeStore()
      try file.execute(sql)
      let bytes = try file.bytes()
      #expect(failure { _ = try open(file) }?.status == .storeInvalid, "\(sql)")
      #expect(try file.bytes() == bytes, "\(sql)")
    }
    // What is beside them is nobody's business.
    let file = try makeStore()
    try file.execute("CREATE TABLE notes (text); CREATE INDEX Hero_name ON Hero (name)")
    #expect(try open(file).count(FetchRequest("Hero")) == 1)
  }

  @Test func aDamagedDescriptionOfTheModelStartsNoMigration() throws {
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
        try file.execute(sql)
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
}
