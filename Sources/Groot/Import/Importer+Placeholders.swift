// Objects that were only named: finding them when their records come, changing their entity to the
// record's, and reporting those that never came.

/// A way to name objects before their record: an ancestor's identity, or a foreign key.
struct Naming {
  /// The plan of the identifiers.
  let plan: PlanIndex
  /// The step that reads the identity from a record; -1 without one, -2 for the record's own.
  let step: Int32

  static let isOwnKey: Int32 = -2
}

extension Importer {
  // MARK: Finding placeholders

  /// Returns whether a found object can be the object of a record of an entity.
  ///
  /// An object keeps its entity. The entity of a placeholder must be the same, an ancestor or a
  /// descendant.
  @inline(__always)
  func fits(_ row: Row, entity: PlanPart<EntityPlan>) -> Bool {
    let table = entity.table
    guard graph.isPlaceholder(row, in: table) else { return true }
    let own = graph.tables[table].header(row).pointee.entity
    return graph.isKind(entity.localIndex, in: table, of: own)
      || graph.isKind(own, in: table, of: entity.localIndex)
  }

  /// Returns the placeholder of the current record's object under another identity than its own.
  @inline(never)
  func findPlaceholder(_ number: PlanIndex, base: Int) throws -> Row? {
    for naming in namings(of: number) where !plan.entities[naming.plan].isForeignKey {
      if naming.step == Naming.isOwnKey {
        if let row = try findPlaceholder(naming, of: number, key: key) { return row }
        continue
      }
      guard naming.step >= 0, let value = try value(naming, number: number, base: base) else {
        continue
      }
      if let row = try findPlaceholder(naming, of: number, value: value) { return row }
    }
    return nil
  }

  /// Returns the placeholder of an ancestor that the current identifier also names.
  @inline(never)
  func findPlaceholder(named number: PlanIndex) throws -> Row? {
    let numbers = plan.identityNumbers[number]
    for naming in namings(of: number)
    where plan.identityNumbers[naming.plan] == numbers {
      if let row = try findPlaceholder(naming, of: number, value: key[0]) { return row }
    }
    return nil
  }

  /// Notes the placeholders of foreign keys that the current record may describe.
  ///
  /// They are resolved after all records are read, since records may change their keys.
  @inline(never)
  func noteKeys(_ frame: ImportFrame) throws {
    let (number, base) = (frame.plan, Int(frame.slots))
    guard graph.hasPlaceholders[plan.entities[number].table] else { return }
    for naming in namings(of: number)
    where naming.step >= 0 && plan.entities[naming.plan].isForeignKey {
      guard let value = try value(naming, number: number, base: base),
        let row = try findPlaceholder(naming, of: number, value: value)
      else { continue }
      let id = graph.tables[plan.entities[number].table].id(row)
      guard !isStub(row, in: id.table) else { continue }
      hasForwardReferences = true
      try forward.rows.append(
        ForwardReferences.Row(id: id, plan: naming.plan, isPlaceholder: true),
        within: graph.memory)
    }
  }

  private func value(_ naming: Naming, number: PlanIndex, base: Int) throws -> StoredValue? {
    let step = steps + Int(naming.step)
    // An invalid value is reported when it is set.
    guard let token = try? slot(step, base: base), !token.isNone, tape.tokens[token].kind != .null
    else { return nil }
    var value = StoredValue.none
    do {
      return try read(step, token: token, entity: number, into: &value) == .value ? value : nil
    } catch let error as GrootError where error.status == .callbackFailed {
      // A failed function is not called again: the second call might succeed.
      throw error
    } catch {
      return nil
    }
  }

  private func findPlaceholder(
    _ naming: Naming, of number: PlanIndex, value: StoredValue
  ) throws -> Row? {
    try withUnsafePointer(to: value) { try findPlaceholder(naming, of: number, key: $0) }
  }

  private func findPlaceholder(
    _ naming: Naming, of number: PlanIndex, key: UnsafePointer<StoredValue>
  ) throws -> Row? {
    let entity = plan.entities[naming.plan]
    let table = entity.table
    let local = plan.entities[number].localIndex
    let index = try identityIndex(naming.plan)
    guard let hash = index.pointee.hash(key) else { return nil }
    _ = try store?.readIdentity(
      plan.identityNumbers[naming.plan], in: table,
      entities: entity.localIndex...entity.localIndex, key: key,
      remembers: true)
    return index.pointee.oldestFirst(
      key, hash: hash, first: entity.localIndex, last: entity.lastLocalIndex
    ).first {
      graph.isPlaceholder($0, in: table)
        && graph.isKind(local, in: table, of: graph.tables[table].header($0).pointee.entity)
    }
  }

  private func namings(of number: PlanIndex) -> [Naming] {
    if namings.isEmpty { namings = Array(repeating: nil, count: plan.entityCount) }
    if let known = namings[number] { return known }
    let entity = plan.entities[number]
    var plans: [PlanIndex] = []
    var ancestor: EntityIndex? = entity.entity
    while let next = ancestor {
      plans.append(PlanIndex(of: next))
      ancestor = graph.model.resolved[next].parent
    }
    plans += PlanIndex(graph.model.entities.count)..<PlanIndex(plan.entityCount)
    var found: [Int: Naming] = [:]
    // Of several ancestors with the same identity, the first includes the objects of all.
    var own: Naming?
    for other in plans where other != number {
      let namer = plan.entities[other]
      guard let identity = plan.identityNumbers[other].first, namer.table == entity.table,
        graph.isKind(entity.localIndex, in: entity.table, of: namer.localIndex)
      else { continue }
      guard namer.identityCount == 1, !namer.isScoped else {
        if plan.identityNumbers[other] == plan.identityNumbers[number],
          own.map({ plan.entities[$0.plan].localIndex > namer.localIndex }) ?? true
        {
          own = Naming(plan: other, step: Naming.isOwnKey)
        }
        continue
      }
      guard found[identity].map({ plan.entities[$0.plan].localIndex > namer.localIndex }) ?? true
      else { continue }
      let step = (0..<entity.stepCount).map { $0 + entity.firstStep }.first {
        Int(steps[Int($0)].field.number) == identity && steps[Int($0)].slotCount > 0
      }
      found[identity] = Naming(plan: other, step: step ?? -1)
    }
    let all = found.sorted { $0.key < $1.key }.map(\.value) + (own.map { [$0] } ?? [])
    namings[number] = all
    return all
  }

  // MARK: Filling placeholders

  /// Returns whether the current record has only an identity, and could be of several entities.
  ///
  /// Such a record names an object, as an identifier does, and may also link it.
  @inline(__always)
  func isIdentityOnly(_ entity: PlanPart<EntityPlan>, base: Int, scope: Scope) -> Bool {
    guard entity.hasKinds, entity.identityCount > 0 else { return false }
    // The entity is known if it has no descendants and the call names it, or by a discriminator.
    if entity.localIndex == entity.lastLocalIndex
      && (scope.link == .none || entity.discriminator >= 0)
    {
      return false
    }
    return hasNothingElse(entity, base: base, countsLinks: false)
  }

  /// Returns whether a relationship's record only names its object.
  ///
  /// It then has only the properties that exports write there, or the identity and the
  /// discriminator.
  @inline(__always)
  func isPartial(_ record: MatchedRecord, scope: Scope) -> Bool {
    let entity = plan.entities + record.plan
    guard scope.partial >= 0 || entity.discriminator >= 0 && scope.link != .none,
      entity.identityCount > 0
    else { return false }
    return hasNothingElse(entity, base: record.slots, partial: scope.partial)
  }

  @inline(__always)
  private func hasNothingElse(
    _ entity: PlanPart<EntityPlan>, base: Int, partial: Int32 = -1, countsLinks: Bool = true
  ) -> Bool {
    if partial < 0, entity.contentSlot >= 0, isFilled(entity.contentSlot, base: base) {
      return false
    }
    return !hasContent(entity, base: base, partial: partial, countsLinks: countsLinks)
  }

  @inline(__always)
  private func isFilled(_ slot: Int32, base: Int) -> Bool {
    let token = slots.start[base + Int(slot)]
    return !token.isNone && token != missingLeaf
  }

  @inline(never)
  private func hasContent(
    _ entity: PlanPart<EntityPlan>, base: Int, partial: Int32, countsLinks: Bool
  ) -> Bool {
    for position in 0..<Int(entity.stepCount) {
      let step = steps + (Int(entity.firstStep) + position)
      guard !step.isIdentity, !step.options.contains(.saysNothing),
        countsLinks || step.destination.isNone,
        partial < 0 || !plan.partials[Int(partial)].numbers.contains(Int(step.field.number))
      else { continue }
      for slot in step.firstSlot..<step.firstSlot + step.slotCount
      where isFilled(slot, base: base) {
        return true
      }
    }
    return false
  }

  /// Fills a placeholder from the record that brings it, as an object of the record's entity.
  ///
  /// A placeholder that was named as an object of a descendant keeps the descendant's entity.
  func fillPlaceholder(
    _ row: Row, record: MatchedRecord, scope: Scope, namesOnly: Bool
  ) throws -> OptionalRow {
    var record = record
    let entity = plan.entities + record.plan
    let table = entity.table
    var local = entity.localIndex
    let own = graph.tables[table].header(row).pointee.entity
    // An object of an ancestor cannot be used as one of this entity: it is refined or left out.
    let hasToChange = !graph.isKind(own, in: table, of: local)
    if !graph.isKind(local, in: table, of: own) {
      local = own
      let actual = planNumber(of: row, entity)
      if actual != record.plan { try rematch(&record, as: actual) }
    }
    record.hasIdentity = false
    let isWaiting = hasForwardReferences && isStub(row, in: table)
    let isWanted =
      isWaiting || (hasToChange && !scope.operations.updates)
      ? scope.operations.inserts : scope.operations.updates
    guard isWanted else {
      releaseSlots(of: record)
      if isWaiting || hasToChange { return .none }
      try meet(row, table: table, isChanged: false)
      return OptionalRow(row)
    }
    if plan.entities[PlanIndex(of: graph.entityNumbers[table][Int(local)])].isAbstract {
      throw abstractFailure(record.object, entity: record.plan)
    }
    if isWaiting { try resolveStub(row, in: table) }
    try refine(row, table: table, to: local)
    if namesOnly {
      try forward.given.append(graph.tables[table].id(row), within: graph.memory)
    } else {
      graph.bring(row, in: table)
    }
    try wait(ImportFrame(record, row: row, scope: scope, isNew: false), scope: scope)
    return OptionalRow(row)
  }

  /// Changes the entity of a placeholder to a descendant.
  func refine(_ row: Row, table: TableIndex, to local: UInt16) throws {
    guard graph.tables[table].header(row).pointee.entity != local else { return }
    graph.refine(row, in: table, to: local)
    try graph.memory.check()
    try meetChanged(row, table: table)
  }

  /// Counts an object whose entity changed, unless this import made the object.
  private func meetChanged(_ row: Row, table: TableIndex) throws {
    let header = graph.tables[table].header(row)
    if header.pointee.epoch != graph.epoch || header.pointee.marks == 0 {
      try meet(row, table: table, isChanged: true)
    }
  }
}
