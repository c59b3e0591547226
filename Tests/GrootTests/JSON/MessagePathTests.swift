import Testing

@testable import Groot

/// Paths, the locator, lookups on a tape.
@Suite struct MessagePathTests {
  @Test(arguments: [
    ("id", ".id"), ("_a1", "._a1"), ("", "[\"\"]"), ("1a", "[\"1a\"]"), ("a b", "[\"a b\"]"),
    ("a.b", "[\"a.b\"]"), ("é", "[\"é\"]"), ("a\"\\\n\u{1}", "[\"a\\\"\\\\\\n\\u0001\"]"),
  ])
  func aKeyIsQuotedInAPathWhereItMustBe(_ key: String, _ part: String) {
    #expect(MessagePath.member(key) == part)
  }

  @Test func eachTokenHasItsPath() throws {
    let tape = JSONTape()
    let value: JSONValue = ["a": [1, ["b c": nil]], "d": true]
    let root = try value.append(to: tape)
    let graft = try JSONValue.array([1, 2]).append(to: tape)
    #expect(root == 0 && graft == 9)
    let expected = [
      "", ".a", ".a", ".a[0]", ".a[1]", ".a[1][\"b c\"]", ".a[1][\"b c\"]", ".d", ".d", "", "[0]",
      "[1]",
    ]
    var index = MessagePath.Index()
    #expect((0..<tape.next).map { index.path(to: $0, on: tape) } == expected)
    // Asked for in any order, and when more has been appended.
    let last = try JSONValue.array([[]]).append(to: tape)
    #expect(index.path(to: last + 1, on: tape) == "[0]")
    #expect(
      (TokenIndex(0)..<12).reversed().map { index.path(to: $0, on: tape) } == expected.reversed())
    index = MessagePath.Index()
    #expect(index.path(to: graft + 2, on: tape) == "[1]" && index.path(to: 4, on: tape) == ".a[1]")
  }

  @Test func anOffsetInATextHasItsLineAndColumn() {
    let text = Array("ab\né日\n\nx".utf8)
    text.withUnsafeBytes { bytes in
      let places = [0, 2, 3, 5, 8, 9, 10, 11, 99, -1].map { offset in
        let place = TextLocation(of: offset, in: bytes)
        return "\(place.line):\(place.column)"
      }
      #expect(
        places == ["1:0", "1:2", "2:0", "2:1", "2:2", "3:0", "4:0", "4:1", "4:1", "1:0"])
    }
  }

  @Test func aLookupFindsTheLastValueOfAKey() throws {
    let tape = JSONTape()
    let text = Array("{\"a\":1,\"bb\":[7,[8],9],\"a\":3,\"\":4}".utf8)
    text.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      _ = JSONScanner.scan(from: start, to: start + bytes.count, onto: tape, maxDepth: 2048)
      func value(_ key: String) -> TokenIndex? {
        Array(key.utf8).withUnsafeBufferPointer { tape.value(forKey: $0, inObject: 0) }
      }
      #expect(value("a").map { tape.tokens[$0].integer } == 3)
      #expect(value("").map { tape.tokens[$0].integer } == 4)
      #expect(value("b") == nil)
      guard let array = value("bb") else {
        Issue.record("the array is not found")
        return
      }
      #expect(tape.element(at: 2, inArray: array).map { tape.tokens[$0].integer } == 9)
      #expect(tape.element(at: 3, inArray: array) == nil)
      #expect(tape.element(at: -1, inArray: array) == nil)
      #expect(tape.element(at: 0, inArray: 0) == nil)
      #expect(tape.value(forKey: bytes, inObject: array) == nil)
    }
  }
}
