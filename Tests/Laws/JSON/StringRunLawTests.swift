import Testing

@testable import Groot

/// Strings are read and written sixteen bytes at a time: a mark at any place of any length counts.
@Suite struct StringRunLawTests {
  /// Sequences that end a run, or must be checked, in the text of a string.
  private static let marks: [[UInt8]] = [
    Array("\"".utf8), Array("\\".utf8), Array("\\\"".utf8), Array("\\\\".utf8), Array("\\n".utf8),
    Array("\\u00e9".utf8), Array("\\ud83d\\ude00".utf8), Array("\\ud83d".utf8), Array("\\x".utf8),
    [0x00], [0x01], [0x1F], [0x20], [0x7F], Array("é".utf8), Array("日".utf8), Array("😀".utf8),
    [0x80], [0xBF], [0xC1, 0x81], [0xC3], [0xE0, 0x80, 0x80], [0xE6, 0x97], [0xED, 0xA0, 0x80],
    [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xFF],
  ]

  @Test func aMarkAtAnyPlaceIsReadAsByJansson() throws {
    let tape = JSONTape()
    for mark in Self.marks {
      for length in 0...36 {
        for place in Set([0, 1, 7, 8, 14, 15, 16, 17, 30, 31, 32, length]) where place <= length {
          let plain = [UInt8](repeating: 0x61, count: length)
          let content = plain[..<place] + mark + plain[place...]
          for key in [false, true] {
            let text =
              key
              ? Array("{\"".utf8) + content + Array("\":1}".utf8)
              : Array("[\"".utf8) + content + Array("\",\"next\"]".utf8)
            // With and without bytes after it, which a vector could read.
            for text in [text, text + [UInt8](repeating: 0x20, count: 20)] {
              let problem = JSONTest.scannerDisagreement(text, onto: tape)
              #expect(problem == nil, "\(mark) at \(place) of \(length), key \(key)")
            }
          }
        }
      }
    }
  }

  @Test func aCutStringIsRefusedOnlyIfEveryEndIsInvalid() {
    let tape = JSONTape()
    for mark in Self.marks where mark != [Byte.quote] {
      for length in 0...34 {
        let text = [Byte.quote] + [UInt8](repeating: 0x61, count: length) + mark
        let isMendable =
          String(validating: mark, as: UTF8.self) != nil || mark == [0xC3]
          || mark == [0xE6, 0x97] || mark == [0xF0, 0x9F, 0x98]
        let isControl = mark.count == 1 && mark[0] < 0x20
        text.withUnsafeBufferPointer { bytes in
          guard let start = bytes.baseAddress else { return }
          let outcome = JSONScanner.scan(
            from: start, to: start + bytes.count, onto: tape, maxDepth: 2048)
          switch outcome {
          case .incomplete: #expect(isMendable && !isControl, "\(mark) after \(length)")
          case .refused: #expect(!isMendable || isControl, "\(mark) after \(length)")
          case .scanned: Issue.record("\(mark) after \(length)")
          }
        }
      }
    }
  }

  @Test func aMarkAtAnyPlaceIsEscapedAlone() throws {
    let marks: [(UInt8, String)] = [
      (Byte.quote, "\\\""), (Byte.backslash, "\\\\"), (0x0A, "\\n"), (0x00, "\\u0000"),
      (0x1F, "\\u001f"), (0x20, " "), (0x7F, "\u{7F}"), (0x2F, "/"),
    ]
    for length in 0...40 {
      for place in 0..<max(length, 1) {
        for (mark, escaped) in marks {
          for second in [place, length - 1] where second >= place {
            var content = [UInt8](repeating: 0x61, count: length)
            var expected = [String](repeating: "a", count: length)
            for place in [place, second] where place < length {
              content[place] = mark
              expected[place] = escaped
            }
            let writer = JSONWriter()
            content.withUnsafeBufferPointer { writer.string($0) }
            let text = String(decoding: try writer.finish(), as: UTF8.self)
            #expect(text == "\"\(expected.joined())\"")
          }
        }
      }
    }
  }

  @Test func textBeyondASCIIIsCheckedAtAnyPlace() {
    for mark in Self.marks {
      let isValid = String(validating: mark, as: UTF8.self) != nil
      for length in 0...40 {
        for place in 0...length {
          let plain = [UInt8](repeating: 0x61, count: length)
          let text = plain[..<place] + mark + plain[place...]
          Array(text).withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            #expect(UTF8Text.isValid(start, count: bytes.count) == isValid, "\(mark) at \(place)")
          }
        }
      }
    }
  }

  @Test func linesAndCharactersAreCountedAtAnyPlace() {
    for length in [0, 1, 15, 16, 17, 31, 32, 255 * 16 - 1, 255 * 16, 255 * 16 + 17, 9_000] {
      for step in [1, 7, 16, 255, 10_000] {
        for mark in [Array("\n".utf8), Array("é".utf8), Array("\n日".utf8), Array("😀".utf8)] {
          var text: [UInt8] = []
          while text.count < length {
            text += text.count % step == 0 ? mark : [0x61]
          }
          let lines = text.split(separator: Byte.newline, omittingEmptySubsequences: false)
          let characters = lines[lines.count - 1].filter { $0 & 0xC0 != 0x80 }.count
          text.withUnsafeBytes {
            let location = TextLocation(of: text.count, in: $0)
            #expect(location.line == lines.count)
            #expect(location.column == characters)
          }
        }
      }
    }
  }
}
