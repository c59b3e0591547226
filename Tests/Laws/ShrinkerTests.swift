import Testing

import Groot

/// The law of the shrinker: it still fails, and nothing can be left out of it.
struct ShrinkerTests {
  @Test(arguments: 0..<200)
  func nothingMoreCanGo(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let elements = (0..<random.number(in: 1...12)).map { _ in random.json(3, keys: ["a", "b", "c"])
    }
    // It fails for several parts of it together, wherever they are, or for a number of elements.
    let parts = (0..<random.number(in: 1...3)).map { _ in
      random.pick(["null", "true", "5", "\"b\"", "[", "{", "\"a\":"])
    }
    let (count, isOdd) = (random.below(4), random.once(in: 4))
    func fails(_ elements: [JSONValue]) -> Bool {
      let text = "\(elements)"
      return elements.count >= count && parts.allSatisfy(text.contains)
        && (!isOdd || elements.count % 2 == 1)
    }
    guard fails(elements) else { return }
    let shortest = Shrinker(fails: fails).shrink(elements)
    #expect(fails(shortest), "\(elements) became \(shortest)")
    #expect(!shortest.smaller.contains(where: fails), "\(elements) became \(shortest)")
  }

  /// Elements that offer nothing smaller are left out, or stay.
  @Test func elementsCanBeOfAnyKind() {
    let shrinker = Shrinker<Int>(smaller: { $0 > 0 ? [$0 / 2, $0 - 1] : [] }) {
      $0.reduce(0, +) > 10
    }
    #expect(shrinker.shrink([3, 40, 0, 5]) == [11])
  }
}
