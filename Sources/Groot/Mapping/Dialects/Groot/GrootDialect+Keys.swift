// The keys of keyed and grouped collections, and the checks of paths.

extension GrootDialect {
  /// Makes the members of keyed collections read their keys: at a path `@key`, or else as their
  /// only identifying attribute.
  mutating func giveKeys(
    to mappings: inout [EntityMapping], compilation: inout MappingCompilation
  ) {
    for position in mappings.indices {
      for relationship in mappings[position].properties where relationship.form != .array {
        guard mappings.indices.contains(relationship.destination.offset) else { continue }
        for member in model.kinds(of: mappings[relationship.destination].entity)
        where !giveKey(to: &mappings[PlanIndex(of: member)]) {
          refuse(
            relationship,
            "the keys of its groot.form have no attribute: '\(model.entities[member].name)' has "
              + "neither the JSONKeyPath '@key' nor one attribute that identifies its objects",
            &compilation)
        }
      }
    }
  }

  /// Makes an entity read the keys of its objects; returns false if it cannot.
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

  /// Rejects relationships at `@parent` or `@root` to objects that are identified within their
  /// owner: a shared object is read once, but would have to differ for each owner.
  func checkSharedObjects(_ mappings: [EntityMapping], compilation: inout MappingCompilation) {
    for mapping in mappings {
      for relationship in mapping.properties
      where relationship.inputs.contains(where: { $0.origin == .parent || $0.origin == .root }) {
        let destination = relationship.destination
        guard !destination.isNone, mappings.indices.contains(destination.offset) else { continue }
        let link = relationship.property.field.link
        for kind in model.kinds(of: mappings[destination].entity) {
          let member = mappings[PlanIndex(of: kind)]
          let isWithin = member.properties.contains {
            member.identity.contains($0.property.number) && $0.property.field.isRelationship
              && $0.property.field.link == link
          }
          guard isWithin else { continue }
          refuse(
            relationship,
            "its JSONKeyPath leads to shared objects, and those of '\(model.entities[kind].name)' "
              + "are identified within one owner",
            &compilation)
        }
      }
    }
  }

  /// Rejects to-ones at `@value` that lead back to their own entity: reading one scalar would never
  /// end.
  func checkValueCycles(_ mappings: [EntityMapping], compilation: inout MappingCompilation) {
    let steps = mappings.map { mapping in
      mapping.properties.filter { property in
        property.inputs.contains { $0.origin == .value }
          && mappings.indices.contains(property.destination.offset)
      }
    }
    guard steps.contains(where: { !$0.isEmpty }) else { return }
    func kinds(of relationship: PropertyMapping) -> [PlanIndex] {
      model.kinds(of: mappings[relationship.destination].entity).map { PlanIndex(of: $0) }
    }
    let components = StrongComponents(steps.map { $0.flatMap(kinds).map(\.offset) })
    for (position, relationships) in steps.enumerated() {
      for relationship in relationships
      where relationship.property.entity == mappings[position].entity
        && kinds(of: relationship).contains(where: {
          components.areTogether(position, $0.offset)
        })
      {
        refuse(
          relationship,
          "at '@value' it leads back to '\(model.entities[mappings[position].entity].name)', so a "
            + "read would never end; give it a key", &compilation)
      }
    }
  }

  /// Reports that a relationship cannot be mapped.
  private func refuse(
    _ relationship: PropertyMapping, _ message: String, _ compilation: inout MappingCompilation
  ) {
    compilation.report(
      .invalidMapping, message, entity: model.entities[relationship.property.entity].name,
      property: relationship.property.name)
  }
}
