#if Entities

// The checks of entity types against the model.

extension ManagedObjectContext {
  /// Throws an error if a type contradicts the model; each type is checked once.
  ///
  /// - Throws: ``Status/unknownEntity``; ``Status/invalidModel`` with an issue for each property.
  func check<Object: Entity>(_ type: Object.Type) throws(GrootError) {
    if checkedTypes.contains(ObjectIdentifier(type)) { return }
    let entity = type.entity.name
    let index = try GrootError.carrying { try model.index(of: entity) }
    let issues = type.propertyKeys.compactMap { key -> GrootIssue? in
      guard let declaration = key.declaration else { return nil }
      return disagreement(declaration, key.name, of: index).map {
        GrootIssue(.invalidModel, "the type \(type) \($0)", entity: entity, property: key.name)
      }
    }
    guard issues.isEmpty else { throw GrootError(.invalidModel, issues) }
    checkedTypes.insert(ObjectIdentifier(type))
  }

  private func disagreement(
    _ declaration: PropertyKey.Declaration, _ name: String, of entity: EntityIndex
  ) -> String? {
    guard let property = try? model.property(named: name, of: entity) else {
      return "has this property, which the entity of the model lacks"
    }
    switch (declaration, property.attribute, property.relationship) {
    case (.attribute(let declared), let actual?, _):
      guard ValueKind(declared.type) != ValueKind(actual.type) else { return nil }
      // A URI may be read as a string.
      if declared.type == .string && actual.type == .uri { return nil }
      return "has \(declared.type.rawValue) here; the model has \(actual.type.rawValue)"
    case (.relationship(let declared), _, let actual?):
      guard declared.isToMany == actual.isToMany else {
        return "has \(declared.isToMany ? "many members" : "one member") here; the model has "
          + "\(declared.isToMany ? "one" : "many")"
      }
      guard let destination = try? model.index(of: declared.destination),
        let found = try? model.index(of: actual.destination), model.isKind(found, of: destination)
      else {
        return "has '\(declared.destination)' as destination; the model has '\(actual.destination)'"
      }
      return nil
    case (.attribute, _, _): return "has an attribute here; the model has a relationship"
    case (.relationship, _, _): return "has a relationship here; the model has an attribute"
    }
  }
}

#endif
