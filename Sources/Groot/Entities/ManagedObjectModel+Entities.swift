// Models that are made of Swift types.

extension ManagedObjectModel {
  /// Makes the model that types declare: each entity with the properties that its parent has not.
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

  /// Makes the model that the types of a list declare.
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
