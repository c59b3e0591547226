import Testing

@testable import Groot
@testable import GrootSQLite

/// What goes wrong with a store: a clear error, the file intact, the context as it was.
struct StoreFailureTests {
  private static let document = """
    {"entities": {
      "Hero": {"userInfo": {"identityAttributes": "id"},
        "attributes": {
          "id": {"type": "integer64", "optional": true, "userInfo": {"JSONKeyPath": "id"}},
          "name": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "name"}}},
        "relationships": {
          "friends": {"destination": "Hero", "toMany": true, "optional": true,
            "inverse": "friends", "userInfo": {"JSONKeyPath": "friends"}},
          "mentor": {"destination": "Hero", "optional": true, "inverse": "pupils",
            "userInfo": {"JSONKeyPath": "mentor"}},
          "pupils": {"destination": "Hero", "toMany": true, "optional": true, "ordered": true,
            "inverse": "mentor", "userInfo": {"JSONKeyPath": "pupils"}}}}}}
    """

  private func mapping(_ patch: JSONValue = [:]) throws -> Mapping {
    let document = CaseComparison.patched(try JSONValue(parsing: Self.document), patch)
    return try Mapping(model: ManagedObjectModel(document: document))
  }

  private func options(_ timeout: Int = 50) -> SQLiteStoreOptions {
    var options = SQLiteStoreOptions()
    options.busyTimeout = timeout
    return options
  }

  /// A context and its store.
  private func open(_ file: StoreFile, _ mapping: Mapping? = nil) throws -> (
    ManagedObjectContext, SQLiteStore
  ) {
    let mapping = try mapping ?? self.mapping()
    let schema = StoreSchema(mapping)
    let store = try SQLiteStore(file.path, schema: schema, options: options())
    return (try ManagedObjectContext(mapping: mapping, schema: schema, store: store), store)
  }

  /// Does what another program might do.
  private func execute(_ sql: String, _ file: StoreFile) throws {
    try file.database().execute(sql)
  }

  private func hero(_ context: ManagedObjectContext, _ id: Int64) throws -> ManagedObject {
    try #require(context.fetch(FetchRequest("Hero", where: ["id": .integer(id)])).first)
  }

  private func export(_ context: ManagedObjectContext) throws -> String {
    let request = FetchRequest("Hero", sort: [.ascending("id")])
    return try context.exportText(context.fetch(request))
  }

  // MARK: Opening

  @Test func aFileThatIsNotAStoreIsRefusedAndStaysAsItIs() throws {
    let file = try StoreFile()
    try file.write(
      String(repeating: "This is not a database, but a text that is long enough.\n", count: 40))
    let bytes = try file.bytes()
    expectFailure(.storeInvalid) { _ = try open(file) }
    #expect(try file.bytes() == bytes)

    let other = try StoreFile()
    let database = try other.database(creates: true)
    try database.execute("CREATE TABLE notes (text)")
    let before = try other.bytes()
    expectFailure(.storeInvalid, "another program") { _ = try open(other) }
    #expect(try other.bytes() == before)
  }

  @Test func aFileThatCannotBeOpenedIsAFileError() throws {
    let file = try StoreFile()
    var options = SQLiteStoreOptions()
    options.creates = false
    expectFailure(.fileError, file.path) {
      _ = try ManagedObjectContext(mapping: mapping(), storePath: file.path, options: options)
    }
    expectFailure(.fileError) {
      _ = try ManagedObjectContext(mapping: mapping(), storePath: file.folder + "/no/such")
    }
    expectFailure(.fileError) {
      _ = try ManagedObjectContext(mapping: mapping(), storePath: file.folder)
    }
  }

  @Test func aFormatBeforeTheFirstIsDamage() throws {
    let file = try StoreFile()
    let store = try open(file).1
    try store.database.execute("PRAGMA user_version = 0")
    expectFailure(.storeInvalid, "format is 0") { _ = try open(file) }
  }

  @Test func aNewerFormatIsRefused() throws {
    let file = try StoreFile()
    let store = try open(file).1
    try store.database.execute("PRAGMA user_version = 2")
    expectFailure(.storeTooNew, "format 2") { _ = try open(file) }
  }

  @Test func aStoreOfAnotherModelIsRefusedWithTheDifferences() throws {
    let file = try StoreFile()
    let (context, store) = try open(file)
    try context.importJSON(#"[{"id": 1, "name": "Ada"}]"#, into: "Hero")
    try context.save()
    let changed: JSONValue = [
      "entities": ["Hero": ["attributes": ["name": ["type": "integer64"]]]]
    ]
    expectFailure(.storeModel, "the model needs: CREATE TABLE") {
      let options = SQLiteStoreOptions(["migrate": false])
      _ = try ManagedObjectContext(
        mapping: mapping(changed), storePath: file.path, options: options)
    }
    // What a store does not keep may differ.
    let limits: JSONValue = [
      "entities": ["Hero": ["attributes": ["name": ["maxLength": 5, "default": "x"]]]]
    ]
    let (again, _) = try open(file, mapping(limits))
    #expect(try export(again) == export(context))
    #expect(try store.database.integer("SELECT count(*) FROM Hero") == 1)
  }

  @Test func damagedContentIsRefused() throws {
    for sql in [
      "UPDATE Hero SET _entity = 'Villain'", "UPDATE Hero SET id = 'one' WHERE id = 1",
      "UPDATE Hero SET name = x'00ff'", "UPDATE Hero SET name = CAST(x'ff' AS TEXT)",
      "PRAGMA foreign_keys = OFF; UPDATE Hero SET mentor = 99",
      "PRAGMA foreign_keys = OFF; INSERT INTO Hero_friends VALUES (1, 99, 1, 1)",
      "DELETE FROM _groot", "INSERT INTO Hero_friends VALUES (1, 2, 1, 1)",
    ] {
      let file = try StoreFile()
      let (context, _) = try open(file)
      try context.importJSON(#"[{"id": 1, "name": "Ada"}, {"id": 2}]"#, into: "Hero")
      try context.save()
      try execute(sql, file)
      expectFailure(.storeInvalid) { _ = try export(open(file).0) }
    }
  }

  // MARK: Saving

  /// A save that fails, then what makes it possible, then the same save.
  private func expectRetry(
    _ status: Status, _ part: String = "", prepare: (SQLiteStore) throws -> Void,
    mend: (SQLiteStore) throws -> Void
  ) throws {
    let file = try StoreFile()
    let (context, store) = try open(file)
    try context.importJSON(
      #"[{"id": 1, "friends": [2, 3], "pupils": [3, 2]}, {"id": 4, "mentor": 1}]"#, into: "Hero")
    try context.save()
    let saved = try export(context)
    try context.delete(hero(context, 3).id)
    try hero(context, 2).set("name", to: "changed")
    let name = String(repeating: "a long name ", count: 100)
    for id: Int64 in 10..<200 {
      let object = try context.insert("Hero")
      try object.set("id", to: .integer(id))
      try object.set("name", to: .string(name))
      try object.add(hero(context, 1), to: "friends")
      try object.set("mentor", to: hero(context, 4))
    }
    let (before, changes) = (dump(context), try context.changes)
    try prepare(store)
    expectFailure(status, part) { try context.save() }
    #expect(dump(context) == before)
    #expect(try context.changes == changes)
    #expect(context.brokenInvariants() == [])
    try mend(store)
    #expect(try export(open(file).0) == saved)
    try context.save()
    #expect(try context.changes == ChangeCounts())
    #expect(try export(open(file).0) == export(context))
    #expect(try store.database.integer("SELECT count(*) FROM Hero") == 193)
  }

  @Test func aFullDiskLeavesEverythingAsItWas() throws {
    try expectRetry(.storeFull) { store in
      store.endReading()
      try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      try store.beginReading()
      let pages = try store.database.integer("PRAGMA page_count")
      try store.database.execute("PRAGMA max_page_count = \(pages + 3)")
    } mend: { store in
      try store.database.execute("PRAGMA max_page_count = 1000000")
    }
  }

  @Test func aStoreThatCannotBeWrittenLeavesEverythingAsItWas() throws {
    try expectRetry(.storeReadOnly) { store in
      try store.database.execute("PRAGMA query_only = ON")
    } mend: { store in
      try store.database.execute("PRAGMA query_only = OFF")
    }
  }

  @Test func aLockedStoreLeavesEverythingAsItWas() throws {
    var other: SQLiteDatabase?
    try expectRetry(.storeLocked) { store in
      other = try SQLiteDatabase(
        store.database.path, creates: false, readOnly: false, busyTimeout: 50)
      try other?.execute("BEGIN IMMEDIATE")
    } mend: { _ in
      try other?.execute("ROLLBACK")
    }
  }

  @Test func twoObjectsOfOneIdentityAreRefused() throws {
    let file = try StoreFile()
    let (context, _) = try open(file)
    try context.importJSON(#"[{"id": 1}, {"id": 2}]"#, into: "Hero")
    try context.save()
    let second = try hero(context, 2)
    try second.set("id", to: 1)
    let before = dump(context)
    expectFailure(.identityConflict, "2 objects have the identity Hero id=1") { try context.save() }
    #expect(dump(context) == before)
    try second.set("id", to: 3)
    try context.save()
    #expect(try export(open(file).0) == export(context))
  }

  @Test func objectsMayExchangeTheirIdentities() throws {
    let file = try StoreFile()
    let (context, _) = try open(file)
    try context.importJSON(
      #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 3}]"#, into: "Hero")
    try context.save()
    let (one, two, three) = try (hero(context, 1), hero(context, 2), hero(context, 3))
    try context.delete(three.id)
    try one.set("id", to: 2)
    try two.set("id", to: 3)
    let new = try context.insert("Hero")
    try new.set("id", to: 1)
    try context.save()
    #expect(try export(open(file).0) == export(context))
    #expect(try hero(open(file).0, 2)["name"] == "a")
  }

  // MARK: Others that write

  @Test func anObjectThatAnotherContextChangedIsAConflict() throws {
    let file = try StoreFile()
    let (first, _) = try open(file)
    try first.importJSON(
      #"[{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4, "name": "four"}]"#, into: "Hero")
    try first.save()
    let (second, _) = try open(file)
    try hero(first, 1).set("name", to: "mine")
    try first.delete(hero(first, 2).id)
    try hero(first, 3).set("name", to: "three")
    try first.save()
    let others = try export(first)

    try hero(second, 1).set("name", to: "theirs")
    try hero(second, 2).set("name", to: "gone")
    try second.delete(hero(second, 3).id)
    try hero(second, 4).set("name", to: "fine")
    let before = dump(second)
    do {
      try second.save()
      Issue.record("no conflict")
    } catch {
      #expect(error.status == .storeConflict)
      #expect(error.issues.count == 3, "\(error)")
      #expect(error.description.contains("id=1") && error.description.contains("id=2"))
      #expect(error.issues.allSatisfy { $0.entity == "Hero" })
    }
    #expect(dump(second) == before)
    #expect(try export(open(file).0) == others)
    // Read anew, done again, and saved.
    let gone = try hero(second, 2)
    try second.refresh()
    #expect(try export(second) == others)
    #expect(gone.isDeleted)
    try hero(second, 1).set("name", to: "theirs")
    try second.save()
    #expect(try export(open(file).0) == export(second))
  }

  @Test func anUnreadableStoreAfterARefreshIsReadLater() throws {
    let file = try StoreFile()
    let (context, _) = try open(file)
    try context.importJSON(#"[{"id": 1, "pupils": [2, 3]}, {"id": 4}]"#, into: "Hero")
    try context.save()
    let before = dump(context)
    let (other, _) = try open(file)
    try other.delete(hero(other, 2).id)
    try other.insert("Hero").set("id", to: 5)
    try other.save()
    try execute("UPDATE Hero SET name = x'00', _version = 9 WHERE id = 5", file)
    #expect(dump(context) == before)
    try context.refresh()
    expectFailure(.storeInvalid, "no string") { _ = try export(context) }
    #expect(context.brokenInvariants() == [])
    try execute("UPDATE Hero SET name = 'five' WHERE id = 5", file)
    try context.refresh()
    #expect(try export(context) == export(open(file).0))
    try context.importJSON(#"[{"id": 5, "name": "six"}]"#, into: "Hero")
    try context.save()
    #expect(try export(context) == export(open(file).0))
  }

  @Test func aLinkToWhatAnotherContextDeletedIsAConflict() throws {
    for relationship in ["mentor", "friends"] {
      let file = try StoreFile()
      let (first, _) = try open(file)
      try first.importJSON(#"[{"id": 1}, {"id": 2}]"#, into: "Hero")
      try first.save()
      let (second, _) = try open(file)
      try first.delete(hero(first, 1).id)
      try first.save()
      let new = try second.insert("Hero")
      if relationship == "mentor" {
        try new.set(relationship, to: hero(second, 1))
      } else {
        try new.add(hero(second, 1), to: relationship)
      }
      expectFailure(.storeConflict) { try second.save() }
      #expect(try open(file).1.database.integer("SELECT count(*) FROM Hero") == 1)
    }
  }

  @Test func contextsThatChangeDifferentObjectsDoNotDisturbEachOther() throws {
    let file = try StoreFile()
    let (first, _) = try open(file)
    try first.importJSON(#"[{"id": 1}, {"id": 2}]"#, into: "Hero")
    try first.save()
    let (second, _) = try open(file)
    try hero(first, 1).set("name", to: "a")
    try first.insert("Hero").set("id", to: 3)
    try first.save()
    try hero(second, 2).set("name", to: "b")
    try second.insert("Hero").set("id", to: 4)
    try second.save()
    let (third, store) = try open(file)
    #expect(try third.count(FetchRequest("Hero")) == 4)
    #expect(try hero(third, 1)["name"] == "a")
    #expect(try hero(third, 2)["name"] == "b")
    // A key is never given twice, also not that of a deleted object.
    try third.delete(hero(third, 4).id)
    try third.save()
    try third.insert("Hero").set("id", to: 5)
    try third.save()
    #expect(try store.database.integer("SELECT max(_id) FROM Hero") == 5)
  }

  @Test func unchangedObjectsAreNotWritten() throws {
    let file = try StoreFile()
    let (context, _) = try open(file)
    let text = #"[{"id": 1, "name": "a", "friends": [2, 3], "pupils": [{"id": 4}]}, {"id": 2}]"#
    try context.importJSON(.text(text), into: "Hero")
    try context.save()
    let (again, store) = try open(file)
    let watcher = try file.database()
    let version = try watcher.integer("PRAGMA data_version")
    let changes = try store.database.integer("SELECT total_changes()")
    let report = try again.importJSON(.text(text), into: "Hero").report
    #expect(report.updated == 0 && report.unchanged == 3)
    try again.save()
    #expect(try watcher.integer("PRAGMA data_version") == version)
    #expect(try store.database.integer("SELECT total_changes()") == changes)
    // Only what changed is: one object, one statement.
    try hero(again, 1).set("name", to: "b")
    try again.save()
    #expect(try store.database.integer("SELECT total_changes()") == changes + 1)
    #expect(try watcher.integer("PRAGMA data_version") != version)
  }

  @Test func namesThatAreOneInSQLDoNotClash() throws {
    let attributes: JSONValue = [
      "name": ["type": "string", "optional": true], "Name": ["type": "string", "optional": true],
      "_id": ["type": "string", "optional": true], "a\"b": ["type": "double", "optional": true],
      "select": ["type": "boolean", "optional": true],
    ]
    let document: JSONValue = [
      "entities": [
        "Order": ["attributes": attributes], "order": ["attributes": attributes],
        "sqlite_x": ["attributes": attributes],
        "A": [
          "parent": "Order", "attributes": ["title": ["type": "string", "optional": true]],
        ],
        "B": [
          "parent": "Order", "attributes": ["title": ["type": "integer64", "optional": true]],
        ],
      ]
    ]
    let mapping = try Mapping(model: ManagedObjectModel(document: document))
    let file = try StoreFile()
    let (context, _) = try open(file, mapping)
    for entity in ["Order", "order", "sqlite_x", "A", "B"] {
      let object = try context.insert(entity)
      for name in ["name", "Name", "_id"] { try object.set(name, to: .string(entity + name)) }
      try object.set("a\"b", to: .real(-0.0))
      try object.set("select", to: true)
      if entity == "A" { try object.set("title", to: "t\0t") }
      if entity == "B" { try object.set("title", to: 7) }
    }
    try context.save()
    let (again, _) = try open(file, mapping)
    for entity in ["Order", "order", "sqlite_x"] {
      let values = try [context, again].map { context in
        try context.fetch(FetchRequest(entity)).map { object in
          let names = ["name", "Name", "_id", "a\"b", "select"]
          let own = try ["A", "B"].contains(object.entityName()) ? [object["title"]] : []
          return try names.map { try object[$0] } + own
        }
      }
      #expect(values[0] == values[1] && !values[0].isEmpty)
    }
  }

  @Test func invalidPositionsAreReported() throws {
    for (sql, part) in [
      ("UPDATE _groot SET value = 'x' WHERE key LIKE 'place of %'", "the next place of"),
      ("UPDATE _groot SET value = -1 WHERE key LIKE 'place of %'", "the next place of"),
    ] {
      let file = try StoreFile()
      let (context, _) = try open(file)
      try context.importJSON(#"[{"id": 1, "pupils": [2, 3]}, {"id": 4}]"#, into: "Hero")
      try context.save()
      try execute(sql, file)
      let (again, _) = try open(file)
      try hero(again, 4).set("mentor", to: hero(again, 1))
      expectFailure(.storeInvalid, part) { try again.save() }
      #expect(again.brokenInvariants() == [])
    }
  }

  @Test func aLinkWithoutAPositionIsReported() throws {
    let file = try StoreFile()
    let (context, _) = try open(file)
    try context.importJSON(#"[{"id": 1, "friends": [2]}]"#, into: "Hero")
    try context.save()
    try execute("UPDATE Hero_friends SET source_order = 'x'", file)
    expectFailure(.storeInvalid, "lacks a key or a position") { _ = try export(open(file).0) }
  }

  /// What was to be read was deleted by others, and changes of this context keep it where it is.
  @Test func aDeletionByOthersIsReportedWhenItIsRead() throws {
    let file = try StoreFile()
    let (first, _) = try open(file)
    try first.importJSON(#"[{"id": 1, "mentor": 2}, {"id": 3}]"#, into: "Hero")
    try first.save()
    let (second, _) = try open(file)
    let mentor = try #require(try hero(second, 1).target("mentor"))
    try hero(second, 1).set("name", to: "changed")
    try first.delete(hero(first, 2).id)
    try first.save()
    // As when a save has failed: what is read from now on is what others left.
    second.coordinator?.endSnapshot()
    expectFailure(.storeConflict, "was deleted in the store") { _ = try mentor["name"] }
    try second.rollback()
    try second.refresh()
    #expect(try hero(second, 1).target("mentor") == nil)
    #expect(second.brokenInvariants() == [])
  }
}
