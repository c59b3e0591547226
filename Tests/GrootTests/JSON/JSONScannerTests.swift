import Testing

@testable import Groot

/// The scanner and the reader against jansson, text by text.
@Suite struct JSONScannerTests {
  @Test func thereAreEnoughTexts() {
    #expect(JSONTextTable.texts.count >= 150)
  }

  @Test func scannerAgreesWithJansson() {
    let tape = JSONTape()
    for text in JSONTextTable.texts.map({ Array($0.utf8) }) + JSONTextTable.malformed {
      // Whole, without the outer bracket, and with something after it.
      for text in [text, Array(text.dropFirst()), text + [0x20], text + [0x2C, 0x31]] {
        let problem = JSONTest.scannerDisagreement(text, onto: tape)
        #expect(problem == nil, "\(String(decoding: text, as: UTF8.self).debugDescription)")
      }
    }
  }

  @Test func readerAgreesWithJansson() throws {
    for text in JSONTextTable.texts.map({ Array($0.utf8) }) + JSONTextTable.malformed {
      let shown = String(decoding: text, as: UTF8.self).debugDescription
      let jansson = try JSONTest.whole(text)
      for usesScanner in [true, false] {
        let whole = JSONTest.read(text, usesScanner: usesScanner)
        #expect(JSONTest.difference(whole, jansson, text) == nil, "\(shown) \(usesScanner)")
        for size in [1, 2, 3, 7] {
          let stream = JSONTest.readStream(text, usesScanner: usesScanner) { size }
          #expect(stream == whole, "\(shown) \(usesScanner) \(size)")
        }
      }
    }
  }

  /// Plain JSON must not cost a visit to jansson.
  @Test(arguments: [
    "[]", "{\"a\":1}", "[-0.5,1e3,\"\\u00e9\\n\",true]", "{\"a\":{\"b\":[null]},\"a\":2} ",
    "\"0123456789abcdef\"", "[9223372036854775807,-9223372036854775808]", "[5e-324]", " [ ] ",
  ])
  func plainTextIsScanned(_ text: String) {
    let tape = JSONTape()
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      let outcome = JSONScanner.scan(
        from: start, to: start + bytes.count, onto: tape, maxDepth: 2048)
      guard case .scanned = outcome else {
        Issue.record("\(outcome)")
        return
      }
    }
  }

  /// Every cut of a plain text is incomplete, never refused and never a value.
  @Test func cutTextIsIncomplete() {
    let text = Array(
      "{\"aé\\u00e9\":[true,false,null,-12.5e+3,\"\\ud83d\\ude00日本\"],\"b\":{}}".utf8)
    let tape = JSONTape()
    for length in 0..<text.count {
      text.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return }
        let outcome = JSONScanner.scan(
          from: start, to: start + length, onto: tape, maxDepth: 2048)
        guard case .incomplete = outcome else {
          Issue.record("\(length): \(outcome)")
          return
        }
      }
      #expect(tape.count == 0)
    }
  }

  @Test(arguments: [
    (2047, "[]", true), (2048, "", true), (2048, "1", false), (2049, "", false), (2047, "1", true),
    (100_000, "", false),
  ])
  func depthIsLimitedLikeJanssons(_ depth: Int, _ inner: String, _ isAccepted: Bool) throws {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      if open != "[" && (inner.isEmpty || inner == "[]") { continue }
      let text = Array(
        (String(repeating: open, count: depth - (inner == "[]" ? 1 : 0)) + inner
          + String(repeating: close, count: depth - (inner == "[]" ? 1 : 0))).utf8)
      let jansson = try JSONTest.whole(text)
      #expect((jansson.message == nil) == isAccepted)
      for usesScanner in [true, false] {
        let whole = JSONTest.read(text, usesScanner: usesScanner)
        #expect(JSONTest.difference(whole, jansson, text) == nil)
      }
      #expect(JSONTest.readStream(text) { 1000 } == JSONTest.read(text))
    }
  }

  @Test func realsKeepTheirText() throws {
    let text = Array(" [1.50, -0.0e0, 3, 123456789012345678901.5]".utf8)
    try text.withUnsafeBytes { bytes throws in
      let reader = JSONReader(text: bytes)
      var texts: [String?] = []
      while try reader.next() {
        let text = reader.tape.sourceText(of: reader.tape.tokens[0])
        texts.append(text.map { String(decoding: $0, as: UTF8.self) })
      }
      #expect(texts == ["1.50", "-0.0e0", nil, "123456789012345678901.5"])
    }
  }
}
