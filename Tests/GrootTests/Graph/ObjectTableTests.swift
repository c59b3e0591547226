import Testing

@testable import Groot

struct ObjectTableTests {
  private func context(attributes: Int) throws -> ManagedObjectContext {
    let names = (0..<attributes).map { "part\($0)" }
    let entity = EntityDescription(
      "Item", attributes: names.map { AttributeDescription($0, .uuid) })
    return ManagedObjectContext(
      mapping: try Mapping(model: try ManagedObjectModel(entities: [entity])))
  }

  /// However long records are, a table grows by 64 KiB, or by sixteen records that are longer.
  @Test(arguments: [0, 1, 5, 40, 200, 600])
  func aTableGrowsBySmallSegments(attributes: Int) throws {
    let context = try context(attributes: attributes)
    let graph = context.graph
    for _ in 0..<10_000 { _ = try context.insert("Item") }
    let stride = graph.tables[0].stride
    var lengths = [1]
    for row in 1..<graph.tables[0].count {
      if graph.tables[0].record(row) == graph.tables[0].record(row.advanced(by: -1)) + stride {
        lengths[lengths.count - 1] += 1
      } else {
        lengths.append(1)
      }
    }
    // The memory may happen to put segments one after the other.
    let whole = lengths.dropLast()
    let most = max(16, (64 << 10) / stride)
    let one = try #require(whole.min())
    #expect(one <= most && one >= most / 2 && whole.allSatisfy { $0 % one == 0 }, "\(lengths)")
  }
}
