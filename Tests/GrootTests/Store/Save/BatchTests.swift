import Testing

@testable import Groot
@testable import GrootSQLite

/// Many objects are imported, exported and saved: in batches, with few statements.
struct BatchTests {
  private let mapping: Mapping

  init() throws {
    mapping = try Mapping(model: ManagedObjectModel(document: Generated.document))
  }

  private func open(_ file: StoreFile) throws -> ManagedObjectContext {
    try ManagedObjectContext(mapping: mapping, storePath: file.path)
  }

  private func people(_ seed: Int, _ count: Int = 200) -> JSONValue {
    var random = SeededGenerator(seed: UInt64(seed))
    return Generated.people(count, &random)
  }

  private func options(_ size: Int, _ commits: ImportOptions.Commits = .whole) -> ImportOptions {
    var options = ImportOptions()
    options.batchSize = size
    options.commits = commits
    return options
  }

  private let everybody = FetchRequest("Person", sort: [.ascending("key")])

  private func text(_ context: ManagedObjectContext) throws -> String {
    var options = ExportOptions()
    options.depth = 1
    return try context.exportText(context.fetch(everybody), options: options)
  }

  // MARK: Imports in batches

  @Test(arguments: 0..<12)
  func anImportInBatchesGivesTheResultOfAnImportAtOnce(seed: Int) throws {
    let (file, other) = (try StoreFile(), try StoreFile())
    let (batches, whole) = (try open(file), try open(other))
    for round in 0..<3 {
      let people = people(seed * 10 + round)
      var options = options([1, 7, 64, 1000][seed % 4], seed % 2 == 0 ? .whole : .eachBatch)
      var records: [Int] = []
      options.progress = {
        records.append($0.records)
        return true
      }
      let result = try batches.importJSON(
        .text(people.description), into: "Person", options: options)
      #expect(result.isEmpty)
      let expected = try whole.importJSON(.text(people.description), into: "Person")
      try whole.save()
      #expect(result.report.inserted == expected.report.inserted)
      #expect(records == records.sorted() && records.last == 200)
      #expect(try text(batches) == text(whole))
      #expect(try text(open(file)) == text(whole))
      #expect(batches.brokenInvariants() == [])
    }
    let again = try batches.importJSON(
      .value(people(seed * 10 + 2)), into: "Person", options: options(50))
    #expect(again.report.inserted == 0)
  }

  @Test func transientValuesSurviveBatchesRefreshesSavesAndRollbacks() throws {
    let mapping = try Mapping(
      model: ManagedObjectModel(
        document: """
          {"entities": {"Hero": {"userInfo": {"identityAttributes": "id"}, "attributes": {
            "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
            "name": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "name"}},
            "mood": {"type": "string", "optional": true, "transient": true},
            "rank": {"type": "integer64", "optional": true, "transient": true, "default": 5},
            "price": {"type": "decimal", "optional": true, "transient": true}}}}}
          """))
    let mood = String(repeating: "good ", count: 10)
    for commits in [ImportOptions.Commits.whole, .eachBatch] {
      let file = try StoreFile()
      let context = try ManagedObjectContext(mapping: mapping, storePath: file.path)
      try context.importJSON(#"[{"id": 1}, {"id": 2}]"#, into: "Hero")
      let hero = try #require(context.fetch(FetchRequest("Hero", where: ["id": 1])).first)
      try hero.set("mood", to: .string(mood))
      try hero.set("rank", to: 7)
      try hero.set("price", to: .decimal(#require(DecimalNumber("1.5"))))
      try context.save()
      func expectKept() throws {
        #expect(try hero["mood"] == .string(mood))
        #expect(try hero["rank"] == 7)
        #expect(try hero["price"] == .decimal(#require(DecimalNumber("1.5"))))
        let other = try #require(context.fetch(FetchRequest("Hero", where: ["id": 2])).first)
        #expect(try other["mood"] == .null)
        #expect(try other["rank"] == 5)
        #expect(try context.changes == ChangeCounts())
      }
      #expect(throws: GrootError.self) {
        try context.importJSON(
          #"[{"id": 1, "name": "a"}, {"id": "x"}]"#, into: "Hero", options: options(1, commits))
      }
      try expectKept()
      try context.importJSON(
        #"[{"id": 1, "name": "b"}, {"id": 3}]"#, into: "Hero", options: options(1, commits))
      try expectKept()
      try context.refresh()
      try expectKept()
      let others = try ManagedObjectContext(mapping: mapping, storePath: file.path)
      let same = try #require(others.fetch(FetchRequest("Hero", where: ["id": 1])).first)
      #expect(try same["mood"] == .null)
      try same.set("name", to: "c")
      try others.save()
      // A save follows what others wrote.
      try context.importJSON(#"[{"id": 4}]"#, into: "Hero")
      try context.save()
      try expectKept()
      #expect(try hero["name"] == "c")
      try hero.set("mood", to: "bad")
      try context.rollback()
      try expectKept()
    }
  }

  @Test func aFailedImportKeepsTheBatchesThatItCommitted() throws {
    let wrong = #"[{"key": 1}, {"key": 2}, {"key": 3, "name": 5}]"#
    for commits in [ImportOptions.Commits.whole, .eachBatch] {
      let file = try StoreFile()
      let context = try open(file)
      do {
        try context.importJSON(.text(wrong), into: "Person", options: options(2, commits))
        Issue.record("this did not fail")
      } catch {
        #expect(error.issues[0].path == "$[2].name")
      }
      let count = commits == .whole ? 0 : 2
      #expect(try context.count(FetchRequest("Person")) == count)
      #expect(try open(file).count(FetchRequest("Person")) == count)
      try context.importJSON(#"[{"key": 1}, {"key": 4}]"#, into: "Person", options: options(1))
      #expect(try open(file).count(FetchRequest("Person")) == (count == 0 ? 2 : 3))
    }
  }

  @Test func theLimitOfIssuesCountsProblemsOfAllBatchesButNoNotes() throws {
    let records = (0..<10).map { #"{"key": \#($0), "name": \#($0 % 3 == 0 ? "5" : "null")}"# }
    let text = "[" + records.joined(separator: ", ") + "]"
    for size in [1, 2, 100] {
      let file = try StoreFile()
      let context = try open(file)
      var options = options(size)
      options.errorMode = .skip
      options.maximumIssues = 3
      #expect(throws: GrootError.self) {
        try context.importJSON(.text(text), into: "Person", options: options)
      }
      #expect(try context.count(FetchRequest("Person")) == 0)
      options.maximumIssues = 4
      let report = try context.importJSON(.text(text), into: "Person", options: options).report
      #expect(report.skipped == 4 && report.issues.count == 4 && report.inserted == 6)
      options.maximumIssues = 1
      options.policies = ["invalid": "clear"]
      let noted = try context.importJSON(.text(text), into: "Person", options: options).report
      #expect(noted.skipped == 0 && noted.issues.count == 4)
    }
  }

  @Test func heldObjectsShowTheValuesOfLaterBatches() throws {
    let file = try StoreFile()
    defer { withExtendedLifetime(file) {} }
    let context = try open(file)
    let person = try #require(context.importJSON(#"[{"key": 1}]"#, into: "Person").first)
    #expect(throws: GrootError.self) {
      try context.importJSON("[]", into: "Person", options: options(10))
    }
    try context.save()
    try context.importJSON(
      #"[{"key": 2, "parent": 1}, {"key": 1, "name": "Ada"}]"#, into: "Person", options: options(1))
    #expect(try person["name"] == .string("Ada"))
    #expect(try person.members("children").map { try $0["key"] } == [.integer(2)])
  }

  @Test func batchesNeedAStoreAndNoDryRun() throws {
    #expect(throws: GrootError.self) {
      try Generated.context().importJSON("[]", into: "Person", options: options(10))
    }
    let file = try StoreFile()
    defer { withExtendedLifetime(file) {} }
    let context = try open(file)
    var tried = options(10)
    tried.isDryRun = true
    #expect(throws: GrootError.self) {
      try context.importJSON("[]", into: "Person", options: tried)
    }
  }

  /// Objects that a later batch brings are not reported; the others are, after the last batch.
  @Test(arguments: [ImportOptions.Commits.whole, .eachBatch])
  func namedObjectsThatNoBatchBringsAreReported(commits: ImportOptions.Commits) throws {
    let mapping = try Mapping(model: ManagedObjectModel(document: Items.document))
    let text =
      #"[{"id": 1, "next": 5}, {"id": 2, "next": 6}, {"id": 3, "next": 7}, {"id": 6, "size": 2}]"#
    let (file, other) = (try StoreFile(), try StoreFile())
    let batches = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    let whole = try ManagedObjectContext(mapping: mapping, storePath: other.path)
    let found = try batches.importJSON(.text(text), into: "Box", options: options(1, commits))
      .report
    let expected = try whole.importJSON(.text(text), into: "Box").report
    #expect(found.issues.map(\.message) == expected.issues.map(\.message))
    #expect(found.issues.count == 2)
    #expect(found.issues.allSatisfy { $0.status == .unknownIdentifier && $0.severity == .warning })
    try whole.save()
    let request = FetchRequest("Item", sort: [.ascending("id")])
    #expect(
      try batches.exportText(batches.fetch(request)) == whole.exportText(whole.fetch(request)))
  }

  // MARK: Exports of fetches

  @Test func anExportOfAFetchWritesTheBytesOfAnExportOfItsObjects() throws {
    let file = try StoreFile()
    defer { withExtendedLifetime(file) {} }
    let context = try open(file)
    try context.importJSON(.value(people(99, 3000)), into: "Person", options: options(500))
    for depth in [0, 1, 2] {
      for isLines in [false, true] {
        var options = ExportOptions()
        options.depth = depth
        options.writesLines = isLines
        var request = everybody
        request.limit = depth == 1 ? 40 : nil
        request.offset = depth
        var streamed: [UInt8] = []
        let count = try context.export(request, options: options) { streamed += $0 }
        let objects = try context.fetch(request)
        #expect(count == objects.count)
        #expect(
          String(decoding: streamed, as: UTF8.self)
            == String(
              decoding: try context.exportBytes(objects.map(\.id), options: options), as: UTF8.self)
        )
      }
    }
    // What is not saved is written too.
    try context.insert("Person").set("key", to: .integer(1000))
    var streamed = ""
    try context.export(everybody) { streamed += String(decoding: $0, as: UTF8.self) }
    #expect(streamed.hasSuffix(#""key":1000}]"#) || streamed.contains(#""key":1000"#))
  }

  @Test func aLargeFetchIsExportedInParts() throws {
    let file = try StoreFile()
    defer { withExtendedLifetime(file) {} }
    let context = try open(file)
    let records = (0..<2_500).map { "{\"key\":\($0),\"name\":\"\($0)\",\"parent\":\($0 / 2)}" }
    try context.importJSON("[\(records.joined(separator: ","))]", into: "Person")
    try context.save()
    try context.refresh()
    var options = ExportOptions()
    options.depth = 1
    var streamed: [UInt8] = []
    #expect(try context.export(everybody, options: options) { streamed += $0 } == 2_500)
    let whole = try context.fetch(everybody).map(\.id)
    #expect(
      try String(decoding: streamed, as: UTF8.self)
        == String(decoding: context.exportBytes(whole, options: options), as: UTF8.self))
  }

  /// Where nothing but a to-one leads on, nothing is read after the objects themselves.
  @Test func anExportOfAFetchFollowsToOneRelationships() throws {
    let mapping = try Mapping(
      model: ManagedObjectModel(
        document: """
          {"entities": {
            "Note": {"userInfo": {"identityAttributes": "id"},
              "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
              "relationships": {
                "author": {"destination": "Author", "optional": true, "inverse": "notes",
                  "userInfo": {"JSONKeyPath": "author"}},
                "twin": {"destination": "Note", "optional": true, "inverse": "twin",
                  "userInfo": {"JSONKeyPath": "twin"}}}},
            "Author": {"userInfo": {"identityAttributes": "id"},
              "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
              "relationships": {
                "notes": {"destination": "Note", "optional": true, "toMany": true,
                  "inverse": "author"}}}}}
          """))
    let file = try StoreFile()
    let first = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    try first.importJSON(
      #"[{"id": 1, "author": {"id": 7}, "twin": {"id": 2}}, {"id": 3, "author": {"id": 8}}]"#,
      into: "Note")
    try first.save()
    for entity in ["Note", "Author"] {
      for depth in [nil, 0, 1] {
        let request = FetchRequest(entity, sort: [.ascending("id")])
        var options = ExportOptions()
        options.depth = depth
        let context = try ManagedObjectContext(mapping: mapping, storePath: file.path)
        var streamed = ""
        try context.export(request, options: options) {
          streamed += String(decoding: $0, as: UTF8.self)
        }
        #expect(try streamed == first.exportText(first.fetch(request), options: options))
        #expect(entity == "Author" || streamed.contains("7"), "\(streamed)")
      }
    }
  }

  // MARK: Numbers of statements

  private static let recordCount = 10_000

  private func heroes() throws -> Mapping {
    func relationship(_ to: String, _ inverse: String, many: Bool = false) -> JSONValue {
      [
        "destination": .string(to), "toMany": .boolean(many), "optional": true,
        "inverse": .string(inverse),
      ]
    }
    func named(_ relationships: JSONValue) -> JSONValue {
      [
        "userInfo": ["identityAttributes": "name"],
        "attributes": ["name": ["type": "string"]], "relationships": relationships,
      ]
    }
    let document: JSONValue = [
      "entities": [
        "Hero": [
          "userInfo": ["identityAttributes": "id"],
          "attributes": [
            "id": ["type": "integer64"], "name": ["type": "string", "optional": true],
          ],
          "relationships": [
            "publisher": relationship("Publisher", "heroes"),
            "team": relationship("Team", "heroes"),
            "powers": relationship("Power", "heroes", many: true),
          ],
        ],
        "Publisher": named(["heroes": relationship("Hero", "publisher", many: true)]),
        "Team": named(["heroes": relationship("Hero", "team", many: true)]),
        "Power": named(["heroes": relationship("Hero", "powers", many: true)]),
      ]
    ]
    return try Mapping(model: ManagedObjectModel(document: document), isImplicit: true)
  }

  /// Each record has three nested entities; as many teams as heroes, so that those are many too.
  private func feed(_ ids: Range<Int>) -> String {
    let records = ids.map { id in
      #"{"id": \#(id), "name": "Hero \#(id)", "publisher": {"name": "Publisher \#(id % 9)"}, "#
        + #""team": {"name": "Team \#(id)"}, "#
        + #""powers": [{"name": "Power \#(id % 500)"}, {"name": "Power \#(id % 333)"}]}"#
    }
    return "[" + records.joined(separator: ",") + "]"
  }

  /// The statements of an import of all records, on a store that has those of some ids.
  private func statements(
    _ stored: Range<Int>, isFile: Bool = false
  ) throws -> (Int, ImportReport) {
    let mapping = try heroes()
    let file = try StoreFile()
    let schema = StoreSchema(mapping)
    var options = SQLiteStoreOptions()
    options.durability = .normal
    try {
      let store = try SQLiteStore(file.path, schema: schema, options: options)
      let context = try ManagedObjectContext(mapping: mapping, schema: schema, store: store)
      try context.importJSON(.text(feed(stored)), into: "Hero")
      try context.save()
    }()
    let store = try SQLiteStore(file.path, schema: schema, options: options)
    let context = try ManagedObjectContext(mapping: mapping, schema: schema, store: store)
    let text = feed(0..<Self.recordCount)
    let source = try StoreFile()
    if isFile { try source.write(text) }
    let before = store.statementCount
    let result =
      try isFile
      ? context.importJSON(.file(source.path), into: "Hero")
      : context.importJSON(.text(text), into: "Hero")
    return (store.statementCount - before, result.report)
  }

  @Test func anImportAsksTheStoreOncePerBatchNotPerRecord() throws {
    let (all, unchanged) = try statements(0..<Self.recordCount)
    #expect(unchanged.inserted == 0 && unchanged.updated == 0)
    let (half, inserted) = try statements(0..<Self.recordCount / 2)
    // Heroes and teams; all publishers and powers are among the first half.
    #expect(inserted.inserted == Self.recordCount)
    // Six for each 256 records: what is to be found by an identity, and lists.
    let bound = Self.recordCount / 256 * 6 + 50
    #expect(all < bound)
    #expect(half < bound)
    let (read, same) = try statements(0..<Self.recordCount, isFile: true)
    #expect(same.inserted == 0 && same.updated == 0)
    #expect(read < bound)
  }

  /// Whatever is written, how many statements are prepared depends on the model alone.
  @Test func aSavePreparesAFixedNumberOfStatements() throws {
    let mapping = try heroes()
    let file = try StoreFile()
    let schema = StoreSchema(mapping)
    let store = try SQLiteStore(file.path, schema: schema, options: SQLiteStoreOptions())
    let context = try ManagedObjectContext(mapping: mapping, schema: schema, store: store)
    func prepared(_ body: () throws -> Void) throws -> Int {
      let before = store.database.preparedCount
      try body()
      try context.save()
      return store.database.preparedCount - before
    }
    let count = 300
    try context.importJSON(.text(feed(0..<count)), into: "Hero")
    #expect(try prepared {} < 40)
    let heroes = try context.fetch(FetchRequest("Hero"))
    let power = try #require(context.fetch(FetchRequest("Power")).first)
    let changes = try prepared {
      for (number, hero) in heroes.enumerated() {
        if number % 2 == 0 { try hero.set("name", to: "x") }
        if number % 3 == 0 { try hero.set("team", to: nil) }
        if number % 4 == 0 { try hero.remove(hero.members("powers")[0], from: "powers") }
        if number % 5 == 0 { try hero.add(power, to: "powers") }
      }
    }
    #expect(changes < 40)
    #expect(try prepared { for hero in heroes { try context.delete(hero.id) } } < 40)
    #expect(context.brokenInvariants() == [])
  }

  /// Members that are written with a few attributes lead to no others.
  @Test func anExportReadsOnlyTheObjectsThatItWrites() throws {
    func statements(leadsOn: Bool) throws -> Int {
      func entity(_ relationships: JSONValue) -> JSONValue {
        [
          "userInfo": ["identityAttributes": "id"], "attributes": ["id": ["type": "integer64"]],
          "relationships": relationships,
        ]
      }
      func link(_ to: String, _ info: JSONValue = [:]) -> JSONValue {
        ["destination": .string(to), "optional": true, "userInfo": info]
      }
      let part: JSONValue = ["JSONKeyPath": "part", "groot.exportProperties": "id"]
      let document: JSONValue = [
        "entities": [
          "Whole": entity(["part": link("Part", part)]),
          "Part": entity(leadsOn ? ["more": link("More")] : [:]), "More": entity([:]),
        ]
      ]
      let mapping = try Mapping(model: ManagedObjectModel(document: document), isImplicit: true)
      let file = try StoreFile()
      let schema = StoreSchema(mapping)
      func open() throws -> (SQLiteStore, ManagedObjectContext) {
        let store = try SQLiteStore(file.path, schema: schema, options: SQLiteStoreOptions())
        return (store, try ManagedObjectContext(mapping: mapping, schema: schema, store: store))
      }
      try {
        let context = try open().1
        try context.importJSON(
          .text(#"[{"id": 1, "part": {"id": 2, "more": {"id": 3}}}]"#), into: "Whole")
        try context.save()
      }()
      let (store, context) = try open()
      let before = store.statementCount
      let text = try context.exportText(context.fetch(FetchRequest("Whole")))
      #expect(text == #"[{"id":1,"part":{"id":2}}]"#)
      return store.statementCount - before
    }
    #expect(try statements(leadsOn: true) == statements(leadsOn: false))
  }

  /// Records of batches are looked for many at a time, too.
  @Test func anImportAsksTheStoreForManyRecordsAtOnce() throws {
    let rules: JSONValue = [
      "boxes": ["Box.id": ["id": "id", "size": "size", "next": "next.id"]],
      "toys": ["Toy.id": ["id": "id", "name": "name"]],
    ]
    let mapping = try Mapping(
      model: ManagedObjectModel(document: Items.document), dialect: .kvc, rules: rules)
    func text(_ size: Int) -> String {
      let boxes = (1...600).map { "{\"id\":\($0),\"size\":\(size),\"next\":\($0 + 1000)}" }
      let toys = (1...600).map { "{\"id\":\($0 + 1000),\"name\":\"\(size)\"}" }
      return "{\"toys\":[\(toys.joined(separator: ","))],\"more\":[1],"
        + "\"boxes\":[\(boxes.joined(separator: ","))]}"
    }
    let file = try StoreFile()
    let schema = StoreSchema(mapping)
    func context() throws -> (ManagedObjectContext, SQLiteStore) {
      let store = try SQLiteStore(file.path, schema: schema, options: SQLiteStoreOptions())
      return (try ManagedObjectContext(mapping: mapping, schema: schema, store: store), store)
    }
    let (first, _) = try context()
    try first.importJSON(.text(text(1)), into: nil)
    try first.save()
    // Few records compared with the store, so that it is not read as a whole.
    let (second, store) = try context()
    let few =
      #"{"boxes": [{"id": 1, "size": 9}, {"id": 2, "size": 9}], "toys": [{"id": 1001, "name": "x"}]}"#
    let before = store.statementCount
    let report = try second.importJSON(.text(few), into: nil).report
    #expect(report.inserted == 0 && report.updated == 3)
    #expect(store.statementCount - before < 20)
    try second.save()
    let (third, _) = try context()
    let stream = try third.beginImport(into: nil)
    try stream.write(text(2))
    let all = try stream.finish().report
    #expect(all.inserted == 0 && all.updated == 1200)
    #expect(third.brokenInvariants() == [])
  }

  /// Members under keys have their identities outside of their records.
  @Test func anImportAsksTheStoreForManyMembersUnderKeysAtOnce() throws {
    let document: JSONValue = [
      "entities": [
        "Shelf": [
          "userInfo": ["identityAttributes": "id"],
          "attributes": ["id": ["type": "integer64", "userInfo": ["JSONKeyPath": "id"]]],
          "relationships": [
            "boxes": [
              "destination": "Box", "toMany": true, "inverse": "shelf", "optional": true,
              "userInfo": ["JSONKeyPath": "boxes", "groot.form": "keyed"],
            ]
          ],
        ],
        "Box": [
          "userInfo": ["identityAttributes": "code"],
          "attributes": [
            "code": ["type": "string", "userInfo": ["JSONKeyPath": "@key"]],
            "size": ["type": "integer64", "userInfo": ["JSONKeyPath": "size"]],
          ],
          "relationships": [
            "shelf": ["destination": "Shelf", "inverse": "boxes", "optional": true]
          ],
        ],
      ]
    ]
    let file = try StoreFile()
    let mapping = try Mapping(model: ManagedObjectModel(document: document))
    let schema = StoreSchema(mapping)
    func context() throws -> (ManagedObjectContext, SQLiteStore) {
      let store = try SQLiteStore(file.path, schema: schema, options: SQLiteStoreOptions())
      return (try ManagedObjectContext(mapping: mapping, schema: schema, store: store), store)
    }
    func feed(_ id: Int, _ boxes: Range<Int>, size: Int) -> String {
      let boxes = boxes.map { "\"b\($0)\":{\"size\":\(size)}" }.joined(separator: ",")
      return "[{\"id\":\(id),\"boxes\":{\(boxes)}}]"
    }
    let (first, _) = try context()
    try first.importJSON(.text(feed(1, 0..<3_000, size: 1)), into: "Shelf")
    try first.importJSON("[{\"id\":2,\"boxes\":{}}]", into: "Shelf")
    try first.save()
    // Few records compared with the store, so that it is not read as a whole.
    let (second, store) = try context()
    let before = store.statementCount
    let report = try second.importJSON(.text(feed(2, 0..<100, size: 2)), into: "Shelf").report
    #expect(report.inserted == 0)
    #expect(store.statementCount - before < 20)
    #expect(try second.count(FetchRequest("Box", where: ["size": 2])) == 100)
  }

  /// The text is read ahead; what is wrong with it is told as if it were not.
  @Test func invalidJSONAfterRecordsThatWereReadAheadIsReportedAtItsPlace() throws {
    let file = try StoreFile()
    let first = try file.context(Items.document)
    let records = (0..<600).map { "{\"id\":\($0),\"size\":1}" }.joined(separator: ",")
    try first.importJSON("[\(records)]", into: "Box")
    try first.save()
    let second = try file.context(Items.document)
    let error = #expect(throws: GrootError.self) {
      try second.importJSON("[{\"id\":1,\"size\":2},{\"id\":2,\n\"size\":}]", into: "Box")
    }
    #expect(error?.status == .invalidJSON)
    #expect(error?.issues.first?.path == "$[1]")
    #expect(error?.issues.first?.line == 2)
    #expect(try second.changes == ChangeCounts())
    #expect(try second.count(FetchRequest("Box", where: ["size": 1])) == 600)
  }
}
