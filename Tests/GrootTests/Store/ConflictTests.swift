import Testing

@testable import Groot
@testable import GrootSQLite

/// Two contexts write to the same objects: what is a conflict, and what a policy makes of it.
struct ConflictTests {
  // MARK: Without a policy

  @Test func anObjectThatAnotherContextChangedIsAConflict() throws {
    let file = try StoreFile()
    let (first, _) = try Heroes.open(file)
    try first.importJSON(
      #"[{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4, "name": "four"}]"#, into: "Hero")
    try first.save()
    let (second, _) = try Heroes.open(file)
    try first.hero(1).set("name", to: "mine")
    try first.delete(first.hero(2).id)
    try first.hero(3).set("name", to: "three")
    try first.save()
    let others = try Heroes.export(first)

    try second.hero(1).set("name", to: "theirs")
    try second.hero(2).set("name", to: "gone")
    try second.delete(second.hero(3).id)
    try second.hero(4).set("name", to: "fine")
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
    #expect(try Heroes.export(Heroes.open(file).0) == others)
    // Read anew, done again, and saved.
    let gone = try second.hero(2)
    try second.refresh()
    #expect(try Heroes.export(second) == others)
    #expect(gone.isDeleted)
    try second.hero(1).set("name", to: "theirs")
    try second.save()
    #expect(try Heroes.export(Heroes.open(file).0) == Heroes.export(second))
  }

  @Test func aNewLinkToAnObjectThatAnotherContextDeletedIsAConflict() throws {
    for relationship in ["mentor", "friends"] {
      let file = try StoreFile()
      let (first, _) = try Heroes.open(file)
      try first.importJSON(#"[{"id": 1}, {"id": 2}]"#, into: "Hero")
      try first.save()
      let (second, _) = try Heroes.open(file)
      try first.delete(first.hero(1).id)
      try first.save()
      let new = try second.insert("Hero")
      if relationship == "mentor" {
        try new.set(relationship, to: second.hero(1))
      } else {
        try new.add(second.hero(1), to: relationship)
      }
      expectFailure(.storeConflict) { try second.save() }
      #expect(try Heroes.open(file).1.database.integer("SELECT count(*) FROM Hero") == 1)
    }
  }

  /// Others deleted the objects to read, and changes of this context keep them in their place.
  @Test func aReadOfAnObjectThatAnotherContextDeletedIsAConflict() throws {
    let file = try StoreFile()
    let (first, _) = try Heroes.open(file)
    try first.importJSON(#"[{"id": 1, "mentor": 2}, {"id": 3}]"#, into: "Hero")
    try first.save()
    let (second, _) = try Heroes.open(file)
    let mentor = try #require(try second.hero(1).target("mentor"))
    try second.hero(1).set("name", to: "changed")
    try first.delete(first.hero(2).id)
    try first.save()
    // As when a save has failed: what is read from now on is what others left.
    second.coordinator?.endSnapshot()
    expectFailure(.storeConflict, "was deleted in the store") { _ = try mentor["name"] }
    try second.rollback()
    try second.refresh()
    #expect(try second.hero(1).target("mentor") == nil)
    #expect(second.brokenInvariants() == [])
  }

  @Test func changesOfDifferentObjectsDoNotConflict() throws {
    let file = try StoreFile()
    let (first, _) = try Heroes.open(file)
    try first.importJSON(#"[{"id": 1}, {"id": 2}]"#, into: "Hero")
    try first.save()
    let (second, _) = try Heroes.open(file)
    try first.hero(1).set("name", to: "a")
    try first.insert("Hero").set("id", to: 3)
    try first.save()
    try second.hero(2).set("name", to: "b")
    try second.insert("Hero").set("id", to: 4)
    try second.save()
    let (third, store) = try Heroes.open(file)
    #expect(try third.count(FetchRequest("Hero")) == 4)
    #expect(try third.hero(1)["name"] == "a")
    #expect(try third.hero(2)["name"] == "b")
    // A key is never given twice, also not that of a deleted object.
    try third.delete(third.hero(4).id)
    try third.save()
    try third.insert("Hero").set("id", to: 5)
    try third.save()
    #expect(try store.database.integer("SELECT max(_id) FROM Hero") == 5)
  }

  @Test func aRefreshReadsAnObjectOnceItsDamageIsMended() throws {
    let file = try StoreFile()
    let (context, _) = try Heroes.open(file)
    try context.importJSON(#"[{"id": 1, "pupils": [2, 3]}, {"id": 4}]"#, into: "Hero")
    try context.save()
    let before = dump(context)
    let (other, _) = try Heroes.open(file)
    try other.delete(other.hero(2).id)
    try other.insert("Hero").set("id", to: 5)
    try other.save()
    try file.execute("UPDATE Hero SET name = x'00', _version = 9 WHERE id = 5")
    #expect(dump(context) == before)
    try context.refresh()
    expectFailure(.storeValueInvalid, "instead of text in UTF-8") { _ = try Heroes.export(context) }
    #expect(context.brokenInvariants() == [])
    try file.execute("UPDATE Hero SET name = 'five' WHERE id = 5")
    try context.refresh()
    #expect(try Heroes.export(context) == Heroes.export(Heroes.open(file).0))
    try context.importJSON(#"[{"id": 5, "name": "six"}]"#, into: "Hero")
    try context.save()
    #expect(try Heroes.export(context) == Heroes.export(Heroes.open(file).0))
  }

  // MARK: Policies

  private static let document = """
    {"entities": {
      "Hero": {"userInfo": {"identityAttributes": "id"},
        "attributes": {
          "id": {"type": "integer64", "optional": true, "userInfo": {"JSONKeyPath": "id"}},
          "name": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "name"}},
          "note": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "note"}}},
        "relationships": {
          "friends": {"destination": "Hero", "toMany": true, "optional": true, "inverse": "fans",
            "userInfo": {"JSONKeyPath": "friends"}},
          "fans": {"destination": "Hero", "toMany": true, "optional": true, "inverse": "friends"},
          "mentor": {"destination": "Hero", "optional": true, "inverse": "pupils",
            "userInfo": {"JSONKeyPath": "mentor"}},
          "pupils": {"destination": "Hero", "toMany": true, "optional": true, "inverse": "mentor"},
          "weapons": {"destination": "Weapon", "toMany": true, "optional": true,
            "inverse": "owner"}}},
      "Weapon": {"userInfo": {"identityAttributes": "id"},
        "attributes": {
          "id": {"type": "integer64", "optional": true, "userInfo": {"JSONKeyPath": "id"}}},
        "relationships": {
          "owner": {"destination": "Hero", "inverse": "weapons",
            "userInfo": {"JSONKeyPath": "owner"}}}}}}
    """

  private func open(
    _ file: StoreFile, _ policy: ConflictPolicy = .error
  ) throws -> ManagedObjectContext {
    let document = try JSONValue(parsing: Self.document)
    let mapping = try Mapping(model: ManagedObjectModel(document: document))
    var options = SQLiteStoreOptions()
    options.conflicts = policy
    options.busyTimeout = 50
    return try ManagedObjectContext(mapping: mapping, storePath: file.path, options: options)
  }

  /// Two contexts with the same objects; the first fails at conflicts, the second has a policy.
  private func two(
    _ policy: ConflictPolicy, _ text: String
  ) throws -> (file: StoreFile, first: ManagedObjectContext, second: ManagedObjectContext) {
    let file = try StoreFile()
    let first = try open(file)
    try first.importJSON(.text(text), into: "Hero")
    try first.save()
    let second = try open(file, policy)
    _ = try lines(second)
    return (file, first, second)
  }

  /// All heroes in the order of their identities, with what they lead to.
  private func lines(_ context: ManagedObjectContext) throws -> [String] {
    func text(_ value: Value) -> String {
      if case .string(let text) = value { text } else { value == .null ? "-" : "\(value.json)" }
    }
    let request = FetchRequest("Hero", sort: [.ascending("id")])
    return try context.fetch(request).map { hero in
      let values = try ["id", "name", "note"].map { try text(hero[$0]) }
      let mentor = try hero.target("mentor").map { try text($0["id"]) } ?? "-"
      let lists = try ["friends", "pupils"].map { list in
        try hero.members(list).map { try text($0["id"]) }.joined(separator: ",")
      }
      return (values + [mentor] + lists).joined(separator: " ")
    }
  }

  /// Saves what a policy solves, and requires what is there then, in the context as in the file.
  private func expectSaved(
    _ context: ManagedObjectContext, _ file: StoreFile, _ expected: [String], conflicts: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try context.save()
    #expect(try lines(context) == expected, sourceLocation: sourceLocation)
    #expect(try lines(open(file)) == expected, sourceLocation: sourceLocation)
    #expect(context.brokenInvariants() == [], sourceLocation: sourceLocation)
    #expect(try context.changes == ChangeCounts(), sourceLocation: sourceLocation)
    #expect(context.conflicts.count == conflicts.count, sourceLocation: sourceLocation)
    for (conflict, part) in zip(context.conflicts, conflicts) {
      #expect(conflict.message.contains(part), "\(conflict)", sourceLocation: sourceLocation)
      #expect(conflict.status == .storeConflict && conflict.severity == .warning)
    }
    // Nothing is left to be written, and the versions are known.
    let last = try #require(context.fetch(FetchRequest("Hero")).last)
    try last.set("note", to: "later")
    try context.save()
    #expect(context.conflicts == [], sourceLocation: sourceLocation)
    #expect(try lines(open(file)) == lines(context), sourceLocation: sourceLocation)
  }

  @Test(arguments: [ConflictPolicy.mine, .theirs])
  func changesOfOneObjectAreMergedUnderMineAndDroppedUnderTheirs(policy: ConflictPolicy) throws {
    let (file, first, second) = try two(
      policy, #"[{"id": 1, "name": "a", "note": "n"}, {"id": 2}, {"id": 3}]"#)
    try first.hero(1).set("name", to: "first")
    try first.hero(2).set("name", to: "first")
    try first.save()
    try second.hero(1).set("note", to: "second")
    try second.hero(2).set("name", to: "second")
    try second.hero(3).set("name", to: "second")
    let isMine = policy == .mine
    try expectSaved(
      second, file,
      [
        isMine ? "1 first second -  " : "1 first n -  ",
        isMine ? "2 second - -  " : "2 first - -  ", "3 second - -  ",
      ],
      conflicts: isMine
        ? ["id=1 was changed", "changes here were written"]
        : ["id=1 was changed", "changes here were dropped"])
  }

  @Test(arguments: [ConflictPolicy.mine, .theirs])
  func aDeletionWinsOverAChangeUnlessTheirsKeepsTheChange(policy: ConflictPolicy) throws {
    let (file, first, second) = try two(
      policy, #"[{"id": 1}, {"id": 2}, {"id": 3, "friends": [1]}, {"id": 4}]"#)
    try first.delete(first.hero(2).id)
    try first.hero(3).set("name", to: "first")
    try first.delete(first.hero(4).id)
    try first.save()
    try second.hero(2).set("name", to: "second")
    try second.delete(second.hero(3).id)
    try second.delete(second.hero(4).id)
    try expectSaved(
      second, file, policy == .mine ? ["1 - - -  "] : ["1 - - -  ", "3 first - - 1 "],
      conflicts: [
        "id=2 was deleted",
        policy == .mine ? "the deletion was written" : "the deletion was dropped",
        "was deleted in the store too",
      ])
  }

  @Test(arguments: [ConflictPolicy.mine, .theirs], [Int64(1), 3])
  func newLinksToAnObjectThatAnotherContextDeletedAreRemoved(policy: ConflictPolicy, gone: Int64)
    throws
  {
    for (isMentor, isFriend) in [(true, true), (true, false), (false, true)] {
      let (file, first, second) = try two(policy, #"[{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}]"#)
      let owner: Int64 = 4 - gone
      try first.delete(first.hero(gone).id)
      try first.save()
      if isMentor { try second.hero(2).set("mentor", to: second.hero(gone)) }
      if isFriend { try second.hero(owner).add(second.hero(gone), to: "friends") }
      try second.hero(owner).add(second.hero(2), to: "friends")
      let new = try second.insert("Hero")
      try new.set("id", to: 5)
      if isMentor { try new.set("mentor", to: second.hero(gone)) }
      let expected = ["2 - - -  ", "4 - - -  ", "5 - - -  ", "\(owner) - - - 2 "]
      try expectSaved(second, file, expected.sorted(), conflicts: ["id=\(gone) was deleted"])
    }
  }

  @Test(arguments: [ConflictPolicy.mine, .theirs])
  func storedLinksToAnObjectDeletedHereAreRemoved(policy: ConflictPolicy) throws {
    let (file, first, second) = try two(policy, #"[{"id": 1}, {"id": 2}, {"id": 3}]"#)
    try first.hero(2).set("mentor", to: first.hero(3))
    try first.hero(1).add(first.hero(3), to: "friends")
    try first.save()
    try second.delete(second.hero(3).id)
    try expectSaved(
      second, file, ["1 - - -  ", "2 - - -  "],
      conflicts: ["the link was removed", "the link was removed"])
  }

  @Test(arguments: [ConflictPolicy.mine, .theirs])
  func aRequiredLinkToADeletedObjectIsAConflictUnderEachPolicy(policy: ConflictPolicy) throws {
    for isReferenceHere in [true, false] {
      let (file, first, second) = try two(policy, #"[{"id": 1}, {"id": 2}]"#)
      func arm(_ context: ManagedObjectContext) throws {
        let weapon = try context.insert("Weapon")
        try weapon.set("id", to: 7)
        try weapon.set("owner", to: context.hero(2))
      }
      if isReferenceHere {
        try first.delete(first.hero(2).id)
        try arm(second)
      } else {
        try arm(first)
        try second.delete(second.hero(2).id)
      }
      try first.save()
      let (before, stored) = (dump(second), try lines(open(file)))
      do {
        try second.save()
        Issue.record("this did not fail")
      } catch {
        #expect(error.status == .storeConflict)
        #expect(error.issues.first?.entity == "Weapon" && error.issues.first?.property == "owner")
      }
      #expect(dump(second) == before)
      #expect(second.conflicts == [])
      #expect(try lines(open(file)) == stored)
      try second.rollback()
      try second.save()
      #expect(try lines(second) == stored)
    }
  }

  @Test(arguments: [ConflictPolicy.mine, .theirs])
  func objectsOfOneIdentityThatTwoContextsInsertBecomeOne(policy: ConflictPolicy) throws {
    let (file, first, second) = try two(policy, #"[{"id": 1}]"#)
    try first.importJSON(
      #"[{"id": 8, "name": "first", "note": "first", "friends": [1]}]"#, into: "Hero")
    try first.save()
    // The second had read everything before, so it does not know of 8.
    let new = try second.insert("Hero")
    try new.set("id", to: 8)
    try new.set("name", to: "second")
    try new.add(new, to: "friends")
    try new.set("mentor", to: second.hero(1))
    let pupil = try second.insert("Hero")
    try pupil.set("id", to: 9)
    try pupil.set("mentor", to: new)
    let eight = policy == .mine ? "8 second first 1 1,8 9" : "8 first first - 1,8 9"
    try expectSaved(
      second, file, [policy == .mine ? "1 - - -  8" : "1 - - -  ", eight, "9 - - 8  "],
      conflicts: ["id=8 was inserted in the store meanwhile too"])
    #expect(try new["id"] == 8)
  }

  @Test func aSaveThatFailsAfterSolvingConflictsChangesNothing() throws {
    let (file, first, second) = try two(.mine, #"[{"id": 1}, {"id": 2}, {"id": 3}]"#)
    try first.hero(1).set("name", to: "first")
    try first.delete(first.hero(2).id)
    try first.save()
    try second.hero(1).set("name", to: "second")
    try second.hero(2).set("name", to: "second")
    let violation = try second.insert("Hero")
    try violation.set("id", to: 3)
    let (before, stored) = (dump(second), try lines(open(file)))
    for _ in 0..<2 {
      #expect(throws: GrootError.self) { try second.save() }
      #expect(dump(second) == before)
      #expect(try lines(open(file)) == stored)
    }
    try violation.set("id", to: 4)
    try expectSaved(
      second, file, ["1 second - -  ", "3 - - -  ", "4 - - -  "],
      conflicts: ["id=1 was changed", "id=2 was deleted"])
  }
}
