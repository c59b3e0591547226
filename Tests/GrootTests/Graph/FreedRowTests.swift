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
                  "optional": true}}}}}
          """))
  }

  @Test(arguments: 0..<32)
  func whatTakesARowAndIsTakenBackLeavesNoTrace(steps: Int) throws {
    let context = ManagedObjectContext(mapping: mapping)
    try context.importText(
      #"[{"id": 1, "items": [{"id": 1}, {"id": 2}, {"id": 3}]}, {"id": 2, "items": []}]"#,
      into: "Box")
    try context.save()
    func found(_ id: Int64) throws -> ManagedObject? {
      try context.fetch(FetchRequest("Item", predicate: ["id": .integer(id)])).first
    }
    for id: Int64 in [1, 3] { try context.delete(#require(try found(id)).id) }
    try context.save()
    let boxes = try context.fetch(FetchRequest("Box"))
    let item = try context.insert("Item")
    try item.setValue(7, "id")
    if steps & 1 != 0 { try item.setTarget(boxes[0], "box") }
    if steps & 2 != 0 { try item.setTarget(boxes[1], "box") }
    if steps & 4 != 0 { try item.setTarget(found(2), "twin") }
    if steps & 8 != 0 { try item.add(boxes[0], to: "boxes") }
    if steps & 16 != 0 { try context.delete(item.id) }
    #expect(context.brokenInvariants() == [])
    try context.rollback()
    #expect(context.brokenInvariants() == [])
    #expect(try found(7) == nil)
    #expect(try context.changes == ChangeCounts())
    let result = try context.importText(#"{"id": 7}"#, into: "Item")
    #expect(result.report.inserted == 1)
    #expect(try context.count(FetchRequest("Item")) == 2)
    #expect(context.brokenInvariants() == [])
  }

  /// What is read from a store takes rows behind that of a new object, which is gone again.
  @Test func whatIsReadBehindARowThatIsTakenBack() throws {
    let file = try StoreFile()
    let text = #"[{"id": 1, "items": [{"id": 1}, {"id": 2}]}, {"id": 2, "items": [{"id": 3}]}]"#
    let first = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    try first.importText(text, into: "Box")
    try first.save()
    let context = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    let item = try context.insert("Item")
    try item.setValue(7, "id")
    let box = try #require(
      context.importText(#"{"id": 5, "items": [{"id": 7}]}"#, into: "Box").first)
    #expect(try box.members("items") == [item])
    try context.delete(item.id)
    #expect(try context.count(FetchRequest("Item")) == 3)
    _ = try context.fetch(FetchRequest("Item"))
    #expect(context.brokenInvariants() == [])
    try context.rollback()
    #expect(context.brokenInvariants() == [])
    #expect(try context.changes == ChangeCounts())
    #expect(try context.importText(text, into: "Box").report.inserted == 0)
    #expect(try context.importText(#"{"id": 7}"#, into: "Item").report.inserted == 1)
    #expect(context.brokenInvariants() == [])
  }
}
