// Annotations of entities that name an attribute, the same in all dialects.

extension ManagedObjectModel {
  /// Returns the value of an annotation on an entity or its nearest ancestor that has it, and that
  /// entity.
  func nearest(
    _ annotation: String, from index: EntityIndex
  ) -> (entity: EntityIndex, value: String)? {
    var next: EntityIndex? = index
    while let entity = next {
      if let value = entities[entity].userInfo[annotation] { return (entity, value) }
      next = resolved[entity].parent
    }
    return nil
  }
}

extension MappingCompilation {
  /// Returns the number of the attribute that `groot.deletionMark` names.
  mutating func deletionMark(of index: EntityIndex, in model: ManagedObjectModel) -> Int? {
    attribute("groot.deletionMark", of: index, in: model) { $0 == .boolean || $0 == .date }
  }

  /// Returns the number of the attribute that an annotation names; nil without one that fits.
  mutating func attribute(
    _ annotation: String, of index: EntityIndex, in model: ManagedObjectModel,
    where fits: (AttributeType) -> Bool
  ) -> Int? {
    guard let (entity, name) = model.nearest(annotation, from: index) else { return nil }
    let resolved = model.resolved[entity]
    if let number = resolved.numberByName[name],
      let type = model.hierarchies[resolved.hierarchy].properties[number].attribute?.type,
      fits(type)
    {
      return number
    }
    let types = AttributeType.allCases.filter(fits).map(\.rawValue)
    report(
      .invalidMapping,
      "\(annotation) names '\(name.shortened)', which is not an attribute of one of the types "
        + "\(listed(types))", entity: model.entities[entity].name)
    return nil
  }
}
