import Testing

@testable import Groot

/// The distances of list entries are found by entry, however far apart the entries lie.
struct EntryDistanceTests {
  @Test(arguments: [1, 2, 7, 8, 9, 1_000, 4_000_000])
  func eachEntryHasItsDistance(span: Int) {
    var random = SeededGenerator(seed: span)
    for round in 0..<50 {
      var expected: [UInt32: Int64] = [:]
      for _ in 0...round {
        let entry = UInt32(Int.random(in: 0..<span, using: &random))
        expected[entry] = Int64.random(in: -100...100, using: &random)
      }
      let places = expected.shuffled(using: &random).map {
        EntryDistances.Place(entry: ListEntry(rawValue: $0.key), distance: $0.value)
      }
      let distances = places.withUnsafeBufferPointer(EntryDistances.init)
      for entry in expected.keys {
        for near in [entry &- 1, entry, entry &+ 1] {
          #expect(distances[ListEntry(rawValue: near)] == expected[near])
        }
      }
    }
  }

  @Test func theGreatestEntriesHaveDistances() {
    let numbers: [UInt32] = [0, .max - 1, .max]
    let places = numbers.map {
      EntryDistances.Place(entry: ListEntry(rawValue: $0), distance: Int64($0))
    }
    let distances = places.withUnsafeBufferPointer(EntryDistances.init)
    for number in numbers { #expect(distances[ListEntry(rawValue: number)] == Int64(number)) }
    #expect(distances[ListEntry(rawValue: 1)] == nil)
    #expect(EntryDistances()[ListEntry(rawValue: 0)] == nil)
  }
}
