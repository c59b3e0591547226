import Testing

@testable import Groot

/// What the writer writes, and that reading it gives the same again.
@Suite struct JSONWriterTests {
  private func text(_ body: (JSONWriter) -> Void) throws -> String {
    let writer = JSONWriter(capacity: 1)
    body(writer)
    return String(decoding: try writer.finish(), as: UTF8.self)
  }

  @Test func commasAreRight() throws {
    let written = try text { writer in
      writer.beginObject()
      writer.key("a")
      writer.beginArray()
      writer.endArray()
      writer.key("b")
      writer.beginArray()
      writer.integer(1)
      writer.beginObject()
      writer.endObject()
      writer.null()
      writer.endArray()
      writer.key("c")
      writer.boolean(true)
      writer.endObject()
    }
    #expect(written == "{\"a\":[],\"b\":[1,{},null],\"c\":true}")
  }

  @Test func writtenTextIsTakenBack() throws {
    let written = try text { writer in
      writer.integer(1)
      writer.truncate(to: 0)
      writer.beginArray()
      let position = writer.position
      writer.integer(2)
      writer.truncate(to: position)
      writer.truncate(to: position + 1)
      writer.truncate(to: -1)
      writer.endArray()
    }
    #expect(written == "[]")
  }

  @Test(arguments: [
    ("", "\"\""), ("a", "\"a\""), ("\"", "\"\\\"\""), ("\\", "\"\\\\\""), ("/", "\"/\""),
    ("\n\t\r\u{8}\u{C}", "\"\\n\\t\\r\\b\\f\""), ("\0\u{1}\u{1F}", "\"\\u0000\\u0001\\u001f\""),
    ("\u{7F}é日😀", "\"\u{7F}é日😀\""), ("0123456\"89", "\"0123456\\\"89\""),
    ("01234567\"9", "\"01234567\\\"9\""), ("0123456789ab\\", "\"0123456789ab\\\\\""),
    ("\u{80}\u{22}", "\"\u{80}\\\"\""),
  ])
  func stringsAreEscaped(_ string: String, _ expected: String) throws {
    #expect(try text { $0.string(string) } == expected)
    #expect(try text { $0.key(string) } == expected + ":")
  }

  @Test func anyASCIICharacterInAStringReadsBack() throws {
    for length in 1...20 {
      for place in 0..<length {
        for byte in UInt8(0)..<0x80 {
          var bytes = [UInt8](repeating: 0x61, count: length)
          bytes[place] = byte
          let string = String(decoding: bytes, as: UTF8.self)
          // U+0000 cannot be read back: jansson refuses it.
          if byte == 0 { continue }
          #expect(try JSONValue(parsing: text { $0.string(string) }) == .string(string))
        }
      }
    }
  }

  @Test func writtenNumbersReadBackTheSame() throws {
    #expect(try text { $0.integer(.min) } == "-9223372036854775808")
    #expect(try text { $0.real(7) } == "7.0")
    #expect(try text { $0.real(0.1) } == "0.1")
    #expect(try text { $0.real(-0.0) } == "-0.0")
    #expect(try text { $0.real(.infinity) } == "null")
    #expect(JSONWriter().real(.nan) == false)
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      let real = Double(bitPattern: random.next())
      guard real.isFinite else { continue }
      let read = try JSONValue(parsing: text { $0.real(real) })
      #expect(read.realValue?.bitPattern == real.bitPattern)
    }
  }

  @Test func chunksGoToTheSink() throws {
    var chunks: [[UInt8]] = []
    let writer = JSONWriter { chunks.append(Array($0)) }
    writer.beginArray()
    for index in 0..<120_000 {
      writer.integer(Int64(index))
      try writer.checkpoint()
    }
    writer.endArray()
    #expect(try writer.finish().isEmpty)
    #expect(chunks.count > 1)
    #expect(chunks.dropLast().allSatisfy { $0.count >= 262_143 })
    let all = String(decoding: chunks.joined(), as: UTF8.self)
    #expect(all == "[" + (0..<120_000).map { "\($0)" }.joined(separator: ",") + "]")
    #expect(writer.count == all.utf8.count)
  }

  @Test func tapesAreWrittenAgain() throws {
    for (text, plain, canonical) in [
      ("[ 1 , 2.50 , \"\\u00e9\" ]", "[1,2.5,\"é\"]", "[1,2.5,\"é\"]"),
      (
        "{\"b\":1,\"a\":{\"d\":[],\"c\":{}}}", "{\"b\":1,\"a\":{\"d\":[],\"c\":{}}}",
        "{\"a\":{\"c\":{},\"d\":[]},\"b\":1}"
      ),
      ("{\"a\":1,\"b\":2,\"a\":3}", "{\"a\":3,\"b\":2}", "{\"a\":3,\"b\":2}"),
      ("{\"b\":{\"x\":1},\"a\":0,\"b\":[{}]}", "{\"b\":[{}],\"a\":0}", "{\"a\":0,\"b\":[{}]}"),
    ] {
      try Array("[\(text)]".utf8).withUnsafeBytes { bytes throws in
        let reader = JSONReader(text: bytes)
        #expect(try reader.next())
        let writer = JSONWriter()
        writer.value(reader.tape, index: 0)
        #expect(String(decoding: try writer.finish(), as: UTF8.self) == plain)
        let sorted = try #require(JSONWriter.canonical(reader.tape, index: 0))
        #expect(String(decoding: sorted, as: UTF8.self) == canonical)
      }
    }
  }

  /// Many duplicates: what is written is what jansson keeps, in its order.
  @Test func duplicatesAreWrittenAsJanssonKeepsThem() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<200 {
      let count = Int(random.next() % 30)
      let members = (0..<count).map { "\"k\(random.next() % 20)\":\($0)" }
      let text = Array("[{\(members.joined(separator: ","))}]".utf8)
      let texts = try [true, false].map { usesScanner in
        try text.withUnsafeBytes { bytes throws in
          let reader = JSONReader(text: bytes, usesScanner: usesScanner)
          #expect(try reader.next())
          let writer = JSONWriter()
          writer.value(reader.tape, index: 0)
          return String(decoding: try writer.finish(), as: UTF8.self)
        }
      }
      #expect(texts[0] == texts[1])
    }
  }
}
