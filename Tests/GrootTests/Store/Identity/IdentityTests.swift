import Testing

@testable import Groot
@testable import GrootSQLite

/// Which object an identity means, with a store as in memory.
struct IdentityTests {
  private func text(_ path: String) -> JSONValue {
    ["type": "string", "optional": true, "userInfo": ["JSONKeyPath": .string(path)]]
  }

  private func number(_ path: String) -> JSONValue {
    ["type": "integer64", "optional": true, "userInfo": ["JSONKeyPath": .string(path)]]
  }

  private func context(
    _ document: JSONValue, rules: JSONValue? = nil, _ file: StoreFile? = nil
  ) throws -> ManagedObjectContext {
    let model = try ManagedObjectModel(document: document)
    let mapping =
      try rules.map { try Mapping(model: model, dialect: .kvc, rules: $0) } ?? Mapping(model: model)
    guard let file else { return ManagedObjectContext(mapping: mapping) }
    return try ManagedObjectContext(mapping: mapping, storePath: file.path)
  }

  // MARK: Identities with a to-one

  private func couples(_ identity: String, _ inverse: String) -> JSONValue {
    var relationships: JSONObject = [
      "mate": [
        "destination": "Bird", "inverse": .string(inverse), "optional": true,
        "userInfo": ["JSONKeyPath": "mate"],
      ]
    ]
    if inverse != "mate" {
      relationships[inverse] = ["destination": "Bird", "inverse": "mate", "optional": true]
    }
    return [
      "entities": [
        "Bird": [
          "userInfo": ["identityAttributes": .string(identity)],
          "attributes": ["ring": number("ring"), "name": text("name")],
          "relationships": .object(relationships),
        ]
      ]
    ]
  }

  @Test(arguments: ["mate", "ring, mate", "mate, ring"], ["mate", "mateOf"])
  func anObjectWhoseIdentityIncludesAPartnerIsIndexedOnce(identity: String, inverse: String) throws
  {
    let file = try StoreFile()
    let context = try context(couples(identity, inverse), file)
    let birds = try (0..<4).map { number in
      let bird = try context.insert("Bird")
      try bird.set("ring", to: .integer(Int64(number)))
      return bird
    }
    try birds[0].set("mate", to: birds[1])
    try birds[2].set("mate", to: birds[2])
    // What makes the index.
    _ = try context.importJSON(#"{"ring": 9, "name": "new"}"#, into: "Bird")
    #expect(context.brokenInvariants() == [])
    try context.save()
    for order in [[0, 1, 2, 3], [3, 2, 1, 0]] {
      try context.refresh()
      for position in order {
        _ = try birds[position]["name"]
        #expect(context.brokenInvariants() == [])
      }
    }
    try birds[0].set("mate", to: birds[3])
    #expect(context.brokenInvariants() == [])
    try context.rollback()
    #expect(context.brokenInvariants() == [])
    for bird in try context.fetch(FetchRequest("Bird")) { try context.delete(bird.id) }
    #expect(context.brokenInvariants() == [])
    try context.save()
    #expect(context.brokenInvariants() == [])
    #expect(context.graph.indexes[0].allSatisfy { $0.pointee.rowCount == 0 })
  }

  private let folders: JSONValue = [
    "entities": [
      "Folder": [
        "userInfo": ["identityAttributes": "name, parent"],
        "attributes": [
          "name": ["type": "string", "userInfo": ["JSONKeyPath": "name"]],
          "note": ["type": "string", "optional": true, "userInfo": ["JSONKeyPath": "note"]],
        ],
        "relationships": [
          "parent": ["destination": "Folder", "optional": true, "inverse": "folders"],
          "folders": [
            "destination": "Folder", "optional": true, "toMany": true, "inverse": "parent",
            "userInfo": ["JSONKeyPath": "folders"],
          ],
        ],
      ]
    ]
  ]

  private let tree =
    #"{"name": "top", "folders": [{"name": "a", "folders": [{"name": "b", "note": "1"}]}]}"#

  @Test func anIdentityThatIncludesAnOwnerIsFoundInAStore() throws {
    let file = try StoreFile()
    let first = try context(folders, file)
    try first.importJSON(.text(tree), into: "Folder")
    try first.save()
    let second = try context(folders, file)
    let report = try second.importJSON(
      #"{"name": "top", "folders": [{"name": "a", "folders": [{"name": "b", "note": "2"}]}]}"#,
      into: "Folder"
    ).report
    #expect(report.inserted == 0)
    try second.save()
    let third = try context(folders, file)
    #expect(try third.count(FetchRequest("Folder", where: ["name": "b", "note": "2"])) == 1)
    #expect(third.brokenInvariants() == [])
  }

  @Test(arguments: [ConflictPolicy.mine, .theirs])
  func membersOfOneIdentityThatTwoContextsInsertBecomeOne(policy: ConflictPolicy) throws {
    let file = try StoreFile()
    let first = try context(folders, file)
    try first.importJSON(#"{"name": "top"}"#, into: "Folder")
    try first.save()
    var options = SQLiteStoreOptions()
    options.conflicts = policy
    let second = try ManagedObjectContext(
      mapping: first.mapping, storePath: file.path, options: options)
    for (context, note) in [(first, "first"), (second, "second")] {
      let top = try #require(
        context.fetch(FetchRequest("Folder", where: ["name": "top"])).first)
      let folder = try context.insert("Folder")
      try folder.set("name", to: "new")
      try folder.set("note", to: .string(note))
      try folder.set("parent", to: top)
    }
    try first.save()
    try second.save()
    let third = try context(folders, file)
    let found = try third.fetch(FetchRequest("Folder", where: ["name": "new"]))
    #expect(try found.map { try $0["note"] } == [policy == .mine ? "second" : "first"])
    #expect(second.brokenInvariants() == [])
  }

  // MARK: The oldest counts

  private let keyed: JSONValue = [
    "entities": [
      "Item": [
        "userInfo": ["identityAttributes": "key"],
        "attributes": [
          "key": ["type": "integer64", "optional": true, "userInfo": ["JSONKeyPath": "key"]],
          "name": ["type": "string", "optional": true, "userInfo": ["JSONKeyPath": "name"]],
        ],
        "relationships": [
          "next": ["destination": "Item", "optional": true, "userInfo": ["JSONKeyPath": "next"]]
        ],
      ]
    ]
  ]

  /// The name of what has the key 1 after another object got it too, in a new context on the same data.
  @Test(arguments: [false, true], ["object", "identifier", "fetch", "sync"])
  func anIdentityGivenToASecondObjectStillMeansTheOlderOne(inStore: Bool, way: String) throws {
    let file = try StoreFile()
    var context = try context(keyed, inStore ? file : nil)
    try context.importJSON(
      #"[{"key": 1, "name": "old"}, {"key": 2, "name": "young"}]"#, into: "Item")
    try context.save()
    if inStore { context = try self.context(keyed, file) }
    let young = try #require(try context.fetch(FetchRequest("Item", where: ["key": 2])).first)
    try young.set("key", to: 1)
    switch way {
    case "object":
      let found = try context.importJSON(#"{"key": 1, "name": "found"}"#, into: "Item")
      #expect(found.count == 1)
      #expect(try young["name"] == "young")
    case "identifier":
      let found = try context.importJSON(#"{"key": 3, "next": 1}"#, into: "Item")
      #expect(try found[0].target("next")?["name"] == "old")
    case "fetch":
      let found = try context.fetch(FetchRequest("Item", where: ["key": 1]))
      #expect(try found.map { try $0["name"] } == ["old", "young"])
    default:
      let report = try context.sync("Item", with: #"[{"key": 1, "name": "found"}]"#)
      #expect(report.report.deleted == 1)
      let left = try context.fetch(FetchRequest("Item"))
      #expect(try left.map { try $0["name"] } == ["found"])
    }
    #expect(context.brokenInvariants() == [])
  }

  private let people: JSONValue = [
    "entities": [
      "Person": [
        "attributes": [
          "id": ["type": "integer64", "optional": true],
          "name": ["type": "string", "optional": true],
        ],
        "relationships": ["boss": ["destination": "Person", "optional": true]],
      ]
    ]
  ]

  /// A foreign key is not an identity: a store may have many objects of one key.
  @Test(arguments: [false, true], [false, true])
  func aForeignKeyMeansTheOldestObjectThatHasIt(inStore: Bool, isYoungNew: Bool) throws {
    let rules: JSONValue = [
      "person": ["Person.id": ["id": "id", "name": "name", "boss": "boss.name"]]
    ]
    let file = try StoreFile()
    var context = try context(people, rules: rules, inStore ? file : nil)
    try context.importJSON(
      #"[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Ann"}, {"id": 3, "name": "Bob"}]"#,
      into: "Person")
    try context.save()
    if inStore { context = try self.context(people, rules: rules, file) }
    // Only the younger one is in memory.
    let ann = try #require(try context.fetch(FetchRequest("Person", where: ["id": 2])).first)
    if isYoungNew { try ann.set("name", to: "Eve") }
    if isYoungNew { try ann.set("name", to: "Ann") }
    let found = try context.importJSON(#"{"id": 4, "boss": "Ann"}"#, into: "Person")
    #expect(try found[0].target("boss")?["id"] == 1)
    #expect(context.brokenInvariants() == [])
  }

  // MARK: One object each

  @Test func aSaveOfTwoObjectsOfOneIdentityIsRefused() throws {
    let file = try StoreFile()
    let (context, _) = try Heroes.open(file)
    try context.importJSON(#"[{"id": 1}, {"id": 2}]"#, into: "Hero")
    try context.save()
    let second = try context.hero(2)
    try second.set("id", to: 1)
    let before = dump(context)
    expectFailure(.identityConflict, "2 objects have the identity Hero id=1") { try context.save() }
    #expect(dump(context) == before)
    try second.set("id", to: 3)
    try context.save()
    #expect(try Heroes.export(Heroes.open(file).0) == Heroes.export(context))
  }

  @Test func objectsMayExchangeTheirIdentities() throws {
    let file = try StoreFile()
    let (context, _) = try Heroes.open(file)
    try context.importJSON(
      #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 3}]"#, into: "Hero")
    try context.save()
    let (one, two, three) = try (context.hero(1), context.hero(2), context.hero(3))
    try context.delete(three.id)
    try one.set("id", to: 2)
    try two.set("id", to: 3)
    let new = try context.insert("Hero")
    try new.set("id", to: 1)
    try context.save()
    #expect(try Heroes.export(Heroes.open(file).0) == Heroes.export(context))
    #expect(try Heroes.open(file).0.hero(2)["name"] == "a")
  }

  @Test func anIdentityOfAnUnreadObjectIsRefusedAsInMemory() throws {
    let file = try StoreFile()
    let first = try context(Self.library, file)
    try first.importJSON(#"[{"id": 777}, {"id": 778}, {"id": 779}]"#, into: "User")
    try first.save()
    let second = try context(Self.library, file)
    let inMemory = try context(Self.library)
    try inMemory.importJSON(#"[{"id": 777}, {"id": 778}, {"id": 779}]"#, into: "User")
    try inMemory.save()
    var messages: [String] = []
    for context in [second, inMemory] {
      let user = try #require(
        try context.fetch(FetchRequest("User", where: ["id": 778])).first)
      try user.set("id", to: 777)
      do {
        try context.save()
        Issue.record("two users are 777")
      } catch {
        #expect(error.status == .identityConflict && error.issues.first?.property == "id")
        messages.append(error.description)
      }
      try user.set("id", to: 780)
      try context.save()
      let inserted = try context.insert("User")
      try inserted.set("id", to: 779)
      do {
        try context.save()
        Issue.record("two users are 779")
      } catch {
        #expect(error.status == .identityConflict)
        messages.append(error.description)
      }
      try context.rollback()
      // The object that had the identity goes, and another takes it.
      let last = try #require(
        try context.fetch(FetchRequest("User", where: ["id": 779])).first)
      try context.delete(last)
      try context.insert("User").set("id", to: 779)
      try context.save()
      #expect(context.brokenInvariants() == [])
    }
    #expect(messages.prefix(2) == messages.suffix(2))
    #expect(messages.first?.contains("User id=777") == true, "\(messages)")
  }

  // MARK: All identities that a save refuses are named

  private static let id: JSONValue = [
    "type": "integer64", "default": 1, "userInfo": ["JSONKeyPath": "id"],
  ]

  private static let library: JSONValue = [
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
    let mapping = try Mapping(model: ManagedObjectModel(document: Self.library))
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

  @Test func anIdentityTakenByADefaultIsReported() throws {
    let found = try issues { _ = try $0.insert("Book") }
    #expect(found == [["Book.id", "User.id"], ["Book.id", "User.id"]])
  }

  @Test func anIdentityTakenByFillingAnObjectIsReported() throws {
    let found = try issues { context in
      try context.fill(book(context, 2).id, from: #"{"id": 1}"#)
    }
    #expect(found == [["Book.id", "User.id"], ["Book.id", "User.id"]])
  }

  @Test func anIdentityTakenByAddingAMemberIsReported() throws {
    let found = try issues { context in
      let page = try #require(try book(context, 2).members("pages").first)
      try book(context, 1).add(page, to: "pages")
    }
    #expect(found == [["Page.book", "User.id"], ["Page.book", "User.id"]])
  }

  @Test func anIdentityTakenBySettingMembersIsReported() throws {
    let found = try issues { context in
      let one = try book(context, 1)
      let page = try #require(try book(context, 2).members("pages").first)
      try one.set("pages", to: one.members("pages") + [page])
    }
    #expect(found == [["Page.book", "User.id"], ["Page.book", "User.id"]])
  }
}
