// What the keys of keyed and grouped collections are to their members.

extension GrootDialect {
  /// Has the members of keyed collections read their keys: by a path `@key`, or else as the one
  /// attribute that identifies them.
  mutating func giveKeys(
    to mappings: inout [EntityMapping], compilation: inout MappingCompilation
  ) {
    for position in mappings.indices {
      for relationship in mappings[position].properties where relationship.form != .array {
        guard mappings.indices.contains(relationship.destination.offset) else { continue }
        for member in model.kinds(of: mappings[relationship.destination].entity)
        where !giveKey(to: &mappings[PlanIndex(of: member)]) {
          compilation.report(
            .invalidMapping,
            "the keys of its groot.form have no attribute: '\(model.entities[member].name)' has "
              + "neither the JSONKeyPath '@key' nor one attribute that identifies its objects",
            entity: model.entities[relationship.property.entity].name,
            property: relationship.property.name)
        }
      }
    }
  }

  /// Has an entity read the keys its objects stand under; false when it cannot.
  private func giveKey(to mapping: inout EntityMapping) -> Bool {
    let hasKey = mapping.properties.contains { property in
      property.inputs.contains { $0.origin == .key }
    }
    if hasKey { return true }
    guard mapping.identity.count == 1,
      let position = mapping.properties.firstIndex(where: {
        $0.property.number == mapping.identity[0] && $0.property.attribute != nil
      }), !mapping.properties[position].inputs.isEmpty
    else { return false }
    mapping.properties[position].inputs.append(JSONKeyPath(origin: .key, []))
    return true
  }
}
