// Warnings about entities without mapped properties, and relationships that are written from both
// sides.

extension MappingCompilation {
  /// Warns of relationships to entities without mapped properties, and of a mapping without any.
  mutating func warnOfUnread(_ mappings: [EntityMapping], in model: ManagedObjectModel) {
    let read = Set(
      mappings.lazy.filter { mapping in mapping.properties.contains { !$0.inputs.isEmpty } }
        .map(\.entity))
    let cure = "give properties a JSONKeyPath, or the entity groot.implicit 'true'"
    let hasProperties = model.hierarchies.contains { !$0.properties.isEmpty }
    if hasProperties && read.isEmpty {
      warn("an import reads nothing: no property of the model has a key path; \(cure)", entity: "")
      return
    }
    var known: [EntityIndex: Bool] = [:]
    for mapping in mappings {
      for link in mapping.properties where !link.inputs.isEmpty {
        guard mappings.indices.contains(link.destination.offset) else { continue }
        let destination = mappings[link.destination].entity
        let isRead =
          known[destination] ?? model.kinds(of: destination).contains(where: read.contains)
        known[destination] = isRead
        if isRead { continue }
        warn(
          "an import reads nothing of the objects of '\(model.resolved[destination].name)': none of "
            + "their properties has a key path; \(cure)",
          entity: model.entities[link.property.entity].name, property: link.property.name)
      }
    }
  }

  /// Warns of two inverse relationships that are both written because names are key paths.
  ///
  /// Exports then nest the objects of each in the other, and some lists shrink to identities.
  mutating func warnOfBothSides(_ mappings: [EntityMapping], in model: ManagedObjectModel) {
    for property in model.hierarchies.lazy.flatMap(\.properties) {
      guard let relationship = property.relationship, let inverse = relationship.inverse,
        let destination = try? model.index(of: relationship.destination),
        let other = try? model.property(named: inverse, of: destination),
        (property.entity, property.name) < (other.entity, other.name),
        isWrittenByName(property, by: mappings), isWrittenByName(other, by: mappings)
      else { continue }
      warn(
        "it is written, and also its inverse '\(model.entities[other.entity].name).\(inverse)', "
          + "since their names are key paths: exports nest each in the other; groot.direction "
          + "'import' on one of them prevents that",
        entity: model.entities[property.entity].name, property: property.name)
    }
  }

  private func isWrittenByName(_ property: Property, by mappings: [EntityMapping]) -> Bool {
    guard property.userInfo["JSONKeyPath"] == nil, mappings.indices.contains(property.entity.offset)
    else { return false }
    let mapping = mappings[property.entity.offset]
    return mapping.outputs.first?.contains { output in
      output.position >= 0
        && mapping.properties[output.position].property.number == property.number
    } == true
  }
}
