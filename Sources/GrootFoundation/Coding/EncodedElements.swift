import Groot

/// The elements of a list that is being encoded, a container of Codable.
struct EncodedElements: UnkeyedEncodingContainer {
  let encoder: NodeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.count }

  private func next() -> NodeEncoder {
    let key = PositionKey(count)
    return encoder.encoder(into: encoder.node.append(), under: key)
  }

  func encodeNil() { next().encodeNil() }
  func encode(_ value: Bool) { next().encode(value) }
  func encode(_ value: String) { next().encode(value) }
  func encode(_ value: Double) throws { try next().encode(value) }
  func encode(_ value: Float) throws { try next().encode(value) }
  func encode(_ value: Int) { next().encode(value) }
  func encode(_ value: Int8) { next().encode(value) }
  func encode(_ value: Int16) { next().encode(value) }
  func encode(_ value: Int32) { next().encode(value) }
  func encode(_ value: Int64) { next().encode(value) }
  func encode(_ value: UInt) throws { try next().encode(value) }
  func encode(_ value: UInt8) { next().encode(value) }
  func encode(_ value: UInt16) { next().encode(value) }
  func encode(_ value: UInt32) { next().encode(value) }
  func encode(_ value: UInt64) throws { try next().encode(value) }
  func encode(_ value: Int128) throws { try next().encode(value) }
  func encode(_ value: UInt128) throws { try next().encode(value) }
  func encode<Content: Encodable>(_ value: Content) throws { try next().encode(value) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    next().container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
  func superEncoder() -> any Encoder { next() }
}
