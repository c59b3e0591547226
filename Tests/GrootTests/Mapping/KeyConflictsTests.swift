import Testing

@testable import Groot

/// The tree of paths, against comparing each two of them.
struct KeyConflictsTests {
  @Test(arguments: [
    ("0", 0), ("7", 7), ("4095", 4095), ("4096", nil), ("-1", nil), ("01", nil), ("", nil),
    ("a", nil),
  ])
  func aKeyOfDigitsBelow4096IsAPosition(key: String, position: Int?) {
    #expect(JSONKeyPath.position(key) == position)
  }

  @Test(arguments: 0..<40)
  func aTreeFindsTheFirstPathInConflict(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let keys = ["a", "b", "é", "e\u{301}"]
    var tree = KeyConflicts()
    var inserted: [[String]] = []
    for _ in 0..<60 {
      let path = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        keys.randomElement(using: &random) ?? "a"
      }
      let text = JSONKeyPath(path.joined(separator: "."))
      let expected = inserted.firstIndex { Self.areInConflict($0, path) }
      #expect(tree.conflict(with: text) == expected, "\(path) beside \(inserted)")
      let isLedTo = inserted.contains { $0.count < path.count && Self.areInConflict($0, path) }
      #expect(tree.leads(to: text) == isLedTo, "\(path) after \(inserted)")
      guard expected == nil else { continue }
      tree.insert(text, number: inserted.count)
      inserted.append(path)
    }
  }

  private static func areInConflict(_ one: [String], _ other: [String]) -> Bool {
    zip(one, other).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }
}
