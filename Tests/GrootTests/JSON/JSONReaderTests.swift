import Testing

@testable import Groot

/// What the reader says about the location of an element, its limits and its source.
@Suite struct JSONReaderTests {
  @Test func positionsOfElements() throws {
    let text = Array(" [ {\"a\":1} ,\n 22, \"x\" ] ".utf8)
    var streamed = 0
    let readers = [
      { JSONReader(text: $0) },
      { bytes in
        JSONReader { room in
          guard streamed < bytes.count else { return 0 }
          room[0] = bytes[streamed]
          streamed += 1
          return 1
        }
      },
    ]
    try text.withUnsafeBytes { bytes throws in
      for make in readers {
        let reader = make(bytes)
        var places: [[Int]] = []
        var texts: [String] = []
        while try reader.next() {
          places.append([reader.elementIndex, reader.elementOffset, reader.bytesConsumed])
          texts.append(String(decoding: reader.elementText, as: UTF8.self))
        }
        #expect(places == [[0, 3, 10], [1, 14, 16], [2, 18, 21]])
        #expect(texts == ["{\"a\":1}", "22", "\"x\""])
        #expect(reader.isArray)
        #expect(reader.bytesConsumed == text.count)
        #expect(try reader.next() == false)
      }
    }
  }

  @Test func oneObjectIsOneElement() throws {
    try Array("{\"a\":[1,2]}".utf8).withUnsafeBytes { bytes throws in
      let reader = JSONReader(text: bytes)
      #expect(try reader.next())
      #expect(!reader.isArray)
      #expect(reader.elementIndex == 0)
      #expect(reader.elementPath == "$")
      #expect(try !reader.next())
    }
  }

  @Test func issuesAreLocated() throws {
    let text = Array("[1,\n {\"a\":\"é\", \"b c\":[0,\n{\"d\":true}]}]".utf8)
    var position = 0
    let stream = JSONReader { room in
      let count = min(5, text.count - position)
      room.copyBytes(from: text[position..<position + count])
      position += count
      return count
    }
    try text.withUnsafeBytes { bytes throws in
      for reader in [JSONReader(text: bytes), stream] {
        #expect(try reader.next() && reader.next())
        var found: [String] = []
        for token in 0..<reader.tape.next {
          var paths = MessagePath.Index()
          let path = reader.elementPath + paths.path(to: token, on: reader.tape)
          var issue = GrootIssue(.wrongType, "", path: path)
          reader.locate(&issue, token: token)
          found.append("\(issue.path) \(issue.line):\(issue.column) \(issue.offset)")
        }
        #expect(
          found == [
            "$[1] 2:2 5", "$[1].a 2:3 6", "$[1].a 2:7 10", "$[1][\"b c\"] 2:12 16",
            "$[1][\"b c\"] 2:18 22", "$[1][\"b c\"][0] 2:19 23", "$[1][\"b c\"][1] 3:1 26",
            "$[1][\"b c\"][1].d 3:2 27", "$[1][\"b c\"][1].d 3:6 31",
          ])
      }
    }
  }

  @Test func placesOfLongElements() throws {
    let piece = "{\"é日\":[1,\n \"\\\"x\", {\"b\":null}]},"
    let text = Array("\n[7, [\(String(repeating: piece, count: 300))0]]".utf8)
    try text.withUnsafeBytes { bytes throws in
      let reader = JSONReader(text: bytes)
      #expect(try reader.next() && reader.next())
      let count = reader.tape.count
      #expect(count > 2000)
      // In an order that is not the text's.
      for token in stride(from: 0, to: count, by: 7).reversed() {
        var issue = GrootIssue(.wrongType, "")
        reader.locate(&issue, token: TokenIndex(token))
        let before = String(decoding: text[..<issue.offset], as: UTF8.self)
        let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(issue.line == lines.count)
        #expect(issue.column == (lines.last?.unicodeScalars.count ?? 0) + 1)
        switch reader.tape.tokens[token].kind {
        case .object: #expect(text[issue.offset] == UInt8(ascii: "{"))
        case .array: #expect(text[issue.offset] == UInt8(ascii: "["))
        case .string: #expect(text[issue.offset] == UInt8(ascii: "\""))
        case .null: #expect(text[issue.offset] == UInt8(ascii: "n"))
        default: #expect(text[issue.offset] == UInt8(ascii: token == count - 1 ? "0" : "1"))
        }
      }
    }
  }

  @Test func faultsHaveTheElementsPath() {
    #expect(JSONTest.read(Array("[1,{\"a\":tru}]".utf8)).path == "$[1]")
    #expect(JSONTest.read(Array("{\"a\":tru}".utf8)).path == "$")
    #expect(JSONTest.read(Array("x".utf8)).path == "$")
  }

  @Test func longElementsGrowTheBuffer() throws {
    let long = String(repeating: "é", count: 300_000)
    let text = Array("[\"\(long)\", [\"\(long)\"], 3]".utf8)
    var random = SeededGenerator(seed: 7)
    for largest: UInt64 in [10_000, 200_000] {
      let outcome = JSONTest.readStream(text) { Int(random.next() % largest) }
      #expect(outcome == JSONTest.read(text))
      #expect(outcome.elements.count == 3)
    }
  }

  @Test func memoryIsBoundedByTheLargestElement() throws {
    var produced = 0
    let reader = JSONReader { room in
      guard produced < 2_000_000 else { return 0 }
      let part = Array((produced == 0 ? "[{\"a\":[1,2,3]}" : ",{\"a\":[1,2,3]}").utf8)
      let count = min(part.count, room.count)
      room.copyBytes(from: part[..<count])
      produced += count
      return count
    }
    #expect(throws: GrootError.self) { while try reader.next() {} }
    #expect(reader.elementIndex > 100_000)
    #expect(reader.bufferCapacity <= 65_536)
  }

  @Test func longElementsAreRefused() throws {
    let text = Array("[\"short\", \"a string that is too long\"]".utf8)
    let limits = JSONReader.Limits(maxElementBytes: 12)
    try text.withUnsafeBytes { bytes throws in
      for usesScanner in [true, false] {
        let reader = JSONReader(text: bytes, limits: limits, usesScanner: usesScanner)
        #expect(try reader.next())
        let error = #expect(throws: GrootError.self) { try reader.next() }
        #expect(error?.status == .limitExceeded)
        #expect(error?.issues[0].path == "$[1]")
        #expect(error?.issues[0].offset == 10)
        #expect(try !reader.next())
      }
    }
  }

  @Test func depthCanBeLimitedFurther() throws {
    for usesScanner in [true, false] {
      for (text, isAccepted) in [("[[[]]]", true), ("[[[1]]]", false), ("[[[[]]]]", false)] {
        try Array(text.utf8).withUnsafeBytes { bytes throws in
          let reader = JSONReader(
            text: bytes, limits: .init(maxDepth: 3), usesScanner: usesScanner)
          if isAccepted {
            #expect(try reader.next())
          } else {
            let error = #expect(throws: GrootError.self) { try reader.next() }
            #expect(error?.status == .limitExceeded)
          }
        }
      }
    }
  }

  /// A source that waits for more, as a socket does, must not be asked before what came is read.
  @Test func theSourceIsAskedForNoMoreThanAnElementNeeds() throws {
    let cases: [(pieces: [String], asked: [Int])] = [
      // The third piece is as long as the second, which had to be kept.
      (["[", "{\"a\":", "\"12\"}", ",", "{}", "]"], [3, 5]),
      (["[", "{}", ",", "{}", "]"], [2, 4]), (["{\"a\":", "\"12\"}", "\n"], [2]),
    ]
    for (pieces, expected) in cases {
      var calls = 0
      let reader = JSONReader { room in
        guard calls < pieces.count else { return 0 }
        room.copyBytes(from: Array(pieces[calls].utf8))
        calls += 1
        return pieces[calls - 1].utf8.count
      }
      var asked: [Int] = []
      while try reader.next() { asked.append(calls) }
      #expect(asked == expected, "\(pieces)")
    }
  }

  struct SourceFailure: Error {}

  @Test func errorsOfTheSourceComeOut() throws {
    var calls = 0
    let reader = JSONReader { room in
      calls += 1
      if calls > 1 { throw SourceFailure() }
      room.copyBytes(from: Array("[1,".utf8))
      return 3
    }
    #expect(try reader.next())
    #expect(throws: SourceFailure.self) { try reader.next() }
    #expect(try !reader.next())
    let greedy = JSONReader { $0.count + 1 }
    #expect(throws: GrootError.self) { try greedy.next() }
  }

  @Test func longLinesAreRefused() throws {
    let limits = JSONReader.Limits(maxElementBytes: 12)
    for end in ["\n", ""] {
      let text = Array(("[1]\n\n[\"a line that is too long\"]" + end).utf8)
      try text.withUnsafeBytes { bytes throws in
        let reader = JSONReader(text: bytes, limits: limits, source: .init(hasLines: true))
        #expect(try reader.next())
        let error = #expect(throws: GrootError.self) { try reader.next() }
        #expect(error?.status == .limitExceeded)
        #expect(error?.issues.first?.path == "$[1]")
        #expect(error?.issues.first?.line == 3)
        #expect(error?.issues.first?.offset == 5)
      }
    }
  }

  @Test func depthIsCountedAroundTheRoot() throws {
    let source = JSONReader.Source(root: try JSONPointer("/a/b"))
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    for usesScanner in [true, false] {
      for (before, behind, room) in [
        (#"{"x":"#, #","a":{"b":[]}}"#, 2047), (#"{"a":{"x":"#, #","b":[]}}"#, 2046),
      ] {
        for (depth, isAccepted) in [(room - 1, true), (room + 1, false)] {
          let text = Array((before + nested(depth) + behind).utf8)
          try text.withUnsafeBytes { bytes throws in
            let reader = JSONReader(text: bytes, usesScanner: usesScanner, source: source)
            do {
              while try reader.next() {}
              #expect(isAccepted, "\(before)")
            } catch let error as GrootError {
              #expect(!isAccepted && error.status == .limitExceeded, "\(before): \(error)")
            }
          }
        }
      }
    }
  }

  @Test func noTextAtAllIsNotJSON() throws {
    let reader = JSONReader(text: UnsafeRawBufferPointer(start: nil, count: 0))
    let error = #expect(throws: GrootError.self) { try reader.next() }
    #expect(error?.status == .invalidJSON)
  }

  @Test func aRootHasNoMoreThan256Keys() throws {
    _ = try JSONPointer(String(repeating: "/a", count: 256))
    let error = #expect(throws: GrootError.self) {
      try JSONPointer(String(repeating: "/a", count: 257))
    }
    #expect(error?.status == .limitExceeded)
  }

  /// Numbers that jansson cannot hold are scanned after it has read the text.
  @Test func aTapeThatIsFullIsTold() throws {
    let text = Array("[[\(String(repeating: "1,", count: 400))123456789012345678901]]".utf8)
    try text.withUnsafeBytes { bytes throws in
      for usesScanner in [true, false] {
        let reader = JSONReader(text: bytes, usesScanner: usesScanner)
        reader.tape.ceiling = 300
        reader.tape.reset()
        let error = #expect(throws: GrootError.self) { try reader.next() }
        #expect(error?.status == .limitExceeded)
      }
    }
  }

  @Test func memoryOfTextIsUsedAgain() {
    let scratch = JSONScratch()
    let pieces = (0..<6).map { Array(repeating: UInt8(65 + $0), count: 30_000) }
    func fill() -> [UnsafePointer<UInt8>?] {
      scratch.reset()
      return pieces.map { piece in piece.withUnsafeBufferPointer { scratch.copy($0) } }
    }
    let first = fill()
    let second = fill()
    #expect(first == second)
    for (piece, start) in zip(pieces, second) {
      #expect(UnsafeBufferPointer(start: start, count: piece.count).elementsEqual(piece))
    }
  }

  @Test func aTextTooLongForJanssonIsRefusedUnread() {
    var byte: UInt8 = 0
    withUnsafePointer(to: &byte) { start in
      let text = UnsafeRawBufferPointer(start: start, count: Int(Int32.max) + 1)
      #expect(JanssonBridge.refusal(of: text)?.status == .limitExceeded)
    }
  }
}
