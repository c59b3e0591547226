import Testing

@testable import Groot

/// Where the tokens of a value are in its text.
struct TextLocationTests {
  /// The offsets of the first `count` tokens in the first `length` bytes of a text.
  private func offsets(_ count: Int, _ text: String, length: Int? = nil) -> [UInt32] {
    Array(text.utf8).withUnsafeBytes { bytes in
      TextLocation.Index.offsets(
        count: count, in: UnsafeRawBufferPointer(rebasing: bytes[..<(length ?? bytes.count)]))
    }
  }

  @Test func theLocatorFindsAsManyTokensAsAreAskedFor() {
    let text = #"{"a\"\\": [1, true, "é"], "b" : {}}"#
    let all: [UInt32] = [0, 1, 10, 11, 14, 20, 27, 33]
    for count in 0...all.count + 2 {
      #expect(offsets(count, text) == Array(all.prefix(count)), "\(count)")
    }
  }

  /// What comes after the text is not looked at, whatever it is.
  @Test(arguments: ["7", "\"", "{", "true", " "])
  func theLocatorFindsNoTokensAfterTheText(rest: String) {
    #expect(offsets(9, "[1,2]" + rest, length: 5) == [0, 1, 3])
    #expect(offsets(9, "[" + rest, length: 1) == [0])
    #expect(offsets(9, rest, length: 0) == [])
    // A scalar that the text ends in.
    #expect(offsets(9, "12" + rest, length: 2) == [0])
  }
}
