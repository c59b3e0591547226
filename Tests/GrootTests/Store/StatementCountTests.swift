import Testing

@testable import Groot
@testable import GrootSQLite

/// How many statements a store is asked for: so many per batch, not per object.
struct StatementCountTests {
  private static let count = 10_000

  private func mapping() throws -> Mapping {
    func relationship(_ to: String, _ inverse: String, many: Bool = false) -> JSONValue {
      [
        "destination": .string(to), "toMany": .boolean(many), "optional": true,
        "inverse": .string(inverse),
      ]
    }
    func named(_ relationships: JSONValue) -> JSONValue {
      [
        "userInfo": ["identityAttributes": "name"],
        "attributes": ["name": ["type": "string"]], "relationships": relationships,
      ]
    }
    let document: JSONValue = [
      "entities": [
        "Hero": [
          "userInfo": ["identityAttributes": "id"],
          "attributes": [
            "id": ["type": "integer64"], "name": ["type": "string", "optional": true],
          ],
          "relationships": [
            "publisher": relationship("Publisher", "heroes"),
            "team": relationship("Team", "heroes"),
            "powers": relationship("Power", "heroes", many: true),
          ],
        ],
        "Publisher": named(["heroes": relationship("Hero", "publisher", many: true)]),
        "Team": named(["heroes": relationship("Hero", "team", many: true)]),
        "Power": named(["heroes": relationship("Hero", "powers", many: true)]),
      ]
    ]
    return try Mapping(model: ManagedObjectModel(document: document), isImplicit: true)
  }

  /// Each record has three nested entities; as many teams as heroes, so that those are many too.
  private func feed(_ ids: Range<Int>) -> String {
    let records = ids.map { id in
      #"{"id": \#(id), "name": "Hero \#(id)", "publisher": {"name": "Publisher \#(id % 9)"}, "#
        + #""team": {"name": "Team \#(id)"}, "#
        + #""powers": [{"name": "Power \#(id % 500)"}, {"name": "Power \#(id % 333)"}]}"#
    }
    return "[" + records.joined(separator: ",") + "]"
  }

  /// What an import of all records asks a store that has those of some ids.
  private func statements(
    _ stored: Range<Int>, isFile: Bool = false
  ) throws -> (Int, ImportReport) {
    let mapping = try mapping()
    let file = try StoreFile()
    let schema = StoreSchema(mapping)
    var options = SQLiteStoreOptions()
    options.durability = .normal
    try {
      let store = try SQLiteStore(file.path, schema: schema, options: options)
      let context = try ManagedObjectContext(mapping: mapping, schema: schema, store: store)
      try context.importJSON(.text(feed(stored)), into: "Hero")
      try context.save()
    }()
    let store = try SQLiteStore(file.path, schema: schema, options: options)
    let context = try ManagedObjectContext(mapping: mapping, schema: schema, store: store)
    let text = feed(0..<Self.count)
    let source = try StoreFile()
    if isFile { try source.write(text) }
    let before = store.statementCount
    let result =
      try isFile
      ? context.importJSON(.file(source.path), into: "Hero")
      : context.importJSON(.text(text), into: "Hero")
    return (store.statementCount - before, result.report)
  }

  @Test func anImportAsksOncePerBatch() throws {
    let (all, unchanged) = try statements(0..<Self.count)
    #expect(unchanged.inserted == 0 && unchanged.updated == 0)
    let (half, inserted) = try statements(0..<Self.count / 2)
    // Heroes and teams; all publishers and powers are among the first half.
    #expect(inserted.inserted == Self.count)
    // Six for each 256 records: what is to be found by an identity, and lists.
    let bound = Self.count / 256 * 6 + 50
    #expect(all < bound)
    #expect(half < bound)
    let (read, same) = try statements(0..<Self.count, isFile: true)
    #expect(same.inserted == 0 && same.updated == 0)
    #expect(read < bound)
  }

  /// Whatever is written, how many statements are prepared depends on the model alone.
  @Test func aSavePreparesStatementsOnce() throws {
    let mapping = try mapping()
    let file = try StoreFile()
    let schema = StoreSchema(mapping)
    let store = try SQLiteStore(file.path, schema: schema, options: SQLiteStoreOptions())
    let context = try ManagedObjectContext(mapping: mapping, schema: schema, store: store)
    func prepared(_ body: () throws -> Void) throws -> Int {
      let before = store.database.preparedCount
      try body()
      try context.save()
      return store.database.preparedCount - before
    }
    let count = 300
    try context.importJSON(.text(feed(0..<count)), into: "Hero")
    #expect(try prepared {} < 40)
    let heroes = try context.fetch(FetchRequest("Hero"))
    let power = try #require(context.fetch(FetchRequest("Power")).first)
    let changes = try prepared {
      for (number, hero) in heroes.enumerated() {
        if number % 2 == 0 { try hero.set("name", to: "x") }
        if number % 3 == 0 { try hero.set("team", to: nil) }
        if number % 4 == 0 { try hero.remove(hero.members("powers")[0], from: "powers") }
        if number % 5 == 0 { try hero.add(power, to: "powers") }
      }
    }
    #expect(changes < 40)
    #expect(try prepared { for hero in heroes { try context.delete(hero.id) } } < 40)
    #expect(context.brokenInvariants() == [])
  }

  /// Members that are written with a few attributes lead to no others.
  @Test func anExportReadsNoMoreThanItWrites() throws {
    func statements(leadsOn: Bool) throws -> Int {
      func entity(_ relationships: JSONValue) -> JSONValue {
        [
          "userInfo": ["identityAttributes": "id"], "attributes": ["id": ["type": "integer64"]],
          "relationships": relationships,
        ]
      }
      func link(_ to: String, _ info: JSONValue = [:]) -> JSONValue {
        ["destination": .string(to), "optional": true, "userInfo": info]
      }
      let part: JSONValue = ["JSONKeyPath": "part", "groot.exportProperties": "id"]
      let document: JSONValue = [
        "entities": [
          "Whole": entity(["part": link("Part", part)]),
          "Part": entity(leadsOn ? ["more": link("More")] : [:]), "More": entity([:]),
        ]
      ]
      let mapping = try Mapping(model: ManagedObjectModel(document: document), isImplicit: true)
      let file = try StoreFile()
      let schema = StoreSchema(mapping)
      func open() throws -> (SQLiteStore, ManagedObjectContext) {
        let store = try SQLiteStore(file.path, schema: schema, options: SQLiteStoreOptions())
        return (store, try ManagedObjectContext(mapping: mapping, schema: schema, store: store))
      }
      try {
        let context = try open().1
        try context.importJSON(
          .text(#"[{"id": 1, "part": {"id": 2, "more": {"id": 3}}}]"#), into: "Whole")
        try context.save()
      }()
      let (store, context) = try open()
      let before = store.statementCount
      let text = try context.exportText(context.fetch(FetchRequest("Whole")))
      #expect(text == #"[{"id":1,"part":{"id":2}}]"#)
      return store.statementCount - before
    }
    #expect(try statements(leadsOn: true) == statements(leadsOn: false))
  }
}
