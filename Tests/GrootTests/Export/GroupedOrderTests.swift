import Testing

@testable import Groot

/// The members of a list in groups are written by position, then by the group that comes first.
struct GroupedOrderTests {
  /// The keys of texts are written as stored; those of reals are not.
  private static func mapping(_ type: String, isIndexed: Bool) throws -> Mapping {
    let place = isIndexed ? "@index" : "place"
    return try Mapping(
      model: ManagedObjectModel(
        document: """
          {"entities": {
            "Record": {
              "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
              "relationships": {
                "items": {"destination": "Item", "toMany": true, "ordered": true,
                  "optional": true, "inverse": "record",
                  "userInfo": {"JSONKeyPath": "items", "groot.form": "grouped"}}}},
            "Item": {
              "attributes": {
                "sort": {"type": "\(type)", "optional": true, "userInfo": {"JSONKeyPath": "@key"}},
                "place": {"type": "integer32", "optional": true,
                  "userInfo": {"JSONKeyPath": "\(place)"}},
                "number": {"type": "integer64", "userInfo": {"JSONKeyPath": "number"}}},
              "relationships": {
                "record": {"destination": "Record", "optional": true, "inverse": "items"}}},
            "Special": {"parent": "Item"}}}
          """))
  }

  private struct Item {
    let sort: Int
    let place: Int64?
    let number: Int64
  }

  /// Draws the items of a list: mostly in groups, by position, and then with some out of place.
  private func items(_ random: inout SeededGenerator) -> [Item] {
    var items: [Item] = []
    let groupCount = random.once(in: 4) ? 8 + random.below(6) : random.below(5)
    for sort in 0..<groupCount {
      for place in 0..<(1 + random.below(3)) {
        let hasPlace = !random.once(in: 8)
        items.append(
          Item(sort: sort, place: hasPlace ? Int64(place) : nil, number: Int64(items.count)))
      }
    }
    for _ in 0..<random.below(3) where items.count > 1 {
      items.swapAt(random.below(items.count), random.below(items.count))
    }
    if random.once(in: 3), let first = items.first {
      items.append(Item(sort: first.sort, place: 3, number: Int64(items.count)))
    }
    return items
  }

  /// Returns the numbers of the items by group, as the rule says.
  private func expected(_ items: [Item], isIndexed: Bool) -> [[Int64]] {
    var arranged = Array(items.enumerated())
    if isIndexed {
      arranged.sort {
        ($0.element.place ?? .max, $0.offset) < ($1.element.place ?? .max, $1.offset)
      }
    }
    var sorts: [Int] = []
    for item in arranged where !sorts.contains(item.element.sort) {
      sorts.append(item.element.sort)
    }
    return sorts.map { sort in arranged.filter { $0.element.sort == sort }.map(\.element.number) }
  }

  private func value(_ sort: Int, _ type: String) -> Value {
    switch type {
    case "string": .string(sort % 2 == 0 ? "\(sort)" : "a sort with a long name, \(sort)")
    case "integer64": .integer(Int64(sort))
    default: .real(Double(sort) / 2)
    }
  }

  @Test(arguments: ["string", "integer64", "double"], [false, true])
  func groupsComeAsTheyOccur(type: String, isIndexed: Bool) throws {
    for seed in 0..<60 {
      var random = SeededGenerator(seed: seed)
      let context = ManagedObjectContext(
        mapping: try Self.mapping(type, isIndexed: isIndexed))
      let items = items(&random)
      let hasKinds = random.once(in: 3)
      let objects = try items.map { item in
        let object = try context.insert(hasKinds && random.flip() ? "Special" : "Item")
        try object.set("sort", to: value(item.sort, type))
        if let place = item.place { try object.set("place", to: .integer(place)) }
        try object.set("number", to: .integer(item.number))
        return object
      }
      let record = try context.insert("Record")
      try record.set("id", to: .integer(1))
      try record.set("items", to: objects)
      guard case .object(let written) = try context.exportValue(record),
        case .object(let groups)? = written["items"]
      else {
        Issue.record("no groups")
        continue
      }
      let found = groups.members.map { group -> [Int64] in
        guard case .array(let members) = group.value else { return [] }
        return members.compactMap { member in
          guard case .object(let item) = member, case .integer(let number)? = item["number"] else {
            return nil
          }
          return number
        }
      }
      #expect(found == expected(items, isIndexed: isIndexed), "seed \(seed)")
      // The last one loses its key, without which it has no group.
      if let last = objects.last {
        try last.set("sort", to: .null)
        #expect(throws: GrootError.self) { try context.exportValue(record) }
      }
    }
  }
}
