// The objects in the scope of a synchronization.

extension ManagedObjectContext {
  /// Returns the scope of a synchronization with the given options.
  ///
  /// Without a predicate and a parent, an entity with a to-one relationship to itself is a tree.
  /// Its roots are then synchronized.
  func syncScope(_ entity: EntityIndex, options: SyncOptions) throws -> SyncScope {
    let name = model.resolved[entity].name
    var candidates = try findIDs(FetchRequest(name, where: options.predicate))
    let table = model.resolved[entity].hierarchy
    if let parent = options.parent {
      let field = try relationship(from: entity, to: parent)
      let link = graph.links[field.link]
      if field.isToMany {
        try coordinator?.complete(candidates.map(\.row), in: table, field: field)
      } else {
        try coordinator?.read(candidates.map(\.row), in: table)
      }
      candidates = candidates.filter {
        field.isToMany
          ? graph.contains(parent.row, in: field, of: $0.row)
          : graph.target(link, side: field.side, row: $0.row).index == parent.row
      }
      return SyncScope(
        candidates: candidates, parentLink: SyncScope.ParentLink(field: field, parent: parent))
    }
    if options.predicate == nil, let field = relationshipToItself(entity) {
      let link = graph.links[field.link]
      try coordinator?.read(candidates.map(\.row), in: table)
      candidates = candidates.filter { graph.target(link, side: field.side, row: $0.row).isNone }
    }
    return SyncScope(candidates: candidates, parentLink: nil)
  }

  /// Returns the first relationship of an entity that can lead to an object.
  private func relationship(from entity: EntityIndex, to parent: ObjectID) throws -> Field {
    let owner = graph.entity(try graph.record(parent), in: parent.table)
    for property in relationships(of: entity) {
      let destination = try model.index(of: property.relationship?.destination ?? "")
      if isKind(owner, of: destination) { return property.field }
    }
    throw GrootError(
      .invalidArgument,
      "no relationship of '\(model.resolved[entity].name)' leads to the parent, which is of the "
        + "entity '\(model.resolved[owner].name)'", entity: model.resolved[entity].name)
  }

  private func relationshipToItself(_ entity: EntityIndex) -> Field? {
    relationships(of: entity).first { property in
      guard !property.field.isToMany, let name = property.relationship?.destination,
        let destination = try? model.index(of: name)
      else { return false }
      return isKind(entity, of: destination)
    }?.field
  }

  private func relationships(of entity: EntityIndex) -> [Property] {
    let resolved = model.resolved[entity]
    return resolved.relationships.map { model.hierarchies[resolved.hierarchy].properties[$0] }
  }

  private func isKind(_ entity: EntityIndex, of ancestor: EntityIndex) -> Bool {
    let (one, other) = (model.resolved[entity], model.resolved[ancestor])
    return one.hierarchy == other.hierarchy && other.subtree.contains(one.localIndex)
  }
}
