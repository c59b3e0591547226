import Groot

/// The properties of an object, or the members of a JSON object, as a container of Codable.
struct NodeMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  /// The last member that was read: an optional member is read three times in a row.
  private final class Last {
    var member: (name: String, node: DecodedNode?)?
  }

  let decoder: NodeDecoder
  let names: [String]
  private let last = Last()

  init(decoder: NodeDecoder, names: [String]) {
    self.decoder = decoder
    self.names = names
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool {
    // An unreadable value counts as present, and decoding it reports the error.
    do { return try node(key) != nil } catch { return true }
  }

  private func node(_ key: any CodingKey) throws -> DecodedNode? {
    let name = key.stringValue
    // Names are compared by their bytes.
    if let member = last.member, member.name.utf8.elementsEqual(name.utf8) { return member.node }
    let node = try decoder.node.member(name)
    last.member = (name, node)
    return node
  }

  /// Returns the decoder of a member.
  private func member(_ key: any CodingKey) throws -> NodeDecoder {
    guard let node = try node(key) else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(
          codingPath: codingPath,
          debugDescription: "there is no '\(key.stringValue)' in \(decoder.node.kind)"))
    }
    return try decoder.decoder(of: node, under: key)
  }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try member(key).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try member(key).decode(type)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try member(key).decode(type)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try member(key).decode(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try member(key).decode(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try member(key).decode(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try member(key).decode(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try member(key).decode(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try member(key).decode(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try member(key).decode(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try member(key).decode(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try member(key).decode(type)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try member(key).decode(type)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try member(key).decode(type)
  }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try member(key).decode(type)
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try member(key).decode(type)
  }
  func decode<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content {
    try member(key).content(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try member(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { try member(PositionKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
}

/// A key that is a position in a list or a name.
struct PositionKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ position: Int) {
    stringValue = "\(position)"
    intValue = position
  }

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) { self.init(intValue) }
}
