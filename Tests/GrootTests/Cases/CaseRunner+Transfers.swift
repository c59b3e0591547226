import Testing

@testable import Groot

// Steps that import and export.

extension CaseRunner {
  mutating func runImport(_ step: JSONValue, into entity: String?) throws {
    let options = try importOptions(step)
    try runTransfer(step, isDryRun: options.isDryRun) { context in
      try context.importJSON(Self.input(step), into: entity, options: options)
    }
  }

  mutating func runSync(_ step: JSONValue, _ entity: String) throws {
    let options = try syncOptions(step, entity)
    try runTransfer(step, isDryRun: options.isDryRun) { context in
      try context.sync(entity, with: Self.input(step), options: options)
    }
  }

  mutating func runFill(_ step: JSONValue, _ object: ManagedObject) throws {
    let options = try importOptions(step)
    try runTransfer(step, isDryRun: options.isDryRun) { context in
      let report = try context.fill(object.id, from: Self.input(step), options: options)
      return ImportResult(context: context, ids: [object.id], report: report)
    }
  }

  /// What a step reads: its text, or its JSON.
  private static func input(_ step: JSONValue) -> JSONInput {
    step["text"]?.stringValue.map { .text($0) } ?? .value(step["json"] ?? .null)
  }

  /// Runs what reads JSON, and compares what it gives with what the step expects.
  private mutating func runTransfer(
    _ step: JSONValue, isDryRun: Bool, _ body: (ManagedObjectContext) throws -> ImportResult
  ) throws {
    let expect = step["expect"]
    let isText = step["text"] != nil
    let hasPlace = isText && usesScanner
    let before = dump(context)
    let found = try checkFailure(expect, hasPlace: hasPlace, isText: isText) { try body(context) }
    if found == nil || isDryRun { #expect(dump(context) == before, place) }
    guard let found else { return }
    let objects = Array(found)
    if let count = expect?["count"]?.integerValue { #expect(Int64(objects.count) == count, place) }
    if let report = expect?["report"] {
      expectMatch(found.report.json, report, hasPlace: hasPlace)
    }
    expectCounts(found.report.accessed, expect?["accessed"])
    expectCounts(found.report.unaccessed, expect?["unaccessed"])
    if let count = expect?["withheld"]?.integerValue {
      #expect(Int64(found.report.withheld.count) == count, place)
    }
    if let name = step["same"]?.stringValue { #expect(objects == kept[name], place) }
    if let name = step["as"]?.stringValue { kept[name] = objects }
  }

  private func expectCounts(_ found: NameMap<[ObjectID]>, _ expected: JSONValue?) {
    for (entity, count) in expected?.objectValue?.members ?? [] {
      #expect(
        Int64(found[entity]?.count ?? 0) == count.integerValue, "\(place.rawValue): \(entity)")
    }
  }

  // MARK: Exports

  func runExport(
    _ step: JSONValue, _ expected: JSONValue?, _ body: (ExportOptions) throws -> JSONValue
  ) throws {
    let options = try exportOptions(step)
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
      try copy.importJSON(.value(exportAll(entity, of: context)), into: entity, options: options)
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

  /// Another context has the same objects.
  func compare(with other: ManagedObjectContext) throws {
    for entity in context.model.entities where entity.parent == nil {
      for depth in [0, nil] {
        // A transformer of the case may fail on the way out.
        guard let ours = try? exportAll(entity.name, of: context, depth: depth) else { continue }
        let theirs = try exportAll(entity.name, of: other, depth: depth)
        #expect(
          CaseComparison.withoutOrder(theirs) == CaseComparison.withoutOrder(ours), place)
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
