import Testing

@testable import Groot

/// Laws of import and export over generated data.
struct ImportLawTests {
  /// Every object as JSON of its attributes and the keys of its members, by entity and key: what two
  /// graphs have in common when they mean the same.
  static func meaning(_ context: ManagedObjectContext) throws -> [String: String] {
    var result: [String: String] = [:]
    for object in try context.fetch(FetchRequest("Thing")) {
      let entity = try context.entity(of: object.id)
      var parts: [String] = []
      for attribute in entity.attributes { parts.append(try "\(object[attribute.name])") }
      for relationship in entity.relationships {
        let members =
          relationship.isToMany
          ? try object.members(relationship.name)
          : [try object.target(relationship.name)].compactMap { $0 }
        let keys = try members.map { try $0["key"].integerValue ?? -1 }
        parts.append("\(relationship.name): \(relationship.isOrdered ? keys : keys.sorted())")
      }
      result[try "\(entity.name) \(object["key"])"] = parts.joined(separator: "; ")
    }
    return result
  }

  @Test(arguments: 0..<30)
  func anExportImportsToTheSameGraph(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let context = try Generated.context()
    try context.importJSON(.value(Generated.people(20, &random)), into: "Person")
    #expect(context.brokenInvariants() == [])
    let copy = try Generated.context()
    for entity in ["Person", "Company"] {
      let text = try context.exportText(context.fetch(FetchRequest(entity)))
      try copy.importJSON(.text(text), into: entity)
    }
    #expect(copy.brokenInvariants() == [])
    #expect(try Self.meaning(copy) == Self.meaning(context))
  }

  @Test(arguments: 0..<20)
  func importingAgainChangesNothing(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(100 + seed))
    let context = try Generated.context()
    try context.importJSON(.value(Generated.people(15, &random)), into: "Person")
    let people = try context.exportText(context.fetch(FetchRequest("Person")))
    try context.importJSON(.text(people), into: "Person")
    try context.save()
    let before = dump(context)
    let again = try context.importJSON(.text(people), into: "Person")
    #expect(again.report.inserted == 0)
    #expect(again.report.updated == 0)
    #expect(again.report.unchanged > 0)
    #expect(dump(context) == before)
    #expect(try context.changes == ChangeCounts())
  }

  @Test(arguments: 0..<20)
  func textInPiecesAndThroughJanssonGiveTheSame(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(200 + seed))
    let json = Generated.people(15, &random)
    let bytes = Array(json.description.utf8)
    let whole = try Generated.context()
    try whole.importJSON(.text(json.description), into: "Person")
    let through = try Generated.context()
    var options = ImportOptions()
    options.usesScanner = false
    try through.importJSON(.text(json.description), into: "Person", options: options)
    let pieces = try Generated.context()
    var offset = 0
    let reader = JSONReader { buffer in
      let size = min(Int.random(in: 1...40, using: &random), bytes.count - offset, buffer.count)
      for index in 0..<size { buffer[index] = bytes[offset + index] }
      offset += size
      return size
    }
    let person = try pieces.mapping.plan(of: "Person")
    _ = try ImportTransaction.run(
      pieces.work, elements: ImportElements(reader), options: ImportOptions()
    ) {
      try $0.takeRecords(of: person)
      _ = try $0.importElements()
    }
    let values = try Generated.context()
    try values.importJSON(.value(json), into: "Person")
    let expected = dump(whole)
    #expect(dump(through) == expected)
    #expect(dump(pieces) == expected)
    #expect(dump(values) == expected)
  }

  @Test(arguments: 0..<30)
  func aFailedImportChangesNothing(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(300 + seed))
    let context = try Generated.context()
    try context.importJSON(.value(Generated.people(10, &random)), into: "Person")
    if seed % 2 == 0 { try context.save() }
    let before = dump(context)
    guard case .array(var list) = Generated.people(10, &random) else { return }
    // An error at a random position, at a random depth.
    let fault: JSONValue = [
      "key": 7, "children": [["key": 8, "friends": [["key": 9, "name": 5]]]],
    ]
    list.insert(fault, at: Int.random(in: 0...list.count, using: &random))
    #expect(throws: GrootError.self) {
      try context.importJSON(.value(.array(list)), into: "Person")
    }
    #expect(dump(context) == before)
    #expect(context.brokenInvariants() == [])
  }

  @Test(arguments: 0..<20)
  func aDryRunSaysWhatTheImportDoes(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(400 + seed))
    let context = try Generated.context()
    try context.importJSON(.value(Generated.people(10, &random)), into: "Person")
    let json = Generated.people(10, &random)
    let before = dump(context)
    var options = ImportOptions()
    options.isDryRun = true
    let planned = try context.importJSON(.value(json), into: "Person", options: options).report
    #expect(dump(context) == before)
    options.isDryRun = false
    options.listsChanges = true
    let done = try context.importJSON(.value(json), into: "Person", options: options).report
    #expect(planned.inserted == done.inserted)
    #expect(planned.updated == done.updated)
    #expect(planned.unchanged == done.unchanged)
    #expect(planned.json["changes"]?.arrayValue?.count == done.changes.count)
    #expect(done.changes.filter { $0.kind == .inserted }.count == done.inserted)
    // An object that is changed back again has no change to list.
    #expect(done.changes.filter { $0.kind == .updated }.count == done.updated)
  }

  @Test(arguments: 0..<20)
  func skippingLeavesWhatTheGoodRecordsAloneGive(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(500 + seed))
    guard case .array(let good) = Generated.people(12, &random) else { return }
    var mixed: [JSONValue] = []
    var bad = 0
    for record in good {
      if Bool.random(using: &random) {
        mixed.append(["key": 5, "name": "lost", "friends": [["key": 61, "name": "x"], "no key"]])
        bad += 1
      }
      mixed.append(record)
    }
    var options = ImportOptions()
    options.errorMode = .skip
    let skipping = try Generated.context()
    let report = try skipping.importJSON(.value(.array(mixed)), into: "Person", options: options)
      .report
    #expect(report.skipped == bad)
    #expect(report.issues.count >= bad)
    let alone = try Generated.context()
    try alone.importJSON(.value(.array(good)), into: "Person")
    #expect(try Self.meaning(skipping) == Self.meaning(alone))
    #expect(skipping.brokenInvariants() == [])
  }

  @Test func everyProblemIsCollected() throws {
    let context = try Generated.context()
    var options = ImportOptions()
    options.errorMode = .collect
    let text = """
      [{"key": 1, "name": 2, "active": "no"},
       {"key": 2, "life": {"born": "yesterday"}},
       {"key": 3, "friends": [{"key": "x"}, {"key": 4, "photo": "!"}]}]
      """
    do {
      try context.importJSON(.text(text), into: "Person", options: options)
      Issue.record("no error")
    } catch {
      #expect(
        error.issues.map(\.path) == [
          "$[0].name", "$[0].active", "$[1].life.born", "$[2].friends[0].key",
          "$[2].friends[1].photo",
        ])
      #expect(error.issues.map(\.line) == [1, 1, 2, 3, 3])
    }
    #expect(try context.count(FetchRequest("Thing")) == 0)
  }

  @Test func aSkippedRecordLeavesNoTraceInTheReport() throws {
    let context = try Generated.context()
    try context.importJSON(#"[{"key":1,"name":"Batman"}]"#, into: "Person")
    var options = ImportOptions()
    options.errorMode = .skip
    options.listsChanges = true
    let text = """
      [{"key":1,"name":"A"}, {"key":1,"name":"Z","friends":["x"]}, {"key":2,"name":"N"},
       {"key":2,"name":"M"}, {"key":3,"friends":["y"]}]
      """
    let report = try context.importJSON(.text(text), into: "Person", options: options).report
    #expect(report.skipped == 2)
    #expect(report.inserted == 1)
    #expect(report.updated == 1)
    #expect(report.changes.count == 2)
    #expect(report.changes[0].properties.map(\.name) == ["name"])
    #expect(report.changes[0].properties[0].old == "Batman")
    #expect(report.changes[0].properties[0].new == "A")
    #expect(report.changes[1].kind == .inserted)
    #expect(report.changes[1].properties.map(\.name) == ["key", "name", "active"])
    #expect(report.changes[1].properties[1].new == "M")
    let again = try context.importJSON(
      #"[{"key":1,"name":"Z","friends":["x"]}, {"key":1,"name":"Q"}]"#, into: "Person",
      options: options
    ).report
    #expect(again.updated == 1 && again.unchanged == 0)
    let back = try context.importJSON(
      #"[{"key":1,"name":"R"}, {"key":1,"name":"Q"}]"#, into: "Person", options: options
    ).report
    #expect(back.changes.isEmpty)
  }
}
