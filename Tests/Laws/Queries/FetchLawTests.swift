import Testing

@testable import Groot

/// Laws of fetches over generated objects: the same answers as a plain evaluation gives.
struct FetchLawTests {
  private func everyone(_ seed: Int) throws -> (ManagedObjectContext, [ManagedObject]) {
    let context = try Generated.context()
    var random = SeededGenerator(seed: seed)
    try context.importJSON(.value(Generated.people(25, &random)), into: "Person")
    return (context, try context.fetch(FetchRequest("Person")))
  }

  @Test(arguments: 0..<16)
  func fetchesAreThoseOfAPlainEvaluation(seed: Int) throws {
    let (context, everyone) = try everyone(seed)
    let naive = NaivePredicate(context: context)
    var generated = GeneratedRequest(seed: seed &* 7919)
    var found = 0
    for _ in 0..<60 {
      let predicate = generated.predicate()
      let keys = generated.sortKeys()
      var expected = try everyone.filter { try naive.holds(predicate, $0) }
      expected = try sorted(expected, keys)
      let request = FetchRequest("Person", where: predicate, sort: keys)
      #expect(try context.fetch(request) == expected, "\(predicate), \(keys)")
      #expect(try context.count(request) == expected.count)
      found += expected.count
      let part = FetchRequest(
        "Person", where: predicate, sort: keys, limit: 3, offset: 1)
      #expect(try context.fetch(part) == Array(expected.dropFirst().prefix(3)))
    }
    #expect(found > 100)
  }

  /// A stable insertion sort by what programs can read.
  private func sorted(
    _ objects: [ManagedObject], _ keys: [FetchRequest.SortKey]
  ) throws -> [ManagedObject] {
    var result: [ManagedObject] = []
    for object in objects {
      let place = try result.firstIndex { try comesBefore(object, $0, keys) }
      result.insert(object, at: place ?? result.count)
    }
    return result
  }

  private func comesBefore(
    _ left: ManagedObject, _ right: ManagedObject, _ keys: [FetchRequest.SortKey]
  ) throws -> Bool {
    for key in keys {
      let order = NaivePredicate.order(try value(key, left), try value(key, right))
      if order != 0 { return key.isAscending == (order < 0) }
    }
    return false
  }

  private func value(_ key: FetchRequest.SortKey, _ object: ManagedObject) throws -> Value {
    let (end, last) = try NaivePredicate.follow(key.attribute, object)
    return try end?[last] ?? .null
  }

  @Test(arguments: 0..<10)
  func groupsAndDistinctValuesAreThoseOfAPlainCount(seed: Int) throws {
    let (context, everyone) = try everyone(seed)
    for path in ["name", "active", "parent.name", "employer.title", "wealth"] {
      let key = FetchRequest.SortKey(path)
      var numbers: [Value: Int64] = [:]
      var heights: [Value: [Double]] = [:]
      for object in everyone {
        let group = try value(key, object)
        numbers[group, default: 0] += 1
        if let height = try object["height"].realValue {
          heights[group, default: []].append(height)
        }
      }
      let order = numbers.keys.sorted { NaivePredicate.order($0, $1) < 0 }
      #expect(try context.distinct(key, request: FetchRequest("Person")) == order)
      let request = AggregateRequest(
        "Person", aggregates: ["n": .count, "least": .minimum("height"), "all": .sum("height")],
        by: [path])
      let rows = try context.aggregate(request)
      #expect(rows.map { $0[path] } == order)
      for (row, group) in zip(rows, order) {
        #expect(row["n"] == .integer(numbers[group] ?? 0))
        #expect(row["least"] == (heights[group]?.min()).map(Value.real) ?? .null)
        // Exact sums do not depend on the order; sums that round at each step nearly do not.
        let sum = (heights[group] ?? []).reduce(0, +)
        #expect(abs((row["all"]?.realValue ?? -1) - sum) < 1e-9)
      }
    }
  }

  @Test func sumsOfRealsAreRoundedOnce() {
    var random = SeededGenerator(seed: 5)
    func sum(_ numbers: [Double]) -> Double? {
      var sum = ExactSum()
      for number in numbers { sum.add(number) }
      return sum.rounded
    }
    #expect(sum([]) == 0)
    #expect(sum([0.1, 0.2, -0.3]) == 2.7755575615628914e-17)
    #expect(sum([1e308, -1e308, 1]) == 1)
    #expect(sum([1, 1e100, 1, -1e100]) == 2)
    // Half a unit in the last place and a little more: rounded up, where two steps would not.
    #expect(sum([1, 0x1p-53, 0x1p-106]) == 1 + 0x1p-52)
    #expect(sum([1e308, 1e308]) == nil)
    for _ in 0..<200 {
      let numbers = (0..<20).map { _ in
        Double.random(in: -1...1, using: &random)
          * [1e-20, 1, 1e20][random.below(3)]
      }
      #expect(sum(numbers) == sum(numbers.shuffled(using: &random)))
    }
  }

  @Test func sumsOfDecimalsAreExact() throws {
    func decimal(_ text: String) throws -> DecimalNumber { try #require(DecimalNumber(text)) }
    for (left, right, sum) in [
      ("0.1", "0.2", "0.3"), ("1e20", "1e-17", "100000000000000000000.00000000000000001"),
      ("5", "-5", "0"), ("-1.5", "1", "-0.5"), ("0", "7.25", "7.25"),
      ("99999999999999999999999999999999999999", "-1", "99999999999999999999999999999999999998"),
    ] {
      #expect(try decimal(left).adding(decimal(right)) == decimal(sum))
      #expect(try decimal(right).adding(decimal(left)) == decimal(sum))
    }
    let largest = try decimal("99999999999999999999999999999999999999")
    #expect(largest.adding(DecimalNumber(1)) == DecimalNumber(coefficient: 1, exponent: 38))
    #expect(largest.adding(DecimalNumber(2)) == nil)
    #expect(try decimal("1e30").adding(decimal("1e-30")) == nil)
    #expect(try decimal("1e6000").adding(decimal("1e-6000")) == nil)
  }
}
