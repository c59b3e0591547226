import Testing

import Groot

/// Text is searched as a plain reading of the rules says, and in linear time.
struct TextPatternTests {
  private func holds(
    _ match: TextMatch, _ pattern: String, _ text: String, ignoresCase: Bool = false
  ) -> Bool {
    var (pattern, text) = (pattern, text)
    let compiled = pattern.withUTF8 { TextPattern(match, text: $0, ignoresCase: ignoresCase) }
    return text.withUTF8 { compiled.holds($0) }
  }

  /// By trying every way; characters are Unicode scalars.
  private static func naively(
    _ match: TextMatch, _ pattern: [Unicode.Scalar], _ text: [Unicode.Scalar]
  ) -> Bool {
    switch match {
    case .beginsWith: return text.starts(with: pattern)
    case .endsWith: return text.reversed().starts(with: pattern.reversed())
    case .contains: return (0...text.count).contains { text[$0...].starts(with: pattern) }
    case .like: return isLike(pattern[...], text[...])
    }
  }

  private static func isLike(
    _ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let next = pattern.first else { return text.isEmpty }
    if next == "*" {
      return isLike(pattern.dropFirst(), text)
        || (!text.isEmpty && isLike(pattern, text.dropFirst()))
    }
    guard let first = text.first else { return false }
    if next == "?" { return isLike(pattern.dropFirst(), text.dropFirst()) }
    let rest = next == "\\" && pattern.count > 1 ? pattern.dropFirst() : pattern
    return rest.first == first && isLike(rest.dropFirst(), text.dropFirst())
  }

  private func random(
    _ letters: [Unicode.Scalar], _ count: Int, _ random: inout SeededGenerator
  ) -> [Unicode.Scalar] {
    (0..<Int.random(in: 0...count, using: &random)).map { _ in
      letters[Int.random(in: 0..<letters.count, using: &random)]
    }
  }

  private func text(_ scalars: [Unicode.Scalar]) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  @Test(arguments: 1...8)
  func isWhatTryingEveryWayGives(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var counts = [true: 0, false: 0]
    for _ in 0..<2_500 {
      let match = TextMatch.allCases[Int.random(in: 0..<4, using: &generator)]
      let subject = random(["a", "a", "b", "é", "🦇"], 14, &generator)
      let letters: [Unicode.Scalar] =
        match == .like ? ["a", "a", "b", "é", "*", "*", "?", "\\"] : ["a", "a", "b", "é", "*"]
      let pattern = random(letters, match == .like ? 9 : 5, &generator)
      let expected = Self.naively(match, pattern, subject)
      counts[expected, default: 0] += 1
      let found = holds(match, text(pattern), text(subject))
      #expect(found == expected, "\(match) \(text(pattern)) in \(text(subject))")
      // Upper and lower case of A to Z are alike, and nothing else is.
      let loud = text(subject).map { $0.isASCII ? $0.uppercased() : String($0) }.joined()
      #expect(
        holds(match, text(pattern), loud, ignoresCase: true) == expected,
        "\(match) \(text(pattern)) in \(loud)")
    }
    #expect(counts.values.allSatisfy { $0 > 400 })
  }

  /// What repeats itself and almost fits everywhere; by trying each position these take hours.
  @Test func repetitionsAreSearchedInLinearTime() {
    let count = 200_000
    let letters = String(repeating: "a", count: count)
    let pairs = String(repeating: "ab", count: count / 2)
    let half = String(repeating: "a", count: count / 2)
    for ignoresCase in [false, true] {
      #expect(!holds(.contains, half + "b", letters, ignoresCase: ignoresCase))
      #expect(!holds(.contains, "b" + half, letters, ignoresCase: ignoresCase))
      #expect(holds(.contains, half, letters, ignoresCase: ignoresCase))
      #expect(holds(.contains, half + "b", letters + "b", ignoresCase: ignoresCase))
      let middle = String(repeating: "ab", count: count / 8)
      #expect(!holds(.contains, middle + "bb" + middle, pairs, ignoresCase: ignoresCase))
      #expect(!holds(.like, "*\(half)b*\(half)*", letters + letters, ignoresCase: ignoresCase))
      let many = String(repeating: "a*", count: count / 4)
      #expect(!holds(.like, "*\(many)b*c", letters, ignoresCase: ignoresCase))
      #expect(holds(.like, "*\(many)a", letters, ignoresCase: ignoresCase))
      #expect(!holds(.like, "*a?a?a?a?b?*", letters, ignoresCase: ignoresCase))
    }
  }

  @Test func nothingAndEverything() {
    for text in ["", "a", "é"] {
      #expect(holds(.contains, "", text) && holds(.beginsWith, "", text))
      #expect(holds(.endsWith, "", text) && holds(.like, "*", text) && holds(.like, "**", text))
      #expect(holds(.like, "", text) == text.isEmpty)
      #expect(holds(.like, "?", text) == !text.isEmpty)
    }
    #expect(holds(.contains, "a\0b", "xa\0by") && !holds(.contains, "a\0c", "xa\0by"))
  }

  @Test func noTextIsAsEmptyText() {
    for match in TextMatch.allCases {
      for pattern in ["", "*", "**", "?", "a", "*a*"] {
        var pattern = pattern
        let compiled = pattern.withUTF8 { TextPattern(match, text: $0, ignoresCase: false) }
        #expect(
          compiled.holds(UnsafeBufferPointer(start: nil, count: 0)) == holds(match, pattern, ""),
          "\(match) \(pattern)")
      }
    }
  }
}
