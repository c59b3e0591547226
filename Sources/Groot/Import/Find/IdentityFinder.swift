/// Finds the row with an identity, in memory or in a store.
///
/// It reads objects of the store into the graph, and changes none.
final class IdentityFinder {
  let graph: Graph
  let store: StoreCoordinator?
  /// The same store, for each object of an import.
  let borrowedStore: Borrowed<StoreCoordinator>?
  let plan: Plan
  /// The identity of the object being resolved.
  let key: UnsafeMutablePointer<StoredValue>
  /// The number of parts of the longest identity.
  let keyLength: Int
  /// The identity index of each plan's entity, made on demand.
  private let indexes: UnsafeMutablePointer<UnsafeMutablePointer<IdentityIndex>?>
  /// By table, whether the records come in the order of the rows.
  private let sequences: UnsafeMutablePointer<RowSequence>
  /// Whether the store has each identity only once, by plan; empty until it is needed.
  @exclusivity(unchecked) private var uniqueness: [Bool] = []

  init(_ graph: Graph, store: StoreCoordinator?, plan: Plan) {
    (self.graph, self.store, self.plan) = (graph, store, plan)
    borrowedStore = store.map(Borrowed.init)
    keyLength = plan.longestIdentity
    key = .allocate(capacity: keyLength)
    key.initialize(repeating: .none, count: keyLength)
    indexes = .allocate(capacity: max(plan.entityCount, 1))
    indexes.initialize(repeating: nil, count: plan.entityCount)
    sequences = .allocate(capacity: max(graph.tableIndices.count, 1))
    sequences.initialize(repeating: RowSequence(), count: graph.tableIndices.count)
  }

  /// Returns the index of an entity's identities if it was needed before.
  @inline(__always)
  func madeIndex(_ number: PlanIndex) -> UnsafeMutablePointer<IdentityIndex>? { indexes[number] }

  deinit {
    key.deallocate()
    indexes.deallocate()
    sequences.deallocate()
  }

  /// Returns the row with the current identity, in memory or read from a store.
  @inline(__always)
  func find(
    _ number: PlanIndex, index: UnsafeMutablePointer<IdentityIndex>
  ) throws -> Row? {
    let entity = plan.entities + number
    guard index.pointee.isIdentity(key) else { return nil }
    let found = next(entity, index: index) ?? search(entity, index: index)
    sequences[entity.table.offset].note(found)
    guard let borrowedStore else { return found }
    let hasRead = try borrowedStore.use { store in
      if let found, isOnly(found, entity: entity, index: index, store: store) { return false }
      return try store.readIdentity(
        plan.identityNumbers[number], in: entity.table,
        entities: entity.localIndex...entity.lastLocalIndex, key: key,
        remembers: true)
    }
    return hasRead ? search(entity, index: index) : found
  }

  /// Returns the row after the last one if it has the current identity.
  ///
  /// A document often names its objects in the order in which they were inserted, and then none of
  /// them is searched for.
  @inline(__always)
  private func next(
    _ entity: PlanPart<EntityPlan>, index: UnsafeMutablePointer<IdentityIndex>
  ) -> Row? {
    guard let next = sequences[entity.table.offset].expected,
      index.pointee.isOnly(
        next, with: key, first: entity.localIndex, last: entity.lastLocalIndex)
    else { return nil }
    return next
  }

  /// Returns the row that the index has for the current identity.
  @inline(never)
  private func search(
    _ entity: PlanPart<EntityPlan>, index: UnsafeMutablePointer<IdentityIndex>
  ) -> Row? {
    guard let hash = index.pointee.hash(key) else { return nil }
    return index.pointee.find(
      key, hash: hash, first: entity.localIndex, last: entity.lastLocalIndex)
  }

  /// Finds the row of a record that chose its entity.
  ///
  /// The same look-up tells whether an object of another entity has the identity.
  @inline(never)
  func findChosen(
    _ record: inout MatchedRecord, among asked: PlanIndex,
    index: UnsafeMutablePointer<IdentityIndex>
  ) throws -> Row? {
    let entity = plan.entities + record.plan
    guard index.pointee.isIdentity(key) else { return nil }
    if let row = next(entity, index: index) {
      sequences[entity.table.offset].note(row)
      return row
    }
    guard let hash = index.pointee.hash(key) else { return nil }
    var around = plan.entities + asked
    if try around.identityCount == 0 || identityIndex(asked) != index { around = entity }
    let found = index.pointee.find(
      key, hash: hash, first: entity.localIndex, last: entity.lastLocalIndex,
      around: around.localIndex...around.lastLocalIndex, isUnknown: &record.isUnknown)
    sequences[entity.table.offset].note(found)
    return found
  }

  /// Returns whether a found object is the oldest one with the current identity, in a store too.
  ///
  /// Objects of several entities may have the same identity. An unsaved object, or one whose
  /// identity changed, may be younger than another. A store does not enforce identities with a
  /// missing part, or keys that are not identities.
  func isOnly(
    _ row: Row, entity: PlanPart<EntityPlan>,
    index: UnsafeMutablePointer<IdentityIndex>, store: StoreCoordinator
  ) -> Bool {
    let table = entity.table
    guard entity.localIndex == entity.lastLocalIndex,
      !store.isUnsaved(row, in: table), isUnique(entity, store: store)
    else { return false }
    let record = graph.tables[table].record(row)
    return (0..<index.pointee.fieldCount).allSatisfy {
      key[$0].isPresent
        && !graph.tables[table].isChanged(index.pointee.fields[$0].number, in: record)
    }
  }

  /// Returns whether a store allows each identity of an entity only once.
  @inline(__always)
  func isUnique(
    _ entity: PlanPart<EntityPlan>, store: StoreCoordinator
  ) -> Bool {
    let number = plan.number(of: entity)
    if uniqueness.isEmpty {
      uniqueness = (0..<plan.entityCount).map { number in
        let entity = plan.entities[number]
        return store.identity(
          plan.identityNumbers[number], in: entity.table,
          entities: entity.localIndex...entity.lastLocalIndex) != nil
      }
    }
    return uniqueness[number]
  }

  /// Returns the index of an entity's identities.
  @inline(__always)
  func identityIndex(_ number: PlanIndex) throws -> UnsafeMutablePointer<IdentityIndex> {
    if let index = indexes[number] { return index }
    let table = plan.entities[number].table
    let position = try graph.identityIndex(table: table, plan.identityNumbers[number])
    let index = graph.indexes[table][position]
    indexes[number] = index
    return index
  }

  /// Returns the plan of a row's entity.
  @inline(__always)
  func planNumber(of row: Row, _ entity: PlanPart<EntityPlan>) -> PlanIndex {
    let table = entity.table
    let local = graph.tables[table].header(row).pointee.entity
    if entity.isFixed { return plan.number(of: entity) }
    if local == entity.localIndex { return plan.number(of: entity) }
    return PlanIndex(of: graph.entityNumbers[table][Int(local)])
  }

  /// Returns the row in memory with an identity.
  func known(_ number: PlanIndex, key: UnsafePointer<StoredValue>) throws -> Row? {
    let entity = plan.entities + number
    let index = try identityIndex(number)
    guard let hash = index.pointee.hash(key) else { return nil }
    return index.pointee.find(
      key, hash: hash, first: entity.localIndex, last: entity.lastLocalIndex)
  }
}

/// The rows of a table as a document names them.
private struct RowSequence {
  private var next = OptionalRow.none
  private var isRunning = false

  /// The row after the last one, if that one was the row after its predecessor.
  @inline(__always)
  var expected: Row? { isRunning ? next.index : nil }

  @inline(__always)
  mutating func note(_ found: Row?) {
    guard let found else {
      isRunning = false
      return
    }
    isRunning = next == OptionalRow(found)
    next = OptionalRow(found.advanced(by: 1))
  }
}
