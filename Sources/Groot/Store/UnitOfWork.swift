/// Objects in memory, with the mapping and the store that they are read from and written to.
package struct UnitOfWork {
  let mapping: Mapping
  let graph: Graph
  /// The coordinator of the store; nil for objects without a store.
  let coordinator: StoreCoordinator?

  var model: ManagedObjectModel { mapping.model }

  /// Makes an empty unit of work in memory.
  init(_ mapping: Mapping) {
    self.mapping = mapping
    graph = Graph(model: mapping.model)
    coordinator = nil
  }

  /// Makes a unit of work on a store, with no object in memory yet.
  init(
    _ mapping: Mapping, schema: StoreSchema, transaction: StoreTransaction,
    cancellation: Cancellation, listener: ProgressListener,
    memory: MemoryAccount = MemoryAccount()
  ) throws {
    self.mapping = mapping
    graph = Graph(model: mapping.model, cancellation, listener: listener, memory: memory)
    coordinator = try StoreCoordinator(transaction, schema: schema, graph: graph)
  }

  /// Makes another graph on the store of `coordinator`, in the same transaction.
  ///
  /// Both graphs share one memory account.
  init(beside other: UnitOfWork, on coordinator: StoreCoordinator) throws {
    try self.init(
      other.mapping, schema: coordinator.schema, transaction: coordinator.transaction,
      cancellation: other.graph.cancellation, listener: other.graph.listener,
      memory: other.graph.memory)
  }

  /// Returns the mapping of a call: another mapping of the same model, or the default.
  ///
  /// - Throws: ``Status/invalidArgument`` for a mapping of another model.
  func usable(_ other: Mapping?) throws -> Mapping {
    guard let other else { return mapping }
    guard other.model === model else {
      throw GrootError(
        .invalidArgument, "the mapping is of another model than the context's own mapping")
    }
    return other
  }

  /// Saves all changes, and writes them to the store.
  ///
  /// - Parameter notes: The notes to write in the same transaction; nil removes one.
  /// - Returns: The conflicts that the store's policy resolved.
  func save(notes: NameMap<String?> = [:]) throws -> [GrootIssue] {
    guard let coordinator else {
      graph.save()
      return []
    }
    let resolved = try coordinator.save(notes: notes, name: shown)
    graph.save()
    coordinator.refreshSnapshot()
    return resolved
  }

  /// Validates the changed objects and the identities.
  ///
  /// - Throws: an error with an issue for each limit that an object breaks, and for each identity
  ///   that several objects have.
  func validate() throws {
    try coordinator?.prefetchValidation()
    try coordinator?.readClaimed()
    let limit = 100
    // A value that cannot be read is not missing.
    let invalid = graph.invalidities(limit: limit).filter { object, issue in
      guard let coordinator, !issue.property.isEmpty else { return true }
      let properties = model.hierarchies[object.table].properties
      return !properties.indices.contains {
        properties[$0].name == issue.property
          && coordinator.isUnreadable(object.row, in: object.table, number: $0)
      }
    }
    var issues = invalid.map { object, issue in
      var issue = issue
      issue.message += " (\(shown(object)))"
      return issue
    }
    let shared = try graph.sharedIdentities(mapping.plan.identityNumbers)
    issues += try shared.prefix(limit - issues.count).map(conflict)
    if let first = issues.first { throw GrootError(first.status, issues) }
  }

  /// Returns the issue of an identity that several objects have.
  private func conflict(_ object: ObjectID, count: Int) throws -> GrootIssue {
    let entity = graph.entity(try graph.record(object), in: object.table)
    let number = mapping.plan.identityNumbers[entity].first ?? 0
    return GrootIssue(
      .identityConflict,
      "\(count) objects have the identity \(shown(object)), which belongs to one; change the "
        + "others, or delete them", entity: model.resolved[entity].name,
      property: model.hierarchies[object.table].properties[number].name)
  }

  /// Returns an object's name for messages: `Hero id=7`, or its number without an identity.
  ///
  /// The row of a deleted object has its values until the save.
  private func shown(_ object: ObjectID) -> String {
    let table = graph.tables[object.table]
    guard table.id(object.row) == object else { return "the object \(object.rawValue)" }
    let record = table.record(object.row)
    let name = name(record, of: object)
    return graph.isLive(object) ? name : "\(name), deleted here,"
  }

  private func name(_ record: UnsafeMutableRawPointer, of object: ObjectID) -> String {
    let properties = model.hierarchies[object.table].properties
    let parts = mapping.plan.identityNumbers[graph.entity(record, in: object.table)].compactMap {
      number -> String? in
      guard let attribute = properties[number].attribute else { return nil }
      let stored = StoredValue(
        record, field: properties[number].field, table: graph.tables + object.table)
      return "\(attribute.name)=\(Value(stored, as: attribute.type).json)"
    }
    if parts.isEmpty { return "the object \(object.rawValue)" }
    return "\(graph.entityName(record, in: object.table)) \(parts.joined(separator: ", "))"
  }
}
