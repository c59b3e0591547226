/// A transformer of the library, which can be bound to any name and runs without a callback.
public enum BuiltinTransformer: String, CaseIterable, Sendable {
  /// A whole number as JSON text, such as "1699".
  case integerText = "integer-text"
  /// A floating-point number as JSON text, such as "2.5".
  case doubleText = "double-text"
  /// A decimal number as JSON text, such as "12.50".
  case decimalText = "decimal-text"
  /// A truth value as the JSON text "true" or "false".
  case booleanText = "boolean-text"
  /// A truth value as the JSON number 1 or 0.
  case booleanInteger = "boolean-integer"
  /// A date as the number of seconds since 1970, whole or real.
  case dateUnixSeconds = "date-unix-seconds"
  /// A date as the whole number of milliseconds since 1970.
  case dateUnixMilliseconds = "date-unix-milliseconds"
  /// Text with ASCII letters in lower case on import; written unchanged.
  case lowercase = "lowercase"
  /// Text with ASCII letters in upper case on import; written unchanged.
  case uppercase = "uppercase"
  /// Text without white space around it on import; written unchanged.
  case trim = "trim"

  /// The effect, in one line.
  public var summary: String {
    switch self {
    case .integerText: "a whole number as text"
    case .doubleText: "a floating-point number as text"
    case .decimalText: "a decimal number as text"
    case .booleanText: "a truth value as the text true or false"
    case .booleanInteger: "a truth value as 1 or 0"
    case .dateUnixSeconds: "a date as seconds since 1970"
    case .dateUnixMilliseconds: "a date as milliseconds since 1970"
    case .lowercase: "text with ASCII capitals made small on import"
    case .uppercase: "text with ASCII letters made capital on import"
    case .trim: "text without white space around it on import"
    }
  }

  /// The types of attributes that it supports.
  var types: [AttributeType] {
    switch self {
    case .integerText: [.integer16, .integer32, .integer64, .decimal, .double, .float]
    case .doubleText: [.double, .float]
    case .decimalText: [.decimal]
    case .booleanText, .booleanInteger: [.boolean]
    case .dateUnixSeconds, .dateUnixMilliseconds: [.date]
    case .lowercase, .uppercase, .trim: [.string, .uri]
    }
  }

  /// The conversion of JSON.
  var conversion: Conversion {
    switch self {
    case .integerText: .integerText
    case .doubleText: .doubleText
    case .decimalText: .decimalText
    case .booleanText: .booleanText
    case .booleanInteger: .booleanInteger
    case .dateUnixSeconds: .unixSeconds
    case .dateUnixMilliseconds: .unixMilliseconds
    case .lowercase: .lowercase
    case .uppercase: .uppercase
    case .trim: .trim
    }
  }
}
