import Groot

/// The members of an object that is being encoded, a container of Codable.
struct EncodedMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: NodeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  private func member(_ key: any CodingKey) -> NodeEncoder {
    encoder.encoder(into: encoder.node.member(key.stringValue), under: key)
  }

  func encodeNil(forKey key: Key) { member(key).encodeNil() }
  func encode(_ value: Bool, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: String, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: Double, forKey key: Key) throws { try member(key).encode(value) }
  func encode(_ value: Float, forKey key: Key) throws { try member(key).encode(value) }
  func encode(_ value: Int, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: Int8, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: Int16, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: Int32, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: Int64, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: UInt, forKey key: Key) throws { try member(key).encode(value) }
  func encode(_ value: UInt8, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: UInt16, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: UInt32, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: UInt64, forKey key: Key) throws { try member(key).encode(value) }
  func encode(_ value: Int128, forKey key: Key) throws { try member(key).encode(value) }
  func encode(_ value: UInt128, forKey key: Key) throws { try member(key).encode(value) }
  func encode<Content: Encodable>(_ value: Content, forKey key: Key) throws {
    try member(key).encode(value)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    member(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    member(key).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { member(PositionKey(stringValue: "super")) }
  func superEncoder(forKey key: Key) -> any Encoder { member(key) }
}
