/// A Swift type that the values of attributes can have.
///
/// An enumeration becomes one by declaring it: `enum Kind: String, CaseIterable, AttributeValue`.
public protocol AttributeValue: Sendable {
  /// The type of an attribute that is declared with this one and says nothing else.
  static var attributeType: AttributeType { get }
  /// Whether it has a value for "no value", as optionals have.
  static var isOptional: Bool { get }
  /// The content of a missing value: nil, or else zero, or an empty one.
  static var absent: Self { get }
  /// Takes over a value; nil when it is of another kind, or does not fit.
  init?(attributeValue: Value)
  /// The value as attributes have it.
  var attributeValue: Value { get }
}

extension AttributeValue {
  /// No.
  public static var isOptional: Bool { false }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
  /// That of the type without nil.
  public static var attributeType: AttributeType { Wrapped.attributeType }
  /// Yes.
  public static var isOptional: Bool { true }
  /// Nil.
  public static var absent: Wrapped? { nil }

  /// Nil for ``Value/null``.
  @inlinable
  public init?(attributeValue: Value) {
    if attributeValue.isNull {
      self = nil
      return
    }
    guard let wrapped = Wrapped(attributeValue: attributeValue) else { return nil }
    self = .some(wrapped)
  }

  /// ``Value/null`` for nil.
  @inlinable
  public var attributeValue: Value {
    if case .some(let wrapped) = self { wrapped.attributeValue } else { .null }
  }
}

extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
  /// That of the raw values.
  public static var attributeType: AttributeType { RawValue.attributeType }

  /// Nil for a raw value that none has.
  @inlinable
  public init?(attributeValue: Value) {
    guard let raw = RawValue(attributeValue: attributeValue) else { return nil }
    self.init(rawValue: raw)
  }

  /// The raw value.
  @inlinable
  public var attributeValue: Value { rawValue.attributeValue }
}

extension AttributeValue where Self: RawRepresentable & CaseIterable, RawValue: AttributeValue {
  /// The first case.
  public static var absent: Self { allCases[allCases.startIndex] }
}
