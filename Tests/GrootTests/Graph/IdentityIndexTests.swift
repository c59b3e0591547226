import Testing

@testable import Groot

struct IdentityIndexTests {
  private func graph(attributes: Int) throws -> Graph {
    let names = (0..<attributes).map { "part\($0)" }
    let entity = EntityDescription(
      "Item", attributes: names.map { AttributeDescription($0, .integer64) })
    return ManagedObjectContext(
      mapping: try Mapping(model: try ManagedObjectModel(entities: [entity]))
    ).graph
  }

  /// A change of a property is told to the indexes over it, and to no others.
  @Test func masksTellTheIndexesOverAProperty() throws {
    let graph = try graph(attributes: 6)
    func masks() -> [UInt32] { (0..<6).map { graph.identityMasks[0][$0] } }
    #expect(masks() == [0, 0, 0, 0, 0, 0])
    #expect(try graph.identityIndex(table: 0, [1]) == 0)
    #expect(masks() == [0, 1, 0, 0, 0, 0])
    #expect(try graph.identityIndex(table: 0, [2, 1]) == 1)
    #expect(try graph.identityIndex(table: 0, [1, 2]) == 2)
    #expect(try graph.identityIndex(table: 0, [5]) == 3)
    #expect(try graph.identityIndex(table: 0, [1]) == 0)
    #expect(masks() == [0, 7, 6, 0, 0, 8])
  }

  @Test func thereAreThirtyTwoIndexesAtMost() throws {
    let graph = try graph(attributes: 40)
    for number in 0..<32 { #expect(try graph.identityIndex(table: 0, [number]) == number) }
    #expect(throws: GrootError.self) { try graph.identityIndex(table: 0, [32]) }
    #expect(try graph.identityIndex(table: 0, [31]) == 31)
    #expect((0..<40).allSatisfy { graph.identityMasks[0][$0] == ($0 < 32 ? 1 << UInt32($0) : 0) })
  }

  /// Of equal rows the oldest that is there comes up, whatever comes and goes.
  @Test(arguments: 0..<20)
  func equalRowsComeUpByAge(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let graph = try graph(attributes: 1)
    let rows = try (0..<40).map { _ in try graph.insertRow(0, in: 0) }
    var equal = EqualRows()
    var expected: Set<Row> = []
    for _ in 0..<400 {
      let row = rows[Int.random(in: 0..<rows.count, using: &random)]
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        let oldest = expected.min { graph.tables[0].isOlder($0, $1) }
        #expect(equal.popOldest(in: graph.tables) == oldest)
        if let oldest { expected.remove(oldest) }
      case 1:
        #expect(equal.remove(row, in: graph.tables) == (expected.remove(row) != nil))
      default:
        equal.insert(row, in: graph.tables)
        expected.insert(row)
      }
      #expect(Set(equal.members) == expected && equal.members.count == expected.count)
      #expect(equal.contains(row) == expected.contains(row))
    }
  }
}
