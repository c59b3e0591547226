import Testing

@testable import Groot

/// Patterns that are made to take a stack, memory or time.
struct PatternTests {
  private func syntaxError(_ pattern: String) -> Pattern.SyntaxError? {
    do throws(Pattern.SyntaxError) {
      _ = try Pattern(pattern)
      return nil
    } catch {
      return error
    }
  }

  private func outcome(_ pattern: String, _ text: String) throws -> Pattern.Outcome {
    var text = text
    let compiled = try Pattern(pattern)
    return text.withUTF8 { compiled.outcome($0) }
  }

  private func isGivenUp(_ outcome: Pattern.Outcome) -> Bool {
    if case .exceeds = outcome { true } else { false }
  }

  @Test func compilingIsBounded() {
    let many = { (text: String, count: Int) in String(repeating: text, count: count) }
    let tooLarge = [
      many("[", 16_000), many("[[a]", 5_000), many("(", 202), many("(?:", 3_000),
      many("(a", 3_000) + many(")", 3_000), "(((a{999}){999}){999}){999}", many("a", 10_001),
      many("(?=", 500) + many(")", 500), many("(?|", 500), "(?<=" + many("(a|b)", 1_900) + ")",
    ]
    for pattern in tooLarge {
      #expect(syntaxError(pattern)?.status == .limitExceeded, "\(pattern.prefix(20))")
    }
    for pattern in [
      "[", many("[", 9_000), "(", "a)", "*", "(?<n", "\\", "[b-a]", "\\u0041", "(?1)",
    ] {
      let fault = syntaxError(pattern)
      #expect(fault?.status == .invalidModel, "\(pattern.prefix(20))")
      #expect(fault?.message.contains("at offset") == true)
      #expect(fault?.message.utf8.count ?? 0 < 250)
    }
    for pattern in [many("(", 200) + many(")", 200), many("a*", 5_000), many("(a?b?)*?", 1_000)] {
      #expect(syntaxError(pattern) == nil, "\(pattern.prefix(20))")
    }
  }

  @Test func aBracketInASetBeginsAClassOrIsRefused() throws {
    for (pattern, offset) in [
      ("[x[:1a:]]", 2), ("[x[:-:]]", 2), ("[[:alpha]]", 1), ("[[:a-z:]]", 1), ("[^[a]]", 2),
      ("[][a]]", 2), ("[^][a]]", 3), ("[[:alpha:][a]]", 10), ("[a\\][b]", 4), ("[a\\Q]\\E[b]", 7),
    ] {
      #expect(
        syntaxError(pattern)?.message.hasSuffix(
          "a '[' in a set is written '\\[', at offset \(offset)") == true,
        "\(pattern): \(syntaxError(pattern)?.message ?? "none")")
    }
    #expect(try outcome("[[:alpha:]1]+", "a1") == .matches)
    #expect(try outcome("[1[:^alpha:]]+", "1!") == .matches)
    #expect(try outcome("[[:alpha:]][[:digit:]]", "a1") == .matches)
    #expect(try outcome("[a\\[b]+", "a[b") == .matches)
  }

  @Test func matchingIsBounded() throws {
    let letters = String(repeating: "a", count: 30)
    #expect(isGivenUp(try outcome("(?:a?){30}a{30}", letters)))
    #expect(isGivenUp(try outcome("(a+)+[bc]", letters)))
    #expect(isGivenUp(try outcome("(a|aa)+[bc]", letters + letters)))
    #expect(isGivenUp(try outcome("(.*)*.*.*.*[bc]", letters + letters)))
    // Each step of these looks at all of the text.
    let long = String(repeating: "ab", count: 20_000)
    #expect(isGivenUp(try outcome("(?:(?=.*$)(?=\\X*$).)*[xy]", long)))
    #expect(isGivenUp(try outcome("(a|b)*", long + long)))
    #expect(isGivenUp(try outcome("(?<n>a(?&n)?b)*+(?R)", "abab")))
  }

  @Test func longTextsMatchPlainPatterns() throws {
    let words = String(repeating: "word, ", count: 200_000)
    #expect(try outcome("[a-z, ]*", words) == .matches)
    #expect(try outcome(".*word, ", words) == .matches)
    #expect(try outcome("[a-z, ]*!", words) == .differs)
    #expect(try outcome("(?:\\w+, )+", String(words.prefix(6_000))) == .matches)
  }

  @Test func textsMayHoldAnything() throws {
    #expect(try outcome("a\0b", "a\0b") == .matches)
    #expect(try outcome("[^x]{3}", "a\0b") == .matches)
    #expect(try outcome("a", "a\0") == .differs)
    #expect(try outcome("", "") == .matches)
    #expect(try outcome("", "a") == .differs)
    #expect(try outcome("a?", "") == .matches)
    #expect(try outcome("[\\[\\]]+", "[]") == .matches)
    #expect(try outcome("[]x]+\\Q[[\\E", "]x[[") == .matches)
    let compiled = try Pattern(".*")
    let invalid: [UInt8] = [0x61, 0xFF]
    #expect(invalid.withUnsafeBufferPointer { compiled.outcome($0) } == .differs)
  }

  /// One workspace goes round; those who find none make their own.
  @Test func threadsShareAPattern() async throws {
    let compiled = try Pattern("(a|b)*c")
    await withTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          var matches = 0
          for round in 0..<500 {
            var text = String(repeating: "ab", count: round % 50) + (round % 2 == 0 ? "c" : "d")
            if text.withUTF8({ compiled.outcome($0) }) == .matches { matches += 1 }
          }
          return task >= 0 ? matches : 0
        }
      }
      for await matches in group { #expect(matches == 250) }
    }
  }
}
