import Groot

/// Decodes a node with all its content.
struct NodeDecoder: Decoder {
  let node: DecodedNode
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any]

  /// Makes a decoder of the root node.
  init(_ node: DecodedNode, userInfo: [CodingUserInfoKey: Any]) {
    self.init(node, at: [], userInfo: userInfo)
  }

  private init(
    _ node: DecodedNode, at path: [any CodingKey], userInfo: [CodingUserInfoKey: Any]
  ) {
    self.node = node
    codingPath = path
    self.userInfo = userInfo
  }

  /// Returns the decoder of a nested node.
  func decoder(of node: DecodedNode, under key: any CodingKey) throws -> NodeDecoder {
    guard codingPath.count < DecodingRun.maximumLevels else {
      throw GrootError(
        .limitExceeded,
        "a value cannot have more than \(DecodingRun.maximumLevels) levels; limit the depth")
    }
    return NodeDecoder(node, at: codingPath + [key], userInfo: userInfo)
  }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard let keys = node.keys else { throw mismatch([String: Any].self) }
    if case .object(let object) = node { try object.open() }
    return KeyedDecodingContainer(NodeMembers<Key>(decoder: self, names: keys))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = node.elements else { throw mismatch([Any].self) }
    return NodeElements(decoder: self, nodes: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// Decodes the node as a value of a type.
  func content<Content: Decodable>(_ type: Content.Type) throws -> Content {
    if let known = type as? any AttributeValue.Type {
      if let found = try node.content(known), let content = found as? Content { return content }
      // The type's own `init(from:)` would read other forms.
      if type is any FoundationValue.Type { throw mismatch(type) }
    }
    return try type.init(from: self)
  }

  /// Decodes the node as a type of attributes.
  func scalar<Content: AttributeValue>(_ type: Content.Type) throws -> Content {
    guard let content = try node.content(type) else { throw mismatch(type) }
    return content
  }

  /// Decodes the node as an integer.
  func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    guard let number = try node.integer(type) else { throw mismatch(type) }
    return number
  }

  /// Returns the error for a value that is not of a type.
  func mismatch(_ type: Any.Type) -> DecodingError {
    let description = "found \(node.kind), not a value of \(type)"
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: description)
    return node.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

extension NodeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { node.isNull }
  func decode(_ type: Bool.Type) throws -> Bool { try scalar(type) }
  func decode(_ type: String.Type) throws -> String { try scalar(type) }
  func decode(_ type: Double.Type) throws -> Double { try scalar(type) }
  func decode(_ type: Float.Type) throws -> Float { try scalar(type) }
  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }
  func decode<Content: Decodable>(_ type: Content.Type) throws -> Content { try content(type) }
}
