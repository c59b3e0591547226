import Testing

@testable import Groot

/// A record finds the same object whether or not the record before it named the row before.
struct IdentityOrderTests {
  /// The entities that have an identity: each for itself, or all of them together.
  enum Identity: CaseIterable {
    case own
    case shared
    case discriminated
  }

  private static func document(_ identity: Identity) -> String {
    let userInfo = #""userInfo": {"identityAttributes": "id""#
    let own = identity == .own ? ", \(userInfo)}" : ""
    let shared =
      switch identity {
      case .own: ""
      case .shared: "\(userInfo)},"
      case .discriminated: #"\#(userInfo), "groot.discriminator": "kind"},"#
      }
    return """
      {"entities": {
        "Thing": {\(shared)
          "attributes": {
            "id": {"type": "integer64", "optional": true, "userInfo": {"JSONKeyPath": "id"}},
            "name": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "name"}}}},
        "Item": {"parent": "Thing"\(own)},
        "Special": {"parent": "Thing"\(own)}}}
      """
  }

  /// Makes objects, some of them equal, and deletes and changes some.
  ///
  /// - Returns: The context, and the identities of its rows in their order, with those that are gone.
  private func world(
    _ identity: Identity, seed: UInt64
  ) throws -> (context: ManagedObjectContext, order: [Int64]) {
    var random = SeededGenerator(seed: seed)
    let mapping = try Mapping(model: ManagedObjectModel(document: Self.document(identity)))
    let context = ManagedObjectContext(mapping: mapping)
    var unused = (Int64(0)..<200).shuffled(using: &random)
    // Equal objects come from the beginning, at the end, or never.
    func number() -> Int64 {
      seed % 3 == 0 ? Int64.random(in: 0..<60, using: &random) : unused.removeLast()
    }
    for round in 0..<12 {
      let records = (0..<5).map { _ in #"{"id": \#(number())}"# }
      try context.importJSON(
        .text("[\(records.joined(separator: ", "))]"), into: round % 3 == 1 ? "Special" : "Item")
      let objects = try context.fetch(FetchRequest("Thing"))
      for object in objects where Int.random(in: 0..<30, using: &random) == 0 {
        try object.set("id", to: .integer(number()))
      }
      if round % 4 == 2, let object = objects.last { try context.delete(object) }
    }
    let objects = try context.fetch(FetchRequest("Thing"))
    let kinds = try objects.map { try $0.entityName() }
    var order = try objects.compactMap { try $0["id"].integerValue }
    for (position, object) in objects.enumerated() where Int.random(in: 0..<8, using: &random) == 0
    {
      if Bool.random(using: &random) {
        try context.delete(object)
      } else {
        // Equal objects are of one entity or of two.
        let others = order.indices.filter {
          (kinds[$0] == kinds[position]) == (seed / 6 % 2 == 0) && seed % 3 == 1
        }
        let equal = others.randomElement(using: &random).map { order[$0] }
        try object.set("id", to: equal.map { .integer($0) } ?? .null)
        if let equal { order[position] = equal }
      }
    }
    return (context, order)
  }

  /// The oldest object with an identity gets the value, and new ones are made for the rest.
  @Test(arguments: Identity.allCases, 0..<90)
  func recordsInTheOrderOfTheRowsFindTheOldestObjects(identity: Identity, seed: UInt64) throws {
    for entity in ["Item", "Special"] + (identity == .shared ? ["Thing"] : []) {
      let (context, order) = try world(identity, seed: seed)
      let objects = try context.fetch(FetchRequest("Thing"))
      let kinds = try objects.map { try $0.entityName() }
      var expected = try objects.map { (id: try $0["id"], name: Value.null) }
      var names: [Int64] = []
      var records: [String] = []
      // Of equal objects, the record comes at the place of the oldest or of the youngest.
      for id in seed % 2 == 0 ? order : order.reversed() where !names.contains(id) {
        names.append(id)
        let found = objects.indices.first {
          expected[$0].id == .integer(id)
            && (identity == .discriminated || entity == "Thing" || kinds[$0] == entity)
        }
        if let found { expected[found].name = .string("new \(id)") }
        let kind = found.map { kinds[$0] } ?? entity
        records.append(#"{"id": \#(id), "kind": "\#(kind)", "name": "new \#(id)"}"#)
      }
      if seed % 2 > 0 { records.reverse() }
      let asked = identity == .discriminated ? "Thing" : entity
      let report = try context.importJSON(
        .text("[\(records.joined(separator: ", "))]"), into: asked
      ).report
      try context.checkInvariants()
      let found = try objects.map { (id: try $0["id"], name: try $0["name"]) }
      #expect(found.map(\.id) == expected.map(\.id))
      #expect(found.map(\.name) == expected.map(\.name))
      #expect(report.inserted == names.count - expected.filter { $0.name != .null }.count)
    }
  }
}
