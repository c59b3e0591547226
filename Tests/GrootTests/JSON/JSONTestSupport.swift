import CJansson
import Testing

@testable import Groot

/// What reading a text came to, in a form that can be compared.
struct ReadOutcome: Equatable {
  var elements: [[String]] = []
  var message: String?
  var line = 0
  var column = 0
  var offset = 0
  var path = ""
}

/// Ways of asking the project's JSON code and jansson the same question.
enum JSONTest {
  static let anyFlags = Int(JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL)

  /// The tokens of a value without what depends on where it was read from.
  static func tokens(_ tape: JSONTape, _ index: TokenIndex = 0) -> [String] {
    (index..<tape.end(of: index)).map { position in
      let token = tape.tokens[position]
      switch token.kind {
      case .string: return "s" + token.bytes.map { String($0, radix: 16) }.joined(separator: ",")
      case .integer: return "i\(token.integer)"
      case .real: return "r\(token.real.bitPattern)"
      case .largeNumber: return "n" + String(decoding: token.bytes, as: UTF8.self)
      case .array, .object:
        return "\(token.kind) \(token.payload) \(Int(token.size) - index.offset)"
      default: return "\(token.kind)"
      }
    }
  }

  /// The tokens of a value, of duplicate keys the last only.
  static func distinctTokens(_ tape: JSONTape, _ index: TokenIndex) throws -> [String] {
    let copy = JSONTape()
    return tokens(copy, try JSONValue(tape, index: index).append(to: copy))
  }

  /// The tokens of a json_t.
  static func tokens(_ json: UnsafeMutablePointer<json_t>) throws -> [String] {
    let tape = JSONTape()
    return tokens(tape, try JanssonBridge.flatten(json, onto: tape))
  }

  /// The tokens of a part of what an oracle found, with what its stand-ins stand for.
  static func tokens(
    _ json: UnsafeMutablePointer<json_t>, _ oracle: JanssonOracle
  ) throws -> [String] {
    try tokens(json).map { token in
      if token.hasPrefix("r"), let bits = UInt64(token.dropFirst()) {
        return oracle.largeNumbers[bits].map { "n" + String(decoding: $0, as: UTF8.self) } ?? token
      }
      return token.hasPrefix("s") ? token.replacing("ef,a3,bf", with: "0") : token
    }
  }

  /// Scans the first value of the bytes, which the result says to be equal to jansson's or not.
  ///
  /// Returns nil when the scanner agrees with jansson, and what is wrong otherwise.
  static func scannerDisagreement(_ text: [UInt8], onto tape: JSONTape) -> String? {
    tape.reset()
    return text.withUnsafeBufferPointer { bytes -> String? in
      guard let start = bytes.baseAddress else { return nil }
      let outcome = JSONScanner.scan(
        from: start, to: start + bytes.count, onto: tape, maxDepth: JanssonBridge.maxDepth)
      guard case .scanned(let end) = outcome else {
        return tape.count == 0 ? nil : "tokens were left on the tape"
      }
      let oracle = JanssonOracle(Array(text.prefix(end - start)), flags: anyFlags)
      guard let json = oracle.json else { return "jansson refuses" }
      if end - start != oracle.position { return "consumed \(end - start), not \(oracle.position)" }
      let own = try? distinctTokens(tape, 0)
      return own == nil || own != (try? tokens(json, oracle)) ? "values differ" : nil
    }
  }

  /// What jansson makes of a text, whatever its types can hold.
  static func whole(_ text: [UInt8]) throws -> ReadOutcome {
    var outcome = ReadOutcome()
    let oracle = JanssonOracle(text, flags: 0)
    guard let json = oracle.json else {
      outcome.message = oracle.message
      (outcome.line, outcome.column) = (oracle.line, oracle.column)
      outcome.offset = oracle.position
      return outcome
    }
    if groot_json_kind(json) == Int32(JSON_ARRAY.rawValue) {
      for index in 0..<json_array_size(json) {
        if let element = json_array_get(json, index) {
          outcome.elements.append(try tokens(element, oracle))
        }
      }
    } else {
      outcome.elements = [try tokens(json, oracle)]
    }
    return outcome
  }

  /// What a reader makes of its text.
  static func read(_ reader: JSONReader) -> ReadOutcome {
    var outcome = ReadOutcome()
    if read(reader, into: &outcome) { outcome.message = "the reader is starved" }
    return outcome
  }

  /// Reads as far as the reader comes; answers whether it must be fed.
  private static func read(_ reader: JSONReader, into outcome: inout ReadOutcome) -> Bool {
    do {
      while try reader.next() {
        // Duplicate keys are gone once jansson has seen the value.
        outcome.elements.append(try distinctTokens(reader.tape, 0))
      }
    } catch let error as GrootError {
      let issue = error.issues[0]
      outcome.message = issue.message
      (outcome.line, outcome.column) = (issue.line, issue.column)
      outcome.offset = issue.offset
      outcome.path = issue.path
    } catch is JSONReader.NeedsMoreInput {
      return true
    } catch {
      outcome.message = "\(error)"
    }
    return false
  }

  static func read(
    _ text: [UInt8], usesScanner: Bool = true, source: JSONReader.Source = .init()
  ) -> ReadOutcome {
    text.withUnsafeBytes {
      read(JSONReader(text: $0, usesScanner: usesScanner, source: source))
    }
  }

  /// Feeds a reader pieces of the sizes that `size` gives.
  static func readFed(
    _ text: [UInt8], usesScanner: Bool = true, source: JSONReader.Source = .init(),
    size: () -> Int
  ) -> ReadOutcome {
    let reader = JSONReader(fedWith: source, usesScanner: usesScanner)
    var outcome = ReadOutcome()
    var position = 0
    while true {
      if reader.isWorthReading {
        let isStarved = read(reader, into: &outcome)
        if !isStarved { return outcome }
      }
      if position == text.count {
        reader.endFeeding()
        continue
      }
      let count = min(max(size(), 1), text.count - position)
      do {
        try text[position..<position + count].withUnsafeBytes { try reader.feed($0) }
      } catch {
        outcome.message = "\(error)"
        return outcome
      }
      position += count
    }
  }

  /// Reads a text that comes in pieces of the sizes that `size` gives.
  static func readStream(
    _ text: [UInt8], usesScanner: Bool = true, source: JSONReader.Source = .init(),
    size: @escaping () -> Int
  ) -> ReadOutcome {
    var position = 0
    return read(
      JSONReader(usesScanner: usesScanner, source: source) { room in
        let count = min(max(size(), 1), room.count, text.count - position)
        room.copyBytes(from: text[position..<position + count])
        position += count
        return count
      })
  }

  /// What differs between a reader's outcome and json_loadb's; nil when nothing does.
  static func difference(_ own: ReadOutcome, _ jansson: ReadOutcome, _ text: [UInt8]) -> String? {
    if (own.message == nil) != (jansson.message == nil) {
      return "own \(own.message ?? "accepts"), jansson \(jansson.message ?? "accepts")"
    }
    guard jansson.message != nil else {
      return own.elements == jansson.elements ? nil : "values differ"
    }
    // Jansson drops NUL bytes, and then says something else at another location.
    if text.contains(0) { return nil }
    if own.message != jansson.message {
      return "own \(own.message ?? ""), jansson \(jansson.message ?? "")"
    }
    let place = (own.line, own.column, own.offset)
    let expected = (jansson.line, jansson.column, jansson.offset)
    return place == expected ? nil : "own place \(place), jansson's \(expected)"
  }
}
