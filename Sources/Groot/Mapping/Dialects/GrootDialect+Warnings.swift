extension GrootDialect {
  /// Notes what looks wrong in the annotations of an entity.
  static func lint(_ entity: EntityDescription, _ faults: inout MappingFaults) {
    for name in entity.userInfo.keys {
      if let message = AnnotationNames.suspicion(name, known: AnnotationNames.entity) {
        faults.warn(message, entity.name)
      }
    }
    let identity = Set(identityNames(entity).map(Name.init))
    for attribute in entity.attributes {
      for name in attribute.userInfo.keys {
        if let message = AnnotationNames.suspicion(name, known: AnnotationNames.attribute) {
          faults.warn(message, entity.name, attribute.name)
        }
      }
      guard identity.contains(Name(attribute.name)) else { continue }
      if attribute.isOptional {
        faults.warn(
          "it identifies objects but is optional: an object without it is never found again",
          entity.name, attribute.name)
      }
      if attribute.isTransient {
        faults.warn(
          "it identifies objects but is transient: a store does not keep it", entity.name,
          attribute.name)
      }
    }
    for relationship in entity.relationships {
      for name in relationship.userInfo.keys {
        if let message = AnnotationNames.suspicion(name, known: AnnotationNames.relationship) {
          faults.warn(message, entity.name, relationship.name)
        }
      }
    }
  }
}
