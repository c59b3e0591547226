// Finding the object that has the identity of a record, in memory and in a store.

extension Importer {
  /// Reads the identity of a record and looks for its row, which is of the entity that the record chose
  /// among those of `asked`.
  @inline(__always)
  func findRow(_ record: inout MatchedRecord, among asked: PlanIndex, scope: Scope) throws -> Row? {
    let entity = plan.entities + record.plan
    record.isUnknown = false
    guard entity.identityCount > 0 else { return nil }
    let index = try identityIndex(record.plan)
    record.hasIdentity = try readKey(
      entity, base: record.slots, object: record.token, scope: scope)
    if asked != record.plan, store == nil {
      return try findChosen(&record, among: asked, index: index)
    }
    return try find(record.plan, index: index)
  }

  /// Looks for the row of a record that chose its entity: one look says whether an object of another
  /// entity has the identity, too.
  @inline(never)
  private func findChosen(
    _ record: inout MatchedRecord, among asked: PlanIndex,
    index: UnsafeMutablePointer<IdentityIndex>
  ) throws -> Row? {
    let entity = plan.entities + record.plan
    guard let hash = index.pointee.hash(key) else { return nil }
    var around = plan.entities + asked
    if try around.identityCount == 0 || identityIndex(asked) != index { around = entity }
    return index.pointee.find(
      key, hash: hash, first: entity.localIndex, last: entity.lastLocalIndex,
      around: around.localIndex...around.lastLocalIndex, isUnknown: &record.isUnknown)
  }

  /// The row that has the current identity, which a store may have yet.
  @inline(__always)
  func find(
    _ number: PlanIndex, index: UnsafeMutablePointer<IdentityIndex>
  ) throws -> Row? {
    let entity = plan.entities + number
    guard let hash = index.pointee.hash(key) else { return nil }
    let found = index.pointee.find(
      key, hash: hash, first: entity.localIndex, last: entity.lastLocalIndex)
    guard let store, found.map({ !isOnly($0, entity: entity, index: index, store: store) }) ?? true,
      try store.readIdentity(
        plan.identityNumbers[number], in: entity.table,
        entities: entity.localIndex...entity.lastLocalIndex, key: key,
        remembers: true)
    else { return found }
    return index.pointee.find(
      key, hash: hash, first: entity.localIndex, last: entity.lastLocalIndex)
  }

  /// Whether no older object of a store can have the current identity, when one was found.
  ///
  /// Objects of several entities may have it; one that is not saved, or got it since, may be
  /// younger than another. Where a part of it has no value, a store lets several objects have it;
  /// keys that are not an identity it does not look at.
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

  /// Whether a store has each identity of an entity once.
  @inline(__always)
  func isUnique(
    _ entity: PlanPart<EntityPlan>, store: StoreCoordinator
  ) -> Bool {
    let number = planIndex(entity)
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

  /// The index over an entity's identity.
  @inline(__always)
  func identityIndex(_ number: PlanIndex) throws -> UnsafeMutablePointer<IdentityIndex> {
    if let index = indexes[number] { return index }
    let table = plan.entities[number].table
    let position = try graph.identityIndex(table: table, plan.identityNumbers[number])
    let index = graph.indexes[table][position]
    indexes[number] = index
    return index
  }

  @inline(__always)
  func planIndex(_ entity: PlanPart<EntityPlan>) -> PlanIndex {
    PlanIndex(entity - plan.entities)
  }

  /// The plan of the entity that a row has.
  @inline(__always)
  func planNumber(of row: Row, _ entity: PlanPart<EntityPlan>) -> PlanIndex {
    let table = entity.table
    let local = graph.tables[table].header(row).pointee.entity
    if entity.isFixed { return planIndex(entity) }
    if local == entity.localIndex { return planIndex(entity) }
    return PlanIndex(of: graph.entityNumbers[table][Int(local)])
  }
}
