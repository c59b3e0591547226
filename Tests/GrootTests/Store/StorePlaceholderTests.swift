import Testing

@testable import Groot
@testable import GrootSQLite

/// What nothing but an identifier names, in a store that several contexts write to, and batches of
/// records into one.
struct StorePlaceholderTests {
  private static let document: JSONValue = [
    "entities": [
      "Item": [
        "userInfo": ["identityAttributes": "id"],
        "attributes": ["id": ["type": "integer64", "userInfo": ["JSONKeyPath": "id"]]],
        "relationships": [
          "next": [
            "destination": "Item", "optional": true, "inverse": "before",
            "userInfo": ["JSONKeyPath": "next"],
          ],
          "before": [
            "destination": "Item", "toMany": true, "optional": true, "inverse": "next",
          ],
        ],
      ],
      "Toy": [
        "parent": "Item",
        "attributes": [
          "name": [
            "type": "string", "optional": true, "default": "a long default of a name",
            "userInfo": ["JSONKeyPath": "name"],
          ]
        ],
        "relationships": [
          "parts": [
            "destination": "Item", "toMany": true, "optional": true,
            "userInfo": ["JSONKeyPath": "parts"],
          ]
        ],
      ],
      "Box": [
        "parent": "Item",
        "attributes": [
          "size": ["type": "integer64", "optional": true, "userInfo": ["JSONKeyPath": "size"]]
        ],
      ],
    ]
  ]

  private func open(_ file: StoreFile) throws -> ManagedObjectContext {
    let mapping = try Mapping(model: ManagedObjectModel(document: Self.document))
    return try ManagedObjectContext(mapping: mapping, storePath: file.path)
  }

  @Test func aPlaceholderThatOthersBroughtHasItsEntityAfterARefresh() throws {
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

  /// Records of batches are looked for many at a time, too.
  @Test func aBatchAsksTheStoreOnceForManyRecords() throws {
    let rules: JSONValue = [
      "boxes": ["Box.id": ["id": "id", "size": "size", "next": "next.id"]],
      "toys": ["Toy.id": ["id": "id", "name": "name"]],
    ]
    let mapping = try Mapping(
      model: ManagedObjectModel(document: Self.document), dialect: .kvc, rules: rules)
    func text(_ size: Int) -> String {
      let boxes = (1...600).map { "{\"id\":\($0),\"size\":\(size),\"next\":\($0 + 1000)}" }
      let toys = (1...600).map { "{\"id\":\($0 + 1000),\"name\":\"\(size)\"}" }
      return "{\"toys\":[\(toys.joined(separator: ","))],\"more\":[1],"
        + "\"boxes\":[\(boxes.joined(separator: ","))]}"
    }
    let file = try StoreFile()
    let schema = StoreSchema(mapping)
    func context() throws -> (ManagedObjectContext, SQLiteStore) {
      let store = try SQLiteStore(file.path, schema: schema, options: SQLiteStoreOptions())
      return (try ManagedObjectContext(mapping: mapping, schema: schema, store: store), store)
    }
    let (first, _) = try context()
    try first.importJSON(.text(text(1)), into: nil)
    try first.save()
    // Few records compared with the store, so that it is not read as a whole.
    let (second, store) = try context()
    let few =
      #"{"boxes": [{"id": 1, "size": 9}, {"id": 2, "size": 9}], "toys": [{"id": 1001, "name": "x"}]}"#
    let before = store.statementCount
    let report = try second.importJSON(.text(few), into: nil).report
    #expect(report.inserted == 0 && report.updated == 3)
    #expect(store.statementCount - before < 20)
    try second.save()
    let (third, _) = try context()
    let stream = try third.beginImport(into: nil)
    try stream.write(text(2))
    let all = try stream.finish().report
    #expect(all.inserted == 0 && all.updated == 1200)
    #expect(third.brokenInvariants() == [])
  }

  /// The text is read ahead; what is wrong with it is told as if it were not.
  @Test func textThatIsNotJSONIsToldBehindWhatWasReadAhead() throws {
    let file = try StoreFile()
    let first = try open(file)
    let records = (0..<600).map { "{\"id\":\($0),\"size\":1}" }.joined(separator: ",")
    try first.importJSON("[\(records)]", into: "Box")
    try first.save()
    let second = try open(file)
    let error = #expect(throws: GrootError.self) {
      try second.importJSON("[{\"id\":1,\"size\":2},{\"id\":2,\n\"size\":}]", into: "Box")
    }
    #expect(error?.status == .invalidJSON)
    #expect(error?.issues.first?.path == "$[1]")
    #expect(error?.issues.first?.line == 2)
    #expect(try second.changes == ChangeCounts())
    #expect(try second.count(FetchRequest("Box", where: ["size": 1])) == 600)
  }
}
