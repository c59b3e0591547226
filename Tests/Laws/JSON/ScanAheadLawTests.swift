import Testing

@testable import Groot

/// A text whose elements a second thread scans ahead, against the same text read by one thread.
///
/// Elements, their places and the error must be the same, for right and wrong texts of all kinds.
struct ScanAheadLawTests {
  /// All that a program can learn of the elements of a text.
  private struct Reading: Equatable {
    var elements: [String] = []
    var failure: String?
  }

  private static func read(_ reader: JSONReader) -> Reading {
    var reading = Reading()
    do {
      while try reader.next() {
        let value = JSONValue(reader.tape, index: .first, keepsDigits: true).description
        reading.elements.append(
          "\(reader.elementPath) \(reader.elementOffset) \(reader.bytesConsumed) "
            + "\(reader.tape.count) \(reader.isScanned) \(value)")
        // A callback adds values after those of the text.
        _ = try JSONValue.string("added \(reading.elements.count)").append(to: reader.tape)
      }
    } catch {
      reading.failure = "\(error) \((error as? GrootError)?.issues.first.map { "\($0)" } ?? "")"
    }
    return reading
  }

  /// The element of a text; a rare one is long, large, deep or wrong.
  private static func element(_ random: inout SeededGenerator) -> String {
    let number = random.below(1000)
    switch random.below(1000) {
    case 0: return "\"\(String(repeating: "long \(number) ", count: 4000))\""
    case 1: return "[" + Array(repeating: "1", count: 9000).joined(separator: ",") + "]"
    case 2: return String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
    case 3: return random.pick(["{", "}", "tru", "\"\\x\"", "01", "\"\u{1}\"", "", "1 2"])
    case 4..<100: return "\"esc\\u0041ped \\n \(String(repeating: "\\\"", count: number))\""
    case 100..<200: return "\(number).\(number)e\(number % 300)"
    case 200..<300: return random.pick(["null", "true", "-0", "12345678901234567890", "{}", "[]"])
    default:
      return """
        {"id": \(number), "name": "n\u{E9}\(number)", "list": [1, {"a": "\\t"}], "id": "again"}
        """
    }
  }

  private static func text(_ random: inout SeededGenerator) -> [UInt8] {
    var text = random.flip() ? "[" : "{\"before\": [1], \"items\": ["
    let hasRoot = text.count > 1
    for position in 0..<random.below(600) {
      if position > 0 { text += random.pick([",", ", ", " ,\n  "]) }
      text += Self.element(&random)
    }
    text += hasRoot ? "], \"after\": 2}" : "] "
    if random.once(in: 10) { text = String(text.prefix(random.below(text.count) + 1)) }
    return Array(text.utf8)
  }

  @Test(arguments: 0..<120)
  func aSecondThreadChangesNothing(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let text = Self.text(&random)
    var source = JSONReader.Source()
    if text.starts(with: "{".utf8) { source.root = try JSONPointer("/items") }
    let limits = JSONReader.Limits(maxDepth: random.flip() ? 20 : 2048)
    var ahead = source
    ahead.aheadLength = random.pick([0, 0, 1000])
    let account = MemoryAccount()
    text.withUnsafeBytes { bytes in
      let expected = Self.read(JSONReader(text: bytes, limits: limits, source: source))
      let found = Self.read(
        JSONReader(text: bytes, limits: limits, source: ahead, account: account))
      #expect(found == expected)
      var position = 0
      let most = random.pick([100, 5000, 1 << 20])
      let pieces = JSONReader(limits: limits, source: ahead, account: account) { room in
        let count = min(most, room.count, bytes.count - position)
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]))
        position += count
        return count
      }
      #expect(Self.read(pieces) == expected)
    }
    #expect(account.held == 0)
  }

  @Test func aReaderMayBeLeftAtAnyElement() {
    let text = Array(
      "[\(Array(repeating: "{\"a\": [1, 2]}", count: 5000).joined(separator: ","))]".utf8)
    var source = JSONReader.Source()
    source.aheadLength = 0
    text.withUnsafeBytes { bytes in
      for count in [0, 1, 15, 16, 17, 255, 256, 257, 1000, 4999, 5000] {
        let reader = JSONReader(text: bytes, source: source)
        for _ in 0..<count { #expect((try? reader.next()) == true) }
      }
    }
  }
}
