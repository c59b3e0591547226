/// The value of an attribute, as a program sees it.
///
/// An object keeps its values in the form of their type; this is the form to hand them around.
public enum Value: Hashable, Sendable {
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
  /// Of binary attributes.
  case binary([UInt8])
  /// Of uuid attributes.
  case uuid(UUIDValue)
  /// Of uri attributes.
  case uri(String)
  /// Of transformable and composite attributes.
  case json(JSONValue)

  /// Whether there is no value.
  public var isNull: Bool { self == .null }

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
    case .binary: "bytes"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .json: "a JSON value"
    }
  }
}

// `nil` is no literal of it: where an optional value is meant, it would quietly become `.null`.
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
