import Testing

import Groot

@Suite("UUIDs")
struct UUIDValueTests {
  static let text = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
  static let value = UUIDValue(high: 0xF81D_4FAE_7DEC_11D0, low: 0xA765_00A0_C91E_6BF6)

  @Test(
    "accepted forms",
    arguments: [
      text, text.uppercased(), "F81d4fae-7DEC-11d0-A765-00a0c91e6BF6",
      "f81d4fae7dec11d0a76500a0c91e6bf6",
    ])
  func eachFormOfAUUIDIsRead(text: String) {
    #expect(UUIDValue(text) == Self.value)
    #expect(UUIDValue(text)?.description == Self.text)
  }

  @Test(
    "refused forms",
    arguments: [
      "", "f81d4fae", "{\(text)}", "\(text) ", " \(text)", "urn:uuid:\(text)", "\(text)0",
      "f81d4fae-7dec-11d0-a765-00a0c91e6bfg", "f81d4fae-7dec-11d0-a765_00a0c91e6bf6",
      "f81d4fae7-dec-11d0-a765-00a0c91e6bf6", "f81d4fae-7dec-11d0-a765-00a0c91e6bf",
      "f81d4fae-7dec11d0-a765-00a0c91e6bf60", "f81d4fae7dec11d0a76500a0c91e6bf",
    ])
  func textOfAnotherFormIsRefused(text: String) {
    #expect(UUIDValue(text) == nil)
  }

  @Test("every byte in every place: only hexadecimal digits pass")
  func onlyHexadecimalDigitsAreRead() {
    let text = Array("f81d4fae7dec11d0a76500a0c91e6bf6".utf8)
    let digits = Set("0123456789abcdefABCDEF".utf8)
    for position in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[position] = byte
        let value = changed.withUnsafeBufferPointer { UUIDValue(text: $0) }
        #expect((value != nil) == digits.contains(byte))
      }
    }
  }

  @Test("bytes, text and halves are one")
  func aUUIDComesBackFromItsTextAndItsBytes() {
    #expect(Self.value.bytes.first == 0xF8 && Self.value.bytes.last == 0xF6)
    #expect(UUIDValue(bytes: [1, 2, 3]) == nil && UUIDValue(bytes: [UInt8]()) == nil)
    var generator = SeededGenerator(seed: 14)
    for _ in 0..<50_000 {
      let value = UUIDValue(high: generator.next(), low: generator.next())
      #expect(UUIDValue(value.description) == value && UUIDValue(bytes: value.bytes) == value)
      let other = UUIDValue(high: value.high, low: generator.next())
      #expect((value < other) == (value.description < other.description))
    }
  }
}
