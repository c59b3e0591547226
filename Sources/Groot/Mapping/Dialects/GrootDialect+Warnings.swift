// What looks wrong in annotations of the dialect `groot`, and is reported as a warning.

extension GrootDialect {
  /// Notes what looks wrong in the annotations of an entity.
  static func lint(_ entity: EntityDescription, compilation: inout MappingCompilation) {
    for name in entity.userInfo.keys {
      if let message = AnnotationNames.suspicion(name, known: AnnotationNames.entity) {
        compilation.warn(message, entity: entity.name)
      }
    }
    let identity = Set(identityNames(entity).map(Name.init))
    for attribute in entity.attributes {
      for name in attribute.userInfo.keys {
        if let message = AnnotationNames.suspicion(name, known: AnnotationNames.attribute) {
          compilation.warn(message, entity: entity.name, property: attribute.name)
        }
      }
      guard identity.contains(Name(attribute.name)) else { continue }
      if attribute.isOptional && identity.count == 1 {
        compilation.warn(
          "it identifies objects but is optional: an object without it is never found again",
          entity: entity.name, property: attribute.name)
      }
      if attribute.isTransient {
        compilation.warn(
          "it identifies objects but is transient: a store does not keep it", entity: entity.name,
          property: attribute.name)
      }
    }
    for relationship in entity.relationships {
      for name in relationship.userInfo.keys {
        if let message = AnnotationNames.suspicion(name, known: AnnotationNames.relationship) {
          compilation.warn(message, entity: entity.name, property: relationship.name)
        }
      }
    }
  }
}
