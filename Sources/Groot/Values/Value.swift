/// The value of an attribute, as a program sees it.
///
/// An object keeps its values in the form of their type; this is the form to hand them around.
public enum Value: Sendable {
  /// No value.
  case null
  /// Of integer16, integer32 and integer64 attributes.
  case integer(Int64)
  /// Of double and float attributes.
  case real(Double)
  /// Of boolean attributes.
  case boolean(Bool)
  /// Of string attributes.
  case string(String)
  /// Of decimal attributes.
  case decimal(DecimalNumber)
  /// Of date attributes.
  case date(Timestamp)
  /// Of day attributes.
  case day(CalendarDay)
  /// Of binary attributes.
  case binary([UInt8])
  /// Of uuid attributes.
  case uuid(UUIDValue)
  /// Of uri attributes.
  case uri(String)
  /// Of transformable and composite attributes; it nests ``maximumLevels`` deep at most.
  case json(JSONValue)

  /// The greatest number of levels of an attribute's JSON, a scalar inside a container counted as
  /// one: 2,046.
  ///
  /// An export has an object and a list around it, and JSON nests 2,048 deep.
  public static let maximumLevels = JanssonBridge.maxDepth - 2

  /// The error for JSON that nests deeper than an attribute holds.
  static func tooDeep(entity: String = "", property: String = "") -> GrootError {
    GrootError(
      .limitExceeded,
      "the value has more than \(maximumLevels) levels, the limit of an attribute",
      entity: entity, property: property)
  }

  /// Whether there is no value.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The whole number, when it is one.
  public var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }
  /// The floating-point number, when it is one.
  public var realValue: Double? { if case .real(let value) = self { value } else { nil } }
  /// The truth value, when it is one.
  public var booleanValue: Bool? { if case .boolean(let value) = self { value } else { nil } }
  /// The text of a string or uri.
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
  /// Whether both are of one kind and have the same content; text is compared by its bytes.
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

// `nil` is not a literal of it: where an optional value is meant, it would quietly become `.null`.
extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByStringLiteral
{
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A floating-point number.
  public init(floatLiteral value: Double) { self = .real(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }
}
