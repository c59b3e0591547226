import Testing

@testable import Groot
@testable import GrootSQLite

/// A new link takes the place of an ended one with the same source.
struct ExchangedLinkTests {
  /// The links of the join of powers: keys, then positions.
  private static func links(_ store: SQLiteStore, _ join: Int) throws -> [[Int64]] {
    var found: [[Int64]] = []
    try store.readLinks(join) {
      found.append([$0.source, $0.target, $0.sourcePosition, $0.targetPosition])
    }
    return found.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func join(_ store: SQLiteStore) throws -> Int {
    try #require(store.schema.joins.firstIndex { $0.property == "powers" })
  }

  private static func link(_ source: Int64, _ target: Int64) -> StoreLink {
    StoreLink(source: source, target: target, sourcePosition: 9, targetPosition: 9)
  }

  @Test func aPlaceThatOthersTookIsReplaced() throws {
    let file = try StoreFile()
    let context = try Heroes.open(file).0
    try context.importJSON(
      #"[{"id": 1, "powers": ["a", "b"]}, {"id": 2, "powers": ["a", "c"]}, {"id": 3, "powers": []}]"#,
      into: "Hero")
    try context.save()
    let store = try Heroes.open(file).1
    let join = try Self.join(store)
    let before = try Self.links(store, join)
    #expect(before.count == 4)
    let (one, other) = (before[0], before[1])
    #expect(one[0] == other[0])
    let exchanged: [(old: StoreLink, new: StoreLink)] = [
      // The old link is there, and the new one is not.
      (Self.link(one[0], one[1]), Self.link(one[0], 3)),
      // The new link is there, too, and stays as it is.
      (Self.link(2, before[2][1]), Self.link(2, before[3][1])),
      // The old link is gone.
      (Self.link(3, 1), Self.link(3, 2)),
      // The new target is gone.
      (Self.link(other[0], other[1]), Self.link(other[0], 0)),
    ]
    try store.inTransaction {
      try store.exchangeLinks(join, count: exchanged.count) { exchanged[$0] }
    }
    #expect(
      try Self.links(store, join) == [[one[0], 3, 9, 9], before[3], [3, 2, 9, 9]])
  }

  @Test func changedListsAreTheSameInTheStore() throws {
    let file = try StoreFile()
    let mapping = try Heroes.mapping([
      "entities": ["Hero": ["relationships": ["powers": ["ordered": true]]]]
    ])
    var context = try Heroes.open(file, mapping).0
    let names = ["a", "b", "c", "d", "e", "f"]
    var random = SeededGenerator(seed: 7)
    for round in 0..<120 {
      var expected: [[String]] = []
      var records: [JSONValue] = []
      for id in 1...4 {
        let list = Array(names.shuffled(using: &random).prefix(random.below(5)))
        expected.append(list)
        records.append(["id": .integer(Int64(id)), "powers": .array(list.map { .string($0) })])
      }
      if round % 3 == 0 { context = try Heroes.open(file, mapping).0 }
      try context.importJSON(.text(JSONValue.array(records).description), into: "Hero")
      // Two imports before one save: links that end and begin again.
      if round % 5 == 0 {
        try context.importJSON(
          #"[{"id": 1, "powers": ["f"]}, {"id": 2, "powers": []}]"#, into: "Hero")
        try context.importJSON(.text(JSONValue.array(records).description), into: "Hero")
      }
      if round % 7 == 3 { try context.delete(context.hero(4).id) }
      try context.save()
      let (opened, store) = try Heroes.open(file, mapping)
      let count = round % 7 == 3 ? 3 : 4
      let found = try (1...count).map { id in
        try opened.hero(Int64(id)).members("powers").map { try $0["name"].stringValue ?? "" }
      }
      #expect(found == Array(expected.prefix(count)), "round \(round)")
      let total = expected.prefix(count).reduce(0) { $0 + $1.count }
      #expect(try Self.links(store, Self.join(store)).count == total, "round \(round)")
    }
  }
}
