// Annotations of the dialect `groot` that are not read, or that look wrong.

extension GrootDialect {
  /// Reports annotations of an entity and its properties that look wrong, or have no meaning there.
  static func lint(_ entity: EntityDescription, compilation: inout MappingCompilation) {
    compilation.note(entity.userInfo, known: AnnotationNames.entity, on: "an entity", entity.name)
    let identity = Set(identityNames(entity).map(Name.init))
    for attribute in entity.attributes {
      compilation.note(
        attribute.userInfo, known: AnnotationNames.attribute, on: "an attribute", entity.name,
        attribute.name)
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
      compilation.note(
        relationship.userInfo,
        known: relationship.isToMany ? AnnotationNames.toMany : AnnotationNames.toOne,
        on: relationship.isToMany ? "a to-many relationship" : "a to-one relationship",
        entity.name, relationship.name)
    }
  }

  /// Rejects annotations of an entity that depend on a missing one.
  func checkCompanions(_ index: EntityIndex, compilation: inout MappingCompilation) {
    let entity = model.entities[index]
    for (name, companion) in [
      ("groot.discriminatorValue", "groot.discriminator"),
      ("groot.unknownDiscriminator", "groot.discriminator"), ("groot.versionRule", "groot.version"),
    ] where entity.userInfo[name] != nil && model.nearest(companion, from: index) == nil {
      compilation.report(
        .invalidMapping,
        "\(name) has no meaning without \(companion), which neither the entity nor an ancestor has",
        entity: entity.name)
    }
  }
}

extension MappingCompilation {
  /// Reports annotations that are not read on this property or entity.
  fileprivate mutating func note(
    _ userInfo: NameMap<String>, known: [String], on kind: String, _ entity: String,
    _ property: String = ""
  ) {
    for name in userInfo.keys {
      switch AnnotationNames.finding(name, known: known, kind: kind) {
      case .error(let message)?:
        report(.invalidMapping, message, entity: entity, property: property)
      case .warning(let message)?: warn(message, entity: entity, property: property)
      case nil: break
      }
    }
  }
}
