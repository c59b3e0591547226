import GrootSQLite
import Testing

import Groot

/// Without sort keys objects come in the order in which they were inserted, whatever rows they got.
struct InsertionOrderTests {
  private func mapping() throws -> Mapping {
    try Mapping(
      model: ManagedObjectModel(
        document: """
          {"entities": {
            "Item": {"userInfo": {"identityAttributes": "key"},
              "attributes": {
                "key": {"type": "integer64", "optional": true, "userInfo": {"JSONKeyPath": "key"}},
                "name": {"type": "string", "optional": true,
                  "userInfo": {"JSONKeyPath": "name"}}}},
            "Part": {"parent": "Item"}}}
          """))
  }

  private func insert(
    _ context: ManagedObjectContext, _ key: Int64, _ name: String, _ entity: String = "Item"
  ) throws -> ManagedObject {
    let object = try context.insert(entity)
    try object.set("key", to: .integer(key))
    try object.set("name", to: .string(name))
    return object
  }

  @Test func anObjectInAFreedRowIsTheLast() throws {
    let file = try StoreFile()
    let context = try ManagedObjectContext(mapping: mapping(), storePath: file.path)
    let old = try (0..<4).map { try insert(context, Int64($0 % 2), "old") }
    for object in old {
      try object.set("key", to: .integer(Int64(old.firstIndex(of: object) ?? 0)))
    }
    try context.save()
    try context.delete(old[0].id)
    try context.delete(old[2].id)
    try context.save()
    let new = try (4..<8).map { try insert(context, Int64($0), "new") }
    let all = FetchRequest("Item")
    #expect(try context.fetch(all) == [old[1], old[3]] + new)
    let byName = FetchRequest("Item", sort: [.ascending("name")])
    #expect(try context.fetch(byName) == new + [old[1], old[3]])
    let part = FetchRequest("Item", where: ["name": "new"], limit: 2, offset: 1)
    #expect(try context.fetch(part) == Array(new[1...2]))
    // Keys are given in that order, so a store gives the same.
    try context.save()
    let again = try ManagedObjectContext(mapping: mapping(), storePath: file.path)
    let keys = try again.fetch(all).map { try $0["key"] }
    #expect(keys == [1, 3, 4, 5, 6, 7])
  }

  @Test func theOldestOfEqualIdentitiesIsFound() throws {
    let context = ManagedObjectContext(mapping: try mapping())
    let (first, second, third) = try (
      insert(context, 1, "a"), insert(context, 2, "b"), insert(context, 3, "c", "Part")
    )
    try context.save()
    try context.delete(first.id)
    try context.save()
    // It takes the row of the first.
    let late = try insert(context, 2, "late")
    let part = try insert(context, 3, "late", "Item")
    try context.importJSON(
      #"[{"key": 2, "name": "found"}, {"key": 3, "name": "found"}]"#, into: "Item")
    #expect(try second["name"] == "found")
    #expect(try late["name"] == "late")
    #expect(try third["name"] == "found")
    #expect(try part["name"] == "late")
    #expect(try context.fetch(FetchRequest("Item", where: ["key": 2])) == [second, late])
    // What comes back is the oldest again.
    try context.delete(second.id)
    try context.rollback()
    #expect(context.brokenInvariants() == [])
  }

  @Test func reportsListWhatWasMetInOrder() throws {
    let context = ManagedObjectContext(mapping: try mapping())
    let old = try (0..<3).map { try insert(context, Int64($0), "old") }
    try context.save()
    try context.delete(old[0].id)
    try context.save()
    let new = try insert(context, 9, "new")
    var options = ImportOptions()
    options.listsAccess = true
    let report = try context.importJSON(
      #"[{"key": 9}, {"key": 1}]"#, into: "Item", options: options
    )
    .report
    #expect(report.accessed["Item"] == [old[1].id, new.id])
    #expect(report.unaccessed["Item"] == [old[2].id])
  }

  /// Against a list that is kept beside the context.
  @Test(arguments: 0..<20)
  func fetchesAreInTheOrderOfInsertion(seed: Int) throws {
    let context = ManagedObjectContext(mapping: try mapping())
    var random = SeededGenerator(seed: UInt64(seed))
    var objects: [ManagedObject] = []
    var saved = objects
    var unused: Int64 = 30
    for step in 0..<400 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...4:
        let key = Int64.random(in: 0..<30, using: &random)
        objects.append(try insert(context, key, "x", Bool.random(using: &random) ? "Item" : "Part"))
      case 5...7:
        guard let position = objects.indices.randomElement(using: &random) else { continue }
        try context.delete(objects.remove(at: position).id)
      case 8:
        // Equal identities are not saved: all but the first with a key get others.
        var keys: Set<JSONValue> = []
        for object in objects where try !keys.insert(object["key"].json).inserted {
          try object.set("key", to: .integer(unused))
          unused += 1
        }
        try context.save()
        saved = objects
      default:
        guard step % 3 == 0 else { continue }
        try context.rollback()
        objects = saved
      }
      #expect(try context.fetch(FetchRequest("Item")) == objects)
      #expect(context.brokenInvariants() == [])
      let key = JSONValue.integer(Int64.random(in: 0..<30, using: &random))
      let expected = try objects.filter { try $0["key"].json == key }
      #expect(try context.fetch(FetchRequest("Item", where: ["key": key])) == expected)
      let parts = try expected.filter { try $0.entityName() == "Part" }
      #expect(try context.fetch(FetchRequest("Part", where: ["key": key])) == parts)
    }
  }
}
