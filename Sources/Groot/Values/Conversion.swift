/// The conversion of a JSON value to an attribute's value, and back.
enum Conversion: UInt8, Sendable {
  /// The conversion of the attribute's type: numbers, truth values and text unchanged; dates as ISO
  /// 8601, UUIDs and URIs as text, bytes as base64, decimals as numbers or text.
  case plain
  case integerText
  case doubleText
  case decimalText
  case booleanText
  case booleanInteger
  case unixSeconds
  case unixMilliseconds
  case lowercase
  case uppercase
  case trim
  /// A date in any common form: ISO 8601, or a time since 1970.
  case anyDate
  /// The day of a date in any common form.
  case anyDay
  /// A UUID, written in upper case.
  case uppercaseUUID
  /// The JSON text of any value, as bytes.
  case jsonBytes
  /// An array or an object.
  case jsonContainer
  /// A registered function, whose result is read as `plain`.
  case function
  /// The ``DateForms`` of a step.
  case dateForms
}

extension Conversion {
  /// Whether it comes from the attribute's type or from conventions, not from a transformer.
  var isConvention: Bool {
    switch self {
    case .plain, .anyDate, .anyDay, .dateForms, .uppercaseUUID, .jsonBytes, .jsonContainer: true
    default: false
    }
  }

  /// Whether the conversion needs a function or formats of the plan.
  @inline(__always) var needsPlan: Bool { rawValue >= Conversion.function.rawValue }
}

/// The reason why a value could not be converted.
enum ConversionFailure: UInt8 {
  case none
  /// The JSON type is wrong.
  case type
  /// The text does not have the right form.
  case form
  /// The number does not fit.
  case range
  /// Memory was refused.
  case memory
  /// The value nests deeper than an attribute allows.
  case depth
}
