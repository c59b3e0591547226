// The types of Swift and of the library that attributes have.

extension Int: AttributeValue {
  /// ``AttributeType/integer64``.
  public static var attributeType: AttributeType { .integer64 }
  /// 0.
  public static var absent: Self { 0 }

  /// A whole number that fits.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .integer(let number) = attributeValue else { return nil }
    self.init(exactly: number)
  }

  /// ``Value/integer(_:)``.
  @inlinable
  public var attributeValue: Value { .integer(Int64(self)) }
}

extension Int64: AttributeValue {
  /// ``AttributeType/integer64``.
  public static var attributeType: AttributeType { .integer64 }
  /// 0.
  public static var absent: Self { 0 }

  /// A whole number that fits.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .integer(let number) = attributeValue else { return nil }
    self.init(exactly: number)
  }

  /// ``Value/integer(_:)``.
  @inlinable
  public var attributeValue: Value { .integer(Int64(self)) }
}

extension Int32: AttributeValue {
  /// ``AttributeType/integer32``.
  public static var attributeType: AttributeType { .integer32 }
  /// 0.
  public static var absent: Self { 0 }

  /// A whole number that fits.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .integer(let number) = attributeValue else { return nil }
    self.init(exactly: number)
  }

  /// ``Value/integer(_:)``.
  @inlinable
  public var attributeValue: Value { .integer(Int64(self)) }
}

extension Int16: AttributeValue {
  /// ``AttributeType/integer16``.
  public static var attributeType: AttributeType { .integer16 }
  /// 0.
  public static var absent: Self { 0 }

  /// A whole number that fits.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .integer(let number) = attributeValue else { return nil }
    self.init(exactly: number)
  }

  /// ``Value/integer(_:)``.
  @inlinable
  public var attributeValue: Value { .integer(Int64(self)) }
}

extension Double: AttributeValue {
  /// ``AttributeType/double``.
  public static var attributeType: AttributeType { .double }
  /// 0.
  public static var absent: Self { 0 }

  /// A real.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .real(let number) = attributeValue else { return nil }
    self = number
  }

  /// ``Value/real(_:)``.
  @inlinable
  public var attributeValue: Value { .real(self) }
}

extension Float: AttributeValue {
  /// ``AttributeType/float``.
  public static var attributeType: AttributeType { .float }
  /// 0.
  public static var absent: Self { 0 }

  /// A real, rounded to the nearest; nil for one beyond all of them.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .real(let number) = attributeValue else { return nil }
    self.init(number)
    if isInfinite && number.isFinite { return nil }
  }

  /// ``Value/real(_:)``.
  @inlinable
  public var attributeValue: Value { .real(Double(self)) }
}

extension Bool: AttributeValue {
  /// ``AttributeType/boolean``.
  public static var attributeType: AttributeType { .boolean }
  /// False.
  public static var absent: Self { false }

  /// A truth value.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .boolean(let truth) = attributeValue else { return nil }
    self = truth
  }

  /// ``Value/boolean(_:)``.
  @inlinable
  public var attributeValue: Value { .boolean(self) }
}

extension String: AttributeValue {
  /// ``AttributeType/string``.
  public static var attributeType: AttributeType { .string }
  /// No characters.
  public static var absent: Self { "" }

  /// Text, also that of a URI.
  @inlinable
  public init?(attributeValue: Value) {
    switch attributeValue {
    case .string(let text), .uri(let text): self = text
    default: return nil
    }
  }

  /// ``Value/string(_:)``.
  @inlinable
  public var attributeValue: Value { .string(self) }
}

extension DecimalNumber: AttributeValue {
  /// ``AttributeType/decimal``.
  public static var attributeType: AttributeType { .decimal }
  /// 0.
  public static var absent: Self { zero }

  /// A decimal.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .decimal(let number) = attributeValue else { return nil }
    self = number
  }

  /// ``Value/decimal(_:)``.
  @inlinable
  public var attributeValue: Value { .decimal(self) }
}

extension Timestamp: AttributeValue {
  /// ``AttributeType/date``.
  public static var attributeType: AttributeType { .date }
  /// 1970-01-01T00:00:00Z.
  public static var absent: Self { Timestamp(microseconds: 0) }

  /// A date.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .date(let date) = attributeValue else { return nil }
    self = date
  }

  /// ``Value/date(_:)``.
  @inlinable
  public var attributeValue: Value { .date(self) }
}

extension CalendarDay: AttributeValue {
  /// ``AttributeType/day``.
  public static var attributeType: AttributeType { .day }
  /// 1970-01-01.
  public static var absent: Self { CalendarDay(Timestamp.absent) }

  /// A day.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .day(let day) = attributeValue else { return nil }
    self = day
  }

  /// ``Value/day(_:)``.
  @inlinable
  public var attributeValue: Value { .day(self) }
}

extension UUIDValue: AttributeValue {
  /// ``AttributeType/uuid``.
  public static var attributeType: AttributeType { .uuid }
  /// All bits 0.
  public static var absent: Self { UUIDValue(high: 0, low: 0) }

  /// A UUID.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .uuid(let uuid) = attributeValue else { return nil }
    self = uuid
  }

  /// ``Value/uuid(_:)``.
  @inlinable
  public var attributeValue: Value { .uuid(self) }
}

extension Array: AttributeValue where Element == UInt8 {
  /// ``AttributeType/binary``.
  public static var attributeType: AttributeType { .binary }
  /// No bytes.
  public static var absent: Self { [] }

  /// Bytes.
  @inlinable
  public init?(attributeValue: Value) {
    guard case .binary(let bytes) = attributeValue else { return nil }
    self = bytes
  }

  /// ``Value/binary(_:)``.
  @inlinable
  public var attributeValue: Value { .binary(self) }
}

extension JSONValue: AttributeValue {
  /// ``AttributeType/transformable``.
  public static var attributeType: AttributeType { .transformable }
  /// ``JSONValue/null``.
  public static var absent: Self { null }

  /// JSON.
  @inlinable
  public init?(attributeValue: Groot.Value) {
    guard case .json(let json) = attributeValue else { return nil }
    self = json
  }

  /// ``Value/json(_:)``.
  @inlinable
  public var attributeValue: Groot.Value { .json(self) }
}
