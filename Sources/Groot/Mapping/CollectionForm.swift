/// How several objects are arranged in JSON.
public enum CollectionForm: Int32, CaseIterable, Sendable {
  /// An array of them.
  case array = 0
  /// An object that has each of them under a key.
  case keyed = 1
  /// An object that has an array of them under each key.
  case grouped = 2
}

extension ManagedObjectModel {
  /// The entities that objects of an entity can be of: itself and its descendants, where they are not
  /// abstract.
  func kinds(of entity: EntityIndex) -> [EntityIndex] {
    let resolved = resolved[entity]
    return resolved.subtree.map { hierarchies[resolved.hierarchy].entities[Int($0)] }
      .filter { !entities[$0].isAbstract }
  }
}

extension EntityMapping {
  /// Whether records keep the keys under which they stand.
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
  /// The name of an entity whose records would lose the keys under which they stand; nil when none of
  /// those that records of a plan can have would.
  func keyless(_ plan: PlanIndex) -> String? {
    if entities[plan].isFixed {
      return entities[plan].takesKeys ? nil : model.entities[entities[plan].entity].name
    }
    return model.kinds(of: entities[plan].entity)
      .first { !entities[PlanIndex(of: $0)].takesKeys }
      .map { model.entities[$0].name }
  }
}
