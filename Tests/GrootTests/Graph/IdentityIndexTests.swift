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
}
