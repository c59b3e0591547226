// The registered functions that annotations name.

extension MappingCompilation {
  /// Reports a name that is missing, or registered for another kind of function.
  mutating func reportUnusable(
    _ name: String, wanted: String, entry: TransformerRegistry.Entry?, entity: String,
    property: String = "", path: String = ""
  ) {
    if let entry {
      report(
        .invalidMapping, "'\(name.shortened)' is \(entry.kindName), not \(wanted)", entity: entity,
        property: property,
        path: path)
    } else {
      report(
        .unknownTransformer,
        "\(wanted) '\(name.shortened)' is not registered; registered are \(listed(registered))",
        entity: entity,
        property: property, path: path)
    }
  }

  /// Sets the value transformer of a property by its name.
  mutating func setTransformer(
    _ name: String, of mapping: inout PropertyMapping,
    entity: String, path: String = ""
  ) {
    let property = mapping.property
    guard let attribute = property.attribute else { return }
    mapping.transformerName = name
    switch entry(name) {
    case .builtin(let builtin):
      mapping.conversion = builtin.conversion
      if !builtin.types.contains(attribute.type) {
        report(
          .invalidMapping,
          "the built-in transformer '\(builtin.rawValue)' does not serve the type "
            + attribute.type.rawValue, entity: entity, property: property.name, path: path)
      }
    case .value(let forward, let reverse):
      mapping.conversion = .function
      mapping.forward = forward
      mapping.reverse = reverse
    case let other:
      reportUnusable(
        name, wanted: "a value transformer", entry: other, entity: entity,
        property: property.name, path: path)
    }
  }

  /// Sets the functions of an entity from the annotations of these names.
  mutating func setFunctions(
    of mapping: inout EntityMapping, _ entity: EntityDescription, mapper: String,
    transformer: String
  ) {
    if let name = entity.userInfo[mapper] {
      mapping.entityMapperName = name
      switch entry(name) {
      case .entityMapper(let mapper): mapping.entityMapper = mapper
      case let other:
        reportUnusable(
          name, wanted: "an entity mapper", entry: other, entity: entity.name)
      }
    }
    if let name = entity.userInfo[transformer] {
      mapping.dictionaryTransformerName = name
      switch entry(name) {
      case .dictionary(let transform): mapping.dictionaryTransformer = transform
      case let other:
        reportUnusable(
          name, wanted: "a dictionary transformer", entry: other,
          entity: entity.name)
      }
    }
  }
}
