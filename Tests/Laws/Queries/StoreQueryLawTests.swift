import Testing

@testable import Groot
@testable import GrootSQLite

/// The law of queries: a store answers them as a plain walk over the objects in memory does.
struct StoreQueryLawTests {
  /// A pair with generated objects, some of which were deleted.
  private struct Pair {
    private let pair: QueryPair
    var memory: ManagedObjectContext { pair.memory }
    var store: any PersistentStore { pair.store }

    init(seed: Int, in kind: StoreKind = .file) throws {
      pair = try QueryPair(kind)
      var driver = pair.driver(seed: seed)
      for _ in 0..<3 {
        for _ in 0..<25 { try driver.insert() }
        for _ in 0..<25 { try driver.change() }
        for _ in 0..<6 { try driver.delete() }
        for _ in 0..<5 { try driver.insert() }
        try pair.save()
      }
    }

    func query(_ request: FetchRequest) throws -> StoreQuery {
      let entity = try memory.model.index(of: request.entity)
      let order = try FetchOrder(request.sortKeys, of: entity, model: memory.model)
      return StoreQuery(
        memory.model.resolved[entity], predicate: try memory.predicate(of: request, entity),
        keys: order.keys,
        limit: request.limit, offset: request.offset)
    }

    /// The numbers and keys of the objects of a query; nil when the store cannot answer it.
    func objects(_ query: StoreQuery) throws -> [(number: Int64, key: Int64)]? {
      let columns = StoreSchema(memory.mapping).tables[query.table].columns
      let column = try #require(columns.firstIndex { $0.property == "number" })
      var found: [(number: Int64, key: Int64)] = []
      let isDone = try store.fetch(query) { found.append(($0.values[column].integer, $0.key)) }
      return isDone ? found : nil
    }

    func numbers(_ request: FetchRequest) throws -> [Int64] {
      try QueryPair.numbers(memory, request)
    }
  }

  /// Whether a query asks for what a store does not keep, or compares with what it cannot hold.
  private func isBeyond(_ shown: String, _ kind: StoreKind) -> Bool {
    shown.contains("passing")
      || (kind == .postgreSQL && ["\\u0000", "-010077"].contains { shown.contains($0) })
  }

  private let entities = ["Node", "Leaf", "Bud", "Twig", "Tag", "Badge"]

  @Test(arguments: 0..<12, StoreKind.present)
  func objectsAreThoseOfMemoryInTheSameOrder(seed: Int, kind: StoreKind) throws {
    let pair = try Pair(seed: seed, in: kind)
    var generated = GeneratedQuery(pair.memory.model, seed: seed &* 7919 &+ 1)
    var (found, refused) = (0, 0)
    for _ in 0..<150 {
      let entity = generated.random.pick(entities)
      let number = try pair.memory.model.index(of: entity)
      var request = FetchRequest(
        entity, where: try generated.predicate(number),
        sort: try generated.sortKeys(number))
      var query = try pair.query(request)
      let expected = try pair.numbers(request)
      let shown = "\(entity), \(request.predicate ?? nil), \(request.sortKeys)"
      guard let objects = try pair.objects(query) else {
        #expect(isBeyond(shown, kind))
        #expect(try pair.store.count(query) == nil)
        if shown.contains("passing") { refused += 1 }
        continue
      }
      #expect(objects.map(\.number) == expected, "\(shown)")
      #expect(try pair.store.count(query) == expected.count, "\(shown)")
      found += expected.count
      query.leftOut = objects.filter { $0.key % 3 == 0 }.map(\.key)
      #expect(
        try pair.objects(query)?.map(\.number)
          == objects.filter { $0.key % 3 != 0 }.map(\.number), "\(shown)")
      request.limit = generated.random.pick([nil, 0, 1, 3])
      request.offset = generated.random.pick([0, 1, 5])
      #expect(
        try pair.objects(pair.query(request))?.map(\.number)
          == Array(expected[request.range(in: expected.count)]), "\(shown)")
    }
    #expect(found > 500 && refused < 40)
  }

  @Test(arguments: 0..<8, StoreKind.present)
  func valuesAreThoseOfMemory(seed: Int, kind: StoreKind) throws {
    let pair = try Pair(seed: seed, in: kind)
    let (memory, graph) = (pair.memory, pair.memory.graph)
    var generated = GeneratedQuery(memory.model, seed: seed &* 104_729 &+ 1)
    for _ in 0..<60 {
      let entity = generated.random.pick(entities)
      let number = try memory.model.index(of: entity)
      let key = FetchRequest.SortKey(
        try generated.attributePath(number), isAscending: generated.random.pick([true, false]))
      let keys = try [key] + generated.sortKeys(number)
      var request = FetchRequest(
        entity, where: try generated.predicate(number), sort: keys)
      let order = try FetchOrder(keys, of: number, model: memory.model)
      func values(_ query: StoreQuery, isDistinct: Bool, _ keys: [FetchOrder.Key]) throws
        -> [[Value]]?
      {
        var lines: [[Value]] = []
        let isDone = try pair.store.select(query, paths: keys.map(\.path), isDistinct: isDistinct) {
          line in
          lines.append(
            zip(line, keys).map { Value($0.withoutNegativeZero($1.type), as: $1.type) })
        }
        return isDone ? lines : nil
      }
      let shown = "\(entity), \(request.predicate ?? nil), \(keys)"
      guard let lines = try values(pair.query(request), isDistinct: false, order.keys) else {
        #expect(isBeyond(shown, kind))
        continue
      }
      let rows = try memory.fetchIDs(request).map(\.row)
      let table = ValueTable(
        rows, table: memory.model.resolved[number].hierarchy, paths: order.keys.map(\.path),
        graph: graph)
      let expected = rows.indices.map { line in
        order.keys.enumerated().map { column, key in
          Value(
            table[UInt32(line), column].withoutNegativeZero(key.type), as: key.type)
        }
      }
      #expect(lines == expected, "\(shown)")
      request.sortKeys = []
      request.limit = generated.random.pick([nil, 2])
      request.offset = generated.random.pick([0, 1])
      var query = try pair.query(request)
      query.order = try pair.query(FetchRequest(entity, sort: [key])).order
      #expect(
        try values(query, isDistinct: true, [order.keys[0]])
          == memory.distinct(key, request: request).map { [$0] }, "\(shown)")
    }
  }

  // MARK: Limits

  /// A query too large for SQLite is not answered, and is not a failure.
  @Test func tooLargeQueriesAreLeftToMemory() throws {
    let pair = try Pair(seed: 3)
    func answer(_ predicate: JSONValue, isCompared: Bool = true) throws -> Bool {
      let request = FetchRequest("Node", where: predicate)
      guard let objects = try pair.objects(pair.query(request)) else { return false }
      if isCompared { #expect(try objects.map(\.number) == pair.numbers(request)) }
      return true
    }
    func many(_ count: Int) -> [JSONValue] { (0..<count).map { .integer(Int64($0)) } }
    #expect(try answer(["number": ["in": .array(many(30_000))]]))
    #expect(try !answer(["number": ["in": .array(many(40_000))]]))
    for list in ["or", "and"] {
      #expect(try answer([list: .array(many(900).map { ["number": $0] })]))
      #expect(try !answer([list: .array(many(1_100).map { ["number": $0] })]))
    }
    var answered = 0
    for depth in [1, 2, 3, 4, 6, 8, 12, 16, 20, 25, 31] {
      for form in 0..<6 {
        var predicate: JSONValue = ["number": [">": 3]]
        for level in 0..<depth {
          let parts: JSONValue = [predicate, ["short": 1]]
          switch form == 5 ? level % 4 : form {
          case 0: predicate = ["not": predicate]
          case 1: predicate = [level % 2 == 0 ? "and" : "or": parts]
          case 2: predicate = ["children": ["any": predicate]]
          case 3: predicate = ["friends": ["all": predicate]]
          default: predicate = ["tags": ["none": ["nodes": ["any": predicate]]]]
          }
        }
        // In memory many members of members take long.
        if try answer(predicate, isCompared: depth < 5 || form < 3) { answered += 1 }
      }
    }
    #expect(answered > 30)
    // Each path needs tables of its own.
    for count in [5, 49, 70] {
      let paths = (0..<count).map { number -> JSONValue in
        let steps = ["parent", "spouse"]
        let path = (0..<7).map { steps[number >> $0 & 1] }.joined(separator: ".")
        return [path + ".number": ["!=": 5]]
      }
      _ = try answer(["or": .array(paths)])
    }
  }
}
