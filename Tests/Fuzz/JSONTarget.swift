import CJansson

/// Reads the bytes in every way there is and ends the process unless all agree with jansson, whatever
/// its types can hold (``JanssonOracle``).
///
/// Called by libFuzzer, which makes the bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  guard let data else { return 0 }
  let bytes = UnsafeBufferPointer(start: data, count: size)
  scanFirstValue(bytes)
  let expected = Expected(bytes)
  let text = UnsafeRawBufferPointer(bytes)
  expected.compare(with: JSONReader(text: text), "whole")
  expected.compare(with: JSONReader(text: text, usesScanner: false), "without scanner")
  expected.compare(with: pieces(bytes), "pieces")
  if size % 8 == 0 {
    // A thread for each text would take most of the time.
    var source = JSONReader.Source()
    source.aheadLength = 0
    expected.compare(with: JSONReader(text: text, source: source), "ahead")
  }
  var position = 0
  expected.compare(with: JSONReader(fedWith: JSONReader.Source()), "fed") { reader in
    if position == bytes.count { return reader.endFeeding() }
    let count = min(1 + (position &* 5 &+ bytes.count) % 7, bytes.count - position)
    let piece = UnsafeRawBufferPointer(rebasing: text[position..<position + count])
    try? reader.feed(piece)
    position += count
  }
  return 0
}

/// A reader of the bytes in pieces, whose sizes depend on the bytes.
private func pieces(_ bytes: UnsafeBufferPointer<UInt8>) -> JSONReader {
  var position = 0
  let most = 1 + bytes.count % 29
  return JSONReader { room in
    let wanted = 1 + (position &* 7 &+ bytes.count) % most
    let count = min(wanted, room.count, bytes.count - position)
    room.copyBytes(from: bytes[position..<position + count])
    position += count
    return count
  }
}

/// What the scanner takes by itself jansson takes too, and equally much of it.
private func scanFirstValue(_ bytes: UnsafeBufferPointer<UInt8>) {
  guard let start = bytes.baseAddress else { return }
  let tape = JSONTape()
  let outcome = JSONScanner.scan(
    from: start, to: start + bytes.count, onto: tape, maxDepth: JanssonBridge.maxDepth)
  guard case .scanned(let end) = outcome else {
    require(tape.count == 0, "tokens were left on the tape", bytes)
    return
  }
  let flags = Int(JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK)
  let oracle = JanssonOracle(Array(bytes.prefix(end - start)), flags: flags)
  guard let json = oracle.json else {
    return require(false, "the scanner accepts what jansson refuses", bytes)
  }
  require(oracle.position == end - start, "the scanner took more or less", bytes)
  require(isEqual(tape, TokenIndex(0), json, oracle), "the scanner's values differ", bytes)
}

/// What jansson makes of a whole text.
private struct Expected {
  let bytes: UnsafeBufferPointer<UInt8>
  private let oracle: JanssonOracle
  private var json: UnsafeMutablePointer<json_t>? { oracle.json }

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    oracle = JanssonOracle(Array(bytes), flags: 0)
  }

  /// Reads all elements and compares them, or the error; `feed` gives the reader more of the text.
  func compare(with reader: JSONReader, _ way: String, feed: (JSONReader) -> Void = { _ in }) {
    var count = 0
    do {
      while try isNext(reader, feed) {
        if let json {
          let isArray = groot_json_kind(json) == Int32(JSON_ARRAY.rawValue)
          let element = isArray ? json_array_get(json, count) : json
          let isSame = element.map { isEqual(reader.tape, TokenIndex(0), $0, oracle) } ?? false
          require(isSame, "\(way): element \(count) differs", bytes)
        }
        count += 1
      }
    } catch {
      return compare(error, way)
    }
    guard let json else { return require(false, "\(way): jansson refuses it", bytes) }
    let isArray = groot_json_kind(json) == Int32(JSON_ARRAY.rawValue)
    require(count == (isArray ? json_array_size(json) : 1), "\(way): elements are missing", bytes)
  }

  private func isNext(_ reader: JSONReader, _ feed: (JSONReader) -> Void) throws -> Bool {
    while true {
      while !reader.isWorthReading { feed(reader) }
      do { return try reader.next() } catch is JSONReader.NeedsMoreInput {}
    }
  }

  private func compare(_ found: any Error, _ way: String) {
    require(json == nil, "\(way): jansson accepts it", bytes)
    guard let issue = (found as? GrootError)?.issues.first else {
      return require(false, "\(way): an error without an issue", bytes)
    }
    // Jansson drops NUL bytes, and then says something else at another place.
    if !oracle.isExact { return }
    let message = oracle.message ?? ""
    require(issue.message == message, "\(way): '\(issue.message)', jansson: '\(message)'", bytes)
    let place = (issue.line, issue.column, issue.offset)
    let expected = (oracle.line, oracle.column, oracle.position)
    require(place == expected, "\(way): at \(place), jansson: at \(expected)", bytes)
  }
}

/// Whether the value at `index` is the json_t, down to the bits of reals and the bytes of texts.
private func isEqual(
  _ tape: JSONTape, _ index: TokenIndex, _ json: UnsafeMutablePointer<json_t>,
  _ oracle: JanssonOracle
) -> Bool {
  let token = tape.tokens[index]
  switch token.kind {
  case .null: return groot_json_kind(json) == Int32(JSON_NULL.rawValue)
  case .true: return groot_json_kind(json) == Int32(JSON_TRUE.rawValue)
  case .false: return groot_json_kind(json) == Int32(JSON_FALSE.rawValue)
  case .integer:
    return groot_json_kind(json) == Int32(JSON_INTEGER.rawValue)
      && json_integer_value(json) == token.integer
  case .real:
    return groot_json_kind(json) == Int32(JSON_REAL.rawValue)
      && json_real_value(json).bitPattern == token.real.bitPattern
  case .largeNumber:
    let found = oracle.largeNumbers[json_real_value(json).bitPattern]
    return groot_json_kind(json) == Int32(JSON_REAL.rawValue)
      && found?.elementsEqual(token.bytes) == true
  case .alias: return false
  case .string:
    guard groot_json_kind(json) == Int32(JSON_STRING.rawValue),
      let start = json_string_value(json)
    else { return false }
    let text = UnsafeRawBufferPointer(start: start, count: json_string_length(json))
    return text.elementsEqual(token.bytes)
  case .array:
    guard groot_json_kind(json) == Int32(JSON_ARRAY.rawValue),
      json_array_size(json) == Int(token.payload)
    else { return false }
    var next = index + 1
    for position in 0..<json_array_size(json) {
      guard let element = json_array_get(json, position), isEqual(tape, next, element, oracle)
      else {
        return false
      }
      next = tape.tokens[next].end(at: next)
    }
    return next == token.end(at: index)
  case .object: return isEqualObject(tape, index, json, oracle)
  }
}

/// Of a key that comes twice the last value counts.
private func isEqualObject(
  _ tape: JSONTape, _ index: TokenIndex, _ json: UnsafeMutablePointer<json_t>,
  _ oracle: JanssonOracle
) -> Bool {
  guard groot_json_kind(json) == Int32(JSON_OBJECT.rawValue) else { return false }
  let token = tape.tokens[index]
  var keys: [(key: UnsafeBufferPointer<UInt8>, value: TokenIndex)] = []
  var next = index + 1
  for _ in 0..<token.payload {
    let key = tape.tokens[next].bytes
    keys.removeAll { $0.key.count == key.count && $0.key.elementsEqual(key) }
    keys.append((key, next + 1))
    next = tape.tokens[next + 1].end(at: next + 1)
  }
  guard next == token.end(at: index), keys.count == json_object_size(json) else { return false }
  return keys.allSatisfy { key, value in
    let name = key.flatMap { $0 == 0 ? JanssonOracle.standInBytes : [$0] }
    let found = name.withUnsafeBytes { bytes in
      json_object_getn(
        json,
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? UnsafePointer(bitPattern: 1),
        bytes.count)
    }
    return found.map { isEqual(tape, value, $0, oracle) } ?? false
  }
}
