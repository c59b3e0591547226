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
