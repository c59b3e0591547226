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

#endif
