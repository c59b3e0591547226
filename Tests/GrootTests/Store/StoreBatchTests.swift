import Groot
import GrootSQLite
import Testing

/// Imports and exports that keep a batch in memory only.
struct StoreBatchTests {
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

  @Test(arguments: 0..<12)
  func batchesGiveWhatOneImportGives(seed: Int) throws {
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

  @Test func transientValuesStayInMemory() throws {
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

  @Test func anImportThatFailsLeavesWhatItsCommitsSay() throws {
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

  @Test func problemsOfAllBatchesCountTogetherAndNotesDoNot() throws {
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

  @Test func objectsThatAProgramHoldsShowWhatBatchesBring() throws {
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

  @Test func batchesGoIntoStoresOnly() throws {
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

  @Test func fetchedObjectsAreExportedAsTheyCome() throws {
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

  /// What batches name and a later one brings is not told; the rest is, once all is known.
  @Test(arguments: [ImportOptions.Commits.whole, .eachBatch])
  func objectsThatNoBatchBringsAreReported(commits: ImportOptions.Commits) throws {
    let document: JSONValue = [
      "entities": [
        "Item": [
          "userInfo": ["identityAttributes": "id"],
          "attributes": ["id": ["type": "integer64", "userInfo": ["JSONKeyPath": "id"]]],
          "relationships": [
            "next": ["destination": "Item", "optional": true, "userInfo": ["JSONKeyPath": "next"]]
          ],
        ],
        "Toy": [
          "parent": "Item",
          "attributes": [
            "size": ["type": "integer64", "optional": true, "userInfo": ["JSONKeyPath": "size"]]
          ],
        ],
      ]
    ]
    let mapping = try Mapping(model: ManagedObjectModel(document: document))
    let text =
      #"[{"id": 1, "next": 5}, {"id": 2, "next": 6}, {"id": 3, "next": 7}, {"id": 6, "size": 2}]"#
    let (file, other) = (try StoreFile(), try StoreFile())
    let batches = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    let whole = try ManagedObjectContext(mapping: mapping, storePath: other.path)
    let found = try batches.importJSON(.text(text), into: "Toy", options: options(1, commits))
      .report
    let expected = try whole.importJSON(.text(text), into: "Toy").report
    #expect(found.issues.map(\.message) == expected.issues.map(\.message))
    #expect(found.issues.count == 2)
    #expect(found.issues.allSatisfy { $0.status == .unknownIdentifier && $0.severity == .warning })
    try whole.save()
    let request = FetchRequest("Item", sort: [.ascending("id")])
    #expect(
      try batches.exportText(batches.fetch(request)) == whole.exportText(whole.fetch(request)))
  }

  /// Where nothing but a to-one leads on, nothing is read after the objects themselves.
  @Test func toOnesOfWhatAFetchGivesAreExported() throws {
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
}
