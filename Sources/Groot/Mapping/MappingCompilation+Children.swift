// Warnings about objects that every import inserts again.

extension MappingCompilation {
  /// Warns of relationships from objects with an identity to objects without one: each import
  /// inserts new objects, and those of earlier imports remain.
  mutating func warnOfChildren(_ mappings: [EntityMapping], in model: ManagedObjectModel) {
    for mapping in mappings where !mapping.identity.isEmpty {
      let hierarchy = model.hierarchies[model.resolved[mapping.entity].hierarchy]
      for link in mapping.properties where pilesUp(link, mappings: mappings, in: model) {
        let owner = hierarchy.entities[Int(link.property.field.firstEntity)]
        let name = model.resolved[mappings[link.destination].entity].name
        let cure =
          link.property.field.isToMany
          ? ", such as the to-one to the owner with a position ('@index'), or the policy 'assignment' "
            + "with 'deleteMissing'," : ""
        warn(
          "nothing identifies the objects of '\(name)' here: each import makes new ones, and "
            + "earlier ones stay; an identity\(cure) prevents that",
          entity: model.resolved[owner].name, property: link.property.name)
      }
    }
  }

  private func pilesUp(
    _ link: PropertyMapping, mappings: [EntityMapping], in model: ManagedObjectModel
  ) -> Bool {
    guard mappings.indices.contains(link.destination.offset),
      link.identifierCount < link.inputs.count,
      !link.options.contains(.reusesUnidentified)
    else { return false }
    if link.property.field.isToMany {
      switch link.policies.assignment {
      case .deleteMissing, .deleteMissingObjects: return false
      case .replace, .union: break
      }
    }
    let destination = mappings[link.destination]
    if destination.takesIdentifiersOnly { return false }
    if link.options.contains(.alwaysInserts) { return true }
    guard destination.identity.isEmpty else { return false }
    // The records of an abstract entity are of its sub-entities, which may all have an identity.
    if model.resolved[destination.entity].isAbstract,
      model.kinds(of: destination.entity).allSatisfy({ kind in
        model.resolved[kind].isAbstract || !mappings[PlanIndex(of: kind)].identity.isEmpty
      })
    {
      return false
    }
    // A mapper may choose a descendant that has an identity.
    let resolved = model.resolved[destination.entity]
    return destination.entityMapper == nil
      || !mappings.contains { other in
        let entity = model.resolved[other.entity]
        return !other.identity.isEmpty && entity.hierarchy == resolved.hierarchy
          && resolved.subtree.contains(entity.localIndex)
      }
  }
}
