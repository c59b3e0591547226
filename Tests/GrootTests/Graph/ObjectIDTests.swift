import Testing

@testable import Groot

struct ObjectIDTests {
  private func context(entities: Int) throws -> ManagedObjectContext {
    let entities = (0..<entities).map { EntityDescription("Entity\($0)") }
    return ManagedObjectContext(
      mapping: try Mapping(model: try ManagedObjectModel(entities: entities)))
  }

  /// The largest number of which JavaScript, and a reader of JSON in doubles, knows each one below.
  private static let largestExact: UInt64 = 1 << 53 - 1

  @Test(arguments: [1, 4, 16, 17, 40, 64, 300, 5_000, 60_000])
  func idsAreExactAsDoubles(tableCount: Int) {
    let split = IdentifierSplit(tableCount: tableCount)
    for table in Set([0, 1, tableCount / 2, tableCount - 1]) where table < tableCount {
      for generation in Set([0, 1, split.lastGeneration]) {
        for row: UInt32 in [0, 1, .max - 2] {
          let id = ObjectID(
            table: TableIndex(table), generation: generation, row: Row(rawValue: row),
            split: split)
          #expect(id.rawValue > 0 && id.rawValue <= Self.largestExact)
          #expect(id.table == TableIndex(table))
          #expect(id.generation == generation)
          #expect(id.row == Row(rawValue: row))
        }
      }
    }
  }

  /// One more than 31 entities once made ids that doubles round to those of other objects.
  @Test func objectsOfManyEntitiesAreToldApartAsDoubles() throws {
    let context = try context(entities: 40)
    let ids = try (0..<40).flatMap { number in
      try (0..<3).map { _ in try context.insert("Entity\(number)").id.rawValue }
    }
    #expect(Set(ids.map(Double.init)).count == 120)
    for id in ids { #expect(context.status(of: ObjectID(rawValue: UInt64(Double(id)))) == .ok) }
  }

  /// A row is used as often as its ids differ, and then never again.
  @Test(arguments: [false, true]) func idsOfDeletedObjectsStayDeleted(byRollback: Bool) throws {
    let context = try context(entities: 5_000)
    var given: Set<ObjectID> = []
    for _ in 0..<100 {
      let id = try context.insert("Entity4999").id
      #expect(given.insert(id).inserted)
      if byRollback { try context.rollback() } else { try context.delete(id) }
    }
    for id in given { #expect(context.status(of: id) == .objectDeleted) }
    let living = try context.insert("Entity4999").id
    #expect(context.status(of: living) == .ok)
    #expect(!given.contains(living))
    #expect(context.brokenInvariants() == [])
  }

  @Test func idsOfAnotherModelAreUnknown() throws {
    let small = try context(entities: 1)
    let large = try context(entities: 300)
    let (inSmall, inLarge) = (
      try small.insert("Entity0").id, try large.insert("Entity0").id
    )
    #expect(small.status(of: inLarge) == .unknownObject)
    #expect(large.status(of: inSmall) == .unknownObject)
  }
}
