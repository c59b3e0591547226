import Testing

@testable import Groot

@Suite("Base64")
struct Base64Tests {
  func decode(_ text: [UInt8]) -> [UInt8]? {
    text.withUnsafeBufferPointer { text in
      let capacity = Base64.decodedCapacity(text.count)
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
        guard let start = buffer.baseAddress else { return nil }
        return Base64.decode(text, into: start).map { Array(buffer[..<$0]) }
      }
    }
  }

  func encode(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Base64.encodedLength(bytes.count)) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      count = bytes.withUnsafeBufferPointer { Base64.encode($0, into: start) }
    }
  }

  /// RFC 4648, section 10.
  static let examples = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ]

  @Test("the vectors of RFC 4648", arguments: examples)
  func theExamplesOfRFC4648AreEncodedAndDecoded(plain: String, text: String) {
    #expect(encode(Array(plain.utf8)) == Array(text.utf8))
    #expect(decode(Array(text.utf8)) == Array(plain.utf8))
    let bare = Array(text.utf8.filter { $0 != UInt8(ascii: "=") })
    #expect(decode(bare) == Array(plain.utf8))
  }

  @Test("both alphabets", arguments: ["+/+/+/+/", "-_-_-_-_", "+/-_-_+/"])
  func bothAlphabetsAreDecoded(text: String) {
    #expect(decode(Array(text.utf8)) == [0xFB, 0xFF, 0xBF, 0xFB, 0xFF, 0xBF])
  }

  @Test(
    "refused texts",
    arguments: [
      "A", "AAAAA", "=", "==", "===", "====", "A===", "QQ=", "QUI==", "Zm9vYg=", "Zm9v====",
      "Zm9v=", "QQ==QQ==", "Q=Q=", "Zm 9v", "Zm9v\n", " Zm9v", "Zm9*", "Zm9vZm9.", "Zh==", "Zm9=",
      "Zh", "Zm9", "Zm9vZm9vZh", "Zm9vZm9vZm9", "Zm9vZm9vé",
    ])
  func malformedTextIsRefused(text: String) {
    #expect(decode(Array(text.utf8)) == nil)
  }

  @Test("every byte in every place: only the alphabets pass")
  func onlyBytesOfTheAlphabetAreDecoded() {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
    let alphabet = Set(letters.utf8)
    for position in 0..<12 {
      for byte in UInt8.min...UInt8.max {
        var text = Array("Zm9vYmFyZm9v".utf8)
        text[position] = byte
        // Padding does not pass either: the last bits of "Zm9=" belong to no byte.
        #expect((decode(text) != nil) == alphabet.contains(byte))
      }
    }
  }

  @Test("any bytes come back, padded or not, in either alphabet")
  func anyBytesComeBackFromTheirText() {
    var generator = SeededGenerator(seed: 15)
    for index in 0..<20_000 {
      let bytes = generator.bytes(index % 100)
      let text = encode(bytes)
      #expect(text.count == Base64.encodedLength(bytes.count))
      #expect(decode(text) == bytes)
      let bare = text.filter { $0 != UInt8(ascii: "=") }
      let urlSafe = bare.map { byte in
        byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? 0x5F : byte
      }
      #expect(decode(urlSafe) == bytes)
    }
  }

  @Test("no bytes trap, and what is accepted is the only text of its bytes")
  func anAcceptedTextIsTheOnlyTextOfItsBytes() {
    var generator = SeededGenerator(seed: 16)
    for index in 0..<50_000 {
      let text = generator.bytes(index % 24, mostly: Array("ABQgwxyz0189+/=".utf8))
      guard let bytes = decode(text) else { continue }
      let again = encode(bytes)
      #expect(text.contains(0x2D) || text.contains(0x5F) || again.starts(with: text))
    }
  }
}
