// Finding or making the object that a value stands for.

extension Importer {
  /// Finds or makes the object that a value stands for; its row + 1, or 0 for none.
  @inline(__always)
  func resolve(_ token: Int, _ entity: PlanIndex, _ scope: Scope) throws -> OptionalRow {
    switch tape.tokens[token].kind {
    case .object: return try resolveObject(token, entity, scope)
    case .null: return .none
    case .alias: return try resolveAlias(token, entity, scope)
    case .array:
      if plan.entities[entity].positionCount > 0 {
        return try resolveObject(token, entity, scope)
      }
      throw failure(
        .wrongShape, "an array stands where an object of '\(name(entity))' belongs", token,
        entity: entity)
    default: return try resolveIdentifier(token, entity, scope)
    }
  }

  @inline(never)
  private func resolveAlias(_ token: Int, _ entity: PlanIndex, _ scope: Scope) throws -> OptionalRow {
    try resolve(tape.resolved(token), entity, scope)
  }

  func resolveObject(_ object: Int, _ requested: PlanIndex, _ scope: Scope) throws -> OptionalRow {
    var token = object
    var number = requested
    var entity = plan.entities + requested
    if entity.pointee.takesIdentifiersOnly { throw identifierWanted(object, requested) }
    if entity.pointee.dictionaryTransformer >= 0 {
      token = try transformObject(entity.pointee.dictionaryTransformer, token, requested)
    }
    var base = slots.count
    try match(token, entity, base)
    var hasIdentity = false
    var found: Row?
    if entity.pointee.identityCount > 0 {
      found = try findRow(number, entity, base, token, scope, &hasIdentity)
    }
    let table = entity.pointee.table
    var isChosen = false
    if entity.pointee.entityMapper >= 0, found.map({ graph.isPlaceholder(table, $0) }) ?? true,
      let chosen = try mapEntity(entity.pointee.entityMapper, token, requested)
    {
      isChosen = true
      if chosen != requested {
        token = try rematch(token, object, requested, chosen, &base)
        number = chosen
        entity = plan.entities + chosen
        if entity.pointee.identityCount > 0 {
          // The chosen entity may have identity attributes of its own, and another transformer.
          found = try findRow(number, entity, base, token, scope, &hasIdentity) ?? found
        }
      }
    }
    if let row = found, !fits(row, entity) { found = nil }
    if found == nil, graph.hasPlaceholders[table] { found = try findPlaceholder(number, base) }
    if scope.unidentified != .insert && !hasIdentity {
      if entity.pointee.identityCount > 0 && scope.unidentified != .reuse {
        if scope.unidentified == .note { throw keyless(object, requested) }
        notes.append(keyless(object, requested).issues)
        releaseSlots(from: base, number)
        return .none
      }
      found = scope.current.index
      if let store, let found { try store.read(table, found) }
    }
    let namesOnly = !isChosen && isIdentityOnly(entity, base)
    if let row = found {
      if graph.isPlaceholder(table, row) {
        return try fillPlaceholder(row, object, token, number, base, scope, namesOnly: namesOnly)
      }
      let actual = planNumber(of: row, entity)
      if actual != number {
        token = try rematch(token, object, number, actual, &base)
        hasIdentity = false
      }
      return try use(row, actual, table, token, base, scope, hasIdentity)
    }
    let isIdentified = hasIdentity && entity.pointee.identityCount > 0
    guard isIdentified ? scope.operations.inserts : scope.operations.insertsUnidentified else {
      releaseSlots(from: base, number)
      return .none
    }
    if entity.pointee.isAbstract { throw abstractFailure(object, number) }
    try validateKey(entity, base, number)
    let row = try insert(number, entity)
    if namesOnly { graph.setPlaceholder(table, row) }
    try wait(ImportFrame(token, number, row, base, scope, isNew: true, hasIdentity), scope)
    return OptionalRow(row)
  }

  /// Reads the identity of the object at hand and looks for its row.
  @inline(__always)
  private func findRow(
    _ number: PlanIndex, _ entity: UnsafeMutablePointer<EntityPlan>, _ base: Int, _ token: Int,
    _ scope: Scope, _ hasIdentity: inout Bool
  ) throws -> Row? {
    let index = try identityIndex(number)
    hasIdentity = try readKey(entity, base, token, scope)
    return try find(number, index)
  }

  /// The row that has the identity at hand, which a store may have yet.
  @inline(__always)
  func find(
    _ number: PlanIndex, _ index: UnsafeMutablePointer<IdentityIndex>
  ) throws -> Row? {
    let entity = plan.entities + number
    guard let hash = index.pointee.hash(key) else { return nil }
    let found = index.pointee.find(
      key, hash: hash, entity.pointee.localIndex, entity.pointee.lastLocalIndex)
    guard let store, found.map({ !isOnly($0, entity, index, store) }) ?? true,
      try store.readIdentity(
        entity.pointee.table, plan.identityNumbers[number],
        entity.pointee.localIndex...entity.pointee.lastLocalIndex, key, remembers: true)
    else { return found }
    return index.pointee.find(
      key, hash: hash, entity.pointee.localIndex, entity.pointee.lastLocalIndex)
  }

  /// Whether no older object of a store can have the identity at hand, when one was found.
  ///
  /// Objects of several entities may have it; one that is not saved, or got it since, may be younger
  /// than another; where a part of it has no value, a store lets several objects have it, and keys
  /// that are no identity it does not look at.
  func isOnly(
    _ row: Row, _ entity: UnsafeMutablePointer<EntityPlan>,
    _ index: UnsafeMutablePointer<IdentityIndex>, _ store: StoreCoordinator
  ) -> Bool {
    let table = entity.pointee.table
    guard entity.pointee.localIndex == entity.pointee.lastLocalIndex,
      !store.isUnsaved(table, row), isUnique(entity, store)
    else { return false }
    let record = graph.tables[table].record(row)
    return (0..<index.pointee.fieldCount).allSatisfy {
      key[$0].isPresent
        && !graph.tables[table].isChanged(index.pointee.fields[$0].number, record)
    }
  }

  /// Whether a store has each identity of an entity once.
  @inline(__always)
  private func isUnique(
    _ entity: UnsafeMutablePointer<EntityPlan>, _ store: StoreCoordinator
  ) -> Bool {
    let number = planIndex(entity)
    if uniqueness.isEmpty {
      uniqueness = (0..<plan.entityCount).map { number in
        let entity = plan.entities[number]
        return store.identity(
          entity.table, plan.identityNumbers[number],
          entity.localIndex...entity.lastLocalIndex) != nil
      }
    }
    return uniqueness[number]
  }

  /// Has an object that was found filled, when that may be; its row + 1, or 0 when it is not there
  /// yet and may not be made.
  @inline(__always)
  private func use(
    _ row: Row, _ number: PlanIndex, _ table: TableIndex, _ token: Int, _ base: Int, _ scope: Scope,
    _ hasIdentity: Bool
  ) throws -> OptionalRow {
    if !scope.operations.updates {
      releaseSlots(from: base, number)
      meet(row, table, false)
      return OptionalRow(row)
    }
    try wait(ImportFrame(token, number, row, base, scope, isNew: false, hasIdentity), scope)
    return OptionalRow(row)
  }

  /// Fills an object now when it leads to no others; else it waits.
  ///
  /// So does a record whose finding may fail without harm: what is wrong inside it is another matter.
  @inline(__always)
  func wait(_ frame: ImportFrame, _ scope: Scope) throws {
    if plan.hasForeignKeys { try noteKeys(frame) }
    if plan.entities[frame.plan].hasRelationships || scope.unidentified == .note {
      frames.append(frame)
    } else {
      try fill(frame)
      slots.removeLast(to: Int(frame.slots))
    }
  }

  /// Makes an object with the identity at hand.
  @inline(__always)
  func insert(
    _ number: PlanIndex, _ entity: UnsafeMutablePointer<EntityPlan>, isStub: Bool = false
  ) throws -> Row {
    let table = entity.pointee.table
    let row = try graph.insertRow(table, entity.pointee.localIndex)
    let record = graph.tables[table].record(row)
    record.assumingMemoryBound(to: RecordHeader.self).pointee.epoch = graph.epoch
    record.assumingMemoryBound(to: RecordHeader.self).pointee.marks = ImportMark.inserted
    for position in 0..<Int(entity.pointee.identityCount) {
      let step = steps + Int(plan.identities[Int(entity.pointee.firstIdentity) &+ position])
      guard step.pointee.destination.isNone else { continue }
      key[position].write(to: record, step.pointee.field, graph.tables + table, graph.text)
    }
    counts.inserted &+= 1
    if entity.pointee.isScoped {
      try insertScoped(row, entity)
    } else if let index = indexes[number], graph.indexCounts[table] == 1 {
      if let hash = index.pointee.hash(key) { index.pointee.insert(row, key, hash) }
    } else {
      graph.forEachIndex(table, row) { $0.insert(row) }
    }
    if !isStub && listsAccess { noteAccess(table, row) }
    return row
  }

  /// Checks the identity that a new object is to get against the limits of its attributes.
  @inline(__always)
  private func validateKey(
    _ entity: UnsafeMutablePointer<EntityPlan>, _ base: Int, _ number: PlanIndex
  ) throws {
    for position in 0..<Int(entity.pointee.identityCount) {
      let step = steps + Int(plan.identities[Int(entity.pointee.firstIdentity) &+ position])
      guard step.pointee.checksLimits else { continue }
      let token = try slot(step, base)
      if token >= 0 { try validate(key[position], step, Int(token), number) }
    }
  }

  /// Indexes an object that is identified within its owner, and links it to that.
  private func insertScoped(
    _ row: Row, _ entity: UnsafeMutablePointer<EntityPlan>
  ) throws {
    graph.forEachIndex(entity.pointee.table, row) { $0.insert(row) }
    for position in 0..<Int(entity.pointee.identityCount) {
      let step = steps + Int(plan.identities[Int(entity.pointee.firstIdentity) + position])
      guard !step.pointee.destination.isNone else { continue }
      let field = step.pointee.field
      let owner = OptionalRow(word: key[position].isPresent ? key[position].word0 : 0)
      try store?.prefetchTarget(field, row, owner)
      graph.setTarget(field.link, field.side, row, owner)
    }
  }

  func noteAccess(_ table: TableIndex, _ row: Row) {
    accessed?.insert(graph.tables[table].id(row))
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

  /// Reads the identity of an object into `key`; whether all of it is there.
  ///
  /// A part that is missing has its default, one that is null has no value.
  @inline(__always)
  func readKey(
    _ entity: UnsafeMutablePointer<EntityPlan>, _ base: Int, _ object: Int, _ scope: Scope
  ) throws -> Bool {
    var isComplete = true
    for position in 0..<Int(entity.pointee.identityCount) {
      var step = steps + Int(plan.identities[Int(entity.pointee.firstIdentity) &+ position])
      var token = try slot(step, base)
      while token < 0 && step.pointee.options.contains(.hasSuccessor) {
        step += 1
        token = try slot(step, base)
      }
      if !step.pointee.destination.isNone {
        if try !readOwner(step, token, &key[position], scope) { isComplete = false }
      } else if token < 0 {
        let table = entity.pointee.table
        let template = graph.tables[table].template(entity.pointee.localIndex)
        key[position] = StoredValue(template, step.pointee.field, graph.tables + table)
        isComplete = false
      } else if tape.tokens[Int(token)].rawKind == JSONKind.null.rawValue {
        key[position] = .none
        isComplete = false
      } else if try read(step, Int(token), planIndex(entity), &key[position]) != .value {
        key[position] = .none
        isComplete = false
      }
    }
    return isComplete
  }

  /// Reads a to-one that is a part of an identity: the parent that the object is reached from, or
  /// what the object itself names.
  private func readOwner(
    _ step: UnsafeMutablePointer<StepPlan>, _ token: Int32, _ part: inout StoredValue,
    _ scope: Scope
  ) throws -> Bool {
    let field = step.pointee.field
    if scope.link == field.link && (scope.side != field.side || isSymmetric(field)) {
      part = StoredValue(word: scope.row.word)
      return true
    }
    guard token >= 0 else {
      part = .none
      return false
    }
    guard ownerDepth < Self.maximumOwnerDepth else {
      throw failure(
        .limitExceeded,
        "more than \(Self.maximumOwnerDepth) objects are identified within one another", Int(token))
    }
    ownerDepth += 1
    defer { ownerDepth -= 1 }
    // The owner's identity is read into the same place.
    let saved = (0..<keyLength).map { key[$0] }
    let owner = try resolve(
      Int(token), step.pointee.destination,
      Scope(step.pointee.policies.unknownIdentifier, targetOperations))
    for (index, value) in saved.enumerated() { key[index] = value }
    part = owner.isNone ? .none : StoredValue(word: owner.word)
    return !owner.isNone
  }

  private func isSymmetric(_ field: Field) -> Bool { graph.links[field.link].isSymmetric }

  @inline(__always)
  func planIndex(_ entity: UnsafeMutablePointer<EntityPlan>) -> PlanIndex {
    PlanIndex(entity - plan.entities)
  }

  /// The plan of the entity that a row has.
  @inline(__always)
  func planNumber(of row: Row, _ entity: UnsafeMutablePointer<EntityPlan>) -> PlanIndex {
    let table = entity.pointee.table
    let local = graph.tables[table].header(row).pointee.entity
    if entity.pointee.isFixed { return planIndex(entity) }
    if local == entity.pointee.localIndex { return planIndex(entity) }
    return PlanIndex(of: graph.entityNumbers[table][Int(local)])
  }

  /// Reads an object anew by the plan of another entity, whose own dictionary transformer runs too.
  func rematch(
    _ token: Int, _ object: Int, _ requested: PlanIndex, _ chosen: PlanIndex, _ base: inout Int
  ) throws -> Int {
    let entity = plan.entities + chosen
    var token = token
    let transformer = entity.pointee.dictionaryTransformer
    if transformer >= 0 {
      let before = plan.entities[requested].dictionaryTransformer
      let isSame =
        before >= 0 && plan.functionNames[Int(before)] == plan.functionNames[Int(transformer)]
      if !isSame { token = try transformObject(transformer, token, chosen) }
    }
    releaseSlots(from: base, requested)
    base = slots.count
    try match(token, entity, base)
    return token
  }

  /// Gives up the slots of an object that is not to be filled by them, unless its owner, which is a
  /// part of its identity, waits with slots behind them.
  @inline(__always)
  func releaseSlots(from base: Int, _ number: PlanIndex) {
    if slots.count == base + Int(plan.entities[number].slotCount) {
      slots.removeLast(to: base)
    }
  }
}
