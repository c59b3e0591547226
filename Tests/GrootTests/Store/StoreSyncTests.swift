import Testing

import Groot

/// Synchronizations of what a store keeps and the context has not read.
struct StoreSyncTests {
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

  @Test func objectsOtherThanRootsStay() throws {
    let context = try contextWithFault(StoreFile())
    let result = try context.sync("Folder", with: #"[{"id": 1}]"#)
    #expect(result.report.deleted == 0)
    #expect(try folders(context) == [1, 2, 3])
  }

  @Test func childrenOfAParentAreKnown() throws {
    let context = try contextWithFault(StoreFile())
    var options = SyncOptions()
    options.parent = try context.fetch(FetchRequest("Folder", where: ["id": 1])).first?.id
    let result = try context.sync("Folder", with: #"[{"id": 3}]"#, options: options)
    #expect(result.report.deleted == 1)
    #expect(try folders(context) == [1, 3])
  }
}
