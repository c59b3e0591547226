/// A graph of objects: where they are made, found, changed, imported and exported.
///
/// A context belongs to one thread at a time.
///
/// ```swift
/// let context = ManagedObjectContext(mapping: mapping)
/// let heroes = try context.importJSON(.text(text), into: "Character")
/// try context.exportText(heroes)
/// ```
public final class ManagedObjectContext {
  /// The objects, the mapping, and what reads and writes the store.
  let work: UnitOfWork
  /// The conflicts that the last save resolved by the policy of its store; warnings.
  public private(set) var conflicts: [Issue] = []
  /// Set during imports and exports, whose callbacks must not use the context.
  private(set) var isBusy = false

  /// The mapping that imports and exports go by.
  public var mapping: Mapping { work.mapping }
  var graph: Graph { work.graph }
  /// Reads from and writes to the store that keeps the objects; nil in memory.
  var coordinator: StoreCoordinator? { work.coordinator }

  /// The model of the objects.
  public var model: ManagedObjectModel { mapping.model }

  /// Makes an empty context in memory.
  public init(mapping: Mapping) { work = UnitOfWork(mapping) }

  /// Makes a context that a store keeps, whose objects are read when they are needed.
  package init(mapping: Mapping, schema: StoreSchema, store: any PersistentStore) throws {
    let cancellation = Cancellation()
    store.follow(cancellation)
    work = try UnitOfWork(
      mapping, schema: schema, transaction: StoreTransaction(store), cancellation: cancellation)
  }

  /// What ends a call of this context that takes too long; it may be handed to other threads.
  public var cancellation: Cancellation { graph.cancellation }

  /// Runs a call that must not happen inside a callback of this context, and that can be cancelled.
  func exclusively<Result>(_ body: () throws -> Result) throws -> Result {
    try beginExclusively()
    defer { endExclusively() }
    return try graph.cancellation.run(body)
  }

  /// Runs a call that calls nobody back, and that can be cancelled.
  func cancellably<Result>(_ body: () throws -> Result) throws -> Result {
    try requireIdle()
    return try graph.cancellation.run(body)
  }

  /// Begins what makes all other use of the context fail until ``endExclusively()``.
  func beginExclusively() throws {
    try requireIdle()
    isBusy = true
  }

  func endExclusively() { isBusy = false }

  @inline(__always)
  package func requireIdle() throws {
    if isBusy { throw busyError() }
  }

  @inline(never)
  private func busyError() -> GrootError {
    GrootError(
      .busy,
      "the context is importing or exporting; a callback must not use the context that calls it, "
        + "and an import in pieces comes to its end first")
  }

  /// Accepts all changes since the last save; they are no longer pending.
  ///
  /// With a store they are written to it, all of them or, on failure, none. Where others changed or
  /// deleted the same objects, a store with a policy resolves that, says so in ``conflicts``, and the
  /// context then reads what others wrote.
  ///
  /// Long runs of changes without a save keep what they replaced. Linear in the changes.
  ///
  /// - Throws: ``GrootError`` with an issue for each required value that is missing and each limit
  ///   that is broken, at most 100; the changes are then still pending.
  public func save() throws { try cancellably(writeChanges) }

  private func writeChanges() throws {
    try work.validate()
    conflicts = []
    conflicts = try work.save()
  }

  /// Undoes all changes since the last save, exactly; objects inserted since then are deleted.
  public func rollback() throws {
    try requireIdle()
    graph.rollBackAll()
    coordinator?.refreshSnapshot()
  }

  /// Undoes all changes since the last save, and reads what others wrote to the store since.
  ///
  /// Objects that are still there keep their ids; those that others deleted answer "deleted". In
  /// memory this is the same as ``rollback()``. Linear in the objects in memory.
  ///
  /// - Throws: the statuses of stores; the objects are then as after the last save.
  public func refresh() throws {
    try cancellably {
      graph.rollBackAll()
      try coordinator?.refresh()
    }
  }

  /// What changed since the last save.
  public var changes: ChangeCounts {
    get throws {
      try requireIdle()
      return graph.changes
    }
  }

  /// Every broken invariant of the graph in words, for tests; empty when all hold.
  ///
  /// Linear.
  public func brokenInvariants() -> [String] { graph.brokenInvariants() }

  /// Inserts an object with its defaults.
  ///
  /// - Throws: ``Status/unknownEntity``, ``Status/abstractEntity``.
  public func insert(_ entity: String) throws -> ManagedObject {
    try requireIdle()
    return ManagedObject(context: self, id: try graph.insert(entity: model.index(of: entity)))
  }

  /// Deletes an object by the delete rules of its relationships, everything or nothing.
  ///
  /// - Throws: ``Status/objectDeleted``, ``Status/unknownObject``, ``Status/deleteDenied``.
  public func delete(_ object: ObjectID) throws {
    try requireIdle()
    if let coordinator {
      _ = try graph.record(object)
      try coordinator.prefetchDeletion([object])
    }
    try graph.delete(object)
  }

  /// Whether an id names a living object: ``Status/ok``, ``Status/objectDeleted`` or
  /// ``Status/unknownObject``.
  public func status(of object: ObjectID) -> Status {
    do {
      _ = try graph.record(object)
      return .ok
    } catch {
      return error.status
    }
  }

  /// The description of an object's entity.
  public func entity(of object: ObjectID) throws -> EntityDescription {
    let record = try graph.record(object)
    return model.entities[graph.entity(record, in: object.table)]
  }

  /// An object for an id, which may come from C or another language.
  public func object(_ id: ObjectID) throws -> ManagedObject {
    _ = try graph.record(id)
    return ManagedObject(context: self, id: id)
  }
}
