/// An immutable set of entities, checked as a whole when it is made.
///
/// A model is made from descriptions in Swift, or from a model document (JSON). Threads and
/// contexts can share it.
///
/// ```swift
/// let model = try ManagedObjectModel(entities: [
///   EntityDescription("Publisher", attributes: [AttributeDescription("name", .string)])
/// ])
/// ```
public final class ManagedObjectModel: Sendable {
  /// The entities in their original order.
  public let entities: [EntityDescription]

  /// The entities with resolved names, in the same order.
  let resolved: [ResolvedEntity]
  /// The hierarchies, each with the layout of its records.
  let hierarchies: [Hierarchy]
  /// The pairs of relationships that are kept consistent.
  let links: [LinkDefinition]

  private let indexByName: NameMap<EntityIndex>

  /// Makes a model from descriptions.
  ///
  /// - Throws: ``GrootError`` with an issue for each mistake and the status of the first:
  ///   ``Status/invalidModel``, or ``Status/limitExceeded`` beyond the limits in
  ///   docs/reference/model-document.md.
  public init(entities: [EntityDescription]) throws(GrootError) {
    var checker = ModelChecker(entities: entities)
    checker.check()
    if let first = checker.issues.first { throw GrootError(first.status, checker.issues) }
    let resolver = ModelResolver(entities: entities)
    self.entities = entities
    self.resolved = resolver.resolved
    self.hierarchies = resolver.hierarchies
    self.links = resolver.links
    self.indexByName = resolver.indexByName
  }

  /// Returns the description of the entity with a name; nil without one.
  public func entity(named name: String) -> EntityDescription? {
    indexByName[name].map { entities[$0] }
  }

  /// The numbers of the entities.
  var entityIndices: Range<EntityIndex> { EntityIndex(0)..<EntityIndex(entities.count) }

  /// Returns the position of the entity with a name in ``entities``.
  func index(of name: String) throws(GrootError) -> EntityIndex {
    guard let index = indexByName[name] else {
      throw GrootError(
        .unknownEntity,
        "no entity has this name; the model has \(listed(entities.lazy.map(\.name)))",
        entity: name)
    }
    return index
  }

  /// Returns the property with a name of an entity, own or inherited.
  func property(
    named name: String, of entity: EntityIndex
  ) throws(GrootError) -> Property {
    guard let number = resolved[entity].numberByName[name] else {
      let resolved = resolved[entity]
      throw GrootError(
        .unknownProperty,
        "the entity has no property of this name; it has \(listed(resolved.propertyNames))",
        entity: resolved.name, property: name)
    }
    return hierarchies[resolved[entity].hierarchy].properties[number]
  }

  /// Returns whether `entity` is `ancestor` or inherits from it.
  func isKind(_ entity: EntityIndex, of ancestor: EntityIndex) -> Bool {
    let ancestor = resolved[ancestor]
    return resolved[entity].hierarchy == ancestor.hierarchy
      && ancestor.subtree.contains(resolved[entity].localIndex)
  }
}

/// Returns names in quotes for a message, shortened if there are many.
func listed(_ names: some Collection<String>) -> String {
  guard !names.isEmpty else { return "none" }
  let shown = names.prefix(16).map { "'\($0)'" }.joined(separator: ", ")
  return names.count > 16 ? shown + ", ..." : shown
}
