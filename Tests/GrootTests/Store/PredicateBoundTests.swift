import Testing

@testable import Groot

/// Each object is asked once for each condition, however many ways lead to it.
struct PredicateBoundTests {
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
  func nestedMembers(levels: Int) throws {
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

  @Test func membersAfterAToOne() throws {
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
  @Test func aLongTextAfterAToOne() throws {
    let context = try denseContext()
    let root = try #require(try context.fetch(FetchRequest("Node", limit: 1)).first)
    try root.set("text", to: .string(String(repeating: "ab", count: 1_000_000)))
    for operation in ["contains", "like", "beginsWith"] {
      let json = #"{"parent.text": {"\#(operation)": "*bb*"}}"#
      #expect(try ask(context, json).found == 0)
    }
    #expect(try ask(context, #"{"parent.text": {"contains": "ba"}}"#).found == Self.count - 1)
  }

  @Test func openSegmentsAreLimited() throws {
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
}
