/// How a JSON value becomes an attribute's value, and back.
enum Conversion: UInt8, Sendable {
  /// As the attribute's type says: numbers, truth values and text as they are; dates as ISO 8601,
  /// UUIDs and URIs as text, bytes as base64, decimals as numbers or text.
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
  /// A date in any of the forms that feeds use: ISO 8601, or a time since 1970.
  case anyDate
  /// The day of a date in any of these forms.
  case anyDay
  /// A UUID that is written in capitals.
  case uppercaseUUID
  /// Bytes that are the text of any JSON value.
  case jsonBytes
  /// An array or an object.
  case jsonContainer
  /// The result of a registered function, read as `plain`.
  case function
  /// One of the ``DateForms`` of a step, which read and write it.
  case dateForms
}

extension Conversion {
  /// Whether it belongs to the attribute's type by convention, and not to a transformer.
  var isConvention: Bool {
    switch self {
    case .plain, .anyDate, .anyDay, .dateForms, .uppercaseUUID, .jsonBytes, .jsonContainer: true
    default: false
    }
  }

  /// Whether a value is read by what the plan has for the step, not by the conversion alone.
  @inline(__always) var needsPlan: Bool { rawValue >= Conversion.function.rawValue }
}

/// Why a value could not be converted.
enum ConversionFailure: UInt8 {
  case none
  /// Its JSON type does not belong there.
  case type
  /// Its text does not have the form.
  case form
  /// It is a number that does not fit.
  case range
  /// There is no memory for it.
  case memory
  /// It nests deeper than the value of an attribute.
  case depth
}
