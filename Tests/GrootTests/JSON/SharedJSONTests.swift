import CJansson
import Testing

@testable import Groot

/// What callbacks are handed is made once, and what they give back is recognised.
@Suite struct SharedJSONTests {
  typealias JSON = UnsafeMutablePointer<json_t>

  private func tape(_ text: String) throws -> JSONTape {
    let tape = JSONTape()
    try JSONValue(parsing: text).append(to: tape)
    return tape
  }

  private func borrowed(_ tape: JSONTape, _ index: TokenIndex) throws -> JSON {
    let json = try JanssonBridge.share(tape, index: index)
    groot_json_release(json)
    return json
  }

  @Test func containersAreMadeOnce() throws {
    let tape = try tape("{\"a\":{\"b\":[1,{\"c\":2}]},\"s\":\"x\"}")
    // The array first: what it is inside holds it then.
    let array = try borrowed(tape, 4)
    let outer = try borrowed(tape, 0)
    #expect(json_object_get(json_object_get(outer, "a"), "b") == array)
    #expect(try borrowed(tape, 2) == json_object_get(outer, "a"))
    #expect(try borrowed(tape, 6) == json_array_get(array, 1))
    #expect(try borrowed(tape, 0) == outer)
  }

  @Test func anUnchangedResultIsWhereItWas() throws {
    let tape = try tape("{\"a\":{\"b\":1}}")
    let count = tape.count
    let outer = JanssonValue(owning: try JanssonBridge.share(tape, index: 0))
    #expect(try outer.borrow { try JanssonBridge.takeBack($0, onto: tape) } == 0)
    #expect(try JanssonBridge.takeBack(try borrowed(tape, 2), onto: tape) == 2)
    #expect(tape.count == count)
  }

  @Test func aValueInsideAResultIsAnAlias() throws {
    let tape = try tape("{\"a\":{\"b\":[1,2,3]},\"c\":[4]}")
    let count = tape.count
    let copy = JanssonValue(owning: try #require(json_copy(try borrowed(tape, 0))))
    copy.borrow { _ = json_object_set_new($0, "d", json_integer(5)) }
    let index = try copy.borrow { try JanssonBridge.takeBack($0, onto: tape) }
    #expect(index.offset == count)
    #expect(tape.count == count + 7)
    let value: JSONValue = ["a": ["b": [1, 2, 3]], "c": [4], "d": 5]
    #expect(JSONValue(tape, index: index) == value)
    #expect(
      String(decoding: try #require(JSONWriter.canonical(tape, index: index)), as: UTF8.self)
        == value.canonicalText)
    // The result is handed out in its turn, with what it holds.
    let again = try borrowed(tape, index)
    #expect(json_object_get(again, "a") == json_object_get(copy.json, "a"))
    let plain = JanssonValue(owning: try JanssonBridge.materialize(tape, index: index))
    #expect(plain.borrow { json_equal($0, copy.json) } == 1)
  }

  @Test func theLastOfDuplicateKeysIsHandedOut() throws {
    let tape = JSONTape()
    let text = Array("{\"a\":{\"x\":1},\"a\":{\"x\":2},\"b\":[{\"a\":{}}]}".utf8)
    try text.withUnsafeBufferPointer { text in
      try tape.load(text)
      let outer = try borrowed(tape, 0)
      let key = UnsafeBufferPointer(rebasing: text[2..<3])
      let last = try #require(tape.value(forKey: key, inObject: 0))
      #expect(try borrowed(tape, last) == json_object_get(outer, "a"))
      #expect(json_integer_value(json_object_get(json_object_get(outer, "a"), "x")) == 2)
    }
  }

  /// Each level is handed out, copied and taken back: all together cost what the levels are.
  @Test func copiesOfEachLevelAreLinear() throws {
    let depth = 1000
    let open = String(repeating: "{\"id\":1,\"child\":", count: depth)
    let tape = try tape(open + "{}" + String(repeating: "}", count: depth))
    var index: TokenIndex = 0
    for _ in 0..<depth {
      let copy = JanssonValue(owning: try #require(json_copy(try borrowed(tape, index))))
      let result = try copy.borrow {
        _ = json_object_set_new($0, "name", json_true())
        return try JanssonBridge.takeBack($0, onto: tape)
      }
      let child = Array("child".utf8).withUnsafeBufferPointer {
        tape.value(forKey: $0, inObject: result)
      }
      index = tape.resolved(try #require(child))
    }
    #expect(tape.count <= 20 * depth)
  }

  @Test func neitherDepthNorNumberGrowsUnseen() throws {
    let deep = String(repeating: "[", count: 1500) + String(repeating: "]", count: 1500)
    let tape = try tape(deep)
    var wrapped = try JanssonBridge.share(tape, index: 0)
    for _ in 0..<600 {
      let outer: JSON? = json_array()
      json_array_append_new(outer, wrapped)
      wrapped = try #require(outer)
    }
    let error = #expect(throws: GrootError.self) {
      try JanssonBridge.takeBack(wrapped, onto: tape)
    }
    #expect(error?.status == .limitExceeded)
    groot_json_release(wrapped)

    tape.reset()
    var index = try JSONValue.object(["x": 1]).append(to: tape)
    tape.limitGrowth(by: 1000)
    let limit = tape.maximumCount
    var levels = 0
    while levels < 60 {
      let value = try borrowed(tape, index)
      guard let pair = json_object() else { return }
      json_object_set(pair, "a", value)
      json_object_set(pair, "b", value)
      let result = try? JanssonBridge.takeBack(pair, onto: tape)
      groot_json_release(pair)
      guard let result else { break }
      index = result
      levels += 1
    }
    #expect(levels > 5)
    #expect(1 << levels <= 2 * limit)
    #expect(tape.count < 1000)
  }
}
