extension GrootDialect {
  /// Notes what looks wrong in the annotations of an entity.
  static func lint(_ entity: EntityDescription, faults: inout MappingFaults) {
    for name in entity.userInfo.keys {
      if let message = AnnotationNames.suspicion(name, known: AnnotationNames.entity) {
        faults.warn(message, entity: entity.name)
      }
    }
    let identity = Set(identityNames(entity).map(Name.init))
    for attribute in entity.attributes {
      for name in attribute.userInfo.keys {
        if let message = AnnotationNames.suspicion(name, known: AnnotationNames.attribute) {
          faults.warn(message, entity: entity.name, property: attribute.name)
        }
      }
      guard identity.contains(Name(attribute.name)) else { continue }
      if attribute.isOptional {
        faults.warn(
          "it identifies objects but is optional: an object without it is never found again",
          entity: entity.name, property: attribute.name)
      }
      if attribute.isTransient {
        faults.warn(
          "it identifies objects but is transient: a store does not keep it", entity: entity.name,
          property: attribute.name)
      }
    }
    for relationship in entity.relationships {
      for name in relationship.userInfo.keys {
        if let message = AnnotationNames.suspicion(name, known: AnnotationNames.relationship) {
          faults.warn(message, entity: entity.name, property: relationship.name)
        }
      }
    }
  }
}
