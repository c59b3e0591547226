import Testing

@testable import Groot
@testable import GrootSQLite

/// Objects are read from a store: by key and by identity, members, links and days.
struct ReadTests {
  private static let document: JSONValue = [
    "entities": [
      "Place": [
        "abstract": true, "userInfo": ["identityAttributes": "code"],
        "attributes": [
          "code": ["type": "string", "optional": true, "userInfo": ["JSONKeyPath": "code"]]
        ],
      ],
      "Box": [
        "parent": "Place",
        "relationships": [
          "items": [
            "destination": "Item", "toMany": true, "ordered": true, "inverse": "box",
            "optional": true,
          ]
        ],
      ],
      "Shelf": ["parent": "Place"],
      "Item": [
        "userInfo": ["identityAttributes": "kind,number"],
        "attributes": [
          "kind": ["type": "string", "optional": true, "userInfo": ["JSONKeyPath": "kind"]],
          "number": ["type": "decimal", "optional": true, "userInfo": ["JSONKeyPath": "number"]],
        ],
        "relationships": [
          "box": ["destination": "Box", "inverse": "items", "optional": true],
          "tags": [
            "destination": "Tag", "toMany": true, "ordered": true, "inverse": "items",
            "optional": true,
          ],
          "twin": ["destination": "Item", "inverse": "twin", "optional": true],
        ],
      ],
      "Toy": ["parent": "Item"],
      "Tag": [
        "attributes": ["name": ["type": "string", "optional": true]],
        "relationships": [
          "items": ["destination": "Item", "toMany": true, "inverse": "tags", "optional": true]
        ],
      ],
    ]
  ]

  /// A saved context with its store.
  private struct Example {
    let file: StoreFile
    let context: ManagedObjectContext
    let store: SQLiteStore
    var numbers: [String: Int] = [:]

    init() throws {
      file = try StoreFile()
      let mapping = try Mapping(model: ManagedObjectModel(document: document))
      let schema = StoreSchema(mapping)
      store = try SQLiteStore(file.path, schema: schema, options: SQLiteStoreOptions())
      context = try ManagedObjectContext(mapping: mapping, schema: schema, store: store)
      for (number, table) in schema.tables.enumerated() { numbers[table.name] = number }
    }

    func table(_ name: String) throws -> TableIndex {
      TableIndex(try #require(numbers[name]))
    }

    func column(_ property: String, in table: TableIndex) throws -> Int {
      try #require(store.schema.tables[table].columns.firstIndex { $0.property == property })
    }

    func key(_ object: ManagedObject) throws -> Int64 {
      let table = object.id.table
      return try #require(context.coordinator).keys[table][object.id.row].key
    }

    func keys(_ table: TableIndex, of keys: [Int64]) throws -> [Int64] {
      var found: [Int64] = []
      try store.readRows(table, keys: keys) { found.append($0.key) }
      return found.sorted()
    }

    /// The keys of the objects that have one of some identities.
    func keys(_ table: TableIndex, with values: [(Value, AttributeType)]) throws -> [Int64] {
      var found: [Int64] = []
      try Self.withStored(values) { values in
        try values.withUnsafeBufferPointer { values in
          try store.readRows(table, identity: 0, values: values) { found.append($0.key) }
        }
      }
      return found.sorted()
    }

    /// Keeps the texts of all values at once, and not call in call: there are many.
    private static func withStored(
      _ values: [(Value, AttributeType)], _ body: ([StoredValue]) throws -> Void
    ) throws {
      let texts: [(StoredValue, [UInt8])] = values.map { value, type in
        value.withStored(type) { stored in (stored, [UInt8](stored.bytes)) }
      }
      let room = UnsafeMutableBufferPointer<UInt8>.allocate(
        capacity: texts.reduce(1) { $0 + $1.1.count })
      defer { room.deallocate() }
      var next = 0
      let kept = texts.map { value, text -> StoredValue in
        guard value.start != nil else { return value }
        let place = UnsafeMutableBufferPointer(rebasing: room[next..<(next + text.count)])
        _ = place.initialize(from: text)
        next += text.count
        return StoredValue(bytes: UnsafeBufferPointer(place))
      }
      try body(kept)
    }

    func insert(_ entity: String, _ values: [String: Value] = [:]) throws -> ManagedObject {
      let object = try context.insert(entity)
      for (name, value) in values { try object.set(name, to: value) }
      return object
    }
  }

  @Test func oneStatementReadsManyObjectsByTheirKeys() throws {
    let example = try Example()
    let tag = try example.table("Tag")
    for number in 0..<1300 { _ = try example.insert("Tag", ["name": .string("tag \(number)")]) }
    try example.context.save()
    let store = example.store
    #expect(try example.keys(tag, of: []) == [])
    #expect(try example.keys(tag, of: [7]) == [7])
    #expect(try example.keys(tag, of: [9, 7, 9, 2000, 8]) == [7, 8, 9])
    for count in [2, 8, 9, 64, 65, 512, 513, 1300] {
      let keys = (1...Int64(count)).map { $0 }
      let before = store.statementCount
      #expect(try example.keys(tag, of: keys.reversed() + [1]) == keys)
      #expect(store.statementCount - before == (count + 511) / 512)
    }
    var names: [String] = []
    try store.readRows(tag, keys: [4]) { row in
      names.append(String(decoding: row.values[0].bytes, as: UTF8.self))
      #expect(row.version == 1 && row.entity == 0)
    }
    #expect(names == ["tag 3"])
    let before = store.statementCount
    #expect(try store.presentKeys(tag, among: [1299, 1300, 1301, 1300]) == [1299, 1300])
    #expect(try store.presentKeys(tag, among: Array(1...2000)) == Set(1...1300))
    #expect(try store.presentKeys(tag, among: []) == [])
    #expect(store.statementCount - before == 1 + 4)
  }

  @Test func oneStatementReadsManyObjectsByTheirIdentities() throws {
    let example = try Example()
    let (place, item) = (try example.table("Place"), try example.table("Item"))
    let entities = ["Box", "Shelf"]
    let objects = try (0..<1100).map {
      try example.insert(entities[$0 % 2], ["code": .string("p\($0)")])
    }
    func kind(_ number: Int) -> Value { number % 5 == 0 ? .null : .string("k\(number % 7)") }
    func amount(_ number: Int) -> Value {
      number == 35 ? .null : .decimal(DecimalNumber(Int64(number)))
    }
    let others = try (0..<700).map { number -> ManagedObject in
      let values = ["kind": kind(number), "number": amount(number)]
      return try example.insert(number % 3 == 0 ? "Toy" : "Item", values)
    }
    try example.context.save()
    let places = try objects.map(example.key)
    let items = try others.map(example.key)

    #expect(try example.keys(place, with: [(.string("p3"), .string)]) == [places[3]])
    #expect(try example.keys(place, with: [(.string("P3"), .string)]) == [])
    #expect(try example.keys(place, with: [(.null, .string)]) == [])
    for count in [3, 64, 65, 1100] {
      let before = example.store.statementCount
      let values = (0..<count).map { (Value.string("p\($0)"), AttributeType.string) }
      let none: [(Value, AttributeType)] = [(.string("none"), .string)]
      #expect(try example.keys(place, with: none + values) == Array(places[..<count]))
      #expect(example.store.statementCount - before == (count + 512) / 512)
    }

    func identity(_ number: Int) -> [(Value, AttributeType)] {
      [(kind(number), .string), (amount(number), .decimal)]
    }
    for number in [0, 1, 35, 699] {
      #expect(try example.keys(item, with: identity(number)) == [items[number]])
    }
    #expect(try example.keys(item, with: (0..<700).reversed().flatMap(identity)) == items)
    #expect(try example.keys(item, with: identity(4) + identity(4)) == [items[4]])
  }

  @Test func membersAndLinksComeInTheOrderOfTheirLists() throws {
    let example = try Example()
    let item = try example.table("Item")
    let context = example.context
    let boxes = try (0..<3).map { try example.insert("Box", ["code": .string("b\($0)")]) }
    let items = try (0..<1200).map {
      try example.insert("Item", ["number": .decimal(DecimalNumber(Int64($0)))])
    }
    let tags = try (0..<4).map { try example.insert("Tag", ["name": .string("t\($0)")]) }
    var random = SeededGenerator(seed: 3)
    try boxes[0].set("items", to: Array(items[..<700]).shuffled(using: &random))
    try boxes[2].set("items", to: Array(items[700...]).shuffled(using: &random))
    for item in items.shuffled(using: &random) {
      try item.set("tags", to: Array(tags.shuffled(using: &random).prefix(2)))
    }
    try items[0].set("twin", to: items[5])
    try context.save()

    let column = try example.column("box", in: item)
    var members: [Int64: [Int64]] = [:]
    try example.store.readMembers(item, column: column, of: boxes.map(example.key)) { row in
      members[row.values[column].integer, default: []].append(row.key)
    }
    for box in boxes {
      #expect(
        try members[example.key(box), default: []] == box.members("items").map(example.key))
    }
    var twins: [Int64: Int64] = [:]
    let twin = try example.column("twin", in: item)
    let all = try items.map(example.key)
    try example.store.readMembers(item, column: twin, of: all + all) { row in
      #expect(twins.updateValue(row.key, forKey: row.values[twin].integer) == nil)
    }
    #expect(twins == [all[0]: all[5], all[5]: all[0]])

    let join = try #require(example.store.schema.joins.firstIndex { $0.property == "tags" })
    var lists: [Int64: [Int64]] = [:]
    let before = example.store.statementCount
    try example.store.readLinks(join, side: .first, of: all) { link in
      lists[link.source, default: []].append(link.target)
    }
    #expect(example.store.statementCount - before == 3)
    for item in items {
      #expect(try lists[example.key(item), default: []] == item.members("tags").map(example.key))
    }
    lists = [:]
    try example.store.readLinks(join, side: .second, of: tags.map(example.key)) { link in
      lists[link.target, default: []].append(link.source)
    }
    for tag in tags {
      #expect(try lists[example.key(tag), default: []] == tag.members("items").map(example.key))
    }
  }

  @Test func everyReadUsesAnIndex() throws {
    let example = try Example()
    for table in example.store.schema.tableIndices {
      for keys in [[1], [1, 2], Array(1...60), Array(1...500)] as [[Int64]] {
        try example.store.readRows(table, keys: keys) { _ in }
        _ = try example.store.presentKeys(table, among: keys)
        let description = example.store.schema.tables[table]
        for (position, column) in description.columns.enumerated() {
          guard case .reference = column.kind else { continue }
          try example.store.readMembers(table, column: position, of: keys) { _ in }
        }
        for (number, identity) in description.identities.enumerated() {
          let values = Array(
            repeating: StoredValue.none, count: keys.count * identity.columns.count)
          try values.withUnsafeBufferPointer {
            try example.store.readRows(table, identity: number, values: $0) { _ in }
          }
        }
      }
    }
    for join in example.store.schema.joins.indices {
      for side in LinkSide.both {
        try example.store.readLinks(join, side: side, of: [1, 2, 3]) { _ in }
      }
    }
    var searches = 0
    for (purpose, statement) in example.store.statements {
      switch purpose {
      case .readKeys, .readIdentities, .readMembers, .presentKeys, .readLinks: break
      default: continue
      }
      let plan = try SQLiteStatement(
        "EXPLAIN QUERY PLAN " + statement.sql, database: example.store.database)
      while try plan.step() {
        let line = plan.string(3)
        // What is looked for is gone through, not the table.
        let isList = line == "SCAN _wanted" || line.contains("CONSTANT ROW")
        #expect(isList || !line.contains("SCAN"), "\(line): \(statement.sql.prefix(300))")
        if line.contains("SEARCH") { searches += 1 }
      }
    }
    #expect(searches > 30)
  }

  @Test func aReadThatItsCallerBreaksOffCanBeRepeated() throws {
    struct Enough: Error {}
    let example = try Example()
    let tag = try example.table("Tag")
    for _ in 0..<10 { _ = try example.insert("Tag") }
    try example.context.save()
    for _ in 0..<3 {
      #expect(throws: Enough.self) {
        try example.store.readRows(tag, keys: [1, 2, 3]) { _ in throw Enough() }
      }
      #expect(throws: Enough.self) { try example.store.readRows(tag) { _ in throw Enough() } }
    }
    // No statement still reads: the log can be moved into the file.
    example.store.endReading()
    #expect(try example.store.database.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
    #expect(try example.keys(tag, of: [1, 2, 3]) == [1, 2, 3])
    // A body may read for the same purpose.
    var pairs: [Int64] = []
    try example.store.readRows(tag, keys: [1, 2]) { outer in
      try example.store.readRows(tag, keys: [3, 4]) { pairs.append(outer.key * 10 + $0.key) }
    }
    #expect(pairs == [13, 14, 23, 24])
    pairs = []
    try example.store.readRows(tag) { outer in
      guard outer.key < 3 else { return }
      try example.store.readRows(tag) { if $0.key < 3 { pairs.append(outer.key * 10 + $0.key) } }
    }
    #expect(pairs == [11, 12, 21, 22])
  }

  @Test(arguments: [100, 200, 1_000])
  func aWholeTableIsReadHoweverManyColumnsItHas(count: Int) throws {
    let file = try StoreFile()
    let names = (0..<count).map { "value\($0)" }
    let attributes = names.map { "\"\($0)\": {\"type\": \"integer64\"}" }.joined(separator: ",")
    let document = try JSONValue(
      parsing: "{\"entities\": {\"Wide\": {\"attributes\": {\(attributes)}}}}")
    let mapping = try Mapping(model: ManagedObjectModel(document: document))
    let schema = StoreSchema(mapping)
    let store = try SQLiteStore(file.path, schema: schema, options: SQLiteStoreOptions())
    let context = try ManagedObjectContext(mapping: mapping, schema: schema, store: store)
    for first in [Int64(1), 1_000] {
      let object = try context.insert("Wide")
      for (number, name) in names.enumerated() {
        try object.set(name, to: .integer(first + Int64(number)))
      }
    }
    try context.save()
    var sums: [Int64] = []
    try store.readRows(TableIndex(0)) { row in
      sums.append(row.values.reduce(0) { $0 + $1.integer })
    }
    let all = Int64(count * (count - 1) / 2)
    #expect(sums == [all + Int64(count), all + Int64(1_000 * count)])
  }

  @Test func aWriteByAnotherProgramIsNoticedAfterTheSnapshot() throws {
    let example = try Example()
    let other = try example.file.database()
    let version = try example.store.dataVersion()
    _ = try example.insert("Tag")
    try example.context.save()
    #expect(try example.store.dataVersion() == version)
    _ = try example.keys(try example.table("Tag"), of: [1])
    try other.execute("UPDATE \"Tag\" SET name = 'other', _version = 2")
    #expect(try example.store.dataVersion() == version)
    example.store.endReading()
    #expect(try example.store.dataVersion() != version)
  }

  // MARK: Days: text that SQLite takes for dates

  private static let things: JSONValue = [
    "entities": [
      "Thing": [
        "userInfo": ["identityAttributes": "born"],
        "attributes": ["born": ["type": "day", "userInfo": ["JSONKeyPath": "born"]]],
      ]
    ]
  ]

  private static func thingMapping() throws -> Mapping {
    try Mapping(model: ManagedObjectModel(document: things))
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

  @Test func daysHaveTheSameOrderInTheStoreAsInMemory() throws {
    let file = try StoreFile()
    let days = Self.days()
    try {
      let context = try ManagedObjectContext(mapping: Self.thingMapping(), storePath: file.path)
      for day in days.shuffled() { try context.insert("Thing").set("born", to: .day(day)) }
      try context.save()
    }()
    let context = try ManagedObjectContext(mapping: Self.thingMapping(), storePath: file.path)
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

  @Test func sqliteReadsStoredDaysAsDates() throws {
    let file = try StoreFile()
    let context = try ManagedObjectContext(mapping: Self.thingMapping(), storePath: file.path)
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
  func aWrongValueInAColumnOfDaysIsReported(value: String) throws {
    let file = try StoreFile()
    let context = try ManagedObjectContext(mapping: Self.thingMapping(), storePath: file.path)
    try context.insert("Thing").set("born", to: .day(#require(CalendarDay("1968-03-01"))))
    try context.save()
    let database = try file.database()
    try database.execute("UPDATE Thing SET born = \(value), _version = _version + 1")
    let other = try ManagedObjectContext(mapping: Self.thingMapping(), storePath: file.path)
    expectFailure(.storeValueInvalid, "instead of the text of a day") {
      _ = try other.fetch(FetchRequest("Thing")).map { try $0["born"] }
    }
  }

  // MARK: Absence

  /// Identities that differ in one of the words in which they are kept; the last one is in no store.
  @Test(arguments: [
    (
      "uuid",
      [
        "6f9619ff-8b86-d011-b42d-00cf4fc964ff", "6f9619ff-8b86-d011-b42d-00cf4fc96400",
        "00000000-8b86-d011-b42d-00cf4fc964ff", "6f9619ff-8b86-d011-b42d-000000000000",
      ]
    ),
    ("decimal", ["10", "18446744073709551617", "36893488147419103233", "1"]),
    ("string", ["ab", "abc", "b", "a"]),
  ])
  func anIdentityKnownToBeMissingIsNotTakenForASimilarOne(type: String, keys: [String]) throws {
    let model = try ManagedObjectModel(document: [
      "entities": [
        "Item": [
          "userInfo": ["identityAttributes": "key"],
          "attributes": ["key": ["type": .string(type), "userInfo": ["JSONKeyPath": "key"]]],
        ]
      ]
    ])
    let mapping = try Mapping(model: model)
    let file = try StoreFile()
    let records = keys.dropLast().map { JSONValue.object(["key": .string($0)]) }
    let first = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    try first.importJSON(.value(.array(records)), into: "Item")
    try first.save()

    let second = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    let missing: JSONValue = ["key": .string(keys[keys.count - 1])]
    #expect(try second.importJSON(.value(missing), into: "Item").report.inserted == 1)
    try second.rollback()
    #expect(try second.importJSON(.value(missing), into: "Item").report.inserted == 1)
    for record in records {
      #expect(try second.importJSON(.value(record), into: "Item").report.inserted == 0)
    }
    try second.save()
    #expect(try second.count(FetchRequest("Item")) == keys.count)
  }
}
