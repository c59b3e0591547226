#if Entities

/// A Swift type for the values of attributes.
///
/// An enumeration only needs to declare it: `enum Kind: String, CaseIterable, AttributeValue`.
public protocol AttributeValue: Sendable {
  /// The type of values that are not missing: the wrapped type of an optional, else the type itself.
  associatedtype Present: AttributeValue = Self
  /// The default type in the model of an attribute with this type.
  static var attributeType: AttributeType { get }
  /// Whether it can represent a missing value, as optionals do.
  static var isOptional: Bool { get }
  /// The content of a missing value: nil, zero or an empty value.
  static var absent: Self { get }
  /// Makes the content of a value; nil if the value is of another kind, or does not fit.
  init?(attributeValue: Value)
  /// The content as a ``Value``.
  var attributeValue: Value { get }
}

extension AttributeValue {
  /// Whether it can represent a missing value: by default, false.
  public static var isOptional: Bool { false }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
  /// The wrapped type.
  public typealias Present = Wrapped
  /// The type in the model of the wrapped type.
  public static var attributeType: AttributeType { Wrapped.attributeType }
  /// Whether it can represent a missing value: true.
  public static var isOptional: Bool { true }
  /// The content of a missing value, nil.
  public static var absent: Wrapped? { nil }

  /// Makes nil for ``Value/null``, and else the wrapped content.
  @inlinable
  public init?(attributeValue: Value) {
    if attributeValue.isNull {
      self = nil
      return
    }
    guard let wrapped = Wrapped(attributeValue: attributeValue) else { return nil }
    self = .some(wrapped)
  }

  /// The content as a ``Value``, ``Value/null`` for nil.
  @inlinable
  public var attributeValue: Value {
    if case .some(let wrapped) = self { wrapped.attributeValue } else { .null }
  }
}

extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
  /// The type in the model of the raw values.
  public static var attributeType: AttributeType { RawValue.attributeType }

  /// Makes the case of a raw value; nil without one.
  @inlinable
  public init?(attributeValue: Value) {
    guard let raw = RawValue(attributeValue: attributeValue) else { return nil }
    self.init(rawValue: raw)
  }

  /// The raw value as a ``Value``.
  @inlinable
  public var attributeValue: Value { rawValue.attributeValue }
}

extension AttributeValue where Self: RawRepresentable & CaseIterable, RawValue: AttributeValue {
  /// The content of a missing value, the first case.
  public static var absent: Self { allCases[allCases.startIndex] }
}

// The conformances of types in Swift and in the library to `AttributeValue`.

/// A signed integer type of at most 64 bits, so that each of its values fits ``Value/integer(_:)``.
public protocol IntegerAttributeValue: AttributeValue, FixedWidthInteger, SignedInteger {}

extension IntegerAttributeValue {
  /// The content of a missing value, 0.
  public static var absent: Self { 0 }

  /// Makes a number from an integer; nil if it does not fit.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .integer(let number) = attributeValue else { return nil }
    self.init(exactly: number)
  }

  /// The value as ``Value/integer(_:)``.
  @inlinable
  public var attributeValue: Value { .integer(Int64(truncatingIfNeeded: self)) }
}

extension Int: IntegerAttributeValue {
  /// The type in the model, ``AttributeType/integer64``.
  public static var attributeType: AttributeType { .integer64 }
}

extension Int64: IntegerAttributeValue {
  /// The type in the model, ``AttributeType/integer64``.
  public static var attributeType: AttributeType { .integer64 }
}

extension Int32: IntegerAttributeValue {
  /// The type in the model, ``AttributeType/integer32``.
  public static var attributeType: AttributeType { .integer32 }
}

extension Int16: IntegerAttributeValue {
  /// The type in the model, ``AttributeType/integer16``.
  public static var attributeType: AttributeType { .integer16 }
}

extension Double: AttributeValue {
  /// The type in the model, ``AttributeType/double``.
  public static var attributeType: AttributeType { .double }
  /// The content of a missing value, 0.
  public static var absent: Self { 0 }

  /// Makes a number from a real; nil for other values.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .real(let number) = attributeValue else { return nil }
    self = number
  }

  /// The value as ``Value/real(_:)``.
  @inlinable
  public var attributeValue: Value { .real(self) }
}

extension Float: AttributeValue {
  /// The type in the model, ``AttributeType/float``.
  public static var attributeType: AttributeType { .float }
  /// The content of a missing value, 0.
  public static var absent: Self { 0 }

  /// Makes the nearest number to a real; nil beyond the range.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .real(let number) = attributeValue else { return nil }
    self.init(number)
    if isInfinite && number.isFinite { return nil }
  }

  /// The value as ``Value/real(_:)``.
  @inlinable
  public var attributeValue: Value { .real(Double(self)) }
}

extension Bool: AttributeValue {
  /// The type in the model, ``AttributeType/boolean``.
  public static var attributeType: AttributeType { .boolean }
  /// The content of a missing value, false.
  public static var absent: Self { false }

  /// Makes a truth value; nil for other values.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .boolean(let truth) = attributeValue else { return nil }
    self = truth
  }

  /// The value as ``Value/boolean(_:)``.
  @inlinable
  public var attributeValue: Value { .boolean(self) }
}

extension String: AttributeValue {
  /// The type in the model, ``AttributeType/string``.
  public static var attributeType: AttributeType { .string }
  /// The content of a missing value, the empty text.
  public static var absent: Self { "" }

  /// Makes text from a string or a URI; nil for other values.
  @inlinable
  public init?(attributeValue: Value) {
    switch attributeValue {
    case .string(let text), .uri(let text): self = text
    default: return nil
    }
  }

  /// The value as ``Value/string(_:)``.
  @inlinable
  public var attributeValue: Value { .string(self) }
}

extension DecimalNumber: AttributeValue {
  /// The type in the model, ``AttributeType/decimal``.
  public static var attributeType: AttributeType { .decimal }
  /// The content of a missing value, 0.
  public static var absent: Self { zero }

  /// Makes a decimal; nil for other values.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .decimal(let number) = attributeValue else { return nil }
    self = number
  }

  /// The value as ``Value/decimal(_:)``.
  @inlinable
  public var attributeValue: Value { .decimal(self) }
}

extension Timestamp: AttributeValue {
  /// The type in the model, ``AttributeType/date``.
  public static var attributeType: AttributeType { .date }
  /// The content of a missing value, 1970-01-01T00:00:00Z.
  public static var absent: Self { Timestamp(microseconds: 0) }

  /// Makes a date; nil for other values.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .date(let date) = attributeValue else { return nil }
    self = date
  }

  /// The value as ``Value/date(_:)``.
  @inlinable
  public var attributeValue: Value { .date(self) }
}

extension CalendarDay: AttributeValue {
  /// The type in the model, ``AttributeType/day``.
  public static var attributeType: AttributeType { .day }
  /// The content of a missing value, 1970-01-01.
  public static var absent: Self { CalendarDay(Timestamp.absent) }

  /// Makes a day; nil for other values.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .day(let day) = attributeValue else { return nil }
    self = day
  }

  /// The value as ``Value/day(_:)``.
  @inlinable
  public var attributeValue: Value { .day(self) }
}

extension UUIDValue: AttributeValue {
  /// The type in the model, ``AttributeType/uuid``.
  public static var attributeType: AttributeType { .uuid }
  /// The content of a missing value, a UUID with all bits 0.
  public static var absent: Self { UUIDValue(high: 0, low: 0) }

  /// Makes a UUID; nil for other values.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .uuid(let uuid) = attributeValue else { return nil }
    self = uuid
  }

  /// The value as ``Value/uuid(_:)``.
  @inlinable
  public var attributeValue: Value { .uuid(self) }
}

extension Array: AttributeValue where Element == UInt8 {
  /// The type in the model, ``AttributeType/binary``.
  public static var attributeType: AttributeType { .binary }
  /// The content of a missing value, an empty array.
  public static var absent: Self { [] }

  /// Makes an array of bytes; nil for other values.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .binary(let bytes) = attributeValue else { return nil }
    self = bytes
  }

  /// The value as ``Value/binary(_:)``.
  @inlinable
  public var attributeValue: Value { .binary(self) }
}

extension JSONValue: AttributeValue {
  /// The type in the model, ``AttributeType/transformable``.
  public static var attributeType: AttributeType { .transformable }
  /// The content of a missing value, ``JSONValue/null``.
  public static var absent: Self { null }

  /// Makes a JSON value; nil for other values.
  @inlinable
  public init?(attributeValue: Groot.Value) {
    guard case .json(let json) = attributeValue else { return nil }
    self = json
  }

  /// The value as ``Value/json(_:)``.
  @inlinable
  public var attributeValue: Groot.Value { .json(self) }
}

#endif
