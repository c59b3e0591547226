import CJansson
import Testing

@testable import Groot

/// Numbers beyond jansson's types, and NUL, on their way through values, tapes and json_t.
@Suite struct LargeNumberTests {
  @Test(arguments: [
    "9223372036854775808", "-9223372036854775809", "1e309", "-1E+400", "123456789012345678901e999",
    "18446744073709551616",
  ])
  func numbersBeyondOtherTypesAreLarge(_ text: String) throws {
    let number = try #require(LargeNumber(text))
    #expect(try JSONValue(parsing: text) == .largeNumber(number))
    #expect(JSONValue.largeNumber(number).description == text)
    #expect(try JSONValue(parsing: "[\(text),1]") == [.largeNumber(number), 1])
  }

  @Test(arguments: [
    "", "1", "-0", "9223372036854775807", "-9223372036854775808", "1.5", "1e308", "01", "1e",
    "12345678901234567890x", "+12345678901234567890", " 12345678901234567890", "Infinity", "1e-400",
    "012345678901234567890", "12345678901234567890.", "0e999999",
  ])
  func numbersOfOtherTypesAndOtherTextAreNotLarge(_ text: String) {
    #expect(LargeNumber(text) == nil)
  }

  @Test func aLargeNumberBecomesADecimalOrARealWhereItFits() throws {
    let number = try #require(LargeNumber("12345678901234567890"))
    #expect(number.decimal == DecimalNumber("12345678901234567890"))
    #expect(number.real == 12_345_678_901_234_567_890.0)
    let huge = try #require(LargeNumber("1e400"))
    #expect(huge.real == nil)
    #expect(huge.decimal?.description == "1E+400")
    #expect(LargeNumber(String(repeating: "7", count: 400))?.decimal == nil)
    #expect(huge != LargeNumber("1E400"))
  }

  @Test func aJsonTHoldsNoLargeNumber() throws {
    let tape = JSONTape()
    let value: JSONValue = try JSONValue(parsing: "{\"a\":[1,1e400]}")
    let index = try value.append(to: tape)
    let error = #expect(throws: JanssonBridge.TooLarge.self) {
      try JanssonBridge.materialize(tape, index: index)
    }
    #expect(error?.message == "the number 1e400 is beyond what a json_t holds")
    var paths = MessagePath.Index()
    #expect(paths.path(to: error?.token ?? 0, from: index, on: tape) == ".a[1]")
    // Of one that is long the message has the beginning.
    for (count, shown) in [(40, "7"), (41, "7...")] {
      let number = try JSONValue(parsing: String(repeating: "7", count: count))
      let index = try number.append(to: tape)
      let error = #expect(throws: JanssonBridge.TooLarge.self) {
        try JanssonBridge.materialize(tape, index: index)
      }
      let text = String(repeating: "7", count: 39) + shown
      #expect(error?.message == "the number \(text) is beyond what a json_t holds")
    }
  }

  @Test func aNulInATextStaysInAJsonT() throws {
    let text = "{\"a\\u0000b\":\"\\u0000\",\"a\":\"x\\u0000\",\"\\u0000\":1}"
    let value = try JSONValue(parsing: text)
    #expect(value == ["a\0b": "\0", "a": "x\0", "\0": 1])
    let tape = JSONTape()
    let json = JanssonValue(
      owning: try JanssonBridge.materialize(tape, index: try value.append(to: tape)))
    let copy = JSONTape()
    let back = try json.borrow { JSONValue(copy, index: try JanssonBridge.flatten($0, onto: copy)) }
    #expect(back == value)
    #expect(value.description == text)
  }

  @Test func aKeyWithNULIsFoundByABytewisePath() throws {
    let text = Array("{\"a\":1,\"a\\u0000\":[{\"x\":1}]}".utf8)
    let source = JSONReader.Source(root: try JSONPointer("/a\0"))
    for usesScanner in [true, false] {
      let found = JSONTest.read(text, usesScanner: usesScanner, source: source)
      #expect(found.message == nil)
      #expect(found.elements.count == 1)
    }
  }

  /// What jansson is given has the length of the text, and differs only where its types end.
  @Test func standInsKeepTheirLength() throws {
    for text in JSONTextTable.texts + ["[1e400]", "{\"\\u0000\":123456789012345678901}"] {
      let bytes = Array(text.utf8)
      var given: [UInt8] = []
      bytes.withUnsafeBytes { bytes in
        var source = StandInText(UnsafeRawBufferPointer(start: nil, count: 0), text: bytes)
        withUnsafeTemporaryAllocation(byteCount: 7, alignment: 1) { room in
          guard let start = room.baseAddress else { return }
          while true {
            let count = source.read(start, room: 7)
            if count == 0 { break }
            given += room.prefix(count)
          }
        }
      }
      if bytes.contains(0) { continue }
      #expect(given.count == bytes.count, "\(text)")
    }
  }
}
