/// A graph of objects, with functions to make, find, change, import and export them.
///
/// A context belongs to one thread at a time.
///
/// ```swift
/// let context = ManagedObjectContext(mapping: mapping)
/// let heroes = try context.importJSON(.text(text), into: "Character")
/// try context.exportText(heroes)
/// ```
public final class ManagedObjectContext {
  /// The objects, the mapping, and the coordinator of the store.
  let work: UnitOfWork
  /// The conflicts that the policy of the store resolved in the last save, as warnings.
  public private(set) var conflicts: [GrootIssue] = []
  /// Whether a call uses the context: neither its callbacks nor another thread may use it then.
  private let use = AtomicFlag()
  /// The failures of typed access, which cannot throw.
  let accessFailure = AccessFailure()
  /// The numbers of the properties that typed access used recently.
  var propertyNumbers = PropertyNumbers()
  /// The texts that the program keeps beside the objects.
  var notes = ContextNotes()
  /// The types of typed objects that were checked against the model.
  var checkedTypes: Set<ObjectIdentifier> = []

  /// The mapping of imports and exports.
  public var mapping: Mapping { work.mapping }
  var graph: Graph { work.graph }
  /// The coordinator that reads and writes the store of the objects; nil without a store.
  var coordinator: StoreCoordinator? { work.coordinator }

  /// The number of bytes that the context may use; nil without a limit.
  ///
  /// It covers tables, links, texts, indexes and the undo log. A call that would exceed the limit
  /// fails with ``Status/limitExceeded`` and changes nothing. Memory is taken in blocks of up to 1
  /// MiB for texts, so the last block may be refused although less is needed.
  public var memoryLimit: Int? {
    get { graph.memory.limit == .max ? nil : graph.memory.limit }
    set { graph.memory.limit = newValue ?? .max }
  }

  /// The number of bytes in use for tables, links, texts, indexes and the undo log.
  ///
  /// During an import it includes the current record. It takes constant time.
  public var memoryInUse: Int { graph.memory.held }

  /// The model of the objects.
  public var model: ManagedObjectModel { mapping.model }

  /// Makes an empty context without a store.
  public init(mapping: Mapping) { work = UnitOfWork(mapping) }

  /// Makes a context on a store, whose objects are read on demand.
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

  /// The cancellation of this context's calls, which other threads may use.
  public var cancellation: Cancellation { graph.cancellation }

  /// The function that is called at intervals during long calls; false cancels the call.
  ///
  /// The call then fails with ``Status/cancelled``. Exports, fetches, counts, distinct values,
  /// aggregates, saves and refreshes call the function; imports call it if their options have no
  /// progress function. It must not use the context.
  public var progress: ((CallProgress) -> Bool)? {
    get { graph.listener.handler }
    set { graph.listener.handler = newValue }
  }

  /// Runs a call that can be cancelled and reports its progress.
  @inline(__always)
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

  /// Runs a call unless the context is in use by a callback's caller or another thread.
  @inline(__always)
  package func exclusively<Result>(
    _ body: () throws -> Result
  ) throws(GrootError) -> Result {
    try beginExclusively()
    defer { endExclusively() }
    return try GrootError.carrying(body)
  }

  /// Runs a change, and throws if it lacked memory.
  @inline(__always)
  func changing<Result>(_ body: () throws -> Result) throws(GrootError) -> Result {
    try exclusively {
      graph.memory.forgive()
      let result = try body()
      try graph.checkMemory()
      return result
    }
  }

  /// Begins a use of the context that excludes all others until ``endExclusively()``.
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
      "the context is in use: use it outside its callbacks, from one thread at a time, and after "
        + "the end of an import in pieces")
  }

  /// Accepts all changes since the last save.
  ///
  /// With a store, either all changes are written to it or, on failure, none. A store with a policy
  /// resolves conflicts with the changes of others and reports them in ``conflicts``. The context
  /// then reads the values that others wrote.
  ///
  /// Changes without a save keep the replaced values in memory. The time is linear in the changes.
  ///
  /// - Throws: ``GrootError`` with an issue for each missing required value and each violated
  ///   limit, at most 100; the changes are then still pending.
  public func save() throws(GrootError) { try cancellably(.saving, writeChanges) }

  private func writeChanges() throws {
    try work.validate()
    conflicts = []
    conflicts = try work.save(notes: notes.pending)
    notes.finishSave(isStored: coordinator != nil)
  }

  /// Undoes all changes since the last save; objects inserted since then are deleted.
  ///
  /// - Throws: ``Status/busy``.
  public func rollback() throws(GrootError) {
    try exclusively {
      _ = accessFailure.take()
      graph.rollBackAll()
      notes.rollBack()
      coordinator?.refreshSnapshot()
    }
  }

  /// Undoes all changes since the last save, and reads the later changes of others from the store.
  ///
  /// Existing objects keep their ids; the ids of objects that others deleted answer "deleted".
  /// Without a store this is the same as ``rollback()``. The time is linear in the objects in
  /// memory.
  ///
  /// - Throws: the statuses of stores; the objects are then as after the last save.
  public func refresh() throws(GrootError) {
    try cancellably(.refreshing) {
      graph.rollBackAll()
      notes.rollBack()
      try coordinator?.refresh()
    }
  }

  /// The changes since the last save.
  ///
  /// - Throws: ``Status/busy``; ``Status/outOfMemory`` without memory for the comparison.
  public var changes: ChangeCounts {
    get throws(GrootError) {
      try exclusively {
        try graph.requireRoomForDifference(since: 0)
        return graph.changes
      }
    }
  }

  /// Returns a description of each violated invariant of the graph, for tests; empty without any.
  ///
  /// The time is linear in the graph.
  public func brokenInvariants() -> [String] { graph.brokenInvariants() }

  /// Reads the whole store, and returns its faults: values that are not of their types, which other
  /// programs have written, and links to missing objects.
  ///
  /// - Returns: An issue for each fault, at most 100; empty without any, and without a store.
  /// - Throws: the statuses of stores. Complexity: O(n) in the objects and links of the store.
  public func storeFaults() throws(GrootError) -> [GrootIssue] {
    try cancellably(.fetching) { try coordinator?.faults(limit: 100) ?? [] }
  }

  /// Inserts an object with its defaults.
  ///
  /// - Throws: ``Status/unknownEntity``, ``Status/abstractEntity``.
  public func insert(_ entity: String) throws(GrootError) -> ManagedObject {
    let id = try changing { try graph.insert(entity: model.index(of: entity)) }
    return ManagedObject(context: self, id: id)
  }

  /// Deletes an object by the delete rules of its relationships; on failure nothing is deleted.
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

  /// Deletes an object by the delete rules of its relationships; on failure nothing is deleted.
  ///
  /// - Throws: as ``delete(_:)-(ObjectID)``; ``Status/invalidArgument`` for an object of another
  ///   context.
  public func delete(_ object: ManagedObject) throws(GrootError) {
    try requireOwn(object)
    try delete(object.id)
  }

  /// Throws if an object is of another context, where its id means another object or none.
  ///
  /// - Throws: ``Status/invalidArgument``.
  package func requireOwn(_ object: ManagedObject) throws(GrootError) {
    if object.context === self { return }
    throw GrootError(
      .invalidArgument,
      "the object \(object.id) is of another context; a call takes objects of its own context alone"
    )
  }

  /// Throws if a new member is of another context, where its id means another object or none.
  func requireOwn(_ other: ManagedObjectContext?, property: String) throws(GrootError) {
    guard other !== self else { return }
    throw GrootError(
      .invalidArgument, "an object of another context cannot become a member", property: property)
  }

  /// Returns the ids of objects, which must be of this context.
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

  /// Returns the status of an id, which is ``Status/ok`` for a living object.
  ///
  /// The others are ``Status/objectDeleted``, ``Status/unknownObject`` and, inside a callback,
  /// ``Status/busy``.
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

  /// Returns the description of an object's entity.
  ///
  /// - Throws: ``Status/objectDeleted``, ``Status/unknownObject``.
  public func entity(of object: ObjectID) throws(GrootError) -> EntityDescription {
    try exclusively {
      let record = try graph.record(object)
      return model.entities[graph.entity(record, in: object.table)]
    }
  }

  /// Returns the object of an id, which may come from C or another language.
  ///
  /// - Throws: ``Status/objectDeleted``, ``Status/unknownObject``.
  public func object(_ id: ObjectID) throws(GrootError) -> ManagedObject {
    try exclusively { _ = try graph.record(id) }
    return ManagedObject(context: self, id: id)
  }
}

// Texts beside the objects, and copies of stores.

extension ManagedObjectContext {
  /// Returns the note of a name, with its unsaved change; nil without one.
  ///
  /// A note is a text that a store keeps for a program, such as the cursor or the ETag of a feed.
  ///
  /// - Parameter name: The name, of 1 to 200 bytes.
  /// - Throws: ``Status/invalidArgument`` for another name; the statuses of stores.
  public func note(_ name: String) throws(GrootError) -> String? {
    try exclusively { try notes.text(name, in: coordinator) }
  }

  /// Sets a note; the next save writes it in one transaction with the objects.
  ///
  /// ``rollback()`` discards the change. When two contexts save the same note, the last save counts.
  ///
  /// - Parameters:
  ///   - name: The name, of 1 to 200 bytes.
  ///   - text: The text; nil removes the note.
  /// - Throws: ``Status/invalidArgument`` for another name, or for a NUL in the text.
  public func setNote(_ name: String, to text: String?) throws(GrootError) {
    try exclusively { try notes.set(name, to: text) }
  }

  /// Copies the store of this context into the empty store of another one.
  ///
  /// The copy has all objects, links, lists in their order and notes, with their keys and versions,
  /// and is made in one transaction of the other store, of whichever kind each is. The memory is
  /// bounded. The other context's ``progress`` and ``cancellation`` count.
  ///
  /// - Parameter target: A context whose store has no objects, with the same model.
  /// - Throws: ``Status/invalidArgument`` for a context without a store, with unsaved changes or of
  ///   another model, and for a store with objects; ``Status/outOfRange`` for a value that the other
  ///   store cannot hold; the statuses of stores. The other store is then unchanged.
  public func copyStore(to target: ManagedObjectContext) throws(GrootError) {
    guard target !== self else {
      throw GrootError(.invalidArgument, "a store cannot be copied into itself")
    }
    try exclusively {
      try target.cancellably(.copying) {
        let hasNotes = !notes.pending.isEmpty || !target.notes.pending.isEmpty
        try StoreCopy(from: work, to: target.work, hasUnsavedNotes: hasNotes).run()
      }
    }
  }
}

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
