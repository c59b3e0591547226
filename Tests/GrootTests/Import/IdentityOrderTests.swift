import Testing

@testable import Groot

/// A record finds the same object whether or not the record before it named the row before.
struct IdentityOrderTests {
  private static let document = """
    {"entities": {
      "Thing": {
        "attributes": {
          "id": {"type": "integer64", "optional": true, "userInfo": {"JSONKeyPath": "id"}},
          "name": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "name"}}}},
      "Item": {"parent": "Thing", "userInfo": {"identityAttributes": "id"}},
      "Special": {"parent": "Thing", "userInfo": {"identityAttributes": "id"}}}}
    """

  /// Makes objects, some of them equal, and deletes and changes some.
  ///
  /// - Returns: The context, and the identities of its rows in their order, with those that are gone.
  private func world(seed: UInt64) throws -> (context: ManagedObjectContext, order: [Int64]) {
    var random = SeededGenerator(seed: seed)
    let mapping = try Mapping(model: ManagedObjectModel(document: Self.document))
    let context = ManagedObjectContext(mapping: mapping)
    func number() -> Int64 { Int64.random(in: 0..<60, using: &random) }
    for round in 0..<12 {
      let records = (0..<5).map { _ in #"{"id": \#(number())}"# }
      try context.importJSON(
        .text("[\(records.joined(separator: ", "))]"), into: round % 3 == 1 ? "Special" : "Item")
      let objects = try context.fetch(FetchRequest("Thing"))
      for object in objects where Int.random(in: 0..<30, using: &random) == 0 && seed % 3 > 0 {
        try object.set("id", to: .integer(number()))
      }
      if round % 4 == 2, let object = objects.last { try context.delete(object) }
    }
    let objects = try context.fetch(FetchRequest("Thing"))
    let order = try objects.compactMap { try $0["id"].integerValue }
    for object in objects where Int.random(in: 0..<8, using: &random) == 0 {
      if Bool.random(using: &random) {
        try context.delete(object)
      } else {
        try object.set("id", to: Bool.random(using: &random) ? .null : .integer(number()))
      }
    }
    return (context, order)
  }

  /// The oldest object with an identity gets the value, and new ones are made for the rest.
  @Test(arguments: 0..<60)
  func recordsInTheOrderOfTheRowsFindTheOldestObjects(seed: UInt64) throws {
    for entity in ["Item", "Special"] {
      let (context, order) = try world(seed: seed)
      let objects = try context.fetch(FetchRequest("Thing"))
      let kinds = try objects.map { try $0.entityName() }
      var expected = try objects.map { (id: try $0["id"], name: Value.null) }
      var names: [Int64] = []
      // Of equal objects, the record comes at the place of the oldest or of the youngest.
      for id in seed % 2 == 0 ? order : order.reversed() where !names.contains(id) {
        names.append(id)
        let found = objects.indices.first {
          expected[$0].id == .integer(id) && kinds[$0] == entity
        }
        if let found { expected[found].name = .string("new \(id)") }
      }
      if seed % 2 > 0 { names.reverse() }
      let records = names.map { #"{"id": \#($0), "name": "new \#($0)"}"# }
      let report = try context.importJSON(
        .text("[\(records.joined(separator: ", "))]"), into: entity
      ).report
      try context.checkInvariants()
      let found = try objects.map { (id: try $0["id"], name: try $0["name"]) }
      #expect(found.map(\.id) == expected.map(\.id))
      #expect(found.map(\.name) == expected.map(\.name))
      #expect(report.inserted == names.count - expected.filter { $0.name != .null }.count)
    }
  }
}
