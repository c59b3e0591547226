import Groot

/// The members of a relationship or the elements of a JSON array, a container of Codable.
struct NodeElements: UnkeyedDecodingContainer {
  let decoder: NodeDecoder
  let nodes: [DecodedNode]
  private(set) var currentIndex = 0

  init(decoder: NodeDecoder, nodes: [DecodedNode]) {
    self.decoder = decoder
    self.nodes = nodes
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { nodes.count }
  var isAtEnd: Bool { currentIndex >= nodes.count }

  /// Calls `body` with the decoder of the next element, and advances when it succeeds.
  private mutating func next<Content>(
    _ type: Content.Type = Content.self, _ body: (NodeDecoder) throws -> Content
  ) throws -> Content {
    let key = PositionKey(currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: codingPath + [key],
          debugDescription: "the list has only \(nodes.count) elements"))
    }
    let content = try body(decoder.decoder(of: nodes[currentIndex], under: key))
    currentIndex += 1
    return content
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd else {
      return try next(Any?.self) { _ in nil } == nil
    }
    guard nodes[currentIndex].isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try next { try $0.decode(type) } }
  mutating func decode(_ type: String.Type) throws -> String { try next { try $0.decode(type) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try next { try $0.decode(type) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int.Type) throws -> Int { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next { try $0.decode(type) } }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next { try $0.decode(type) } }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next { try $0.decode(type) } }
  mutating func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
    try next { try $0.content(type) }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try next { try $0.container(keyedBy: type) }
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }
  mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}
