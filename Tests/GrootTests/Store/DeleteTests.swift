import Groot
import GrootSQLite
import Testing

/// Objects that were not read are deleted: by an import that leaves them out, and by a sync.
struct DeleteTests {
  /// Members of another entity than their owner, so that rows of one are not any of the other.
  private static let document = """
    {"entities": {
      "Box": {"userInfo": {"identityAttributes": "id"},
        "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
        "relationships": {
          "items": {"destination": "Item", "inverse": "box", "toMany": true, "optional": true,
            "userInfo": {"JSONKeyPath": "items", "groot.assignment": "deleteMissing"}},
          "lids": {"destination": "Lid", "inverse": "boxes", "toMany": true, "optional": true,
            "userInfo": {"JSONKeyPath": "lids", "groot.assignment": "deleteMissing"}},
          "key": {"destination": "Part", "inverse": "lock", "optional": true,
            "userInfo": {"JSONKeyPath": "key"}}}},
      "Item": {"userInfo": {"identityAttributes": "id"},
        "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
        "relationships": {
          "box": {"destination": "Box", "inverse": "items", "optional": true},
          "parts": {"destination": "Part", "inverse": "item", "toMany": true, "optional": true,
            "deleteRule": "cascade", "userInfo": {"JSONKeyPath": "parts"}}}},
      "Lid": {"userInfo": {"identityAttributes": "id"},
        "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
        "relationships": {
          "boxes": {"destination": "Box", "inverse": "lids", "toMany": true, "optional": true},
          "parts": {"destination": "Part", "inverse": "lid", "toMany": true, "optional": true,
            "deleteRule": "cascade", "userInfo": {"JSONKeyPath": "parts"}}}},
      "Part": {"userInfo": {"identityAttributes": "id"},
        "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
        "relationships": {
          "item": {"destination": "Item", "inverse": "parts", "optional": true},
          "lid": {"destination": "Lid", "inverse": "parts", "optional": true},
          "lock": {"destination": "Box", "inverse": "key", "optional": true}}}}}
    """

  private let mapping: Mapping

  init() throws {
    mapping = try Mapping(model: ManagedObjectModel(document: Self.document))
  }

  private func open(_ file: StoreFile) throws -> ManagedObjectContext {
    try ManagedObjectContext(mapping: mapping, storePath: file.path)
  }

  private func ids(_ context: ManagedObjectContext) throws -> [String: [Value]] {
    var ids: [String: [Value]] = [:]
    for entity in ["Box", "Item", "Lid", "Part"] {
      let request = FetchRequest(entity, sort: [.ascending("id")])
      ids[entity] = try context.fetch(request).map { try $0["id"] }
    }
    return ids
  }

  @Test(arguments: ["items", "lids"], [false, true])
  func membersThatAnImportLeavesOutAreDeletedWithTheirParts(list: String, isWholeRead: Bool) throws
  {
    let file = try StoreFile()
    let first = try open(file)
    let members = (1...9).map { #"{"id": \#($0), "parts": [{"id": \#($0 * 10)}]}"# }
    try first.importJSON(
      #"{"id": 1, "\#(list)": [\#(members.joined(separator: ","))], "key": {"id": 20}}"#,
      into: "Box")
    try first.save()
    let context = try open(file)
    if isWholeRead { _ = try ids(context) }
    let result = try context.importJSON(
      #"{"id": 1, "\#(list)": [{"id": 1}, {"id": 9}]}"#, into: "Box")
    // Seven members and their parts.
    #expect(result.report.deleted == 14)
    #expect(context.brokenInvariants() == [])
    try context.save()
    let expected: [String: [Value]] = [
      "Box": [1], "Item": list == "items" ? [1, 9] : [], "Lid": list == "lids" ? [1, 9] : [],
      "Part": [10, 90],
    ]
    for context in [context, try open(file)] {
      #expect(try ids(context) == expected)
      let box = try #require(context.fetch(FetchRequest("Box")).first)
      #expect(try box.target("key") == nil)
      #expect(try box.members(list).count == 2)
    }
  }

  // MARK: Syncs

  private func context(_ file: StoreFile) throws -> ManagedObjectContext {
    let id: JSONValue = ["type": "integer64", "userInfo": ["JSONKeyPath": "id"]]
    let model = try ManagedObjectModel(document: [
      "entities": [
        "Folder": [
          "userInfo": ["identityAttributes": "id"],
          "attributes": ["id": id],
          "relationships": [
            "parent": [
              "destination": "Folder", "optional": true, "userInfo": ["JSONKeyPath": "parent"],
            ],
            "owner": [
              "destination": "Owner", "optional": true, "inverse": "folders",
              "userInfo": ["JSONKeyPath": "owner"],
            ],
          ],
        ],
        "Owner": [
          "userInfo": ["identityAttributes": "id"],
          "attributes": ["id": id],
          "relationships": [
            "folders": [
              "destination": "Folder", "toMany": true, "optional": true, "inverse": "owner",
            ]
          ],
        ],
      ]
    ])
    return try ManagedObjectContext(mapping: Mapping(model: model), storePath: file.path)
  }

  /// A context that knows of a folder below another one, by its owner's deletion alone.
  private func contextWithFault(_ file: StoreFile) throws -> ManagedObjectContext {
    let first = try context(file)
    try first.importJSON(
      #"""
      [{"id": 1}, {"id": 2, "parent": {"id": 1}, "owner": {"id": 9}}, {"id": 3, "parent": {"id": 1}}]
      """#, into: "Folder")
    try first.save()
    let second = try context(file)
    try second.delete(try #require(try second.fetch(FetchRequest("Owner")).first).id)
    return second
  }

  private func folders(_ context: ManagedObjectContext) throws -> [Value] {
    try context.fetch(FetchRequest("Folder")).map { try $0["id"] }
  }

  @Test func aSyncOfRootsKeepsObjectsThatHaveAParent() throws {
    let context = try contextWithFault(StoreFile())
    let result = try context.sync("Folder", with: #"[{"id": 1}]"#)
    #expect(result.report.deleted == 0)
    #expect(try folders(context) == [1, 2, 3])
  }

  @Test func aSyncOfOneParentDeletesItsMissingChildren() throws {
    let context = try contextWithFault(StoreFile())
    var options = SyncOptions()
    options.parent = try context.fetch(FetchRequest("Folder", where: ["id": 1])).first?.id
    let result = try context.sync("Folder", with: #"[{"id": 3}]"#, options: options)
    #expect(result.report.deleted == 1)
    #expect(try folders(context) == [1, 3])
  }
}
