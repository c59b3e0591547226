import Testing

@testable import Groot
@testable import GrootPostgreSQL

/// Copies of stores; that they are as their originals is a part of ``StoreLawTests``.
@Suite(.serialized)
struct StoreCopyTests {
  struct Pair: CustomTestStringConvertible, Sendable {
    let source: StoreKind
    let target: StoreKind
    var testDescription: String { "\(source) to \(target)" }

    static let all = StoreKind.present.flatMap { source in
      StoreKind.present.map { Pair(source: source, target: $0) }
    }
  }

  private static let feed = """
    [{"id": 1, "name": "Bruce", "friends": [2, 3], "powers": [{"name": "Wealth"}, {"name": ""}]},
     {"id": 2, "name": "Dick", "mentor": 1, "powers": [{"name": "Wealth"}]},
     {"id": 3, "mentor": 1, "friends": [4]}, {"id": 5, "name": "Ra's \\"Al\\" Ghūl 😀"}]
    """

  private func filled(_ place: any StorePlace) throws -> ManagedObjectContext {
    let context = try place.context(Heroes.mapping())
    try context.importJSON(.text(Self.feed), into: "Hero")
    try context.save()
    let gone = try context.fetch(FetchRequest("Hero", where: ["id": .integer(5)]))[0]
    try context.delete(gone)
    try context.setNote("cursor", to: "1")
    try context.save()
    return context
  }

  @Test(arguments: Pair.all)
  func aCopyGoesOnWithKeysAndListsWhereItsOriginalWas(pair: Pair) throws {
    let places = try (pair.source.place(), pair.target.place())
    let source = try filled(places.0)
    let target = try places.1.context(Heroes.mapping())
    #expect(try target.count(FetchRequest("Hero")) == 0)
    try source.copyStore(to: target)
    #expect(target.brokenInvariants() == [])
    #expect(try Heroes.export(target) == Heroes.export(source))
    #expect(try target.note("cursor") == "1")
    try places.1.requireSound()
    let sourceStore = try #require(source.coordinator?.store)
    let targetStore = try #require(target.coordinator?.store)
    for table in try StoreSchema(Heroes.mapping()).tableIndices {
      #expect(try sourceStore.nextKey(table) == targetStore.nextKey(table))
    }
    let more = #"[{"id": 1, "friends": [2, 3, 6]}, {"id": 6, "name": "Lucius", "mentor": 1}]"#
    for context in [source, target] {
      try context.importJSON(.text(more), into: "Hero")
      try context.save()
    }
    let reopened = try (
      places.0.context(Heroes.mapping()), places.1.context(Heroes.mapping())
    )
    #expect(try Heroes.export(reopened.0) == Heroes.export(reopened.1))
    try places.1.requireSound()
  }

  @Test(arguments: StoreKind.present)
  func aStoreThatIsEmptyAgainGivesNoKeyTwice(kind: StoreKind) throws {
    let places = try (StoreFile(), kind.place())
    let target = try places.1.context(Heroes.mapping())
    let heroes = try (0..<50).map { _ in try target.insert("Hero") }
    try target.save()
    for hero in heroes { try target.delete(hero) }
    try target.save()
    let store = try #require(target.coordinator?.store)
    let before = try store.nextKey(TableIndex(0))
    #expect(before > 50)
    try filled(places.0).copyStore(to: target)
    #expect(try store.nextKey(TableIndex(0)) == before)
    #expect(try target.count(FetchRequest("Hero")) == 4)
  }

  @Test(arguments: Pair.all)
  func aCopyIntoAStoreWithObjectsIsRefused(pair: Pair) throws {
    let places = try (pair.source.place(), pair.target.place())
    let source = try filled(places.0)
    let target = try filled(places.1)
    let before = try Heroes.export(target)
    let error = #expect(throws: GrootError.self) { try source.copyStore(to: target) }
    #expect(error?.status == .invalidArgument)
    #expect(try Heroes.export(target) == before)
  }

  @Test
  func contextsThatCannotBeCopiedAreRefused() throws {
    let places = try (StoreFile(), StoreFile())
    let source = try filled(places.0)
    let memory = try ManagedObjectContext(mapping: Heroes.mapping())
    let target = try places.1.context(Heroes.mapping())
    let changed = try Heroes.mapping(
      ["entities": ["Hero": ["attributes": ["age": ["type": "integer16", "optional": true]]]]])
    let another = try StoreFile()
    let other = try another.context(changed)
    func refuses(_ source: ManagedObjectContext, _ target: ManagedObjectContext) {
      let error = #expect(throws: GrootError.self) { try source.copyStore(to: target) }
      #expect(error?.status == .invalidArgument)
    }
    refuses(source, source)
    refuses(source, memory)
    refuses(memory, target)
    refuses(source, other)
    try target.setNote("cursor", to: "2")
    refuses(source, target)
    try target.rollback()
    _ = try source.insert("Hero")
    refuses(source, target)
    try source.rollback()
    try source.copyStore(to: target)
    #expect(try target.count(FetchRequest("Hero")) == 4)
  }

  @Test(arguments: Pair.all)
  func aCancelledCopyLeavesNothing(pair: Pair) throws {
    let places = try (pair.source.place(), pair.target.place())
    let source = try places.0.context(Heroes.mapping())
    for id in 0..<3_000 { try source.insert("Hero").set("id", to: .integer(Int64(id))) }
    try source.save()
    let target = try places.1.context(Heroes.mapping())
    target.progress = { progress in progress.operation == .copying && progress.records < 2_000 }
    let error = #expect(throws: GrootError.self) { try source.copyStore(to: target) }
    #expect(error?.status == .cancelled)
    target.progress = nil
    #expect(try target.count(FetchRequest("Hero")) == 0)
    try places.1.requireSound()
    try source.copyStore(to: target)
    #expect(try target.count(FetchRequest("Hero")) == 3_000)
  }

  @Test(.enabled(if: PostgreSQLPlace.server != nil, "GROOT_POSTGRESQL names no server"))
  func aValueThatTheOtherDatabaseLacksIsNamed() throws {
    let file = try StoreFile()
    let place = try PostgreSQLPlace()
    let source = try file.context(Heroes.mapping())
    try source.insert("Hero").set("name", to: .string("a\0b"))
    try source.save()
    let target = try place.context(Heroes.mapping())
    let error = try #require(throws: GrootError.self) { try source.copyStore(to: target) }
    #expect(error.status == .outOfRange)
    #expect(error.issues[0].entity == "Hero" && error.issues[0].property == "name")
    #expect(try target.count(FetchRequest("Hero")) == 0)
  }

  @Test(.enabled(if: PostgreSQLPlace.server != nil, "GROOT_POSTGRESQL names no server"))
  func referencesWaitWhereTheirConstraintsStay() throws {
    let file = try StoreFile()
    let place = try PostgreSQLPlace()
    let source = try filled(file)
    // The pupil is before its mentor.
    let late = try source.insert("Hero")
    try late.set("id", to: .integer(9))
    try source.save()
    let first = try source.fetch(FetchRequest("Hero", where: ["id": .integer(1)]))[0]
    try first.set("mentor", to: late)
    try source.save()
    let target = try place.context(Heroes.mapping())
    try target.refresh()
    // Another session reads, so that no constraint can be dropped.
    let other = try place.connection()
    try other.run("SET search_path = \"\(place.schema)\"; BEGIN; SELECT count(*) FROM \"Hero\"")
    try source.copyStore(to: target)
    #expect(try Heroes.export(target) == Heroes.export(source))
    try other.run("ROLLBACK")
    try place.requireSound()
  }

  @Test(arguments: StoreKind.present)
  func aDescriptionNeedsNoMapping(kind: StoreKind) throws {
    let place = try kind.place()
    let context = try filled(place)
    try context.refresh()
    let found = try place.description()
    #expect(found.format == (kind == .file ? 2 : 1) && found.faults.isEmpty && !found.hasViews)
    #expect(found.model == context.model.document)
    #expect(found.notes == ["cursor": "1"])
    #expect(found.counts?["Hero"] == StoreDescription.Count(objects: 4, placeholders: 1))
    #expect(found.counts?["Power"] == StoreDescription.Count(objects: 2, placeholders: 0))
    #expect((found.size ?? 0) > 8_192)
    #expect(found.statements.contains { $0.hasPrefix("CREATE TABLE \"Hero\"") })
  }

  @Test
  func aFileThatIsNotAStoreHasNoDescription() throws {
    let file = try StoreFile()
    #expect(throws: GrootError.self) { try StoreDescription(storePath: file.path) }
    #expect(!file.exists)
    try file.write("")
    #expect(throws: GrootError.self) { try StoreDescription(storePath: file.path) }
    try file.write(String(repeating: "x", count: 4_096))
    #expect(throws: GrootError.self) { try StoreDescription(storePath: file.path) }
  }
}
