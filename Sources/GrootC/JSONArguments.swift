import CGroot
import CJansson
import Groot

// A JSON value crosses the interface as text, or as a json_t in the twin of the function.

/// A caller's JSON value.
enum JSONArgument {
  /// Text that ends at its first NUL; NULL means no value.
  case text(UnsafePointer<CChar>?)
  /// Text of a length; NULL means no value.
  case sized(UnsafePointer<CChar>?, Int)
  /// NULL means no value.
  case jansson(UnsafePointer<json_t>?)

  func value(what: String) throws -> JSONValue? {
    switch self {
    case .text(nil), .sized(nil, _), .jansson(nil): return nil
    case .text(let start): return try Self.sized(start, -1).value(what: what)
    case .sized(let start, let length):
      let bytes = try copiedBytes(start, length: length, what: what)
      do {
        return try JSONValue(keepingDigits: bytes.bindMemory(to: UInt8.self))
      } catch {
        throw error.naming(what)
      }
    case .jansson(let json): return try GrootC.value(json, what: what)
    }
  }
}

/// The target of a JSON value: a json_t, or a buffer for its text.
protocol JSONTarget {
  static var none: Self { get }
  static func holding(_ value: JSONValue) throws -> Self
}

extension groot_buffer: JSONTarget {
  static var none: groot_buffer { groot_buffer(data: nil, size: 0) }

  static func holding(_ value: JSONValue) throws -> groot_buffer {
    let tape = JSONTape()
    let index = try value.append(to: tape)
    let writer = JSONWriter()
    writer.value(tape, index: index)
    return try groot_buffer(taking: writer)
  }

  /// Copies a text, for the caller to own.
  init(_ text: String) throws {
    let writer = JSONWriter()
    var text = text
    text.withUTF8 { writer.rawValue($0) }
    try self.init(taking: writer)
  }

  /// Takes the output of a writer, for the caller to own.
  init(taking writer: JSONWriter) throws {
    let taken = try writer.takeBytes()
    let start = UnsafeMutableRawPointer(taken.baseAddress)
    self.init(data: start?.assumingMemoryBound(to: CChar.self), size: taken.count)
  }
}

extension Optional: JSONTarget where Wrapped == UnsafeMutablePointer<json_t> {
  static func holding(_ value: JSONValue) throws -> UnsafeMutablePointer<json_t>? {
    try newJSON(value)
  }
}

/// Runs the body of a function whose result is a JSON value.
func giving<Target: JSONTarget>(
  _ target: UnsafeMutablePointer<Target>?, what: String,
  error: UnsafeMutablePointer<OpaquePointer?>?, body: () throws -> JSONValue
) -> groot_status {
  reporting(error) {
    let target = try result(target, zero: .none, what: what)
    target.pointee = try .holding(body())
  }
}

/// Reads strings from the text of a caller's JSON list; nil for NULL.
func strings(_ text: UnsafePointer<CChar>?, what: String) throws -> [String]? {
  guard let list = try JSONArgument.text(text).value(what: what) else { return nil }
  guard let elements = list.arrayValue, case let texts = elements.compactMap(\.stringValue),
    texts.count == elements.count
  else {
    throw GrootError(.invalidArgument, "\(what) is a JSON list of strings, not \(list)")
  }
  return texts
}

/// Reads the value of a caller's json_t.
func value(_ json: UnsafePointer<json_t>?, what: String) throws -> JSONValue {
  guard let json else { throw GrootError(.invalidArgument, "\(what) is NULL") }
  let tape = JSONTape()
  let index = try JanssonBridge.flatten(UnsafeMutablePointer(mutating: json), onto: tape)
  return JSONValue(tape, index: index)
}

/// Makes a json_t for the caller.
func newJSON(_ value: JSONValue) throws -> UnsafeMutablePointer<json_t> {
  let tape = JSONTape()
  return try newJSON(tape, index: try value.append(to: tape))
}

/// Makes a json_t from a value on a tape.
func newJSON(_ tape: JSONTape, index: TokenIndex) throws -> UnsafeMutablePointer<json_t> {
  do {
    return try JanssonBridge.materialize(tape, index: index)
  } catch let error as JanssonBridge.TooLarge {
    var paths = MessagePath.Index()
    let path = "$" + paths.path(to: error.token, from: index, on: tape)
    throw GrootError(GrootIssue(.outOfRange, error.message, path: path))
  }
}

/// Makes a json_t from text that the library wrote.
func newJSON(parsing text: UnsafeBufferPointer<UInt8>) throws -> UnsafeMutablePointer<json_t> {
  let tape = JSONTape()
  // One object may be a scalar.
  try tape.load(text)
  return try newJSON(tape, index: .first)
}

/// Releases a reference to a json_t.
@_cdecl("groot_json_free") @implementation
public func groot_json_free(_ json: UnsafeMutablePointer<json_t>?) {
  if let json { groot_json_release(json) }
}
