/// The value of an attribute, for programs.
///
/// An object stores its values in the form of their type; this form is for passing them around.
public enum Value: Sendable {
  /// No value.
  case null
  /// The value of an integer16, integer32 or integer64 attribute.
  case integer(Int64)
  /// The value of a double or float attribute.
  case real(Double)
  /// The value of a boolean attribute.
  case boolean(Bool)
  /// The value of a string attribute.
  case string(String)
  /// The value of a decimal attribute.
  case decimal(DecimalNumber)
  /// The value of a date attribute.
  case date(Timestamp)
  /// The value of a day attribute.
  case day(CalendarDay)
  /// The value of a binary attribute.
  case binary([UInt8])
  /// The value of a uuid attribute.
  case uuid(UUIDValue)
  /// The value of a uri attribute.
  case uri(String)
  /// The value of a transformable or composite attribute; it has at most ``maximumLevels`` levels.
  case json(JSONValue)

  /// The greatest number of levels of an attribute's JSON, 2,046; a scalar inside a container
  /// counts as a level.
  ///
  /// An export writes it in an object in a list, and JSON may have 2,048 levels.
  public static let maximumLevels = JanssonBridge.maxDepth - 2

  /// Returns the error for JSON that nests deeper than an attribute allows.
  static func tooDeep(entity: String = "", property: String = "") -> GrootError {
    GrootError(
      .limitExceeded,
      "the value has more than \(maximumLevels) levels, the limit of an attribute",
      entity: entity, property: property)
  }

  /// Whether there is no value.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The whole number; nil for other values.
  public var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }
  /// The floating-point number; nil for other values.
  public var realValue: Double? { if case .real(let value) = self { value } else { nil } }
  /// The truth value; nil for other values.
  public var booleanValue: Bool? { if case .boolean(let value) = self { value } else { nil } }
  /// The text of a string or uri; nil for other values.
  public var stringValue: String? {
    switch self {
    case .string(let text), .uri(let text): text
    default: nil
    }
  }

  /// The kind of value in words, for messages.
  var kindName: String {
    switch self {
    case .null: "no value"
    case .integer: "an integer"
    case .real: "a real"
    case .boolean: "a boolean"
    case .string: "a string"
    case .decimal: "a decimal"
    case .date: "a date"
    case .day: "a day"
    case .binary: "bytes"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .json: "a JSON value"
    }
  }
}

extension Value: Hashable {
  /// Returns whether two values have the same kind and content; text is compared by its bytes.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.string(let left), .string(let right)): Name(left) == Name(right)
    case (.decimal(let left), .decimal(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.day(let left), .day(let right)): left == right
    case (.binary(let left), .binary(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.uri(let left), .uri(let right)): Name(left) == Name(right)
    case (.json(let left), .json(let right)): left == right
    default: false
    }
  }

  /// Hashes the content.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value)
    case .boolean(let value): hasher.combine(value)
    case .string(let text), .uri(let text): hasher.combine(Name(text))
    case .decimal(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .day(let value): hasher.combine(value)
    case .binary(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .json(let value): hasher.combine(value)
    }
  }
}

// `nil` is not a literal of this type: in the place of an optional value it would silently become
// `.null`.
extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByStringLiteral
{
  /// Makes a whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Makes a floating-point number.
  public init(floatLiteral value: Double) { self = .real(value) }
  /// Makes a truth value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Makes text.
  public init(stringLiteral value: String) { self = .string(value) }
}

// The values that fit an attribute's type, and their stored form.

extension AttributeType {
  /// Whether the values are numbers.
  var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: true
    default: false
    }
  }

  /// Whether the values are ordered: numbers, dates and days.
  var isOrderable: Bool { isNumber || self == .date || self == .day }
}

extension Value {
  /// Returns the value in the form of an attribute of `type`; nil if it does not fit.
  ///
  /// A whole number becomes a real or a decimal if that is exact; null always fits.
  func fitted(to type: AttributeType) -> Value? {
    switch (type, self) {
    case (_, .null): return .null
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
      (.integer64, .integer(let number)):
      return type.integerRange?.contains(number) == true ? self : nil
    case (.double, .integer(let number)): return Double(exactly: number).map(Value.real)
    case (.double, .real(let number)): return number.isFinite ? self : nil
    case (.float, .integer(let number)): return Float(exactly: number).map { .real(Double($0)) }
    case (.float, .real(let number)):
      let rounded = Float(number)
      return rounded.isFinite ? .real(Double(rounded)) : nil
    case (.decimal, .integer(let number)): return .decimal(DecimalNumber(number))
    case (.string, .string), (.boolean, .boolean), (.decimal, .decimal), (.date, .date),
      (.day, .day), (.binary, .binary), (.uuid, .uuid), (.uri, .uri), (.transformable, .json):
      return self
    case (.uri, .string(let text)): return .uri(text)
    case (.composite, .json(let json)):
      if case .object = json { return self }
      return nil
    default: return nil
    }
  }

  /// Returns the reason why the value does not fit an attribute of `type`; nil if it fits.
  func conversionFailure(of type: AttributeType) -> String? {
    guard fitted(to: type) == nil else { return nil }
    if case .integer(let number) = self, let range = type.integerRange {
      return "\(number) is not from \(range.lowerBound) to \(range.upperBound)"
    }
    return "is \(kindName) and does not fit the type \(type.rawValue)"
  }

  /// Returns whether the value is a number that is out of the range of the type.
  func isOutOfRange(of type: AttributeType) -> Bool {
    switch self {
    case .integer: type.isNumber && fitted(to: type) == nil
    case .real: (type == .double || type == .float) && fitted(to: type) == nil
    default: false
    }
  }

  /// Returns whether `left` is before `right` in the order of their type; false for unordered
  /// types.
  static func precedes(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.integer(let left), .real(let right)): Double(left) < right
    case (.real(let left), .integer(let right)): left < Double(right)
    case (.decimal(let left), .decimal(let right)): left < right
    case (.integer(let left), .decimal(let right)): DecimalNumber(left) < right
    case (.decimal(let left), .integer(let right)): left < DecimalNumber(right)
    case (.date(let left), .date(let right)): left < right
    case (.day(let left), .day(let right)): left < right
    default: false
    }
  }
}

// Conversions between values and their form in records.

extension Value {
  /// Makes a value from the form of records, for an attribute of `type`.
  init(_ raw: StoredValue, as type: AttributeType) {
    guard raw.isPresent else {
      self = .null
      return
    }
    switch type {
    case .integer16, .integer32, .integer64: self = .integer(raw.integer)
    case .double, .float: self = .real(raw.real)
    case .boolean: self = .boolean(raw.word0 != 0)
    case .date: self = .date(Timestamp(microseconds: raw.integer))
    case .day: self = .day(raw.day)
    case .decimal: self = .decimal(raw.decimal)
    case .uuid: self = .uuid(UUIDValue(high: raw.word0, low: raw.word1))
    case .string: self = .string(String(decoding: raw.bytes, as: UTF8.self))
    case .uri: self = .uri(String(decoding: raw.bytes, as: UTF8.self))
    case .binary: self = .binary(Array(raw.bytes))
    case .transformable, .composite: self = .json(JSONValue(storedText: raw.bytes))
    }
  }

  /// Calls `body` with the value in the form of records; the value must fit the type
  /// (``fitted(to:)``).
  package func withStored<Result>(_ type: AttributeType, body: (StoredValue) throws -> Result)
    rethrows
    -> Result
  {
    switch self {
    case .null: return try body(.none)
    case .integer(let number): return try body(StoredValue(word: UInt64(bitPattern: number)))
    case .real(let number): return try body(StoredValue(word: number.bitPattern))
    case .boolean(let truth): return try body(StoredValue(word: truth ? 1 : 0))
    case .date(let date): return try body(StoredValue(word: UInt64(bitPattern: date.microseconds)))
    case .day(let day): return try body(StoredValue(day))
    case .decimal(let decimal): return try body(StoredValue(decimal))
    case .uuid(let uuid): return try body(StoredValue(word: uuid.high, uuid.low))
    case .string(let text), .uri(let text): return try Self.withBytes(Array(text.utf8), body: body)
    case .binary(let bytes): return try Self.withBytes(bytes, body: body)
    case .json(let json): return try Self.withBytes(Array(json.canonicalText.utf8), body: body)
    }
  }

  private static func withBytes<Result>(
    _ bytes: [UInt8], body: (StoredValue) throws -> Result
  ) rethrows -> Result {
    try bytes.withUnsafeBufferPointer { try body(StoredValue(bytes: $0)) }
  }

  /// Makes a value of an attribute of `type` from JSON, as an import without a transformer.
  package init(_ json: JSONValue, as type: AttributeType) throws {
    switch (json, type) {
    case (.null, _):
      self = .null
      return
    case (.string(let text), .string):
      self = .string(text)
      return
    case (.integer(let number), .integer64):
      self = .integer(number)
      return
    default: break
    }
    let tape = JSONTape()
    let index = try json.append(to: tape)
    var raw = StoredValue.none
    let conversionFailure = Conversion.read(.plain, as: type, on: tape, index: index, into: &raw)
    if conversionFailure == .depth { throw Self.tooDeep() }
    guard conversionFailure == .none else {
      throw GrootError(
        conversionFailure == .range ? .outOfRange : .wrongType,
        "\(json) does not fit the type \(type.rawValue)")
    }
    self = Value(raw, as: type)
  }
}

extension Value {
  /// The JSON of the value, as in an export without a transformer.
  public var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .boolean(let truth): .boolean(truth)
    case .string(let text), .uri(let text): .string(text)
    case .decimal(let decimal): .string(decimal.description)
    case .date(let date): .string(date.description)
    case .day(let day): .string(day.description)
    case .uuid(let uuid): .string(uuid.description)
    case .binary(let bytes): .string(Base64.text(bytes))
    case .json(let json): json
    }
  }
}
