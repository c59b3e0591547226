import Groot
import GrootSQLite
import Testing

/// Rows that objects of the last save gave up: what takes one and goes again must leave no trace.
struct FreedRowTests {
  private let mapping: Mapping

  init() throws {
    mapping = try Mapping(
      model: ManagedObjectModel(
        document: """
          {"entities": {
            "Box": {"userInfo": {"identityAttributes": "id"},
              "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
              "relationships": {
                "items": {"destination": "Item", "inverse": "box", "toMany": true,
                  "optional": true, "userInfo": {"JSONKeyPath": "items"}},
                "lids": {"destination": "Item", "inverse": "boxes", "toMany": true,
                  "optional": true}}},
            "Item": {"userInfo": {"identityAttributes": "id,kind"},
              "attributes": {
                "kind": {"type": "string", "optional": true, "default": "a",
                  "userInfo": {"JSONKeyPath": "kind"}},
                "id": {"type": "integer64", "optional": true,
                  "userInfo": {"JSONKeyPath": "id"}}},
              "relationships": {
                "box": {"destination": "Box", "inverse": "items", "optional": true},
                "twin": {"destination": "Item", "inverse": "twin", "optional": true},
                "boxes": {"destination": "Box", "inverse": "lids", "toMany": true,
                  "optional": true}}},
            "Other": {"userInfo": {"identityAttributes": "id"},
              "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}}}}}
          """))
  }

  @Test(arguments: 0..<32)
  func anUndoneObjectInAFreedRowLeavesNoTrace(steps: Int) throws {
    let context = ManagedObjectContext(mapping: mapping)
    try context.importJSON(
      #"[{"id": 1, "items": [{"id": 1}, {"id": 2}, {"id": 3}]}, {"id": 2, "items": []}]"#,
      into: "Box")
    try context.save()
    func found(_ id: Int64) throws -> ManagedObject? {
      try context.fetch(FetchRequest("Item", where: ["id": .integer(id)])).first
    }
    for id: Int64 in [1, 3] { try context.delete(#require(try found(id)).id) }
    try context.save()
    let boxes = try context.fetch(FetchRequest("Box"))
    let item = try context.insert("Item")
    try item.set("id", to: 7)
    if steps & 1 != 0 { try item.set("box", to: boxes[0]) }
    if steps & 2 != 0 { try item.set("box", to: boxes[1]) }
    if steps & 4 != 0 { try item.set("twin", to: found(2)) }
    if steps & 8 != 0 { try item.add(boxes[0], to: "boxes") }
    if steps & 16 != 0 { try context.delete(item.id) }
    #expect(context.brokenInvariants() == [])
    try context.rollback()
    #expect(context.brokenInvariants() == [])
    #expect(try found(7) == nil)
    #expect(try context.changes == ChangeCounts())
    let result = try context.importJSON(#"{"id": 7}"#, into: "Item")
    #expect(result.report.inserted == 1)
    #expect(try context.count(FetchRequest("Item")) == 2)
    #expect(context.brokenInvariants() == [])
  }

  /// What is read from a store counts as older than what is undone, and so do rows that were given up.
  @Test func rowsReadAfterAnUndoneRowCountAsOlder() throws {
    let file = try StoreFile()
    let first = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    try first.importJSON(#"[{"id": 1}, {"id": 2}]"#, into: "Other")
    try first.save()
    let context = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    let item = try context.insert("Item")
    try item.set("id", to: 7)
    // Of boxes and items there are none in the store, so nothing is read in between.
    let text = #"{"id": 5, "items": [{"id": 7}]}"#
    let box = try #require(context.importJSON(.text(text), into: "Box").first)
    #expect(try box.members("items") == [item])
    try context.delete(item.id)
    #expect(try context.fetch(FetchRequest("Other")).count == 2)
    #expect(context.brokenInvariants() == [])
    try context.rollback()
    #expect(context.brokenInvariants() == [])
    #expect(try context.changes == ChangeCounts())
    #expect(try context.importJSON(.text(text), into: "Box").report.inserted == 2)
    #expect(context.brokenInvariants() == [])
  }
}
