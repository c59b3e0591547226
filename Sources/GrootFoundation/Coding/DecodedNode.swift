import Groot

/// A value that a decoder reads from.
enum DecodedNode {
  /// The value of an attribute, or a JSON value.
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

  /// The kind in words, for messages.
  var kind: String {
    switch self {
    case .value(.json(let json)): "\(json)"
    case .value(let value): value.isNull ? "no value" : "\(value.json)"
    case .object(let object): "an object of '\(object.shape.entity)'"
    case .list: "a list of objects"
    }
  }

  /// The keys of the members; nil when the node cannot have any.
  var keys: [String]? {
    switch self {
    case .value(.json(.object(let object))): object.keys
    case .object(let object): object.names
    default: nil
    }
  }

  /// Returns the member under a key.
  func member(_ key: String) throws -> DecodedNode? {
    switch self {
    case .value(.json(.object(let object))): object[key].map { .value(.json($0)) }
    case .object(let object): try object.property(key)
    default: nil
    }
  }

  /// The elements; nil when the node is not a list.
  var elements: [DecodedNode]? {
    switch self {
    case .value(.json(.array(let elements))): elements.map { .value(.json($0)) }
    case .list(let nodes): nodes
    default: nil
    }
  }

  /// Returns the value, or the identifier of an object.
  func scalar() throws -> Value? {
    switch self {
    case .value(let value): value
    case .object(let object): try object.identifier()
    case .list: nil
    }
  }
}

extension DecodedNode {
  /// Returns the value as a type of attributes; nil when the conversion is not exact.
  func content<Content: AttributeValue>(_ type: Content.Type) throws -> Content? {
    guard let value = try scalar() else { return nil }
    if let content = Content(attributeValue: value) { return content }
    // Other conversions read the value's JSON: a date from its text, or the text of a date.
    let json = if case .decimal(let number) = value { number.json } else { value.json }
    return (try? Value(json, as: Content.attributeType)).flatMap { Content(attributeValue: $0) }
  }

  /// Returns the value as an integer of any size; nil when the integer cannot hold it.
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
  /// The number in JSON: text if a double cannot hold it exactly.
  var json: JSONValue {
    if let whole = int64 { return .integer(whole) }
    let nearest = double
    return nearest.isFinite && DecimalNumber(shortest: nearest) == self
      ? .real(nearest) : .string(description)
  }
}
