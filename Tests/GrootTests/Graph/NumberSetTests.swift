// Sets of rows and properties, which keep the order of insertion.

import Testing

@testable import Groot

@Suite struct NumberSetTests {
  /// Runs of rows one after another, rows at distances, and the same rows of several tables.
  @Test(arguments: [1, 2, 7, 8, 16, 4096]) func aSetHasEachNumberOnceInTheOrderOfInsertion(
    distance: Int
  ) {
    var generator = SeededGenerator(seed: UInt64(distance))
    var set = NumberSet()
    var (known, order) = (Set<UInt64>(), [UInt64]())
    for _ in 0..<300 {
      let table = UInt64.random(in: 0..<4, using: &generator) << 32
      let first = Int.random(in: 0..<2_000, using: &generator)
      for step in 0..<Int.random(in: 1..<40, using: &generator) {
        let number = table | UInt64(first + step * distance)
        let isNew = known.insert(number).inserted
        if isNew { order.append(number) }
        #expect(set.insert(number) == isNew)
      }
    }
    #expect((0..<set.count).map { set[$0] } == order)
    #expect(order.indices.allSatisfy { set.position(of: order[$0]) == $0 })
    #expect((0..<5_000).allSatisfy { set.contains(UInt64($0)) == known.contains(UInt64($0)) })
  }
}
