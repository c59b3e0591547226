import Testing

@testable import Groot
@testable import GrootSQLite

/// Days in a store: text that SQLite takes for dates, in the order of days.
struct StoreDayTests {
  private static let document: JSONValue = [
    "entities": [
      "Thing": [
        "userInfo": ["identityAttributes": "born"],
        "attributes": ["born": ["type": "day", "userInfo": ["JSONKeyPath": "born"]]],
      ]
    ]
  ]

  private static func mapping() throws -> Mapping {
    try Mapping(model: ManagedObjectModel(document: document))
  }

  /// Days from all the range, most of them of years that have four digits or just miss them.
  private static func days() -> [CalendarDay] {
    var random = SeededGenerator(seed: 16)
    let ranges: [ClosedRange<Int64>] = [
      -106_751_992...106_751_991, -900_000 ... -700_000, -719_600 ... -719_500,
      2_932_800...2_933_000, 0...20_000,
    ]
    let picked = ranges.flatMap { range in
      (0..<60).map { _ in Int64.random(in: range, using: &random) }
    }
    return Set(picked).sorted().compactMap { CalendarDay(daysSinceEpoch: $0) }
  }

  @Test func theOrderInTheStoreIsThatInMemory() throws {
    let file = try StoreFile()
    let days = Self.days()
    try {
      let context = try ManagedObjectContext(mapping: Self.mapping(), storePath: file.path)
      for day in days.shuffled() { try context.insert("Thing").set("born", to: .day(day)) }
      try context.save()
    }()
    let context = try ManagedObjectContext(mapping: Self.mapping(), storePath: file.path)
    func born(_ request: FetchRequest) throws -> [Value] {
      try context.fetch(request).map { try $0["born"] }
    }
    var request = FetchRequest("Thing")
    request.sortKeys = [FetchRequest.SortKey("born")]
    #expect(try born(request) == days.map(Value.day))
    for place in [0, 1, days.count / 2, days.count - 1] {
      request.predicate = ["born": ["<": .string(days[place].description)]]
      #expect(try born(request) == days[..<place].map(Value.day))
      request.predicate = ["born": [">=": .string(days[place].description)]]
      #expect(try born(request) == days[place...].map(Value.day))
      request.predicate = ["born": .string(days[place].description)]
      #expect(try born(request) == [.day(days[place])])
    }
  }

  @Test func sqliteTakesThemForDates() throws {
    let file = try StoreFile()
    let context = try ManagedObjectContext(mapping: Self.mapping(), storePath: file.path)
    for text in ["1968-03-01", "0000-01-01", "9999-12-31"] {
      try context.insert("Thing").set("born", to: .day(#require(CalendarDay(text))))
    }
    try context.save()
    let database = try file.database()
    for (sql, count) in [
      ("typeof(born) = 'text'", 3), ("date(born) = born", 3),
      ("julianday(born, '-1 day') = julianday(born) - 1", 3), ("strftime('%Y', born) = '1968'", 1),
      ("born < '1900-01-01'", 1),
    ] as [(String, Int64)] {
      #expect(try database.integer("SELECT count(*) FROM Thing WHERE \(sql)") == count)
    }
  }

  @Test(arguments: ["'1968-02-30'", "'soon'", "''", "5", "x'00'", "'1968-03-01T00:00:00Z'"])
  func textOtherThanADayIsDamage(value: String) throws {
    let file = try StoreFile()
    let context = try ManagedObjectContext(mapping: Self.mapping(), storePath: file.path)
    try context.insert("Thing").set("born", to: .day(#require(CalendarDay("1968-03-01"))))
    try context.save()
    let database = try file.database()
    try database.execute("UPDATE Thing SET born = \(value), _version = _version + 1")
    let other = try ManagedObjectContext(mapping: Self.mapping(), storePath: file.path)
    expectFailure(.storeInvalid, "no day in") {
      _ = try other.fetch(FetchRequest("Thing")).map { try $0["born"] }
    }
  }

  @Test func daysBecomeText() throws {
    let file = try StoreFile()
    try {
      let context = try ManagedObjectContext(mapping: Self.mapping(), storePath: file.path)
      try context.insert("Thing").set("born", to: .day(#require(CalendarDay("1968-03-01"))))
      try context.save()
    }()
    let patch: JSONValue = ["entities": ["Thing": ["attributes": ["born": ["type": "string"]]]]]
    let changed = CaseComparison.patched(Self.document, patch)
    let mapping = try Mapping(model: ManagedObjectModel(document: changed))
    let context = try ManagedObjectContext(
      mapping: mapping, storePath: file.path, options: SQLiteStoreOptions([:]))
    #expect(try context.fetch(FetchRequest("Thing")).map { try $0["born"] } == ["1968-03-01"])
  }
}
