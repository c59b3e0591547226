import Groot
import GrootSQLite
import Testing

/// What a context remembers that its store does not have.
struct StoreAbsenceTests {
  /// Identities that differ in one of the words in which they are kept; the last one is in no store.
  @Test(arguments: [
    (
      "uuid",
      [
        "6f9619ff-8b86-d011-b42d-00cf4fc964ff", "6f9619ff-8b86-d011-b42d-00cf4fc96400",
        "00000000-8b86-d011-b42d-00cf4fc964ff", "6f9619ff-8b86-d011-b42d-000000000000",
      ]
    ),
    ("decimal", ["10", "18446744073709551617", "36893488147419103233", "1"]),
    ("string", ["ab", "abc", "b", "a"]),
  ])
  func missingValuesAreNotTakenForOthers(type: String, keys: [String]) throws {
    let model = try ManagedObjectModel(document: [
      "entities": [
        "Item": [
          "userInfo": ["identityAttributes": "key"],
          "attributes": ["key": ["type": .string(type), "userInfo": ["JSONKeyPath": "key"]]],
        ]
      ]
    ])
    let mapping = try Mapping(model: model)
    let file = try StoreFile()
    let records = keys.dropLast().map { JSONValue.object(["key": .string($0)]) }
    let first = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    try first.importJSON(.value(.array(records)), into: "Item")
    try first.save()

    let second = try ManagedObjectContext(mapping: mapping, storePath: file.path)
    let missing: JSONValue = ["key": .string(keys[keys.count - 1])]
    #expect(try second.importJSON(.value(missing), into: "Item").report.inserted == 1)
    try second.rollback()
    #expect(try second.importJSON(.value(missing), into: "Item").report.inserted == 1)
    for record in records {
      #expect(try second.importJSON(.value(record), into: "Item").report.inserted == 0)
    }
    try second.save()
    #expect(try second.count(FetchRequest("Item")) == keys.count)
  }
}
