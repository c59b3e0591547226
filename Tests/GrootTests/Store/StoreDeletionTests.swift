import Groot
import GrootSQLite
import Testing

/// Deletion of objects that were not read: what they lead to, and what goes with them.
struct StoreDeletionTests {
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
  func anObjectThatAnImportLeavesOutGoesWithItsParts(list: String, isWholeRead: Bool) throws {
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
}
