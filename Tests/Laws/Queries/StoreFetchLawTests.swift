import Testing

@testable import Groot

/// The law of fetches on a store: whatever is saved or not, in memory or not, the answers are those
/// of a context in memory with the same objects.
struct StoreFetchLawTests {
  private static let entities = ["Node", "Node", "Leaf", "Bud", "Twig", "Tag", "Badge"]

  private func compare(_ pair: QueryPair, _ generated: inout GeneratedQuery, _ place: String) throws
  {
    let entity = generated.random.pick(Self.entities)
    let number = try pair.memory.model.index(of: entity)
    var request = FetchRequest(
      entity, where: try generated.predicate(number),
      sort: try generated.sortKeys(number), limit: generated.random.pick([nil, nil, 3]),
      offset: generated.random.pick([0, 0, 2]))
    let shown = "\(place): \(request)"
    switch generated.random.pick([0, 1, 2, 3]) {
    case 0:
      #expect(try pair.stored.count(request) == pair.memory.count(request), "\(shown)")
    case 1:
      let key = FetchRequest.SortKey(
        try generated.attributePath(number), isAscending: generated.random.pick([true, false]))
      request.sortKeys = []
      #expect(
        try pair.stored.distinct(key, request: request)
          == pair.memory.distinct(key, request: request),
        "\(shown), \(key)")
    case 2:
      let paths = try (0..<2).map { _ in try generated.attributePath(number) }
      let groups = generated.random.pick([[], [paths[0]]])
      let sum = generated.random.pick(["amount", "real", "short", "number"])
      var aggregates: NameMap<AggregateRequest.Aggregate> = [
        "n": .count, "has": .countOf(paths[1]),
      ]
      if !paths[1].hasSuffix("json") {
        aggregates["least"] = .minimum(paths[1])
        aggregates["most"] = .maximum(paths[1])
      }
      if ["Node", "Leaf", "Bud", "Twig"].contains(entity) {
        aggregates[" sum"] = .sum(sum)
        aggregates[" mean"] = .average(sum)
      }
      let aggregate = AggregateRequest(
        entity, aggregates: aggregates, by: groups, where: request.predicate)
      // A sum may not fit, in both.
      let answers = try [pair.stored, pair.memory].map { context -> [NameMap<Value>]? in
        do {
          return try context.aggregate(aggregate)
        } catch let error as GrootError where error.status == .outOfRange {
          return nil
        }
      }
      #expect(answers[0] == answers[1], "\(place): \(aggregate)")
    default: break
    }
    request.sortKeys = try generated.sortKeys(number)
    #expect(
      try QueryPair.numbers(pair.stored, request) == QueryPair.numbers(pair.memory, request),
      "\(shown)")
  }

  @Test(arguments: 0..<16, StoreKind.present)
  func fetchesAreThoseOfMemoryAtEveryStep(seed: Int, kind: StoreKind) throws {
    let pair = try QueryPair(kind)
    var driver = pair.driver(seed: seed)
    var generated = GeneratedQuery(pair.memory.model, seed: seed &* 31_337 &+ 7)
    // A refresh forgets what no store keeps.
    generated.asksTransient = false
    for _ in 0..<30 { try driver.insert() }
    for round in 0..<25 {
      switch generated.random.pick([0, 1, 2, 3, 4, 5]) {
      case 0: try pair.forget()
      case 1: try pair.save()
      case 2: for _ in 0..<3 { try driver.insert() }
      case 3: try driver.change()
      case 4: try driver.delete()
      default: try pair.forget()
      }
      for _ in 0..<6 { try compare(pair, &generated, "seed \(seed), round \(round)") }
      #expect(pair.stored.brokenInvariants() == [])
    }
  }

  /// A column reads what is missing at once.
  @Test(arguments: StoreKind.present) func columnsAreThoseOfMemory(kind: StoreKind) throws {
    let pair = try QueryPair(kind)
    var driver = pair.driver(seed: 4)
    for _ in 0..<300 { try driver.insert() }
    try pair.forget()
    let ids = try [pair.memory, pair.stored].map { try $0.fetchIDs(FetchRequest("Node")) }
    try pair.stored.refresh()
    let before = pair.store.statementCount
    for name in ["number", "text", "amount", "json"] {
      let columns = try [
        pair.memory.column(name, of: "Node", objects: ids[0]),
        pair.stored.column(name, of: "Node", objects: ids[1]),
      ]
      #expect(Array(columns[0].values) == Array(columns[1].values))
      #expect(columns[0].nullCount == columns[1].nullCount)
    }
    #expect(pair.store.statementCount - before < 12)
  }

  // MARK: Statements

  @Test func aQueryIsOneStatementAndReadsNoMoreThanItsObjects() throws {
    let pair = try QueryPair()
    var driver = pair.driver(seed: 1)
    for _ in 0..<200 { try driver.insert() }
    try pair.forget()
    func statements(_ body: () throws -> Void) rethrows -> Int {
      let before = pair.store.statementCount
      try body()
      return pair.store.statementCount - before
    }
    func rows() -> Int {
      let graph = pair.stored.graph
      return (graph.tableIndices).reduce(0) { sum, table in
        sum + (graph.tables[table].rows).count { !graph.isFault($0, in: table) }
      }
    }
    let predicate: JSONValue = ["home.text": ["!=": nil], "tags": ["any": ["text": "a"]]]
    #expect(rows() == 0)
    let request = FetchRequest("Node", where: predicate)
    #expect(try statements { _ = try pair.stored.count(request) } == 1)
    let aggregate = AggregateRequest(
      "Node", aggregates: ["n": .count, "sum": .sum("short")], by: ["text"], where: predicate)
    #expect(try statements { _ = try pair.stored.aggregate(aggregate) } == 1)
    #expect(
      try statements {
        _ = try pair.stored.distinct(FetchRequest.SortKey("text"), request: request)
      } == 1)
    #expect(rows() == 0)
    var found = 0
    let few = FetchRequest(
      "Node", where: ["tags": ["any": ["text": ["!=": nil]]]],
      sort: [.ascending("home.text")], limit: 5)
    // Besides the objects, which of those they lead to are there, and of which entity.
    #expect(try statements { found = try pair.stored.fetchIDs(few).count } < 5)
    #expect(found == 5)
    #expect(rows() == 5)
    // An unsaved object of the entity itself: one statement still.
    _ = try pair.stored.insert("Node")
    #expect(try statements { _ = try pair.stored.count(request) } <= 2)
    // An unsaved object that the predicate asks about: what is touched is read, table by table.
    _ = try pair.stored.insert("Tag")
    #expect(try statements { _ = try pair.stored.count(request) } < 20)
    let expected = try pair.memory.count(request)
    #expect(try pair.stored.count(request) == expected)
  }
}
