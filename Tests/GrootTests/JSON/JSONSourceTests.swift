import CJansson
import Testing

@testable import Groot

/// Roots inside a text, and texts of lines.
@Suite struct JSONSourceTests {
  private static func outcome(_ text: String, root: String) throws -> ReadOutcome {
    JSONTest.read(Array(text.utf8), source: .init(root: try JSONPointer(root)))
  }

  @Test(arguments: [
    ("{\"data\":{\"items\":[1,2]}}", "/data/items", ["i1", "i2"]),
    ("{\"x\":[{\"items\":3}],\"data\":[]}", "/data", []),
    ("[[0],[1,[7,8]]]", "/1/1", ["i7", "i8"]),
    ("{\"a/b\":{\"~\":{\"\":[5]}}}", "/a~1b/~0/", ["i5"]),
    ("{\"\":[5]}", "/", ["i5"]),
    ("[5]", "", ["i5"]),
    ("{\"d\":[1,true,\"x\",null],\"e\":{\"d\":[]},\"f\":[3,[4],{}],\"g\":[9]}", "/g", ["i9"]),
    (" { \"a\" : [ 1 ] , \"b\" : [ 2 ] } ", "/b", ["i2"]),
  ])
  func aRootPathLeadsToItsElements(text: String, root: String, elements: [String]) throws {
    let found = try Self.outcome(text, root: root)
    #expect(found.message == nil)
    #expect(found.elements.flatMap { $0 } == elements)
  }

  @Test(arguments: [
    ("{\"a\":[1]}", "/b", "the root path '/b' leads to nothing in the JSON"),
    ("{\"a\":[1]}", "/a/1", "the root path '/a/1' leads to nothing in the JSON"),
    ("{\"a\":[[]]}", "/a/00", "the root path '/a/00' leads to nothing in the JSON"),
    ("{\"a\":{\"b\":5}}", "/a/b/c", "the root path '/a/b/c' leads to nothing in the JSON"),
    (
      "{\"a\":5}", "/a",
      "the root path '/a' leads to a single value, where an object or an array is expected"
    ),
    ("{\"a\":[1],\"a\":[2]}", "/a", "the key 'a' of the root path '/a' is a duplicate"),
    ("{\"a\":{\"b\":[1]},\"a\":2}", "/a/b", "the key 'a' of the root path '/a/b' is a duplicate"),
  ])
  func aRootPathThatLeadsNowhereIsAnError(text: String, root: String, message: String) throws {
    let found = try Self.outcome(text, root: root)
    #expect(found.message == message)
    #expect(found.path == "$")
  }

  @Test(arguments: ["a", "a/b", "/~", "/a~2", "/~01~"]) func aMalformedPointerIsRefused(
    text: String
  ) {
    #expect(throws: GrootError.self) { try JSONPointer(text) }
  }

  @Test func issuesBelowARootHaveTheirPathAndPlace() throws {
    let text = Array("{\"n\": 1,\n \"data\": {\"items\": [7,\n {\"id\": 8}]}}".utf8)
    let source = JSONReader.Source(root: try JSONPointer("/data/items"))
    try text.withUnsafeBytes { bytes throws in
      let reader = JSONReader(text: bytes, source: source)
      #expect(try reader.next() && reader.next())
      var issue = GrootIssue(.wrongType, "")
      reader.locate(&issue, token: 2)
      var paths = MessagePath.Index()
      let path = reader.elementPath + paths.path(to: 2, on: reader.tape)
      #expect(path == "$.data.items[1].id")
      #expect(issue.line == 3)
      #expect(issue.column == 9)
      #expect(try !reader.next())
    }
  }

  /// What a root leads to is what jansson has there, however the text comes.
  @Test func anyRootLeadsWhereJanssonFindsIt() throws {
    var random = SeededGenerator(seed: 0x726F_6F74)
    var count = 0
    for _ in 0..<6_000 {
      var value: [UInt8] = []
      JSONFuzzTests.value(&random, depth: 0, into: &value)
      var text = Array("{\"x\":".utf8) + value + Array(",\"y\":[".utf8) + value + [0x5D, 0x7D]
      if random.next() % 3 == 0 { JSONFuzzTests.damage(&text, &random) }
      let pointer = try JSONPointer(
        ["/x", "/y", "/y/0", "/x/0", "/x/a", "/y/0/1"].randomElement(
          using: &random) ?? "")
      let source = JSONReader.Source(root: pointer)
      let whole = JSONTest.read(text, source: source)
      count += whole.message == nil ? 1 : 0
      compare(whole, text, pointer)
      #expect(JSONTest.read(text, usesScanner: false, source: source) == whole, "\(text)")
      var sizes = SeededGenerator(seed: random.next())
      let largest = UInt64([1, 3, 40][Int(random.next() % 3)])
      let stream = JSONTest.readStream(text, source: source) { Int(sizes.next() % largest) + 1 }
      #expect(stream == whole, "\(String(decoding: text, as: UTF8.self)) \(pointer.text)")
      let fed = JSONTest.readFed(text, source: source) { Int(sizes.next() % largest) + 1 }
      #expect(fed == whole, "\(String(decoding: text, as: UTF8.self)) \(pointer.text)")
    }
    #expect(count > 500)
  }

  private func compare(_ found: ReadOutcome, _ text: [UInt8], _ pointer: JSONPointer) {
    let oracle = JanssonOracle(text, flags: 0)
    let shown = "\(String(decoding: text, as: UTF8.self)) \(pointer.text)"
    guard let loaded = oracle.json else {
      #expect(found.message != nil, "\(shown)")
      return
    }
    let expected = { () -> [[String]]? in
      var current = loaded
      for key in pointer.keys {
        let isArray = groot_json_kind(current) == Int32(JSON_ARRAY.rawValue)
        let position = JSONPointer.position(key)
        let next =
          isArray
          ? position.flatMap { json_array_get(current, $0) }
          : key.withUnsafeBytes {
            json_object_getn(
              current, $0.baseAddress?.assumingMemoryBound(to: CChar.self), key.count)
          }
        guard let next else { return nil }
        current = next
      }
      switch groot_json_kind(current) {
      case Int32(JSON_ARRAY.rawValue):
        return (0..<json_array_size(current)).compactMap { index in
          json_array_get(current, index).flatMap { try? JSONTest.tokens($0, oracle) }
        }
      case Int32(JSON_OBJECT.rawValue): return (try? JSONTest.tokens(current, oracle)).map { [$0] }
      default: return nil
      }
    }()
    if found.message?.hasSuffix("is a duplicate") == true { return }
    #expect((found.message == nil) == (expected != nil), "\(shown) \(found)")
    if let expected { #expect(found.elements == expected, "\(shown)") }
  }

  @Test func eachLineIsAnElement() throws {
    let text = "{\"a\":1}\n\n  {\"a\":[2]}  \r\n3\n\t\n\"x\"\nnull"
    let found = JSONTest.read(Array(text.utf8), source: .init(hasLines: true))
    #expect(found.message == nil)
    #expect(found.elements.map(\.count) == [3, 4, 1, 1, 1])
    #expect(JSONTest.read([], source: .init(hasLines: true)) == ReadOutcome())
  }

  @Test(arguments: [
    ("{}\n{\"a\":}\n", "unexpected token near '}'", 2, 6, "$[1]"),
    ("{}\n\n[1,\n2]", "']' expected near end of file", 3, 3, "$[1]"),
    ("{} {}", "end of file expected near '{'", 1, 4, "$[0]"),
    ("1 x", "end of file expected near 'x'", 1, 3, "$[0]"),
  ])
  func aWrongLineIsReportedAtItsPlace(
    text: String, message: String, line: Int, column: Int, path: String
  ) {
    let found = JSONTest.read(Array(text.utf8), source: .init(hasLines: true))
    #expect(found.message == message)
    #expect(found.path == path)
    #expect(found.line == line)
    #expect(found.column == column)
  }

  /// Lines are what jansson makes of each of them, however the text comes.
  @Test func anyLinesAreReadAsJanssonReadsThem() throws {
    var random = SeededGenerator(seed: 0x6C69_6E65)
    let source = JSONReader.Source(hasLines: true)
    for _ in 0..<6_000 {
      var text: [UInt8] = []
      for _ in 0..<Int(random.next() % 5) {
        var value: [UInt8] = []
        JSONFuzzTests.value(&random, depth: 1, into: &value)
        text += value.map { $0 == 0x0A ? 0x20 : $0 } + [0x0A]
      }
      if random.next() % 3 == 0 { JSONFuzzTests.damage(&text, &random) }
      let whole = JSONTest.read(text, source: source)
      var elements: [[String]] = []
      for line in text.split(separator: 0x0A) where !line.allSatisfy({ Byte.isSpace($0) }) {
        let oracle = JanssonOracle(Array(line), flags: Int(JSON_DECODE_ANY))
        guard let json = oracle.json, let tokens = try? JSONTest.tokens(json, oracle) else { break }
        elements.append(tokens)
      }
      #expect(
        whole.elements == elements, "\(String(decoding: text, as: UTF8.self).debugDescription)")
      #expect(JSONTest.read(text, usesScanner: false, source: source) == whole, "\(text)")
      var sizes = SeededGenerator(seed: random.next())
      let largest = UInt64([1, 3, 40][Int(random.next() % 3)])
      let stream = JSONTest.readStream(text, source: source) { Int(sizes.next() % largest) + 1 }
      #expect(stream == whole, "\(text)")
      let fed = JSONTest.readFed(text, source: source) { Int(sizes.next() % largest) + 1 }
      #expect(fed == whole, "\(text)")
    }
  }
}
