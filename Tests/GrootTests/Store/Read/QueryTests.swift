import Testing

@testable import Groot

/// Objects are asked for: what a request may say, how often each object is asked, and text patterns.
struct QueryTests {
  // MARK: Requests

  @Test func aConditionWithAValueOfAnotherTypeIsRefused() throws {
    let context = try Generated.context()
    try context.importJSON(#"[{"key": 1, "name": "Ada"}, {"key": 2}]"#, into: "Person")
    #expect(try context.fetch(FetchRequest("Person", where: ["name": "Ada"])).count == 1)
    #expect(try context.fetch(FetchRequest("Person", where: ["name": .null])).count == 1)
    let error = #expect(throws: GrootError.self) {
      try context.fetch(FetchRequest("Person", where: ["name": 5]))
    }
    #expect(error?.status == .wrongType)
    #expect(error?.issues.first?.path == "$.where.name")
    #expect(error?.issues.first?.property == "name")
  }

  @Test func distinctValuesRefuseARequestWithASort() throws {
    let context = try Generated.context()
    try context.importJSON(#"[{"key": 1}, {"key": 2}]"#, into: "Person")
    let request = FetchRequest("Person", sort: [.ascending("name")])
    let error = #expect(throws: GrootError.self) {
      try context.distinct(FetchRequest.SortKey("key"), request: request)
    }
    #expect(error?.status == .invalidArgument)
    #expect(error?.issues.first?.path == "$.sort")
  }

  // MARK: Each object is asked once for each condition

  private static let count = 24

  /// Nodes that are all friends of each other and share all tags; one tag is called "x".
  private func denseContext() throws -> ManagedObjectContext {
    let context = ManagedObjectContext(mapping: try QueryModel.mapping())
    let nodes = try (0..<Self.count).map { _ in try context.insert("Node") }
    let tags = try (0..<Self.count).map { number in
      let tag = try context.insert("Tag")
      try tag.set("text", to: .string(number == 0 ? "x" : "y"))
      return tag
    }
    for (number, node) in nodes.enumerated() {
      try node.set("number", to: .integer(Int64(number)))
      try node.set("friends", to: nodes)
      try node.set("tags", to: tags)
      if number > 0 { try node.set("parent", to: nodes[0]) }
    }
    return context
  }

  private func ask(
    _ context: ManagedObjectContext, _ json: String
  ) throws -> (found: Int, asked: Int) {
    let predicate = try PredicateReader(model: context.model).read(
      JSONValue(parsing: json), entity: 0, at: "$")
    let program = PredicateProgram(predicate, graph: context.graph)
    let rows = (context.graph.tables[0].rows).filter { program.holds($0, in: 0) }
    return (rows.count, program.askedCount)
  }

  /// The number of ways is 24 to the power of the levels.
  @Test(arguments: [1, 2, 8, 60])
  func nestedConditionsOnMembersAskEachObjectOncePerLevel(levels: Int) throws {
    let context = try denseContext()
    for (leaf, found) in [
      (#"{"number": -1}"#, 0), (#"{"tags": {"any": {"text": "z"}}}"#, 0),
      (#"{"tags": {"any": {"text": {"like": "*x*"}}}}"#, Self.count),
      (#"{"tags": {"none": {"text": "x"}}}"#, 0),
    ] {
      var json = leaf
      for _ in 0..<levels { json = #"{"friends": {"any": \#(json)}}"# }
      let answer = try ask(context, json)
      #expect(answer.found == found)
      // A step for each node on each level, and those below it once more.
      #expect(answer.asked <= (levels + 4) * Self.count * 2)
    }
  }

  @Test func membersOfASharedTargetAreAskedOnce() throws {
    let context = try denseContext()
    // All nodes but one have the same parent, whose members are looked through once.
    let answer = try ask(context, #"{"parent.children": {"any": {"number": -1}}}"#)
    #expect(answer.found == 0)
    #expect(answer.asked <= Self.count * 2)
    let other = try ask(
      context, #"{"parent.tags": {"all": {"nodes": {"any": {"number": 3}}}}}"#)
    #expect(other.found == Self.count)
    #expect(other.asked <= Self.count * 6)
  }

  /// The text of one parent is not searched for each of its children.
  @Test func aLongTextOfASharedTargetIsSearchedOnce() throws {
    let context = try denseContext()
    let root = try #require(try context.fetch(FetchRequest("Node", limit: 1)).first)
    try root.set("text", to: .string(String(repeating: "ab", count: 1_000_000)))
    for operation in ["contains", "like", "beginsWith"] {
      let json = #"{"parent.text": {"\#(operation)": "*bb*"}}"#
      #expect(try ask(context, json).found == 0)
    }
    #expect(try ask(context, #"{"parent.text": {"contains": "ba"}}"#).found == Self.count - 1)
  }

  @Test func aLongPatternOfWildcardsBetweenStarsIsRefused() throws {
    let context = try denseContext()
    let long = String(repeating: "a?", count: 200)
    for (pattern, isTaken) in [("*\(long)*", false), (long, true), ("\(long)*", true)] {
      do {
        _ = try ask(context, #"{"text": {"like": "\#(pattern)"}}"#)
        #expect(isTaken)
      } catch let error as GrootError {
        #expect(!isTaken && error.status == .limitExceeded && error.issues[0].path == "$.text.like")
      }
    }
  }

  // MARK: Text patterns

  private func holds(
    _ match: TextMatch, _ pattern: String, _ text: String, ignoresCase: Bool = false
  ) -> Bool {
    var (pattern, text) = (pattern, text)
    let compiled = pattern.withUTF8 { TextPattern(match, text: $0, ignoresCase: ignoresCase) }
    return text.withUTF8 { compiled.holds($0) }
  }

  /// By trying every way; characters are Unicode scalars.
  private static func naively(
    _ match: TextMatch, _ pattern: [Unicode.Scalar], _ text: [Unicode.Scalar]
  ) -> Bool {
    switch match {
    case .beginsWith: return text.starts(with: pattern)
    case .endsWith: return text.reversed().starts(with: pattern.reversed())
    case .contains: return (0...text.count).contains { text[$0...].starts(with: pattern) }
    case .like: return isLike(pattern[...], text[...])
    }
  }

  private static func isLike(
    _ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let next = pattern.first else { return text.isEmpty }
    if next == "*" {
      return isLike(pattern.dropFirst(), text)
        || (!text.isEmpty && isLike(pattern, text.dropFirst()))
    }
    guard let first = text.first else { return false }
    if next == "?" { return isLike(pattern.dropFirst(), text.dropFirst()) }
    let rest = next == "\\" && pattern.count > 1 ? pattern.dropFirst() : pattern
    return rest.first == first && isLike(rest.dropFirst(), text.dropFirst())
  }

  private func random(
    _ letters: [Unicode.Scalar], _ count: Int, _ random: inout SeededGenerator
  ) -> [Unicode.Scalar] {
    (0..<Int.random(in: 0...count, using: &random)).map { _ in
      letters[Int.random(in: 0..<letters.count, using: &random)]
    }
  }

  private func text(_ scalars: [Unicode.Scalar]) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  @Test(arguments: 1...8)
  func aPatternMatchesWhereTryingEveryWayDoes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var counts = [true: 0, false: 0]
    for _ in 0..<2_500 {
      let match = TextMatch.allCases[Int.random(in: 0..<4, using: &generator)]
      let subject = random(["a", "a", "b", "é", "🦇"], 14, &generator)
      let letters: [Unicode.Scalar] =
        match == .like ? ["a", "a", "b", "é", "*", "*", "?", "\\"] : ["a", "a", "b", "é", "*"]
      let pattern = random(letters, match == .like ? 9 : 5, &generator)
      let expected = Self.naively(match, pattern, subject)
      counts[expected, default: 0] += 1
      let found = holds(match, text(pattern), text(subject))
      #expect(found == expected, "\(match) \(text(pattern)) in \(text(subject))")
      // Upper and lower case of A to Z are alike, and nothing else is.
      let loud = text(subject).map { $0.isASCII ? $0.uppercased() : String($0) }.joined()
      #expect(
        holds(match, text(pattern), loud, ignoresCase: true) == expected,
        "\(match) \(text(pattern)) in \(loud)")
    }
    #expect(counts.values.allSatisfy { $0 > 400 })
  }

  /// Texts that repeat and almost match everywhere; a search from each position would take hours.
  @Test func repetitionsAreSearchedInLinearTime() {
    let count = 200_000
    let letters = String(repeating: "a", count: count)
    let pairs = String(repeating: "ab", count: count / 2)
    let half = String(repeating: "a", count: count / 2)
    for ignoresCase in [false, true] {
      #expect(!holds(.contains, half + "b", letters, ignoresCase: ignoresCase))
      #expect(!holds(.contains, "b" + half, letters, ignoresCase: ignoresCase))
      #expect(holds(.contains, half, letters, ignoresCase: ignoresCase))
      #expect(holds(.contains, half + "b", letters + "b", ignoresCase: ignoresCase))
      let middle = String(repeating: "ab", count: count / 8)
      #expect(!holds(.contains, middle + "bb" + middle, pairs, ignoresCase: ignoresCase))
      #expect(!holds(.like, "*\(half)b*\(half)*", letters + letters, ignoresCase: ignoresCase))
      let many = String(repeating: "a*", count: count / 4)
      #expect(!holds(.like, "*\(many)b*c", letters, ignoresCase: ignoresCase))
      #expect(holds(.like, "*\(many)a", letters, ignoresCase: ignoresCase))
      #expect(!holds(.like, "*a?a?a?a?b?*", letters, ignoresCase: ignoresCase))
    }
  }

  @Test func emptyPatternsStarsAndNulsMatchByTheRules() {
    for text in ["", "a", "é"] {
      #expect(holds(.contains, "", text) && holds(.beginsWith, "", text))
      #expect(holds(.endsWith, "", text) && holds(.like, "*", text) && holds(.like, "**", text))
      #expect(holds(.like, "", text) == text.isEmpty)
      #expect(holds(.like, "?", text) == !text.isEmpty)
    }
    #expect(holds(.contains, "a\0b", "xa\0by") && !holds(.contains, "a\0c", "xa\0by"))
  }

  @Test func aMissingTextMatchesLikeAnEmptyOne() {
    for match in TextMatch.allCases {
      for pattern in ["", "*", "**", "?", "a", "*a*"] {
        var pattern = pattern
        let compiled = pattern.withUTF8 { TextPattern(match, text: $0, ignoresCase: false) }
        #expect(
          compiled.holds(UnsafeBufferPointer(start: nil, count: 0)) == holds(match, pattern, ""),
          "\(match) \(pattern)")
      }
    }
  }
}
