// Objects that were only named: finding them when their records come.

/// A way to name objects before their record: an ancestor's identity, or a foreign key.
struct Naming {
  /// The plan of the identifiers.
  let plan: PlanIndex
  /// The step that reads the identity from a record; -1 without one, -2 for the record's own.
  let step: Int32

  static let isOwnKey: Int32 = -2
}

extension References {
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
        if let row = try findPlaceholder(naming, of: number, key: finder.key) { return row }
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
      if let row = try findPlaceholder(naming, of: number, value: finder.key[0]) { return row }
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
      guard !tally.isStub(row, in: id.table) else { continue }
      try noteStub(row, of: naming.plan, isPlaceholder: true)
    }
  }

  private func value(_ naming: Naming, number: PlanIndex, base: Int) throws -> StoredValue? {
    let step = steps + Int(naming.step)
    // An invalid value is reported when it is set.
    guard let token = try? matcher.slot(step, base: base), !token.isNone,
      matcher.tape.tokens[token].kind != .null
    else { return nil }
    var value = StoredValue.none
    do {
      return try values.read(step, token: token, entity: number, into: &value) == .value
        ? value : nil
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
    let index = try finder.identityIndex(naming.plan)
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
    if knownNamings.isEmpty { knownNamings = Array(repeating: nil, count: plan.entityCount) }
    if let known = knownNamings[number] { return known }
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
    let all = found.sortedFew { $0.key < $1.key }.map(\.value) + (own.map { [$0] } ?? [])
    knownNamings[number] = all
    return all
  }
}
