/// The type of an attribute's values; the names are those of a model document.
public enum AttributeType: String, CaseIterable, Sendable {
  /// -32,768 to 32,767.
  case integer16
  /// -2,147,483,648 to 2,147,483,647.
  case integer32
  /// All values of Int64.
  case integer64
  /// An exact decimal number of up to 38 digits.
  case decimal
  /// An IEEE 754 binary64 number.
  case double
  /// An IEEE 754 binary32 number.
  case float
  /// UTF-8 text.
  case string
  /// True or false.
  case boolean
  /// An instant, in microseconds since 1970-01-01T00:00:00Z.
  case date
  /// A calendar day, without time or zone.
  case day
  /// Bytes; base64 text in JSON.
  case binary
  /// 128 bits; RFC 9562 text in JSON.
  case uuid
  /// Text that names a resource.
  case uri
  /// Any JSON value.
  case transformable
  /// A JSON object with the attributes that the model lists.
  case composite

  /// Whether values are whole numbers.
  public var isInteger: Bool { self == .integer16 || self == .integer32 || self == .integer64 }

  /// Whether values are stored as bytes of any length.
  var isText: Bool {
    switch self {
    case .string, .binary, .uri, .transformable, .composite: true
    default: false
    }
  }

  /// The range of an integer type; nil for other types.
  var integerRange: ClosedRange<Int64>? {
    switch self {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .integer64: Int64.min...Int64.max
    default: nil
    }
  }
}
