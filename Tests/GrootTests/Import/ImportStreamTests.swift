import Testing

import Groot

/// Imports in pieces, below a root path and of lines.
struct ImportStreamTests {
  private func stream(
    _ bytes: [UInt8], into context: ManagedObjectContext, _ options: ImportOptions,
    _ random: inout SeededGenerator
  ) throws -> ImportResult {
    let stream = try context.beginImport(into: "Person", options: options)
    let largest = [1, 5, 60, 100_000].randomElement(using: &random) ?? 1
    var position = 0
    var failure: (any Error)?
    while position < bytes.count {
      let count = min(Int.random(in: 0...largest, using: &random), bytes.count - position)
      do {
        try bytes[position..<position + count].withUnsafeBytes { try stream.write($0) }
      } catch {
        failure = failure ?? error
      }
      position += count
    }
    let result = try stream.finish()
    if let failure { throw failure }
    return result
  }

  /// Any split of a text gives the graph, the report and the errors of the whole text.
  @Test(arguments: 0..<24)
  func anySplitOfATextGivesTheOutcomeOfTheWhole(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(70_000 + seed))
    for round in 0..<25 {
      let people = Generated.people(6, &random)
      var options = ImportOptions()
      options.errorMode = [.abort, .collect, .skip][round % 3]
      options.usesScanner = Bool.random(using: &random)
      options.isDryRun = round % 5 == 0
      options.listsChanges = Bool.random(using: &random)
      options.policies = ImportFuzzTests.policies.randomElement(using: &random) ?? [:]
      var bytes: [UInt8]
      switch (seed + round) % 3 {
      case 0:
        bytes = Array("{\"page\": [1, {}], \"data\": {\"people\": \(people)}, \"next\": null}".utf8)
        options.rootPath = "/data/people"
      case 1:
        let lines = (people.arrayValue ?? []).map(\.description)
        bytes = Array(lines.joined(separator: "\n").utf8)
        options.format = .jsonLines
      default: bytes = Array(people.description.utf8)
      }
      for _ in 0..<(round % 4) { ImportFuzzTests.damage(&bytes, &random) }
      let whole = try Generated.context()
      let split = try Generated.context()
      let expected = outcome(whole) {
        try bytes.withUnsafeBytes {
          try whole.importJSON(.bytes($0), into: "Person", options: options)
        }
      }
      let found = outcome(split) { try stream(bytes, into: split, options, &random) }
      #expect(found == expected, "\(String(decoding: bytes, as: UTF8.self))")
      #expect(split.brokenInvariants() == [])
      try split.save()
    }
  }

  @Test func theContextIsBusyUntilTheEnd() throws {
    let context = try Generated.context()
    let stream = try context.beginImport(into: "Person")
    #expect(throws: GrootError.self) { try context.fetch(FetchRequest("Person")) }
    #expect(throws: GrootError.self) { try context.beginImport(into: "Person") }
    #expect(throws: GrootError.self) { try context.importJSON("[]", into: "Person") }
    try stream.write("[{\"key\": 1}, ")
    stream.cancel()
    #expect(try context.count(FetchRequest("Thing")) == 0)
    #expect(throws: GrootError.self) { try stream.write("1]") }
    #expect(throws: GrootError.self) { _ = try stream.finish() }
  }

  @Test func aCancelledImportHasNotHappened() throws {
    let context = try Generated.context()
    do {
      let stream = try context.beginImport(into: "Person")
      try stream.write("[{\"key\": 1}, {\"key\": 2}]")
    }
    #expect(try context.count(FetchRequest("Thing")) == 0)
    #expect(throws: GrootError.self) { try context.beginImport(into: "Nobody") }
    #expect(try context.count(FetchRequest("Thing")) == 0)
  }

  @Test func invalidJSONIsReportedBeforeTheEnd() throws {
    let context = try Generated.context()
    let stream = try context.beginImport(into: "Person")
    try stream.write("[{\"key\": \"no number\"}, ")
    #expect(throws: GrootError.self) { try stream.write("}                     ") }
    let error = #expect(throws: GrootError.self) { _ = try stream.finish() }
    #expect(error?.status == .invalidJSON)
    #expect(try context.count(FetchRequest("Thing")) == 0)
  }

  @Test func callbacksMustNotUseTheirImport() throws {
    let context = try Generated.context()
    var options = ImportOptions()
    var stream: ImportStream?
    var statuses: [Status] = []
    options.progress = { _ in
      do { try stream?.write("x") } catch let error as GrootError { statuses.append(error.status) }
      return true
    }
    stream = try context.beginImport(into: "Person", options: options)
    try stream?.write("[" + (0..<2000).map { "{\"key\": \($0)}" }.joined(separator: ",") + "]")
    let result = try stream?.finish()
    #expect(result?.count == 2000)
    #expect(statuses.contains(.busy))
  }

  /// How a stream comes to its end.
  enum End: CaseIterable {
    case finished
    case failed
    case failedByRecord
    case cancelled
  }

  /// A callback may hold the stream that calls it: when that is over, both are freed.
  @Test(arguments: End.allCases)
  func aFinishedImportHoldsNoCallbacks(end: End) throws {
    let context = try Generated.context()
    weak var released: ImportStream?
    var calls = 0
    func runToTheEnd() throws {
      var options = ImportOptions()
      var stream: ImportStream?
      options.progress = { _ in
        do { try stream?.beginUse() } catch { calls += 1 }
        return true
      }
      stream = try context.beginImport(into: "Person", options: options)
      released = stream
      switch end {
      case .finished:
        try stream?.write("[{\"key\": 1}]")
        #expect(try stream?.finish().count == 1)
        #expect(calls > 0)
      case .failed:
        #expect(throws: GrootError.self) { try stream?.write("[}                     ") }
      case .failedByRecord:
        try stream?.write("[{\"key\": \"no number\"}]")
        #expect(throws: GrootError.self) { _ = try stream?.finish() }
      case .cancelled:
        try stream?.write("[{\"key\": 1}")
        stream?.cancel()
      }
    }
    try runToTheEnd()
    #expect(released == nil)
    #expect(try context.count(FetchRequest("Person")) == (end == .finished ? 1 : 0))
  }

  @Test func rootsOfValues() throws {
    let json: JSONValue = ["data": [["people": [["key": 1], ["key": 2]]]]]
    var options = ImportOptions()
    options.rootPath = "/data/0/people"
    let context = try Generated.context()
    #expect(try context.importJSON(.value(json), into: "Person", options: options).count == 2)
    let tape = JSONTape()
    let loaded = JanssonValue(
      owning: try JanssonBridge.materialize(tape, index: try json.append(to: tape)))
    let found = try loaded.borrow {
      try context.importJSON(.jansson($0), into: "Person", options: options).count
    }
    #expect(found == 2)
    for (path, status) in [
      ("/data/1", Status.missingValue), ("/data/0/people/0/key", .wrongShape),
      ("/data/x", .missingValue), ("data", .invalidArgument),
    ] {
      options.rootPath = path
      let errors = [
        #expect(throws: GrootError.self) {
          try context.importJSON(.value(json), into: "Person", options: options)
        },
        #expect(throws: GrootError.self) {
          try context.importJSON(.text(json.description), into: "Person", options: options)
        },
        #expect(throws: GrootError.self) {
          _ = try loaded.borrow {
            try context.importJSON(.jansson($0), into: "Person", options: options).count
          }
        },
      ]
      #expect(errors.allSatisfy { $0?.status == status })
      #expect(errors.allSatisfy { $0?.issues == errors[0]?.issues })
    }
    options.rootPath = "/data/0/people"
    let wrong: JSONValue = ["data": [["people": [["key": "no number"]]]]]
    let error = #expect(throws: GrootError.self) {
      try context.importJSON(.value(wrong), into: "Person", options: options)
    }
    #expect(error?.issues.first?.path == "$.data[0].people[0].key")
    options.format = .jsonLines
    #expect(throws: GrootError.self) {
      try context.importJSON("{}", into: "Person", options: options)
    }
  }

  /// However a batch comes: without rules nothing of it would be imported.
  @Test func aBatchWithoutRulesIsRefused() throws {
    let context = try Generated.context()
    let expected = "neither roots nor rules that name records"
    let whole = #expect(throws: GrootError.self) {
      try context.importJSON(#"{"Person": [{"key": 1}]}"#, into: nil)
    }
    #expect(whole?.description.contains(expected) == true)
    let pieces = #expect(throws: GrootError.self) {
      let stream = try context.beginImport(into: nil)
      try stream.write(#"{"Person": [{"key": 1}]}"#)
      _ = try stream.finish()
    }
    #expect(pieces?.status == .invalidArgument)
    #expect(pieces?.description.contains(expected) == true)
    try context.importJSON(#"[{"key": 1}]"#, into: "Person")
    let file = try StoreFile()
    defer { withExtendedLifetime(file) {} }
    let stored = try ManagedObjectContext(mapping: context.mapping, storePath: file.path)
    var options = ImportOptions()
    options.batchSize = 10
    let batches = #expect(throws: GrootError.self) {
      try stored.importJSON(#"{"Person": [{"key": 1}]}"#, into: nil, options: options)
    }
    #expect(batches?.status == .invalidArgument)
    #expect(batches?.description.contains(expected) == true)
  }
}
