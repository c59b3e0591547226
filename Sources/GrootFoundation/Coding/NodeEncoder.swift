import Groot

/// Encodes a value into a node.
struct NodeEncoder: Encoder {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any]

  /// Makes an encoder of the root node.
  init(_ node: EncodedNode, userInfo: [CodingUserInfoKey: Any]) {
    self.init(node, at: [], userInfo: userInfo)
  }

  private init(_ node: EncodedNode, at path: [any CodingKey], userInfo: [CodingUserInfoKey: Any]) {
    self.node = node
    codingPath = path
    self.userInfo = userInfo
  }

  /// Returns the encoder of a nested node.
  func encoder(into node: EncodedNode, under key: any CodingKey) -> NodeEncoder {
    NodeEncoder(node, at: codingPath + [key], userInfo: userInfo)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.beginMembers()
    return KeyedEncodingContainer(EncodedMembers<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.beginList()
    return EncodedElements(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension NodeEncoder: SingleValueEncodingContainer {
  func encodeNil() { node.set(.null) }
  func encode(_ value: Bool) { node.set(.boolean(value)) }
  func encode(_ value: String) { node.set(.string(value)) }
  func encode(_ value: Double) throws { try set(value, value) }
  // A Float keeps its own digits, instead of the digits of the nearest Double.
  func encode(_ value: Float) throws { try set(Double(value.description) ?? Double(value), value) }
  func encode(_ value: Int) { node.set(.integer(Int64(value))) }
  func encode(_ value: Int8) { node.set(.integer(Int64(value))) }
  func encode(_ value: Int16) { node.set(.integer(Int64(value))) }
  func encode(_ value: Int32) { node.set(.integer(Int64(value))) }
  func encode(_ value: Int64) { node.set(.integer(value)) }
  func encode(_ value: UInt) throws { try set(value) }
  func encode(_ value: UInt8) { node.set(.integer(Int64(value))) }
  func encode(_ value: UInt16) { node.set(.integer(Int64(value))) }
  func encode(_ value: UInt32) { node.set(.integer(Int64(value))) }
  func encode(_ value: UInt64) throws { try set(value) }
  func encode(_ value: Int128) throws { try set(value) }
  func encode(_ value: UInt128) throws { try set(value) }

  func encode<Content: Encodable>(_ value: Content) throws {
    guard codingPath.count < DecodingRun.maximumLevels else {
      throw GrootError(
        .limitExceeded, "a value cannot have more than \(DecodingRun.maximumLevels) levels")
    }
    // JSON stays unchanged, including large numbers.
    if let json = value as? JSONValue { return node.set(json) }
    guard let known = value as? any FoundationValue else { return try value.encode(to: self) }
    // A number or date out of range has a string as its value.
    switch known.attributeValue {
    case .decimal(let number): node.set(number.json)
    case .string(let text): throw unfit(value, text)
    case let value: node.set(value.json)
    }
  }

  /// Sets a number that JSON has; infinity and NaN fail.
  private func set(_ number: Double, _ value: some BinaryFloatingPoint) throws {
    guard number.isFinite else { throw unfit(value, "\(value)") }
    node.set(.real(number))
  }

  /// Sets an integer of any size.
  private func set(_ value: some FixedWidthInteger) throws {
    if let number = Int64(exactly: value) {
      node.set(.integer(number))
    } else if let number = LargeNumber(value.description) {
      node.set(.largeNumber(number))
    } else {
      throw unfit(value, value.description)
    }
  }

  private func unfit(_ value: Any, _ text: String) -> EncodingError {
    .invalidValue(
      value,
      EncodingError.Context(
        codingPath: codingPath, debugDescription: "'\(text)' is not a JSON value"))
  }
}
