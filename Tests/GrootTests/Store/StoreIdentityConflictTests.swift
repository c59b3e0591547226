import Testing

@testable import Groot
@testable import GrootSQLite

/// A save names all identities that several objects have, also where one of them is not read yet.
struct StoreIdentityConflictTests {
  private static let id: JSONValue = [
    "type": "integer64", "default": 1, "userInfo": ["JSONKeyPath": "id"],
  ]

  private static let document: JSONValue = [
    "entities": [
      "User": [
        "userInfo": ["identityAttributes": "id"],
        "attributes": ["id": id],
      ],
      "Book": [
        "userInfo": ["identityAttributes": "id"],
        "attributes": ["id": id],
        "relationships": [
          "pages": [
            "destination": "Page", "toMany": true, "optional": true, "inverse": "book",
            "userInfo": ["JSONKeyPath": "pages"],
          ]
        ],
      ],
      "Page": [
        "userInfo": ["identityAttributes": "book, number"],
        "attributes": [
          "number": ["type": "integer64", "userInfo": ["JSONKeyPath": "number"]]
        ],
        "relationships": [
          "book": ["destination": "Book", "optional": true, "inverse": "pages"]
        ],
      ],
    ]
  ]

  private static let books: JSONValue = [
    ["id": 1, "pages": [["number": 7]]], ["id": 2, "pages": [["number": 7]]],
  ]

  /// The issues of a save after some changes, in memory and in a store of which nothing is read.
  private func issues(_ change: (ManagedObjectContext) throws -> Void) throws -> [[String]] {
    let mapping = try Mapping(model: ManagedObjectModel(document: Self.document))
    let file = try StoreFile()
    func filled(_ context: ManagedObjectContext) throws -> ManagedObjectContext {
      try context.importJSON(.text(Self.books.description), into: "Book")
      try context.importJSON(#"[{"id": 1}, {"id": 2}]"#, into: "User")
      try context.save()
      return context
    }
    _ = try filled(ManagedObjectContext(mapping: mapping, storePath: file.path))
    let contexts = try [
      filled(ManagedObjectContext(mapping: mapping)),
      ManagedObjectContext(mapping: mapping, storePath: file.path),
    ]
    return try contexts.map { context in
      // Another conflict, so that the store's own constraint is not the one that speaks.
      try context.insert("User").set("id", to: 2)
      try change(context)
      do {
        try context.save()
        return []
      } catch let error as GrootError {
        #expect(error.issues.allSatisfy { $0.status == .identityConflict })
        return error.issues.map { "\($0.entity).\($0.property)" }.sorted()
      }
    }
  }

  private func book(_ context: ManagedObjectContext, _ id: Int64) throws -> ManagedObject {
    try #require(try context.fetch(FetchRequest("Book", where: ["id": .integer(id)])).first)
  }

  @Test func aDefaultIsAnIdentityThatIsTaken() throws {
    let found = try issues { _ = try $0.insert("Book") }
    #expect(found == [["Book.id", "User.id"], ["Book.id", "User.id"]])
  }

  @Test func aFilledObjectHasTheIdentityOfItsRecord() throws {
    let found = try issues { context in
      try context.fill(book(context, 2).id, from: #"{"id": 1}"#)
    }
    #expect(found == [["Book.id", "User.id"], ["Book.id", "User.id"]])
  }

  @Test func aMemberThatIsAddedHasTheIdentityOfItsOwner() throws {
    let found = try issues { context in
      let page = try #require(try book(context, 2).members("pages").first)
      try book(context, 1).add(page, to: "pages")
    }
    #expect(found == [["Page.book", "User.id"], ["Page.book", "User.id"]])
  }

  @Test func membersThatAreSetHaveTheIdentityOfTheirOwner() throws {
    let found = try issues { context in
      let one = try book(context, 1)
      let page = try #require(try book(context, 2).members("pages").first)
      try one.set("pages", to: one.members("pages") + [page])
    }
    #expect(found == [["Page.book", "User.id"], ["Page.book", "User.id"]])
  }
}
