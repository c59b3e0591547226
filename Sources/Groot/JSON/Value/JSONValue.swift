/// A JSON value, for Swift programs and transformers.
///
/// Integers and reals are different kinds, as in jansson: `1` and `1.0` are not equal. Strings are
/// compared by their bytes. A value can nest to any depth, but only 2,048 levels can be imported.
///
/// ```swift
/// let hero: JSONValue = ["id": 17, "name": "Batman", "powers": ["Wealth", nil]]
/// hero["name"]?.stringValue   // "Batman"
/// hero.description            // {"id":17,"name":"Batman","powers":["Wealth",null]}
/// ```
public enum JSONValue: Sendable {
  /// The JSON null.
  case null
  /// True or false.
  case boolean(Bool)
  /// A number without a point or exponent.
  case integer(Int64)
  /// A number with a point or exponent; infinities and NaN are written as null.
  case real(Double)
  /// A number that fits neither an Int64 nor a Double.
  case largeNumber(LargeNumber)
  /// A string.
  case string(String)
  /// An array.
  case array(JSONArray)
  /// An object.
  case object(JSONObject)

  /// Makes an array of elements in their order.
  ///
  /// Complexity: O(1).
  public static func array(_ elements: [JSONValue]) -> JSONValue { .array(JSONArray(elements)) }
}

extension JSONValue {
  /// Whether this is null.
  public var isNull: Bool { if case .null = self { true } else { false } }
  /// The truth value of a boolean.
  public var booleanValue: Bool? { if case .boolean(let value) = self { value } else { nil } }
  /// The number of an integer.
  public var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }
  /// The number of a real, or of an integer that a Double holds exactly.
  public var realValue: Double? {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(exactly: value)
    default: nil
    }
  }
  /// The text of a string.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  /// The elements of an array.
  public var arrayValue: [JSONValue]? {
    if case .array(let value) = self { value.elements } else { nil }
  }
  /// The members of an object.
  public var objectValue: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// The value under a key of an object; nil without one, or if this is not an object.
  public subscript(key: String) -> JSONValue? { objectValue?[key] }

  /// The element of an array at a position; nil without one, or if this is not an array.
  public subscript(position: Int) -> JSONValue? {
    guard case .array(let values) = self, values.indices.contains(position) else { return nil }
    return values[position]
  }
}

// Equality and hashes of JSON values; neither needs more stack for deeper values.

extension JSONValue: Hashable {
  /// Returns whether two values have the same kind and content.
  ///
  /// Complexity: O(size).
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    var waiting: [(JSONValue, JSONValue)] = []
    var (left, right) = (left, right)
    while true {
      switch (left, right) {
      case (.array(let one), .array(let other)):
        guard one.count == other.count else { return false }
        waiting.append(contentsOf: zip(one, other))
      case (.object(let one), .object(let other)):
        guard one.count == other.count else { return false }
        for (key, value) in one.members {
          guard let same = other[key] else { return false }
          waiting.append((value, same))
        }
      default: guard isSame(left, right) else { return false }
      }
      guard let next = waiting.popLast() else { return true }
      (left, right) = next
    }
  }

  private static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.largeNumber(let left), .largeNumber(let right)): left == right
    case (.string(let left), .string(let right)): Name(left) == Name(right)
    default: false
    }
  }

  /// The number of levels of a value that are hashed.
  private static let hashedLevels = 64

  /// Hashes the kind and the content of the upper levels.
  public func hash(into hasher: inout Hasher) { hash(into: &hasher, levels: Self.hashedLevels) }

  /// Hashes the upper levels; recursion is bounded by `levels`.
  fileprivate func hash(into hasher: inout Hasher, levels: Int) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let value):
      hasher.combine(1)
      hasher.combine(value)
    case .integer(let value):
      hasher.combine(2)
      hasher.combine(value)
    case .real(let value):
      hasher.combine(3)
      hasher.combine(value)
    case .string(let value):
      hasher.combine(4)
      hasher.combine(Name(value))
    case .largeNumber(let value):
      hasher.combine(7)
      hasher.combine(value)
    case .array(let array):
      hasher.combine(5)
      hasher.combine(array.count)
      if levels > 0 { for value in array { value.hash(into: &hasher, levels: levels - 1) } }
    case .object(let object):
      hasher.combine(6)
      hasher.combine(object.count)
      if levels > 0 { hasher.combine(object.sumOfHashes(levels: levels - 1)) }
    }
  }
}

extension JSONObject {
  /// Returns a sum of hashes that does not depend on the order of the members.
  fileprivate func sumOfHashes(levels: Int) -> Int {
    members.reduce(into: 0) { sum, member in
      var hasher = Hasher()
      hasher.combine(Name(member.key))
      member.value.hash(into: &hasher, levels: levels)
      sum &+= hasher.finalize()
    }
  }
}

// JSON values written as literals in Swift.

extension JSONValue: ExpressibleByNilLiteral {
  /// Makes null.
  public init(nilLiteral: ()) { self = .null }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  /// Makes a boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  /// Makes an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSONValue: ExpressibleByFloatLiteral {
  /// Makes a real.
  public init(floatLiteral value: Double) { self = .real(value) }
}

extension JSONValue: ExpressibleByStringLiteral {
  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
  /// Makes an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// Makes an object; of duplicate keys the last counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.lazy.map { (key: $0.0, value: $0.1) }))
  }
}

// JSON values from a tape, and onto a tape.

extension JSONValue {
  /// The number of containers inside each other that most values have at most.
  private static let usualDepth = 4

  /// A container that is read from a tape.
  private struct Reading {
    var isObject: Bool
    var next: TokenIndex
    var end: TokenIndex
    var key = ""
    var elements: [JSONValue] = []
    var members = JSONObject()
  }

  /// Makes the tape's value at `index`; of duplicate keys the last counts.
  ///
  /// Strings are copied. Complexity: O(tokens).
  ///
  /// - Parameter keepsDigits: Whether a real becomes a large number if its double does not
  ///   determine the number.
  package init(_ tape: JSONTape, index: TokenIndex, keepsDigits: Bool = false) {
    var stack: [Reading] = []
    var current = index
    while true {
      let found = tape.resolved(current)
      let token = tape.tokens[found]
      var value: JSONValue?
      switch token.kind {
      case .null: value = .null
      case .false: value = .boolean(false)
      case .true: value = .boolean(true)
      case .integer: value = .integer(token.integer)
      case .real:
        let text = keepsDigits ? tape.neededText(of: token) : nil
        value = text.map { .largeNumber(LargeNumber(scanned: $0)) } ?? .real(token.real)
      case .largeNumber: value = .largeNumber(LargeNumber(scanned: token.bytes))
      case .string: value = .string(String(decoding: token.bytes, as: UTF8.self))
      case .array, .object, .alias:
        if stack.isEmpty { stack.reserveCapacity(Self.usualDepth) }
        stack.append(
          Reading(
            isObject: token.kind == .object, next: found + 1, end: TokenIndex(Int(token.size))))
      }
      // Adds the value to its container, and a complete container to its own.
      while true {
        guard let top = stack.indices.last else {
          self = value ?? .null
          return
        }
        if let value {
          if stack[top].isObject {
            stack[top].members[stack[top].key] = value
          } else {
            stack[top].elements.append(value)
          }
        }
        if stack[top].next < stack[top].end { break }
        let done = stack.removeLast()
        value = done.isObject ? .object(done.members) : .array(done.elements)
      }
      let top = stack.endIndex - 1
      current = stack[top].next
      if stack[top].isObject {
        stack[top].key = String(decoding: tape.tokens[current].bytes, as: UTF8.self)
        current = current.next
      }
      stack[top].next = tape.end(of: current)
    }
  }

  /// A container that is put on a tape.
  private struct Appending {
    var elements: [JSONValue]
    var members: [(key: String, value: JSONValue)]
    var isObject: Bool
    var position = 0
    var token: TokenIndex
  }

  /// Appends the value to the tape, copies strings to its scratch, and returns its index.
  ///
  /// Throws `limitExceeded` for a value of more than `maxDepth` levels, without changing the tape.
  /// Complexity: O(size).
  @discardableResult
  package func append(
    to tape: JSONTape, maxDepth: Int = JanssonBridge.maxDepth
  ) throws -> TokenIndex {
    let index = tape.next
    do {
      try appendValue(to: tape, maxDepth)
    } catch {
      tape.count = index.offset
      throw error
    }
    return index
  }

  private func appendValue(to tape: JSONTape, _ maxDepth: Int) throws {
    var stack: [Appending] = []
    var next: JSONValue? = self
    while true {
      if let value = next {
        guard stack.count < maxDepth else { throw JanssonBridge.tooDeep(maxDepth) }
        if let opened = try value.appendToken(to: tape) { stack.append(opened) }
      }
      next = nil
      guard let top = stack.indices.last else { return }
      let position = stack[top].position
      stack[top].position += 1
      if stack[top].isObject, position < stack[top].members.count {
        try Self.append(stack[top].members[position].key, to: tape)
        next = stack[top].members[position].value
      } else if !stack[top].isObject, position < stack[top].elements.count {
        next = stack[top].elements[position]
      } else {
        let token = stack.removeLast().token
        tape.tokens[token].head |= UInt64(tape.count) &<< 32
      }
    }
  }

  /// Appends the value's token; returns the remaining content of a container.
  private func appendToken(to tape: JSONTape) throws -> Appending? {
    let token = tape.next
    switch self {
    case .null: try tape.append(JSONToken(kind: .null))
    case .boolean(let value): try tape.append(JSONToken(kind: value ? .true : .false))
    case .integer(let value):
      try tape.append(JSONToken(kind: .integer, payload: UInt64(bitPattern: value)))
    case .real(let value):
      // JSON has no text for infinities and NaN.
      let isFinite = value.isFinite
      try tape.append(
        JSONToken(kind: isFinite ? .real : .null, payload: isFinite ? value.bitPattern : 0))
    case .largeNumber(let number): try Self.append(number.text, as: .largeNumber, to: tape)
    case .string(let text): try Self.append(text, to: tape)
    case .array(let elements):
      try tape.append(JSONToken(kind: .array, payload: UInt64(elements.count)))
      return Appending(elements: elements.elements, members: [], isObject: false, token: token)
    case .object(let object):
      try tape.append(JSONToken(kind: .object, payload: UInt64(object.count)))
      return Appending(elements: [], members: object.members, isObject: true, token: token)
    }
    return nil
  }

  private static func append(
    _ text: String, as kind: JSONKind = .string, to tape: JSONTape
  ) throws {
    var text = text
    _ = try text.withUTF8 { try tape.append(copying: $0, as: kind) }
  }
}

// JSON values from text, and as text.

extension JSONValue {
  /// Reads a JSON text: one value of any kind, with nothing but white space around it.
  ///
  /// Of duplicate keys the last counts. Complexity: O(bytes).
  ///
  /// - Throws: ``Status/invalidJSON`` with jansson's message, line, column and offset;
  ///   ``Status/limitExceeded`` for more than 2,048 levels.
  public init(parsing text: String) throws(GrootError) {
    var text = text
    self = try GrootError.carrying { try text.withUTF8 { try JSONValue(parsing: $0) } }
  }

  /// Reads a JSON text from UTF-8, which is checked.
  ///
  /// - Throws: as ``init(parsing:)-(String)``.
  public init(parsing bytes: UnsafeBufferPointer<UInt8>) throws(GrootError) {
    let tape = JSONTape()
    try GrootError.carrying { try tape.load(bytes) }
    self.init(tape, index: .first)
  }

  /// Reads a JSON text as ``init(parsing:)``, but keeps the text of a number that its double does
  /// not determine, for the values of attributes.
  package init(keepingDigits bytes: UnsafeBufferPointer<UInt8>) throws(GrootError) {
    let tape = JSONTape()
    try GrootError.carrying { try tape.load(bytes) }
    self.init(tape, index: .first, keepsDigits: true)
  }

  /// Reads text that the library has written; null if it is damaged.
  init(storedText bytes: UnsafeBufferPointer<UInt8>) {
    self = (try? JSONValue(parsing: bytes)) ?? .null
  }

  /// The value as compact JSON with sorted keys: the same text for equal values.
  public var canonicalText: String { text(sortsKeys: true) }

  /// Returns whether the value nests deeper than a number of levels.
  func isDeeper(than levels: Int) -> Bool {
    var text = description
    return text.withUTF8 { JSONNesting.isDeeper($0, than: levels) }
  }

  private func text(sortsKeys: Bool) -> String {
    let tape = JSONTape()
    guard let index = try? append(to: tape, maxDepth: .max) else { return "null" }
    let writer = tape.writer
    writer.value(tape, index: index, sortsKeys: sortsKeys)
    guard let bytes = try? writer.finish() else { return "null" }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON, with members in their order.
  public var description: String { text(sortsKeys: false) }
}

extension JSONTape {
  /// Reads a whole text with a value of any kind onto the empty tape; the text must outlive the
  /// tape's content.
  ///
  /// Throws `invalidJSON`, or `limitExceeded` for depth, with jansson's message and the location.
  package func load(_ text: UnsafeBufferPointer<UInt8>) throws {
    if scanWhole(text) { return }
    throw JanssonBridge.refusal(of: UnsafeRawBufferPointer(text)) ?? Self.outOfRoom
  }

  /// Scans a whole text onto the empty tape; returns false if jansson must judge it.
  private func scanWhole(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard var start = text.baseAddress, text.count <= Int(Int32.max) else { return false }
    let end = start + text.count
    let outcome = JSONScanner.scan(
      from: start, to: end, onto: self, maxDepth: JanssonBridge.maxDepth)
    guard case .scanned(var next) = outcome else {
      return JSONScanner.skipSpace(&start, end: end)
        && JSONScanner.scanLast(from: start, to: end, onto: self)
    }
    if JSONScanner.skipSpace(&next, end: end) {
      count = 0
      return false
    }
    return true
  }
}
