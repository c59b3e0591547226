#if Entities

// Models from Swift types.

extension ManagedObjectModel {
  /// Makes a model from types: each entity has the properties that its parent does not have.
  ///
  /// ```swift
  /// let model = try ManagedObjectModel(Hero.self, Publisher.self, Power.self)
  /// ```
  ///
  /// - Throws: as ``init(entities:)``.
  public convenience init(
    _ types: any Entity.Type...
  ) throws(GrootError) {
    try self.init(types)
  }

  /// Makes a model from a list of types.
  ///
  /// - Throws: as ``init(entities:)``.
  public convenience init(_ types: [any Entity.Type]) throws(GrootError) {
    var properties: [Name: Set<Name>] = [:]
    for type in types {
      let keys = type.propertyKeys
      properties[Name(type.entity.name)] = Set(keys.map { Name($0.name) })
    }
    let entities = types.map { type in
      var entity = type.entity
      let inherited = entity.parent.flatMap { properties[Name($0)] } ?? []
      for key in type.propertyKeys where !inherited.contains(Name(key.name)) {
        switch key.declaration {
        case .attribute(let attribute): entity.attributes.append(attribute)
        case .relationship(let relationship): entity.relationships.append(relationship)
        case nil: break
        }
      }
      return entity
    }
    try self.init(entities: entities)
  }
}

#endif
