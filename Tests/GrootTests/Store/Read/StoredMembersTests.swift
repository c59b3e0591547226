import Testing

@testable import Groot
@testable import GrootSQLite

/// An import compares lists with those of its store, and links only the lists that it changes.
struct StoredMembersTests {
  private static let feed = """
    [{"id": 1, "powers": ["flight", "speed", "magic"]}, {"id": 2, "powers": ["magic", "flight"]},
     {"id": 3, "powers": []}, {"id": 4, "name": "D"}]
    """

  /// The feed so long that a store is read as a whole before it.
  private static func long(_ feed: String) -> JSONInput {
    .text(feed + String(repeating: " ", count: 10_000))
  }

  private static func powers(_ context: ManagedObjectContext, of id: Int64) throws -> [String] {
    try context.hero(id).members("powers").map { try $0["name"].stringValue ?? "" }
  }

  /// The number of links in the graph, whatever the relationship.
  private static func linkCount(_ context: ManagedObjectContext) -> Int {
    let graph = context.graph
    return graph.linkIndices.reduce(0) { $0 + graph.linkTables[$1].nodes.count }
  }

  /// A store with the feed, opened anew.
  private static func opened(_ file: StoreFile, _ document: JSONValue = [:]) throws
    -> ManagedObjectContext
  {
    let (first, _) = try Heroes.open(file, Heroes.mapping(document))
    try first.importJSON(.text(feed), into: "Hero")
    try first.save()
    return try Heroes.open(file, Heroes.mapping(document)).0
  }

  @Test func unchangedListsAreNotLinked() throws {
    let file = try StoreFile()
    let context = try Self.opened(file)
    for _ in 0..<2 {
      let report = try context.importJSON(Self.long(Self.feed), into: "Hero").report
      #expect((report.unchanged, report.updated) == (4, 0))
      #expect(Self.linkCount(context) == 0)
      try context.save()
    }
    #expect(try Self.powers(context, of: 1) == ["flight", "speed", "magic"])
    #expect(try Self.powers(context, of: 2) == ["magic", "flight"])
    #expect(try Self.powers(context, of: 3) == [])
  }

  @Test func onlyChangedListsAreLinked() throws {
    let file = try StoreFile()
    let context = try Self.opened(file)
    let changed =
      #"[{"id": 1, "powers": ["flight", "speed", "magic"]}, {"id": 2, "powers": ["speed"]}]"#
    let report = try context.importJSON(Self.long(changed), into: "Hero").report
    // The hero, and the powers whose heroes change.
    #expect(report.updated == 4)
    #expect(Self.linkCount(context) == 3)
    try context.save()
    let reopened = try Heroes.open(file).0
    #expect(try Self.powers(reopened, of: 1) == ["flight", "speed", "magic"])
    #expect(try Self.powers(reopened, of: 2) == ["speed"])
  }

  /// The lists of the side that is declared second are compared too.
  @Test func listsOfTheSecondSideAreCompared() throws {
    let file = try StoreFile()
    let patch: JSONValue = [
      "entities": [
        "Hero": ["relationships": ["powers": ["userInfo": nil]]],
        "Power": ["relationships": ["heroes": ["userInfo": ["JSONKeyPath": "heroes"]]]],
      ]
    ]
    let mapping = try Heroes.mapping(patch)
    let feed = #"[{"name": "flight", "heroes": [1, 2, 3]}, {"name": "magic", "heroes": [3, 1]}]"#
    let (first, _) = try Heroes.open(file, mapping)
    try first.importJSON(.text(feed), into: "Power")
    try first.save()
    let context = try Heroes.open(file, mapping).0
    let report = try context.importJSON(Self.long(feed), into: "Power").report
    #expect(report.updated == 0)
    #expect(Self.linkCount(context) == 0)
    let other = #"[{"name": "flight", "heroes": [1, 3, 2]}, {"name": "magic", "heroes": [3, 1]}]"#
    try context.importJSON(Self.long(other), into: "Power")
    #expect(Self.linkCount(context) == 3)
  }

  /// A change of the other side is found although the list itself is not linked.
  @Test(arguments: [false, true])
  func aListThatTheOtherSideChangedIsSetAgain(isSaved: Bool) throws {
    let file = try StoreFile()
    let context = try Self.opened(file)
    try context.importJSON(Self.long(Self.feed), into: "Hero")
    let flight = try #require(
      context.fetch(FetchRequest("Power", where: ["name": "flight"])).first)
    try flight.add(context.hero(3), to: "heroes")
    try flight.remove(context.hero(2), from: "heroes")
    if isSaved { try context.save() }
    let report = try context.importJSON(Self.long(Self.feed), into: "Hero").report
    #expect(report.updated == 3)
    #expect(try Self.powers(context, of: 2) == ["magic", "flight"])
    #expect(try Self.powers(context, of: 3) == [])
    try context.save()
    let reopened = try Heroes.open(file).0
    #expect(try Self.powers(reopened, of: 2) == ["magic", "flight"])
    #expect(try Self.powers(reopened, of: 3) == [])
  }

  /// Members come in any order; those of a list get that of their positions, then of their keys.
  @Test(arguments: [3, 16, 17, 40], [1, 2, 7])
  func membersAreInTheOrderOfPositions(count: Int, positionCount: Int) throws {
    let members = try StoredMembers(MemoryAccount(), side: .first, count: 2)
    var random = SeededGenerator(seed: count)
    let entries = (0..<count).map { (key: Int64($0), position: Int64($0 * 5 % positionCount)) }
    for (key, position) in entries.shuffled(using: &random) {
      try members.append(key, of: Row(rawValue: UInt32(key % 2)), at: position)
    }
    try #expect(members.finish())
    for row in 0..<2 {
      let expected = entries.filter { $0.key % 2 == row }
        .sorted { ($0.position, $0.key) < ($1.position, $1.key) }
      let found = try #require(members.members(of: Row(rawValue: UInt32(row))))
      #expect(Array(found) == expected.map(\.key))
    }
  }

  @Test(arguments: [3, 16, 17, 40]) func aMemberTwiceIsFound(count: Int) throws {
    let members = try StoredMembers(MemoryAccount(), side: .first, count: 1)
    for key in 0..<count {
      try members.append(Int64(max(key, 1)), of: Row(rawValue: 0), at: Int64(key))
    }
    try #expect(!members.finish())
  }

  @Test func aListThatBecomesInvalidIsClearedWhole() throws {
    let file = try StoreFile()
    let context = try Self.opened(file)
    var options = ImportOptions()
    options.errorMode = .skip
    options.policies["invalid"] = "clear"
    let invalid = #"[{"id": 1, "powers": ["flight", {"name": true}]}, {"id": 2, "powers": 7}]"#
    try context.importJSON(Self.long(invalid), into: "Hero", options: options)
    #expect(try Self.powers(context, of: 2) == [])
    try context.save()
    #expect(try Self.powers(Heroes.open(file).0, of: 2) == [])
  }

  /// What others write is read anew.
  @Test func aRefreshForgetsTheLists() throws {
    let file = try StoreFile()
    let context = try Self.opened(file)
    try context.importJSON(Self.long(Self.feed), into: "Hero")
    let other = try Heroes.open(file).0
    try other.importJSON(#"[{"id": 1, "powers": ["magic"]}]"#, into: "Hero")
    try other.save()
    try context.refresh()
    let report = try context.importJSON(Self.long(Self.feed), into: "Hero").report
    #expect(report.updated == 3)
    #expect(try Set(Self.powers(context, of: 1)) == ["flight", "speed", "magic"])
  }

  @Test func aRollBackKeepsTheStoredLists() throws {
    let file = try StoreFile()
    let context = try Self.opened(file)
    let changed = #"[{"id": 1, "powers": ["fire"]}, {"id": 3, "powers": ["magic"]}]"#
    try context.importJSON(Self.long(changed), into: "Hero")
    try context.rollback()
    let report = try context.importJSON(Self.long(Self.feed), into: "Hero").report
    #expect(report.updated == 0)
    #expect(try Self.powers(context, of: 1) == ["flight", "speed", "magic"])
    #expect(try context.changes == ChangeCounts())
  }
}
