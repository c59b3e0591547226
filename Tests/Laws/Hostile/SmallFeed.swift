#if canImport(Groot)
@testable import Groot
#endif

/// A few records for each entity of a mapping, made from what the mapping reads.
struct SmallFeed {
  static let maximumEntities = 8
  private static let maximumProperties = 24
  private static let maximumKeys = 600

  private let mapping: Mapping
  private var random: SeededGenerator
  /// How many keys were written in the record at hand: paths may have very many.
  private var keyCount = 0

  init(mapping: Mapping, seed: UInt64) {
    self.mapping = mapping
    random = SeededGenerator(seed: seed)
  }

  mutating func feeds() -> [(entity: String, records: JSONValue)] {
    mapping.entities.prefix(Self.maximumEntities).map { entity in
      let records = (1...3).map { number in
        keyCount = 0
        return record(entity, number, depth: 2)
      }
      return (mapping.model.entities[entity.entity].name, .array(records))
    }
  }

  private mutating func record(_ entity: EntityMapping, _ number: Int, depth: Int) -> JSONValue {
    var object = JSONValue.object(JSONObject())
    if let discriminator = entity.discriminator {
      let names = discriminator.values.keys
      let value =
        random.once(in: 8) ? nil : random.one(of: names)
      object = discriminator.path.putting(.string(value ?? "nobody"), in: object)
    }
    if let tombstone = entity.tombstone, random.once(in: 8) {
      object = tombstone.path.putting(tombstone.value, in: object)
    }
    for property in entity.properties.prefix(Self.maximumProperties) {
      let isIdentity = entity.identity.contains(property.property.number)
      guard let path = property.inputs.first,
        isIdentity || !random.once(in: 6),
        keyCount + path.segments.count <= Self.maximumKeys
      else { continue }
      keyCount += path.segments.count
      let value = self.value(of: property, number, depth, isIdentity: isIdentity)
      object = path.putting(value, in: object)
    }
    return object
  }

  private mutating func value(
    of property: PropertyMapping, _ number: Int, _ depth: Int, isIdentity: Bool
  ) -> JSONValue {
    if let attribute = property.property.attribute {
      if !isIdentity && random.once(in: 20) { return strange() }
      return Self.value(of: attribute, number)
    }
    let count = property.property.field.isToMany ? random.number(in: 0...2) : 1
    let members = (0..<count).map { _ in member(of: property, depth) }
    guard property.property.field.isToMany else { return members.first ?? .null }
    switch property.form {
    case .array: return .array(members)
    case .keyed:
      return .object(JSONObject(members.enumerated().map { (key: "key \($0)", value: $1) }))
    case .grouped: return .object(JSONObject([(key: "group", value: .array(members))]))
    }
  }

  /// A member of a relationship, as an object or by its identifier.
  private mutating func member(of property: PropertyMapping, _ depth: Int) -> JSONValue {
    guard mapping.entities.indices.contains(property.destination.offset) else { return .null }
    let destination = mapping.entities[property.destination]
    let number = random.number(in: 1...3)
    let keys = destination.identity.compactMap { key in
      destination.properties.first { $0.property.number == key }?.property.attribute
    }
    let isIdentifier = destination.takesIdentifiersOnly || depth == 0 || random.flip()
    if isIdentifier, let key = keys.first, keys.count == 1 { return Self.value(of: key, number) }
    return depth == 0 ? .null : record(destination, number, depth: depth - 1)
  }

  private mutating func strange() -> JSONValue {
    let values: [JSONValue] = [.null, true, -1, 1e300, "", "x", [], [1, [nil]], [:], ["id": 1]]
    return random.one(of: values) ?? .null
  }

  private static func value(of attribute: AttributeDescription, _ number: Int) -> JSONValue {
    switch attribute.type {
    case .integer16, .integer32, .integer64, .decimal: .integer(Int64(number))
    case .double, .float: .real(Double(number) / 2)
    case .boolean: .boolean(number % 2 == 0)
    case .string, .uri: .string("text \(number)")
    case .date: .string("2020-01-0\(number)T00:00:00Z")
    case .day: .string("2020-01-0\(number)")
    case .binary: "AQID"
    case .uuid: .string("7d444840-9dc0-11d1-b245-5ffdce74fad\(number)")
    case .transformable: ["n": .integer(Int64(number)), "list": [1, nil]]
    case .composite: .object(elements(attribute, number))
    }
  }

  private static func elements(_ attribute: AttributeDescription, _ number: Int) -> JSONObject {
    JSONObject(attribute.elements.prefix(8).map { (key: $0.name, value: value(of: $0, number)) })
  }
}
