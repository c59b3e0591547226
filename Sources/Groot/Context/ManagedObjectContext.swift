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
  public private(set) var conflicts: [GrootIssue] = []
  /// Set while a call uses the context: neither its callbacks nor another thread may.
  private let use = AtomicFlag()
  /// The failures of typed access, which cannot throw.
  let accessFailure = AccessFailure()
  /// The numbers of the properties that typed access asked for lately.
  var propertyNumbers = PropertyNumbers()
  /// The types of typed objects that are known to fit the model.
  var checkedTypes: Set<ObjectIdentifier> = []

  /// The mapping that imports and exports go by.
  public var mapping: Mapping { work.mapping }
  var graph: Graph { work.graph }
  /// Reads from and writes to the store that keeps the objects; nil in memory.
  var coordinator: StoreCoordinator? { work.coordinator }

  /// How many bytes the context may hold in tables, links, texts, indexes and what undoes changes;
  /// nil for as many as there are.
  ///
  /// A call that would pass the limit fails with ``Status/limitExceeded``, and nothing has changed.
  /// Memory is taken in blocks, for texts of up to 1 MiB, so the last may be refused although less
  /// is needed.
  public var memoryLimit: Int? {
    get { graph.memory.limit == .max ? nil : graph.memory.limit }
    set { graph.memory.limit = newValue ?? .max }
  }

  /// How many bytes the context holds: tables, links, texts, indexes and what undoes changes;
  /// during an import also the record that is being read.
  ///
  /// Constant time.
  public var memoryInUse: Int { graph.memory.held }

  /// The model of the objects.
  public var model: ManagedObjectModel { mapping.model }

  /// Makes an empty context in memory.
  public init(mapping: Mapping) { work = UnitOfWork(mapping) }

  /// Makes a context that a store keeps, whose objects are read when they are needed.
  package init(
    mapping: Mapping, schema: StoreSchema, store: any PersistentStore
  ) throws(GrootError) {
    let cancellation = Cancellation()
    let listener = ProgressListener(cancellation: cancellation)
    store.follow(cancellation, listener: listener)
    work = try GrootError.carrying {
      try UnitOfWork(
        mapping, schema: schema, transaction: StoreTransaction(store), cancellation: cancellation,
        listener: listener)
    }
  }

  /// Cancels a call of this context that takes too long; it may be handed to other threads.
  public var cancellation: Cancellation { graph.cancellation }

  /// Is told now and then how far a call is that takes long; false ends it with
  /// ``Status/cancelled``.
  ///
  /// Exports, fetches, counts, distinct values, aggregates, saves and refreshes call it; imports,
  /// too, when their options have no progress function of their own. It must not use the context.
  public var progress: ((CallProgress) -> Bool)? {
    get { graph.listener.handler }
    set { graph.listener.handler = newValue }
  }

  /// Runs a call that can be cancelled, and that tells of its progress.
  func cancellably<Result>(
    _ operation: CallProgress.Operation, _ body: () throws -> Result
  ) throws(GrootError) -> Result {
    try exclusively {
      try accessFailure.check()
      graph.memory.forgive()
      graph.listener.begin(operation)
      return try graph.cancellation.run(body)
    }
  }

  /// Runs a call, unless it comes from a callback of one, or from another thread during one.
  @inline(__always)
  package func exclusively<Result>(
    _ body: () throws -> Result
  ) throws(GrootError) -> Result {
    try beginExclusively()
    defer { endExclusively() }
    return try GrootError.carrying(body)
  }

  /// Runs a change that is made whole, or not at all.
  @inline(__always)
  func changing<Result>(_ body: () throws -> Result) throws(GrootError) -> Result {
    try exclusively {
      graph.memory.forgive()
      let result = try body()
      try graph.checkMemory()
      return result
    }
  }

  /// Begins what makes all other use of the context fail until ``endExclusively()``.
  @inline(__always)
  func beginExclusively() throws(GrootError) {
    if !use.claim() { throw busyError() }
  }

  @inline(__always)
  func endExclusively() { use.clear() }

  @inline(never)
  private func busyError() -> GrootError {
    GrootError(
      .busy,
      "the context is in use: a callback must not use the context that calls it, one thread at a "
        + "time uses a context, and an import in pieces comes to its end first")
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
  public func save() throws(GrootError) { try cancellably(.saving, writeChanges) }

  private func writeChanges() throws {
    try work.validate()
    conflicts = []
    conflicts = try work.save()
  }

  /// Undoes all changes since the last save, exactly; objects inserted since then are deleted.
  ///
  /// - Throws: ``Status/busy``.
  public func rollback() throws(GrootError) {
    try exclusively {
      _ = accessFailure.take()
      graph.rollBackAll()
      coordinator?.refreshSnapshot()
    }
  }

  /// Undoes all changes since the last save, and reads what others wrote to the store since.
  ///
  /// Objects that are still there keep their ids; those that others deleted answer "deleted". In
  /// memory this is the same as ``rollback()``. Linear in the objects in memory.
  ///
  /// - Throws: the statuses of stores; the objects are then as after the last save.
  public func refresh() throws(GrootError) {
    try cancellably(.refreshing) {
      graph.rollBackAll()
      try coordinator?.refresh()
    }
  }

  /// The changes since the last save.
  ///
  /// - Throws: ``Status/busy``; ``Status/outOfMemory`` when there is no room to compare.
  public var changes: ChangeCounts {
    get throws(GrootError) {
      try exclusively {
        try graph.requireRoomForDifference(since: 0)
        return graph.changes
      }
    }
  }

  /// Every broken invariant of the graph in words, for tests; empty when all hold.
  ///
  /// Linear.
  public func brokenInvariants() -> [String] { graph.brokenInvariants() }

  /// Inserts an object with its defaults.
  ///
  /// - Throws: ``Status/unknownEntity``, ``Status/abstractEntity``.
  public func insert(_ entity: String) throws(GrootError) -> ManagedObject {
    let id = try changing { try graph.insert(entity: model.index(of: entity)) }
    return ManagedObject(context: self, id: id)
  }

  /// Deletes an object by the delete rules of its relationships, everything or nothing.
  ///
  /// - Throws: ``Status/objectDeleted``, ``Status/unknownObject``, ``Status/deleteDenied``.
  public func delete(_ object: ObjectID) throws(GrootError) {
    try changing {
      if let coordinator {
        _ = try graph.record(object)
        try coordinator.prefetchDeletion([object])
      }
      try graph.delete(object)
    }
  }

  /// Deletes an object by the delete rules of its relationships, everything or nothing.
  ///
  /// - Throws: as ``delete(_:)-(ObjectID)``; ``Status/invalidArgument`` for an object of another
  ///   context.
  public func delete(_ object: ManagedObject) throws(GrootError) {
    try requireOwn(object)
    try delete(object.id)
  }

  /// Requires that an object is of this context: in another its id means another object, or none.
  ///
  /// - Throws: ``Status/invalidArgument``.
  package func requireOwn(_ object: ManagedObject) throws(GrootError) {
    if object.context === self { return }
    throw GrootError(
      .invalidArgument,
      "the object \(object.id) is of another context; a call takes objects of its own context alone"
    )
  }

  /// Requires that what is to become a member is of this context: ids of another mean nothing here.
  func requireOwn(_ other: ManagedObjectContext?, property: String) throws(GrootError) {
    guard other !== self else { return }
    throw GrootError(
      .invalidArgument, "an object of another context cannot become a member", property: property)
  }

  /// The ids of objects, all of this context.
  ///
  /// - Throws: ``Status/invalidArgument``.
  package func ids(
    of objects: some Sequence<ManagedObject>
  ) throws(GrootError) -> [ObjectID] {
    var ids: [ObjectID] = []
    ids.reserveCapacity(objects.underestimatedCount)
    for object in objects {
      try requireOwn(object)
      ids.append(object.id)
    }
    return ids
  }

  /// Whether an id names a living object: ``Status/ok``, ``Status/objectDeleted`` or
  /// ``Status/unknownObject``; ``Status/busy`` inside a callback.
  public func status(of object: ObjectID) -> Status {
    do {
      try beginExclusively()
      defer { endExclusively() }
      _ = try graph.record(object)
      return .ok
    } catch {
      return error.status
    }
  }

  /// The description of an object's entity.
  ///
  /// - Throws: ``Status/objectDeleted``, ``Status/unknownObject``.
  public func entity(of object: ObjectID) throws(GrootError) -> EntityDescription {
    try exclusively {
      let record = try graph.record(object)
      return model.entities[graph.entity(record, in: object.table)]
    }
  }

  /// An object for an id, which may come from C or another language.
  ///
  /// - Throws: ``Status/objectDeleted``, ``Status/unknownObject``.
  public func object(_ id: ObjectID) throws(GrootError) -> ManagedObject {
    try exclusively { _ = try graph.record(id) }
    return ManagedObject(context: self, id: id)
  }
}
