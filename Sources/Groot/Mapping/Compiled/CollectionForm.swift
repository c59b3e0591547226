/// The form of a collection of objects in JSON.
public enum CollectionForm: Int32, CaseIterable, Sendable {
  /// An array of objects.
  case array = 0
  /// An object with one of the objects under each key.
  case keyed = 1
  /// An object with an array of objects under each key.
  case grouped = 2
}

extension ManagedObjectModel {
  /// Returns the concrete entities of a subtree: an entity and its descendants, without abstract
  /// ones.
  func kinds(of entity: EntityIndex) -> [EntityIndex] {
    let resolved = resolved[entity]
    return resolved.subtree.map { hierarchies[resolved.hierarchy].entities[Int($0)] }
      .filter { !entities[$0].isAbstract }
  }
}

extension EntityMapping {
  /// Whether records keep their keys in a keyed collection.
  var takesKeys: Bool {
    let isRead = properties.contains { $0.inputs.contains { $0.origin == .key } }
    if isRead || discriminator?.path.origin == .key { return true }
    return identity.count == 1
      && properties.contains {
        $0.property.number == identity[0] && $0.property.attribute != nil && !$0.inputs.isEmpty
      }
  }
}

extension Mapping {
  /// Returns the name of the first entity of a plan whose records would lose their keys in a keyed
  /// collection; nil without one.
  func keyless(_ plan: PlanIndex) -> String? {
    if entities[plan].isFixed {
      return entities[plan].takesKeys ? nil : model.entities[entities[plan].entity].name
    }
    return model.kinds(of: entities[plan].entity)
      .first { !entities[PlanIndex(of: $0)].takesKeys }
      .map { model.entities[$0].name }
  }
}
