@testable import Groot

/// Makes records for imports.
struct LawRecords {
  let law: LawModel
  var random: SeededGenerator

  mutating func list(_ entity: EntityIndex) -> JSONValue {
    let count = random.number(in: 1...6)
    return .array((0..<count).map { _ in record(entity, random.flip() ? 1 : 3) })
  }

  mutating func record(_ entity: EntityIndex, _ depth: Int) -> JSONValue {
    var object = JSONObject()
    for property in law.attributes(of: entity) {
      let isIdentity = law.mapping.plan.identityNumbers[entity].contains(property.number)
      let rate = isIdentity ? 2 : 40
      if random.chance(rate) { continue }
      put(random.json(of: property), property, &object)
    }
    for property in law.relationships(of: entity) {
      guard let relationship = property.relationship,
        random.chance(15 + depth * 15)
      else { continue }
      put(linked(relationship, depth), property, &object)
    }
    return .object(object)
  }

  private mutating func linked(
    _ relationship: RelationshipDescription, _ depth: Int
  ) -> JSONValue {
    switch random.below(100) {
    case 0...9: return .null
    case 10: return "no object"
    default: break
    }
    guard let destination = try? law.model.index(of: relationship.destination) else { return .null }
    if !relationship.isToMany { return one(destination, depth) }
    let count = random.number(in: 0...3)
    return .array((0..<count).map { _ in one(destination, depth) })
  }

  /// An identifier where there can be one, or an object.
  private mutating func one(_ entity: EntityIndex, _ depth: Int) -> JSONValue {
    let identity = law.mapping.plan.identityNumbers[entity]
    let properties = law.model.hierarchies[law.model.resolved[entity].hierarchy].properties
    if identity.count == 1, let attribute = properties[identity[0]].attribute,
      depth == 0 || random.once(in: 3)
    {
      return random.value(of: attribute.type).json
    }
    return depth == 0 ? .object([:]) : record(entity, depth - 1)
  }

  private func put(_ value: JSONValue, _ property: Property, _ object: inout JSONObject) {
    let keys = (property.userInfo["JSONKeyPath"] ?? "").split(separator: ".").map(String.init)
    if !keys.isEmpty { put(value, keys[...], &object) }
  }

  private func put(_ value: JSONValue, _ keys: ArraySlice<String>, _ object: inout JSONObject) {
    guard let first = keys.first else { return }
    if keys.count == 1 {
      object[first] = value
    } else {
      var inner = object[first]?.objectValue ?? [:]
      put(value, keys.dropFirst(), &inner)
      object[first] = .object(inner)
    }
  }
}

extension SeededGenerator {
  /// The JSON of one attribute: mostly a value, now and then null or an unsuitable value.
  fileprivate mutating func json(of property: Property) -> JSONValue {
    switch below(150) {
    case 0...15: .null
    case 16: [.integer(1)]
    default: value(of: property.attribute?.type ?? .string).json
    }
  }
}
