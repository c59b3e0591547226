import Testing

@testable import Groot

/// Texts that a program keeps beside its objects.
@Suite(.serialized)
struct NoteTests {
  @Test(arguments: StoreKind.present)
  func aNoteIsWrittenWithTheObjects(kind: StoreKind) throws {
    let place = try kind.place()
    let context = try place.context(Heroes.mapping())
    #expect(try context.note("cursor") == nil)
    try context.setNote("cursor", to: "page 2")
    try context.setNote("größe", to: "")
    #expect(try context.note("cursor") == "page 2")
    let other = try place.context(Heroes.mapping())
    #expect(try other.note("cursor") == nil)
    _ = try context.insert("Hero")
    try context.save()
    try other.refresh()
    #expect(try other.note("cursor") == "page 2")
    #expect(try other.note("größe") == "")
    try other.setNote("cursor", to: nil)
    #expect(try other.note("cursor") == nil)
    try other.save()
    let third = try place.context(Heroes.mapping())
    #expect(try third.note("cursor") == nil)
    #expect(try third.note("größe") == "")
  }

  @Test(arguments: StoreKind.present)
  func aSaveThatFailsWritesNoNote(kind: StoreKind) throws {
    let place = try kind.place()
    let context = try place.context(Heroes.mapping())
    try context.setNote("cursor", to: "1")
    try context.insert("Power").set("name", to: .null)
    #expect(throws: GrootError.self) { try context.save() }
    #expect(try context.note("cursor") == "1")
    #expect(try place.context(Heroes.mapping()).note("cursor") == nil)
    try context.rollback()
    #expect(try context.note("cursor") == nil)
    try context.setNote("cursor", to: "2")
    try context.refresh()
    try context.save()
    #expect(try place.context(Heroes.mapping()).note("cursor") == nil)
  }

  @Test(arguments: StoreKind.present)
  func aNoteThatIsAsBeforeIsNotWritten(kind: StoreKind) throws {
    let place = try kind.place()
    let context = try place.context(Heroes.mapping())
    try context.setNote("cursor", to: "1")
    try context.save()
    let other = try place.context(Heroes.mapping())
    let store = try #require(other.coordinator?.store)
    try other.setNote("cursor", to: "1")
    let before = store.statementCount
    try other.save()
    #expect(store.statementCount - before <= 2)
    #expect(try context.note("cursor") == "1")
  }

  @Test(arguments: StoreKind.present)
  func migrationsLeaveNotes(kind: StoreKind) throws {
    let place = try kind.place()
    let context = try place.context(Heroes.mapping())
    try context.setNote("cursor", to: "1")
    try context.save()
    try context.refresh()
    let changed = try Heroes.mapping(
      ["entities": ["Hero": ["attributes": ["age": ["type": "integer16", "optional": true]]]]])
    withExtendedLifetime(context) {}
    #expect(try place.context(changed).note("cursor") == "1")
  }

  @Test
  func aContextInMemoryKeepsNotes() throws {
    let context = try ManagedObjectContext(mapping: Heroes.mapping())
    try context.setNote("cursor", to: "1")
    try context.save()
    try context.setNote("cursor", to: "2")
    #expect(try context.note("cursor") == "2")
    try context.rollback()
    #expect(try context.note("cursor") == "1")
    try context.setNote("cursor", to: nil)
    try context.save()
    #expect(try context.note("cursor") == nil)
  }

  @Test(arguments: ["", "a\0b", String(repeating: "x", count: 201)])
  func namesThatNotEveryStoreHoldsAreRefused(name: String) throws {
    let context = try ManagedObjectContext(mapping: Heroes.mapping())
    for call in [{ _ = try context.note(name) }, { try context.setNote(name, to: "1") }] {
      let error = #expect(throws: GrootError.self) { try call() }
      #expect(error?.status == .invalidArgument)
    }
    #expect(throws: GrootError.self) { try context.setNote("a", to: "b\0") }
  }
}
