import Groot

/// A value that a decoder reads from.
enum DecodedNode {
  /// The value of an attribute, which may be JSON, or JSON of a text.
  case value(Value)
  /// An object.
  case object(DecodedObject)
  /// The members of a relationship.
  case list([DecodedNode])

  var isNull: Bool {
    switch self {
    case .value(.null), .value(.json(.null)): true
    default: false
    }
  }

  /// Its kind, in words.
  var kind: String {
    switch self {
    case .value(.json(let json)): "\(json)"
    case .value(let value): value.isNull ? "no value" : "\(value.json)"
    case .object(let object): "an object of '\(object.shape.entity)'"
    case .list: "a list of objects"
    }
  }

  /// The keys of its members; nil when it has none.
  var keys: [String]? {
    switch self {
    case .value(.json(.object(let object))): object.keys
    case .object(let object): object.names
    default: nil
    }
  }

  /// The member under a key.
  func member(_ key: String) throws -> DecodedNode? {
    switch self {
    case .value(.json(.object(let object))): object[key].map { .value(.json($0)) }
    case .object(let object): try object.property(key)
    default: nil
    }
  }

  /// Its elements; nil when it is not a list.
  var elements: [DecodedNode]? {
    switch self {
    case .value(.json(.array(let elements))): elements.map { .value(.json($0)) }
    case .list(let nodes): nodes
    default: nil
    }
  }

  /// The value, or that of the attribute which identifies the object.
  func scalar() throws -> Value? {
    switch self {
    case .value(let value): value
    case .object(let object): try object.identifier()
    case .list: nil
    }
  }
}

extension DecodedNode {
  /// The value as one of a type that attributes have; nil when it does not fit exactly.
  func content<Content: AttributeValue>(_ type: Content.Type) throws -> Content? {
    guard let value = try scalar() else { return nil }
    if let content = Content(attributeValue: value) { return content }
    // Else as the value's JSON would be read: a date from its text, the text of a date.
    let json = if case .decimal(let number) = value { number.json } else { value.json }
    return (try? Value(json, as: Content.attributeType)).flatMap { Content(attributeValue: $0) }
  }

  /// The value as an integer of any size.
  func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer? {
    if let number = try content(Int64.self) { return Integer(exactly: number) }
    // A number beyond Int64 is a decimal.
    guard let number = try content(DecimalNumber.self), number.exponent >= 0,
      number.exponent < 39
    else { return nil }
    var product = number.coefficient
    for _ in 0..<number.exponent {
      let (next, isTooLarge) = product.multipliedReportingOverflow(by: 10)
      if isTooLarge { return nil }
      product = next
    }
    return Integer(exactly: product)
  }
}

extension DecimalNumber {
  /// The number in JSON: a number where a reader of doubles has the same afterwards, else text.
  var json: JSONValue {
    if let whole = int64 { return .integer(whole) }
    let nearest = double
    return nearest.isFinite && DecimalNumber(shortest: nearest) == self
      ? .real(nearest) : .string(description)
  }
}
