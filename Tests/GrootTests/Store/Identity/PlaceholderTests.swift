import Testing

@testable import Groot
@testable import GrootSQLite

/// Objects that are only named so far, and the records that bring them later.
struct PlaceholderTests {
  private func open(_ file: StoreFile) throws -> ManagedObjectContext {
    try file.context(Items.document)
  }

  /// The entities and numbers of all items, in the order of their numbers.
  private func items(_ context: ManagedObjectContext) throws -> [String] {
    let request = FetchRequest("Item", sort: [.ascending("id")])
    return try context.fetch(request).map {
      let text = try context.exportText([$0])
      return try "\($0.entityName()) \(text)"
    }
  }

  /// The first context has found the store empty before, and has no snapshot of it any more.
  @Test func aRecordFillsAPlaceholderThatAnotherContextSaved() throws {
    let file = try StoreFile()
    let (one, other) = (try open(file), try open(file))
    try one.importJSON(#"{"id": 1}"#, into: "Item")
    try one.rollback()
    one.coordinator?.endSnapshot()
    try other.importJSON(#"{"id": 2, "next": 5}"#, into: "Item")
    try other.save()
    try one.importJSON(#"{"id": 5, "size": 14}"#, into: "Box")
    try one.save()
    for context in [one, try open(file)] {
      let box = try #require(context.fetch(FetchRequest("Box")).first)
      #expect(try context.count(FetchRequest("Item")) == 2)
      #expect(try box.members("before").map { try $0["id"] } == [2])
      #expect(context.brokenInvariants() == [])
    }
  }

  /// An identifier may say more of the entity than the one before, also when the object is saved.
  @Test(arguments: ["Toy", "Box"])
  func aSavedPlaceholderTakesTheSubEntityThatALaterIdentifierNames(entity: String) throws {
    let file = try StoreFile()
    let context = try open(file)
    try context.importJSON(#"{"id": 1, "next": 5}"#, into: "Item")
    try context.save()
    let before = try items(context)
    let text = #"{"id": 2, "\#(entity.lowercased())": 5}"#
    try context.importJSON(.text(text), into: "Item")
    #expect(try context.changes == ChangeCounts(inserted: 1, updated: 1))
    #expect(try context.count(FetchRequest(entity)) == 1)
    try context.rollback()
    #expect(try context.changes == ChangeCounts())
    #expect(try items(context) == before)
    try context.importJSON(.text(text), into: "Item")
    try context.save()
    let after = try items(context)
    #expect(after.map { $0.prefix(4) } == ["Item", "Item", "\(entity) ".prefix(4)])
    #expect(try items(open(file)) == after)
    #expect(try open(file).count(FetchRequest(entity)) == 1)
    #expect(try context.changes == ChangeCounts())
  }

  @Test func aPlaceholderThatAnotherContextFilledShowsItsRecordAfterARefresh() throws {
    let file = try StoreFile()
    let first = try open(file)
    try first.importJSON(#"[{"id": 1, "next": 2}, {"id": 3, "size": 7, "next": 2}]"#, into: "Box")
    try first.save()
    let reader = try open(file)
    let box = try #require(reader.fetch(FetchRequest("Item", where: ["id": 1])).first)
    let known = try #require(try box.target("next"))
    #expect(try reader.entity(of: known.id).name == "Item")
    let writer = try open(file)
    try writer.importJSON(#"[{"id": 2, "name": "top", "parts": [1, 3]}]"#, into: "Toy")
    try writer.save()
    try reader.refresh()
    #expect(try known["id"] == 2)
    #expect(try reader.entity(of: known.id).name == "Toy")
    #expect(try known["name"] == "top")
    #expect(try known.members("parts").count == 2)
    #expect(try known.members("before").count == 2)
    #expect(reader.brokenInvariants() == [])
    #expect(try reader.count(FetchRequest("Toy")) == 1)
    try known.set("name", to: "spinning top")
    try reader.save()
    #expect(try open(file).fetch(FetchRequest("Toy")).first?["name"] == "spinning top")
  }

  // MARK: Models of their own

  private func number(_ path: String) -> JSONValue {
    ["type": "integer64", "optional": true, "userInfo": ["JSONKeyPath": .string(path)]]
  }

  @Test func aPlaceholderOfAnAbstractEntityStaysUntilARecordNamesItsEntity() throws {
    let document: JSONValue = [
      "entities": [
        "Work": [
          "abstract": true,
          "userInfo": ["identityAttributes": "id"],
          "attributes": ["id": number("id")],
          "relationships": [
            "next": ["destination": "Work", "optional": true, "userInfo": ["JSONKeyPath": "next"]]
          ],
        ],
        "Novel": ["parent": "Work", "attributes": ["pages": number("pages")]],
        "Poem": ["parent": "Work"],
      ]
    ]
    let file = try StoreFile()
    let first = try file.context(document)
    try first.importJSON(#"[{"id": 1, "next": 2}, {"id": 3, "next": 2}]"#, into: "Poem")
    try first.save()
    let second = try file.context(document)
    let works = try second.fetch(FetchRequest("Work"))
    #expect(try works.map { try second.entity(of: $0.id).name } == ["Poem", "Work", "Poem"])
    try second.importJSON(#"{"id": 2, "pages": 9}"#, into: "Novel")
    try second.save()
    let third = try file.context(document)
    let novels = try third.fetch(FetchRequest("Novel"))
    #expect(try novels.map { try $0["pages"] } == [.integer(9)])
    for poem in try third.fetch(FetchRequest("Poem")) {
      #expect(try poem.target("next") == novels.first)
    }
    #expect(try third.count(FetchRequest("Work")) == 3)
    #expect(third.brokenInvariants() == [])
  }

  @Test func aRecordFillsItsPlaceholderThoughAnotherObjectTookTheIdentity() throws {
    let document: JSONValue = [
      "entities": [
        "Cat": [
          "userInfo": ["identityAttributes": "id"],
          "attributes": ["id": number("id"), "age": number("age")],
          "relationships": [
            "friends": [
              "destination": "Cat", "toMany": true, "optional": true,
              "userInfo": ["JSONKeyPath": "friends"],
            ]
          ],
        ],
        "Tom": ["parent": "Cat"],
      ]
    ]
    let file = try StoreFile()
    let first = try file.context(document)
    try first.importJSON(#"{"id": 1, "age": 3, "friends": [{"id": 2}]}"#, into: "Cat")
    try first.save()
    let second = try file.context(document)
    let one = try #require(try second.fetch(FetchRequest("Cat", where: ["id": 1])).first)
    try one.set("id", to: .integer(2))
    try second.importJSON(#"[{"id": 2}]"#, into: "Tom")
    let named = try second.fetch(FetchRequest("Cat", where: ["id": 2]))
    #expect(try named.map { try second.entity(of: $0.id).name } == ["Cat", "Tom"])
    try second.save()
    #expect(try file.context(document).count(FetchRequest("Tom")) == 1)
  }
}
