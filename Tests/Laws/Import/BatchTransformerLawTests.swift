import Testing

@testable import Groot

/// Functions that get many values in one call, against the same functions for one value.
///
/// Both must make the same graph, the same report and the same errors, for right and wrong records.
struct BatchTransformerLawTests {
  private static let document = """
    {"entities": {
      "Node": {"userInfo": {"identityAttributes": "id"},
        "attributes": {
          "id": {"type": "integer64",
            "userInfo": {"JSONKeyPath": "id", "JSONTransformerName": "Number"}},
          "size": {"type": "integer64", "optional": true, "max": 57,
            "userInfo": {"JSONKeyPath": "form.size", "JSONTransformerName": "Number"}},
          "any": {"type": "transformable", "optional": true,
            "userInfo": {"JSONKeyPath": "any", "JSONTransformerName": "Any"}}},
        "relationships": {
          "parent": {"destination": "Node", "inverse": "children", "optional": true,
            "userInfo": {"JSONKeyPath": "parent"}},
          "children": {"destination": "Node", "toMany": true, "inverse": "parent",
            "optional": true, "userInfo": {"JSONKeyPath": "children"}}}}}}
    """

  /// The text of a number becomes the number, an empty one nothing; others fail or are of a wrong type.
  private static func number(_ value: JSONValue) throws -> JSONValue? {
    guard case .string(let text) = value else { return value }
    if text.isEmpty { return nil }
    guard let number = Int64(text) else {
      throw GrootError(.outOfRange, "'\(text)' is not a number")
    }
    return .integer(number)
  }

  private static func wrapped(_ value: JSONValue) -> JSONValue? { ["was": value] }

  /// A number becomes its text; one of some sizes fails.
  private static func text(_ value: JSONValue) throws -> JSONValue? {
    if value == 39 { throw GrootError(.outOfRange, "39 is not written") }
    return value == 7 ? nil : .string("\(value)")
  }

  private static func mapping(
    isBatch: Bool, calls: Calls? = nil, reverseCalls: Calls? = nil
  ) throws -> Mapping {
    var registry = TransformerRegistry()
    if isBatch {
      registry.setBatchTransformer(
        "Number",
        reverse: { values in
          reverseCalls?.note(values.count)
          return try values.map { try text($0) }
        },
        forward: { values in
          calls?.note(values.count)
          return try values.map { try number($0) }
        })
      registry.setBatchTransformer("Any") { values in values.map { wrapped($0) } }
    } else {
      registry.setTransformer("Number", reverse: { try text($0) }, forward: { try number($0) })
      registry.setTransformer("Any") { wrapped($0) }
    }
    return try Mapping(model: ManagedObjectModel(document: document), registry: registry)
  }

  /// The calls of a function; only one thread uses it.
  private final class Calls: @unchecked Sendable {
    private(set) var count = 0
    private(set) var values = 0

    func note(_ count: Int) {
      self.count += 1
      values += count
    }
  }

  // MARK: Feeds

  private static func value(_ random: inout SeededGenerator) -> String {
    [
      "1", "1.5", "1.50", "0.1234567890123456789", "12345678901234567890", "true", "null",
      "\"x\"", "\"\\u00e4\"", "[]", "[1, {\"a\": [2.0]}]", "{\"a\": 1, \"a\": 2}", "\"\"",
    ].randomElement(using: &random) ?? "1"
  }

  private static func identifier(_ random: inout SeededGenerator, wrong: Int) -> String {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<wrong:
      return ["\"no\"", "\"\"", "true", "[1]", "2.5"].randomElement(using: &random) ?? ""
    case 60...: return "\(Int.random(in: 0..<60, using: &random))"
    default: return "\"\(Int.random(in: 0..<60, using: &random))\""
    }
  }

  private static func record(_ random: inout SeededGenerator, depth: Int, wrong: Int) -> String {
    var members = ["\"id\": \(identifier(&random, wrong: wrong))"]
    if Bool.random(using: &random) {
      members.append("\"form\": {\"size\": \(identifier(&random, wrong: wrong))}")
    }
    if Bool.random(using: &random) { members.append("\"any\": \(value(&random))") }
    func other() -> String {
      depth > 0 && Bool.random(using: &random)
        ? record(&random, depth: depth - 1, wrong: wrong) : identifier(&random, wrong: wrong)
    }
    if Int.random(in: 0..<3, using: &random) == 0 { members.append("\"parent\": \(other())") }
    if Int.random(in: 0..<3, using: &random) == 0 {
      members.append("\"children\": [\(other()), \(other())]")
    }
    return "{\(members.joined(separator: ", "))}"
  }

  private static func feed(_ count: Int, _ random: inout SeededGenerator, wrong: Int) -> String {
    let records = (0..<count).map { _ in record(&random, depth: 2, wrong: wrong) }
    return "[\(records.joined(separator: ",\n"))]"
  }

  // MARK: Laws

  private func streamed(
    _ text: String, into context: ManagedObjectContext, _ options: ImportOptions
  ) throws -> ImportResult {
    let stream = try context.beginImport(into: "Node", options: options)
    for (number, line) in text.split(separator: "\n").enumerated() {
      try stream.write(number == 0 ? String(line) : "\n" + line)
    }
    return try stream.finish()
  }

  @Test(arguments: 0..<12)
  func manyValuesHaveTheOutcomeOfSingleOnes(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(81_000 + seed))
    let batch = ManagedObjectContext(mapping: try Self.mapping(isBatch: true))
    let single = ManagedObjectContext(mapping: try Self.mapping(isBatch: false))
    for round in 0..<12 {
      var options = ImportOptions()
      options.errorMode = [.abort, .collect, .skip][round % 3]
      options.maximumIssues = 1_000
      options.usesScanner = Bool.random(using: &random)
      options.isDryRun = round % 5 == 0
      options.listsAccess = round % 4 == 0
      let feed = Self.feed([1, 9, 40, 600][round % 4], &random, wrong: [0, 2, 20][seed % 3])
      let expected = outcome(single) {
        try single.importJSON(.text(feed), into: "Node", options: options)
      }
      let found = outcome(batch) {
        try round % 2 == 0
          ? batch.importJSON(.text(feed), into: "Node", options: options)
          : streamed(feed, into: batch, options)
      }
      #expect(found == expected, "seed \(seed), round \(round)")
      #expect(batch.brokenInvariants().isEmpty)
    }
    let orders: [[FetchRequest.SortKey]] = [
      [], [.descending("id")], [.ascending("size"), .ascending("id")],
    ]
    for sort in orders {
      let all = FetchRequest("Node", sort: sort)
      #expect(try exported(batch, all) == exported(single, all), "seed \(seed), \(sort)")
    }
  }

  /// The text of some objects, or the errors of its export; first of the objects before a wrong one.
  private func exported(
    _ context: ManagedObjectContext, _ request: FetchRequest
  ) throws -> [String] {
    let objects = try context.fetch(request)
    return [objects.prefix(20), objects.prefix(200), objects[...]].map { some in
      do {
        return try context.exportText(Array(some))
      } catch let error as GrootError {
        return "\(error.issues.map(\.json))"
      } catch {
        return "\(error)"
      }
    }
  }

  @Test func objectsInOrderHaveFewReverseCalls() throws {
    let calls = Calls()
    let context = ManagedObjectContext(
      mapping: try Self.mapping(isBatch: true, reverseCalls: calls))
    let feed = "[" + (1_000..<6_000).map { "{\"id\": \"\($0)\"}" }.joined(separator: ",") + "]"
    let objects = try context.importText(feed, into: "Node")
    let text = try context.exportText(objects)
    #expect(text.contains("\"id\":\"5999\""))
    // 1, 2, 4, up to 256 rows, then 512 at a time.
    #expect(calls.count <= 10 + 5_000 / 512)
    #expect(calls.values <= 5_000 + 512)
  }

  @Test func manyValuesHaveFewCalls() throws {
    var random = SeededGenerator(seed: 81_500)
    let calls = Calls()
    let context = ManagedObjectContext(mapping: try Self.mapping(isBatch: true, calls: calls))
    let feed = Self.feed(5_000, &random, wrong: 0)
    var options = ImportOptions()
    options.errorMode = .skip
    options.maximumIssues = 10_000
    try context.importJSON(.text(feed), into: "Node", options: options)
    #expect(calls.count == 10)
    // Each call has at most the different identifiers: as numbers, and as texts.
    #expect(calls.values <= 10 * 120)
  }

  @Test func functionsOfOneValueNeedNoSecondReading() throws {
    let context = ManagedObjectContext(mapping: try Self.mapping(isBatch: false))
    try JSONInput.text("[]").open(ImportOptions(), context.graph.memory) { input in
      var transaction = try ImportTransaction(
        context.work, elements: input.elements(), options: ImportOptions())
      try transaction.takeRecords(of: context.mapping.plan(of: "Node"))
      #expect(try !transaction.readAhead(in: input.elements(), limit: .max))
      transaction.rollBack()
    }
  }

  @Test func resultsCountForTheLimitsOfARecord() throws {
    var registry = TransformerRegistry()
    let large = JSONValue.array((0..<50_000).map { .integer($0) })
    registry.setBatchTransformer("Number") { try $0.map(Self.number) }
    registry.setBatchTransformer("Any") { $0.map { _ in large } }
    let context = ManagedObjectContext(
      mapping: try Mapping(
        model: ManagedObjectModel(document: Self.document), registry: registry))
    try JSONInput.text("[{\"id\": \"1\", \"any\": 1}]").open(
      ImportOptions(), context.graph.memory
    ) { input in
      var transaction = try ImportTransaction(
        context.work, elements: input.elements(), options: ImportOptions())
      defer { transaction.rollBack() }
      try transaction.takeRecords(of: context.mapping.plan(of: "Node"))
      try transaction.readAhead(in: input)
      transaction.importer.matcher.values.callbacks.synthesizedLimit = 1_000
      let error = #expect(throws: GrootError.self) { try transaction.importElements() }
      #expect(error?.status == .limitExceeded)
      #expect(error?.issues.first?.path == "$[0].any")
    }
  }

  @Test func valuesAndResultsTakeTheMemoryOfTheContext() throws {
    let text = String(repeating: "x", count: 4_000)
    let records = (0..<500).map { "{\"id\": \"\($0)\", \"any\": \"\(text)\($0)\"}" }
    let feed = "[\(records.joined(separator: ","))]"
    let context = ManagedObjectContext(mapping: try Self.mapping(isBatch: true))
    context.memoryLimit = 1 << 20
    let error = #expect(throws: GrootError.self) { try context.importText(feed, into: "Node") }
    #expect(error?.status == .limitExceeded)
    #expect(try context.count(FetchRequest("Node")) == 0)
    context.memoryLimit = nil
    #expect(try context.importText(feed, into: "Node").count == 500)
  }

  @Test func aFunctionThatCancelsEndsTheImport() throws {
    let cancellation = Holder()
    var registry = TransformerRegistry()
    registry.setBatchTransformer("Number") {
      cancellation.value?.cancel()
      return try $0.map(Self.number)
    }
    registry.setBatchTransformer("Any") { $0 }
    let context = ManagedObjectContext(
      mapping: try Mapping(
        model: ManagedObjectModel(document: Self.document), registry: registry))
    cancellation.value = context.cancellation
    let error = #expect(throws: GrootError.self) {
      try context.importText("[{\"id\": \"1\"}, {\"id\": \"2\"}]", into: "Node")
    }
    #expect(error?.status == .cancelled)
    #expect(try context.count(FetchRequest("Node")) == 0)
  }

  /// The cancellation of a context that is made after the function; only one thread uses it.
  private final class Holder: @unchecked Sendable {
    var value: Cancellation?
  }

  @Test func aWrongLengthIsRefused() throws {
    var registry = TransformerRegistry()
    registry.setBatchTransformer("Number") { $0 + $0 }
    registry.setBatchTransformer("Any") { $0 }
    let context = ManagedObjectContext(
      mapping: try Mapping(
        model: ManagedObjectModel(document: Self.document), registry: registry))
    let error = #expect(throws: GrootError.self) {
      try context.importText("[{\"id\": \"1\"}, {\"id\": \"2\"}]", into: "Node")
    }
    #expect(error?.status == .callbackFailed)
    let issue = error?.issues.first
    #expect(issue?.path == "$[0].id")
    #expect(issue?.message.contains("an array of 2 for an array of 1") == true)
  }
}
