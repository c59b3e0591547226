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
