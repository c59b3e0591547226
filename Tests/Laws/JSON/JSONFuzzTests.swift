import Testing

import Groot

/// Texts made at random, and valid ones damaged: scanner, reader and jansson must agree on each.
@Suite struct JSONFuzzTests {
  static let fragments: [String] = [
    "{", "}", "[", "]", ":", ",", "\"", "\\", " ", "\n", "\t", "\r", "\0", "\"a\"", "\"id\":",
    "\"name\":\"Jör\"", "\"\\u0041\"", "\"\\ud83d\\ude00\"", "\"\\ud800\"", "\"\\udc00\\ud800\"",
    "\"\\n\\t\\\"\\\\\\/\"", "\"\\u0000\"", "\"\\x\"", "1", "0", "-0", "-", "01", "1.5", "-0.0",
    "1e5", "1E+400", "1e-400", "123456789012345678", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "-9223372036854775809", "0.1", "123.456e-7", "179769313486231570e291",
    "1.", ".5", "1e", "true", "false", "null", "tru", "nulll", "true1", "\u{FEFF}", "\u{FFFF}",
    "\u{10FFFF}", "é", "\"a string of more than sixteen bytes\"", "[1,2,3]", "{\"a\":1,\"a\":2}",
    "{\"b\":{},\"c\":[]}", "[[[[]]]]", "5e-324", "2.2250738585072011e-308", "\u{7F}", "//", "'",
  ]

  @Test func randomAndDamagedTextsAreReadAsJanssonReadsThem() throws {
    var random = SeededGenerator(seed: 0x6A61_6E73_736F_6E01)
    let tape = JSONTape()
    var executions = 0
    for round in 0..<60_000 {
      var text: [UInt8]
      if round % 3 == 0 {
        text = Self.soup(&random)
      } else {
        var valid: [UInt8] = []
        Self.value(&random, depth: 0, into: &valid)
        text = round % 2 == 0 ? valid : [0x5B] + valid + [0x2C] + valid + [0x5D]
        if round % 3 == 1 { Self.damage(&text, &random) }
      }
      try Self.check(text, tape, &random)
      executions += 5
    }
    #expect(executions >= 200_000)
  }

  /// Checks one text in four ways.
  private static func check(
    _ text: [UInt8], _ tape: JSONTape, _ random: inout SeededGenerator
  ) throws {
    let shown = String(decoding: text, as: UTF8.self)
    if let problem = JSONTest.scannerDisagreement(text, onto: tape) {
      Issue.record("scanner: \(problem): \(shown.debugDescription) \(text)")
    }
    let jansson = try JSONTest.whole(text)
    let whole = JSONTest.read(text)
    if let problem = JSONTest.difference(whole, jansson, text) {
      Issue.record("reader: \(problem): \(shown.debugDescription) \(text)")
    }
    if JSONTest.read(text, usesScanner: false) != whole {
      Issue.record("without scanner: \(shown.debugDescription) \(text)")
    }
    var sizes = SeededGenerator(seed: random.next())
    let largest = UInt64([1, 3, 20, 1000][Int(random.next() % 4)])
    let stream = JSONTest.readStream(text) { Int(sizes.next() % largest) + 1 }
    if stream != whole {
      Issue.record("stream: \(stream) \(whole): \(shown.debugDescription) \(text)")
    }
    let usesScanner = random.next() % 4 != 0
    let fed = JSONTest.readFed(text, usesScanner: usesScanner) {
      Int(sizes.next() % largest) + 1
    }
    if fed != whole {
      Issue.record("fed: \(fed) \(whole): \(shown.debugDescription) \(text)")
    }
  }

  private static func soup(_ random: inout SeededGenerator) -> [UInt8] {
    var text: [UInt8] = random.next() % 2 == 0 ? [0x5B] : []
    for _ in 0..<Int(random.next() % 8) {
      text += Array(fragments[Int(random.next() % UInt64(fragments.count))].utf8)
      if random.next() % 3 == 0 { text.append(0x2C) }
    }
    if random.next() % 2 == 0 { text.append(0x5D) }
    return text
  }

  static func value(
    _ random: inout SeededGenerator, depth: Int, into text: inout [UInt8]
  ) {
    let space: [UInt8] = random.next() % 8 == 0 ? [0x20, 0x0A] : []
    text += space
    switch random.next() % (depth < 4 ? 10 : 7) {
    case 0:
      let integer = Int64(bitPattern: random.next()) >> Int64(random.next() % 64)
      text += Array("\(integer)".utf8)
    case 1:
      let real = Double(bitPattern: random.next())
      text += Array((real.isFinite ? "\(real)" : "0.5").utf8)
    case 2: text += Array("\(Double(Int64(bitPattern: random.next() % 100_000)) / 1000)".utf8)
    case 3: text += Array(["true", "false", "null"][Int(random.next() % 3)].utf8)
    case 4, 5, 6: string(&random, into: &text)
    case 7:
      text.append(0x5B)
      for index in 0..<Int(random.next() % 5) {
        if index > 0 { text.append(0x2C) }
        value(&random, depth: depth + 1, into: &text)
      }
      text += space + [0x5D]
    default:
      text.append(0x7B)
      for index in 0..<Int(random.next() % 5) {
        if index > 0 { text.append(0x2C) }
        string(&random, into: &text)
        text += space + [0x3A]
        value(&random, depth: depth + 1, into: &text)
      }
      text += space + [0x7D]
    }
    text += space
  }

  private static func string(_ random: inout SeededGenerator, into text: inout [UInt8]) {
    let parts = ["a", "id", "é", "日本", "😀", "\\n", "\\u00e9", "\\ud83d\\ude00", "\\\\", "~!~!~!~!"]
    text.append(0x22)
    for _ in 0..<Int(random.next() % 6) {
      text += Array(parts[Int(random.next() % UInt64(parts.count))].utf8)
    }
    text.append(0x22)
  }

  static func damage(_ text: inout [UInt8], _ random: inout SeededGenerator) {
    for _ in 0...Int(random.next() % 2) where !text.isEmpty {
      let position = Int(random.next() % UInt64(text.count))
      switch random.next() % 4 {
      case 0: text[position] = UInt8(truncatingIfNeeded: random.next())
      case 1: text.remove(at: position)
      case 2:
        let bytes = Array("\"\\,:{}[]0e.-\u{0}\n ".utf8)
        text.insert(bytes[Int(random.next() % UInt64(bytes.count))], at: position)
      default: text.removeSubrange(position...)
      }
    }
  }
}
