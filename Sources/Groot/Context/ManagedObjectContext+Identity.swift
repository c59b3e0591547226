// The identity of an object, in the context's mapping.

extension ManagedObjectContext {
  /// Returns the names of an entity's identifying properties; none without an identity.
  ///
  /// - Throws: ``Status/unknownEntity``.
  package func identity(of entity: String) throws(GrootError) -> [String] {
    let index = try model.index(of: entity)
    let properties = model.hierarchies[model.resolved[index].hierarchy].properties
    return mapping.plan.identityNumbers[PlanIndex(of: index)].map { properties[$0].name }
  }
}
