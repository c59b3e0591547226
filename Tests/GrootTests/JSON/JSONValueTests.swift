import CJansson
import Testing

@testable import Groot

/// Laws of JSONValue and of the ways to and from jansson.
@Suite struct JSONValueTests {
  @Test func literalsAndAccessors() {
    let hero: JSONValue = [
      "id": 17, "name": "Batman", "rating": 8.5, "active": true, "powers": ["Wealth", nil],
    ]
    #expect(hero["id"]?.integerValue == 17)
    #expect(hero["id"]?.realValue == 17)
    #expect(hero["name"]?.stringValue == "Batman")
    #expect(hero["rating"]?.realValue == 8.5)
    #expect(hero["active"]?.booleanValue == true)
    #expect(hero["powers"]?[0] == "Wealth")
    #expect(hero["powers"]?[1]?.isNull == true)
    #expect(hero["powers"]?[2] == nil)
    #expect(hero["powers"]?[-1] == nil)
    #expect(hero["none"] == nil)
    #expect(hero["powers"]?.arrayValue?.count == 2)
    #expect(hero.objectValue?.keys == ["id", "name", "rating", "active", "powers"])
    #expect(
      hero.description
        == "{\"id\":17,\"name\":\"Batman\",\"rating\":8.5,\"active\":true,\"powers\":[\"Wealth\",null]}"
    )
    #expect(JSONValue.integer(1) != .real(1))
    #expect(JSONValue.integer(.max).realValue == nil)
  }

  @Test func keysAreBytes() {
    let composed = "\u{E9}"
    let decomposed = "e\u{301}"
    var object: JSONObject = [:]
    object[composed] = 1
    object[decomposed] = 2
    #expect(object.count == 2)
    #expect(object[composed] == 1)
    #expect(JSONValue.string(composed) != .string(decomposed))
  }

  @Test func objectsOfEverySize() {
    var object = JSONObject()
    for index in 0..<50 {
      object["k\(index)"] = .integer(Int64(index))
      #expect((0...index).allSatisfy { object["k\($0)"] == .integer(Int64($0)) })
    }
    let backwards = JSONObject(object.members.reversed())
    #expect(object == backwards)
    #expect(object.hashValue == backwards.hashValue)
    for index in stride(from: 0, to: 50, by: 2) { object["k\(index)"] = nil }
    #expect(object.count == 25)
    #expect((0..<50).allSatisfy { (object["k\($0)"] == nil) == ($0 % 2 == 0) })
    object["k1"] = "new"
    #expect(object.keys.first == "k1")
    #expect(object != backwards)
  }

  @Test(arguments: ["1", " 1.5 ", "\"a\"", "null", "true ", "[]", "{}", "-0", "123456789", "0.1"])
  func scalarsAreParsed(_ text: String) throws {
    let value = try JSONValue(parsing: text)
    #expect(try JSONValue(parsing: value.description) == value)
  }

  @Test(arguments: [
    "", " ", "1 2", "[1,]", "tru", "01", "[1]]", "\"\\u000\"", "9223372036854775808x", "1\0",
  ])
  func faultsAreJanssons(_ text: String) {
    let error = #expect(throws: GrootError.self) { try JSONValue(parsing: text) }
    #expect(error?.status == .invalidJSON)
    #expect((error?.issues[0].line ?? 0) > 0)
  }

  @Test func textAndBack() throws {
    for text in JSONTextTable.texts {
      guard let value = try? JSONValue(parsing: text) else { continue }
      #expect(try JSONValue(parsing: value.description) == value)
      #expect(try JSONValue(parsing: value.canonicalText) == value)
      let copy = value
      #expect(copy.hashValue == value.hashValue)
      #expect(JSONValue(storedText: UnsafeBufferPointer(start: nil, count: 0)) == .null)
    }
  }

  @Test func equalValuesHaveOneCanonicalText() throws {
    let left = try JSONValue(parsing: "{\"b\":[{\"y\":1,\"x\":2}],\"a\":1}")
    let right = try JSONValue(parsing: "{\"a\":1,\"b\":[{\"x\":2,\"y\":1}]}")
    #expect(left == right)
    #expect(left.canonicalText == right.canonicalText)
    #expect(left.description != right.description)
  }

  @Test func throughTapeAndJansson() throws {
    let value: JSONValue = [
      "a": [1, 2.5, "é\u{0}x", nil, false, true, [], [:], [[["deep"]]]], "": ["b": -1],
    ]
    let tape = JSONTape()
    try tape.append(JSONToken(kind: .null))
    let index = try value.append(to: tape)
    #expect(index == 1)
    #expect(tape.end(of: index) == tape.next)
    #expect(JSONValue(tape, index: index) == value)
    guard let made = try? JanssonBridge.materialize(tape, index: index) else {
      Issue.record("no json_t was made")
      return
    }
    let copy = JSONTape()
    do {
      let json = JanssonValue(owning: made)
      try json.borrow { _ = try JanssonBridge.flatten($0, onto: copy, copiesStrings: true) }
    }
    #expect(JSONValue(copy, index: 0) == value)
  }

  @Test func depthIsLimited() throws {
    var value: JSONValue = 1
    for _ in 0..<2047 { value = [value] }
    let tape = JSONTape()
    try value.append(to: tape)
    let deeper: JSONValue = [value]
    let error = #expect(throws: GrootError.self) { try deeper.append(to: tape) }
    #expect(error?.status == .limitExceeded)
    #expect(deeper.description.utf8.count == 2 * 2048 + 1)
    #expect(JSONValue(tape, index: 0) == value)
  }

  @Test func cyclicAndDeepTreesAreRefused() throws {
    guard let outer = json_array(), let inner = json_array() else { return }
    json_array_append_new(outer, inner)
    json_array_append_new(inner, groot_json_retain(outer))
    let tape = JSONTape()
    let error = #expect(throws: GrootError.self) {
      try JanssonBridge.flatten(outer, onto: tape)
    }
    #expect(error?.status == .limitExceeded)
    #expect(tape.count == 0)
    json_array_clear(inner)
    groot_json_release(outer)
  }

  @Test func loadIsJanssons() {
    for text in JSONTextTable.texts {
      let bytes = Array(text.utf8)
      let jansson = JanssonOracle(bytes, flags: Int(JSON_DECODE_ANY))
      let issue = bytes.withUnsafeBytes { JanssonBridge.refusal(of: $0)?.issues[0] }
      #expect((issue == nil) == (jansson.message == nil), "\(text)")
      guard let issue, !text.contains("\0") else { continue }
      #expect(issue.message == jansson.message)
      #expect(issue.offset == jansson.position)
      #expect(issue.line == jansson.line)
      #expect(issue.column == jansson.column)
    }
  }
}
