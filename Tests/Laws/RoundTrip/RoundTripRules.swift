@testable import Groot

/// Rules at random for a model that has no inheritance.
struct RoundTripRules {
  let model: ManagedObjectModel
  var random: SeededGenerator

  mutating func rules() -> JSONValue {
    var rules = JSONObject()
    for (index, entity) in model.resolved.numbered(by: EntityIndex.self)
    where random.flip() {
      let key = keyOf(index)
      let own = group(index, 1)
      if own.isEmpty { continue }
      rules[entity.name.lowercased()] = [
        entity.name + (key.map { "." + $0 } ?? ""): .object(own)
      ]
    }
    return .object(rules.isEmpty ? ["none": ["Ape": [:]]] : rules)
  }

  /// The attribute that is all of an entity's identity.
  private func keyOf(_ entity: EntityIndex) -> String? {
    let names = (model.entities[entity].userInfo["identityAttributes"] ?? "").split(separator: ",")
    return names.count == 1 ? String(names[0]) : nil
  }

  private mutating func group(_ entity: EntityIndex, _ depth: Int) -> JSONObject {
    let resolved = model.resolved[entity]
    let properties = model.hierarchies[resolved.hierarchy].properties
    let isPositional = depth == 1 && random.once(in: 6)
    var rules = JSONObject()
    func key(_ name: String) -> String { isPositional ? "\(rules.count)" : "r_\(name)" }
    for number in resolved.attributes {
      let property = properties[number]
      let isKey = property.name == keyOf(entity)
      if !isKey && random.once(in: 3) { continue }
      let transformer = property.userInfo["JSONTransformerName"].map { $0 + ":" } ?? ""
      rules[key(property.name)] = .string(transformer + property.name)
    }
    for number in resolved.relationships {
      let property = properties[number]
      guard let destination = try? model.index(of: property.relationship?.destination ?? ""),
        let foreign = keyOf(destination)
      else { continue }
      switch random.below(4) {
      case 0, 1: rules[key(property.name)] = .string("\(property.name).\(foreign)")
      case 2 where depth > 0:
        rules[key(property.name)] = [
          "\(property.name).\(foreign)": .object(group(destination, depth - 1))
        ]
      default: break
      }
    }
    return rules
  }
}
