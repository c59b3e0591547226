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
  static let anyFlags = Int(JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK)

  /// The tokens of a value without what depends on where it was read from.
  static func tokens(_ tape: JSONTape, _ index: Int = 0) -> [String] {
    (index..<tape.end(of: index)).map { position in
      let token = tape.tokens[position]
      switch token.kind {
      case .string: return "s" + token.bytes.map { String($0, radix: 16) }.joined(separator: ",")
      case .integer: return "i\(token.integer)"
      case .real: return "r\(token.real.bitPattern)"
      case .array, .object: return "\(token.kind) \(token.payload) \(Int(token.size) - index)"
      default: return "\(token.kind)"
      }
    }
  }

  /// The tokens of a json_t.
  static func tokens(_ json: UnsafeMutablePointer<json_t>) throws -> [String] {
    let tape = JSONTape()
    return tokens(tape, try JanssonBridge.flatten(json, onto: tape))
  }

  /// What json_loadb makes of the first value of the bytes.
  static func loadPrefix(_ text: [UInt8]) -> (json: JanssonValue, consumed: Int)? {
    var error = json_error_t()
    let json = text.withUnsafeBytes { bytes in
      json_loadb(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? UnsafePointer(bitPattern: 1),
        bytes.count, anyFlags, &error)
    }
    return json.map { (JanssonValue(owning: $0), Int(error.position)) }
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
      guard let (json, consumed) = loadPrefix(text) else { return "jansson refuses" }
      if end - start != consumed { return "consumed \(end - start), jansson \(consumed)" }
      guard let own = JanssonBridge.materialize(tape, 0) else { return "cannot be materialised" }
      let built = JanssonValue(owning: own)
      let isEqual = built.borrow { own in json.borrow { json_equal(own, $0) } }
      if isEqual == 0 { return "json_equal says no" }
      let ownTokens = try? built.borrow { try tokens($0) }
      let janssonTokens = try? json.borrow { try tokens($0) }
      return ownTokens == nil || ownTokens != janssonTokens ? "values differ" : nil
    }
  }

  /// What json_loadb without flags makes of a text.
  static func whole(_ text: [UInt8]) throws -> ReadOutcome {
    var outcome = ReadOutcome()
    var error = json_error_t()
    let json = text.withUnsafeBytes { bytes in
      json_loadb(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? UnsafePointer(bitPattern: 1),
        bytes.count, 0, &error)
    }
    guard let json else {
      outcome.message = withUnsafeBytes(of: &error.text) { text in
        String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
      }
      (outcome.line, outcome.column) = (Int(error.line), Int(error.column))
      outcome.offset = Int(error.position)
      return outcome
    }
    let value = JanssonValue(owning: json)
    defer { withExtendedLifetime(value) {} }
    if groot_json_kind(json) == Int32(JSON_ARRAY.rawValue) {
      for index in 0..<json_array_size(json) {
        if let element = json_array_get(json, index) {
          outcome.elements.append(try tokens(element))
        }
      }
    } else {
      outcome.elements = [try tokens(json)]
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
        guard let json = JanssonBridge.materialize(reader.tape, 0) else { continue }
        outcome.elements.append(try JanssonValue(owning: json).borrow { try tokens($0) })
      }
    } catch let error as GrootError {
      let issue = error.issues[0]
      outcome.message = issue.message
      (outcome.line, outcome.column) = (issue.line, issue.column)
      outcome.offset = issue.offset
      outcome.path = issue.path
    } catch is JSONReader.Starved {
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
    if own.message != jansson.message {
      return "own \(own.message ?? ""), jansson \(jansson.message ?? "")"
    }
    // Jansson does not count NUL bytes it drops.
    if text.contains(0) { return nil }
    let place = (own.line, own.column, own.offset)
    let expected = (jansson.line, jansson.column, jansson.offset)
    return place == expected ? nil : "own place \(place), jansson's \(expected)"
  }
}
