import CSQLite
import Testing

@testable import Groot
@testable import GrootSQLite

/// Saves of many new objects, which make the indexes last, and the positions in lists.
struct StoreBulkTests {
  private static let document = """
    {"entities": {
      "Hero": {"userInfo": {"identityAttributes": "id"},
        "attributes": {
          "id": {"type": "integer64", "optional": true, "userInfo": {"JSONKeyPath": "id"}},
          "price": {"type": "decimal", "optional": true, "userInfo": {"JSONKeyPath": "price"}},
          "mark": {"type": "uuid", "optional": true, "userInfo": {"JSONKeyPath": "mark"}},
          "data": {"type": "binary", "optional": true, "userInfo": {"JSONKeyPath": "data"}},
          "name": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "name"}}},
        "relationships": {
          "friends": {"destination": "Hero", "toMany": true, "optional": true, "ordered": true,
            "inverse": "fans", "userInfo": {"JSONKeyPath": "friends"}},
          "fans": {"destination": "Hero", "toMany": true, "optional": true, "ordered": true,
            "inverse": "friends", "userInfo": {"JSONKeyPath": "fans"}},
          "rival": {"destination": "Hero", "optional": true, "inverse": "rivalOf"},
          "rivalOf": {"destination": "Hero", "optional": true, "inverse": "rival"},
          "mentor": {"destination": "Hero", "optional": true, "inverse": "pupils",
            "userInfo": {"JSONKeyPath": "mentor"}},
          "pupils": {"destination": "Hero", "toMany": true, "optional": true, "ordered": true,
            "inverse": "mentor", "userInfo": {"JSONKeyPath": "pupils"}}}}}}
    """

  /// More than the number from which on a save makes the indexes last.
  private static let many = SQLiteStore.largeCount + 100

  private func open(_ file: StoreFile) throws -> (ManagedObjectContext, SQLiteStore) {
    let document = try JSONValue(parsing: Self.document)
    let mapping = try Mapping(model: ManagedObjectModel(document: document))
    let schema = StoreSchema(mapping)
    var options = SQLiteStoreOptions()
    options.busyTimeout = 50
    let store = try SQLiteStore(file.path, schema: schema, options: options)
    return (try ManagedObjectContext(mapping: mapping, schema: schema, store: store), store)
  }

  private func hero(_ context: ManagedObjectContext, _ id: Int64) throws -> ManagedObject {
    try #require(context.fetch(FetchRequest("Hero", where: ["id": .integer(id)])).first)
  }

  /// Objects of all kinds of values, whose lists are in no order of their numbers.
  private func fill(_ context: ManagedObjectContext, _ count: Int = many) throws {
    let heroes = (1...count).map { id in
      let (one, two) = (id * 7 % count + 1, id * 3 % count + 1)
      return """
        {"id": \(id), "name": "\(String(repeating: "x", count: id % 40))",
        "price": "\(id).25", "mark": "00000000-0000-4000-8000-\(100_000_000_000 + id)",
        "data": "AAEC", "friends": [\(one), \(two)], "mentor": \(two)}
        """
    }
    try context.importJSON("[\(heroes.joined(separator: ","))]", into: "Hero")
    try hero(context, 5).set("rival", to: hero(context, 4))
  }

  /// All objects, in the order of their identities.
  private func lines(_ context: ManagedObjectContext) throws -> [String] {
    func id(_ hero: ManagedObject?) throws -> String { try "\(hero?["id"] ?? .null)" }
    let request = FetchRequest("Hero", sort: [.ascending("id")])
    return try context.fetch(request).map { hero in
      let values = try ["id", "name", "price", "mark", "data"].map { try "\(hero[$0])" }
      let ends = try ["mentor", "rival", "rivalOf"].map { try id(hero.target($0)) }
      let lists = try ["friends", "fans", "pupils"].map { "\(try hero.members($0).map(id))" }
      return (values + ends + lists).joined(separator: " ")
    }
  }

  /// Requires that a file is whole, and has what a context has.
  private func expectSame(
    _ file: StoreFile, _ context: ManagedObjectContext,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (again, store) = try open(file)
    #expect(try lines(again) == lines(context), sourceLocation: sourceLocation)
    let database = store.database
    let check = try SQLiteStatement("PRAGMA integrity_check", database: database)
    #expect(try check.step() && check.string(0) == "ok", sourceLocation: sourceLocation)
    #expect(
      try !SQLiteStatement("PRAGMA foreign_key_check", database: database).step(),
      sourceLocation: sourceLocation)
    let indexes = SQLiteDefinition(schema: store.schema, layout: store.layout).statements
      .filter { $0.contains("INDEX") }
    #expect(
      try database.integer(
        "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        == Int64(indexes.count), sourceLocation: sourceLocation)
  }

  @Test func aLargeFirstSaveHasAllValuesOrdersAndIndexes() throws {
    let file = try StoreFile()
    let (context, store) = try open(file)
    try fill(context)
    try context.save()
    #expect(try store.database.integer("PRAGMA foreign_keys") == 1)
    try expectSame(file, context)
    try hero(context, 5).set("name", to: "changed")
    try hero(context, 7).add(hero(context, 9), to: "friends")
    try context.delete(hero(context, 20).id)
    try context.save()
    try expectSame(file, context)
  }

  @Test func twoObjectsOfOneIdentityInALargeSaveAreRefusedByName() throws {
    let file = try StoreFile()
    let (context, store) = try open(file)
    try fill(context)
    let twin = try hero(context, 77)
    try twin.set("id", to: 33)
    for _ in 0..<2 {
      do {
        try context.save()
        Issue.record("this did not fail")
      } catch {
        #expect(error.status == .identityConflict)
        #expect(error.description.contains("2 objects have the identity Hero id=33"), "\(error)")
        #expect(error.issues.first?.entity == "Hero")
      }
      #expect(try store.database.integer("SELECT count(*) FROM Hero") == 0)
      #expect(try store.database.integer("PRAGMA foreign_keys") == 1)
    }
    try twin.set("id", to: 77)
    try context.save()
    try expectSame(file, context)
  }

  @Test func aLargeSaveIntoAStoreWithObjectsNamesWhatClashesToo() throws {
    let file = try StoreFile()
    let (other, _) = try open(file)
    let (context, store) = try open(file)
    try other.importJSON(#"[{"id": 40}]"#, into: "Hero")
    try other.save()
    try fill(context)
    do {
      try context.save()
      Issue.record("this did not fail")
    } catch {
      #expect(error.status == .storeDuplicate)
      #expect(error.description.contains("Hero id=40"), "\(error)")
    }
    #expect(try store.database.integer("SELECT count(*) FROM Hero") == 1)
    try hero(context, 40).set("id", to: .null)
    try context.save()
    try context.refresh()
    try expectSame(file, context)
  }

  @Test func aLargeSaveThatLeadsToWhatAnotherContextDeletedIsAConflict() throws {
    let file = try StoreFile()
    let (context, store) = try open(file)
    try context.importJSON(#"[{"id": 1000000}]"#, into: "Hero")
    try context.save()
    let (other, _) = try open(file)
    try other.delete(hero(other, 1_000_000).id)
    try other.save()
    try fill(context)
    try hero(context, 8).set("mentor", to: hero(context, 1_000_000))
    do {
      try context.save()
      Issue.record("this did not fail")
    } catch {
      #expect(error.status == .storeConflict)
    }
    #expect(try store.database.integer("SELECT count(*) FROM Hero") == 0)
  }

  /// A connection that has written and not yet committed.
  private final class Rival {
    let database: SQLiteDatabase
    init(_ path: String) throws {
      database = try SQLiteDatabase(path, creates: false, readOnly: false, busyTimeout: 50)
      try database.execute("BEGIN IMMEDIATE")
      try database.execute("INSERT INTO Hero (_entity, _version, id) VALUES ('Hero', 1, 1000000)")
    }
  }

  @Test func anotherThatFillsTheStoreWhileALargeSaveWaitsIsNotDisturbed() throws {
    let file = try StoreFile()
    let (context, store) = try open(file)
    try fill(context)
    let rival = try Rival(file.path)
    try withExtendedLifetime(rival) {
      // The save finds the store empty, then waits for the other: which commits at this moment.
      sqlite3_busy_handler(
        store.database.handle,
        { rival, _ in
          guard let rival else { return 0 }
          let other = Unmanaged<Rival>.fromOpaque(rival).takeUnretainedValue()
          return (try? other.database.execute("COMMIT")) == nil ? 0 : 1
        }, Unmanaged.passUnretained(rival).toOpaque())
      try context.save()
    }
    #expect(try store.database.integer("PRAGMA foreign_keys") == 1)
    #expect(
      try store.database.integer("SELECT count(*) FROM Hero") == Int64(Self.many + 1))
    try context.refresh()
    try expectSame(file, context)
  }

  // MARK: Positions

  @Test func contextsThatTakeTurnsAddToTheEndOfLists() throws {
    let file = try StoreFile()
    let (first, store) = try open(file)
    try first.importJSON(#"[{"id": 1}, {"id": 2, "mentor": 1}]"#, into: "Hero")
    try first.save()
    let (second, _) = try open(file)
    for (number, context) in [first, second, first, second].enumerated() {
      try context.refresh()
      let new = try context.insert("Hero")
      try new.set("id", to: .integer(Int64(10 - number)))
      try new.set("mentor", to: hero(context, 1))
      try new.add(hero(context, 1), to: "friends")
      try context.save()
      // As if an older version had written the file.
      if number == 1 {
        store.endReading()
        try store.database.execute("DELETE FROM _groot WHERE key LIKE 'place%'")
        try store.beginReading()
      }
    }
    try first.refresh()
    for list in ["pupils", "fans"] {
      let ids = try hero(first, 1).members(list).map { try $0["id"] }
      #expect(ids == (list == "pupils" ? [2, 10, 9, 8, 7] : [10, 9, 8, 7]))
    }
    try expectSame(file, first)
    #expect(
      try store.database.integer("SELECT count(*) FROM _groot WHERE key = 'place of Hero.mentor'")
        == 1)
  }
}
