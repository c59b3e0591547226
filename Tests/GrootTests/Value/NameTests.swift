import Testing

@testable import Groot

struct NameTests {
  /// Pairs that Swift's `String` takes for equal.
  private static let pairs = [
    ("é", "e\u{301}"), ("\u{212A}", "K"), ("\u{37E}", ";"), ("\u{AC00}", "\u{1100}\u{1161}"),
    ("a\u{323}\u{307}", "a\u{307}\u{323}"),
  ]

  @Test func namesAreTheirBytes() {
    for (one, other) in Self.pairs {
      #expect(one == other)
      #expect(Name(one) != Name(other) && Name(one) == Name(one))
      #expect((Name(one) < Name(other)) != (Name(other) < Name(one)))
      var map: NameMap<Int> = [one: 1]
      map[other] = 2
      #expect(map[one] == 1 && map[other] == 2 && map.count == 2)
      #expect(map.remove(one) == 1 && map[one] == nil && map[other] == 2)
      #expect(Value.string(one) != .string(other) && Value.uri(one) != .uri(other))
    }
  }

  @Test func mapsAreInTheOrderOfBytes() {
    let map: NameMap<Int> = ["z": 1, "e\u{301}": 2, "é": 3, "": 4, "a": 5, "a": 6]
    #expect(
      map.keys.map { Array($0.utf8) } == ["", "a", "e\u{301}", "z", "é"].map { Array($0.utf8) })
    #expect(map.map(\.value) == [4, 6, 2, 1, 3])
  }

  @Test func marksHideNoSeparators() {
    #expect("a.\u{301}b".parts(separatedBy: Byte.point).map(\.unicodeScalars.count) == [1, 2])
    #expect("a,\u{301}b \u{301}c".listedNames.count == 3)
    #expect("  a b  ".withoutOuterSpaces == "a b" && "  ".withoutOuterSpaces == "")
    let endless = "a" + String(repeating: "\u{301}", count: 1_000)
    #expect(endless.count == 1 && endless.shortened.unicodeScalars.count == 63)
  }
}
