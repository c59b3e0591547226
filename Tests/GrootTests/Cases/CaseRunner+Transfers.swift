import Testing

@testable import Groot

// Steps that import and export.

extension CaseRunner {
  mutating func runImport(_ step: JSONValue, _ entity: String) throws {
    let options = try importOptions(step)
    let expect = step["expect"]
    let text = step["text"]?.stringValue
    let hasPlace = text != nil && usesScanner
    let before = dump(context)
    let found = try checkFailure(expect, hasPlace: hasPlace, isText: text != nil) {
      if let text { return try context.importText(text, into: entity, options: options) }
      return try context.importValue(step["json"] ?? .null, into: entity, options: options)
    }
    if found == nil || options.isDryRun { #expect(dump(context) == before, place) }
    guard let found else { return }
    let objects = Array(found)
    if let count = expect?["count"]?.integerValue { #expect(Int64(objects.count) == count, place) }
    if let report = expect?["report"] {
      expectMatch(found.report.json, report, hasPlace: hasPlace)
    }
    if let name = step["same"]?.stringValue { #expect(objects == kept[name], place) }
    if let name = step["as"]?.stringValue { kept[name] = objects }
  }

  private func importOptions(_ step: JSONValue) throws -> ImportOptions {
    var options = ImportOptions()
    options.usesScanner = usesScanner
    options.isDryRun = step["dryRun"] == true
    options.listsChanges = step["changes"] == true
    switch step["errors"]?.stringValue {
    case nil, "abort": break
    case "collect": options.errorMode = .collect
    case "skip": options.errorMode = .skip
    case let other?: Testing.Issue.record("an error mode that is not known: \(other)")
    }
    if let count = step["maxIssues"]?.integerValue { options.maximumIssues = Int(count) }
    for (name, value) in step["policies"]?.objectValue?.members ?? [] {
      options.policies[name] = try #require(value.stringValue, place)
    }
    return options
  }

  func runExport(
    _ step: JSONValue, _ expected: JSONValue?, _ body: (ExportOptions) throws -> JSONValue
  ) throws {
    var options = ExportOptions()
    options.depth = step["depth"]?.integerValue.map(Int.init)
    options.properties = step["properties"]?.arrayValue?.compactMap(\.stringValue)
    let found = try checkFailure(step["expect"], hasPlace: false) { try body(options) }
    if let found { expectEqual(found, expected) }
  }

  // MARK: Round trips

  /// What was exported imports into an empty context as the same graph.
  func runRoundTrip(_ asked: JSONValue, isFull: Bool) throws {
    let roots = context.model.entities.filter { $0.parent == nil }.map(\.name)
    let entities = asked.arrayValue?.compactMap(\.stringValue) ?? roots
    let copy = ManagedObjectContext(mapping: context.mapping)
    var options = ImportOptions()
    options.usesScanner = usesScanner
    for entity in entities {
      try copy.importValue(exportAll(entity, of: context), into: entity, options: options)
    }
    #expect(copy.brokenInvariants() == [], place)
    for entity in entities {
      for depth in isFull ? [0, nil] : [0] {
        let ours = CaseComparison.withoutOrder(try exportAll(entity, of: context, depth: depth))
        let theirs = CaseComparison.withoutOrder(try exportAll(entity, of: copy, depth: depth))
        #expect(theirs == ours, place)
      }
    }
  }

  private func exportAll(
    _ entity: String, of context: ManagedObjectContext, depth: Int? = nil
  ) throws -> JSONValue {
    let objects = try context.fetch(FetchRequest(entity))
    return try context.exportValue(objects, options: ExportOptions(depth: depth))
  }
}
