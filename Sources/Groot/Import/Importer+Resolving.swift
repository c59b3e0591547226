// Finding or making the object that a value stands for.

extension Importer {
  /// Finds or makes the object that a value stands for; its row + 1, or 0 for none.
  @inline(__always)
  func resolve(_ token: Int, entity: PlanIndex, scope: Scope) throws -> OptionalRow {
    switch tape.tokens[token].kind {
    case .object: return try resolveObject(token, requested: entity, scope: scope)
    case .null: return .none
    case .alias: return try resolveAlias(token, entity: entity, scope: scope)
    case .array:
      if plan.entities[entity].positionCount > 0 {
        return try resolveObject(token, requested: entity, scope: scope)
      }
      throw failure(
        .wrongShape, "an array stands where an object of '\(name(entity))' belongs", token: token,
        entity: entity)
    default: return try resolveIdentifier(token, number: entity, scope: scope)
    }
  }

  @inline(never)
  private func resolveAlias(_ token: Int, entity: PlanIndex, scope: Scope) throws -> OptionalRow {
    try resolve(tape.resolved(token), entity: entity, scope: scope)
  }

  func resolveObject(_ object: Int, requested: PlanIndex, scope: Scope) throws -> OptionalRow {
    var token = object
    var number = requested
    var entity = plan.entities + requested
    if entity.pointee.takesIdentifiersOnly { throw identifierWanted(object, number: requested) }
    if entity.pointee.dictionaryTransformer >= 0 {
      token = try transformObject(
        entity.pointee.dictionaryTransformer, object: token, entity: requested)
    }
    var base = slots.count
    try match(token, entity: entity, base: base)
    var hasIdentity = false
    var found: Row?
    if entity.pointee.identityCount > 0 {
      found = try findRow(
        number, entity: entity, base: base, token: token, scope: scope, hasIdentity: &hasIdentity)
    }
    let table = entity.pointee.table
    var isChosen = false
    if entity.pointee.entityMapper >= 0, found.map({ graph.isPlaceholder($0, in: table) }) ?? true,
      let chosen = try mapEntity(entity.pointee.entityMapper, object: token, requested: requested)
    {
      isChosen = true
      if chosen != requested {
        token = try rematch(
          token, object: object, requested: requested, chosen: chosen, base: &base)
        number = chosen
        entity = plan.entities + chosen
        if entity.pointee.identityCount > 0 {
          // The chosen entity may have identity attributes of its own, and another transformer.
          found =
            try findRow(
              number, entity: entity, base: base, token: token, scope: scope,
              hasIdentity: &hasIdentity) ?? found
        }
      }
    }
    if let row = found, !fits(row, entity: entity) { found = nil }
    if found == nil, graph.hasPlaceholders[table] {
      found = try findPlaceholder(number, base: base)
    }
    if scope.unidentified != .insert && !hasIdentity {
      if entity.pointee.identityCount > 0 && scope.unidentified != .reuse {
        if scope.unidentified == .note { throw keyless(object, number: requested) }
        notes.append(keyless(object, number: requested).issues)
        releaseSlots(from: base, number)
        return .none
      }
      found = scope.current.index
      if let store, let found { try store.read(found, in: table) }
    }
    let namesOnly = !isChosen && isIdentityOnly(entity, base: base)
    if let row = found {
      if graph.isPlaceholder(row, in: table) {
        return try fillPlaceholder(
          row, object: object, token: token, requested: number, base: base, scope: scope,
          namesOnly: namesOnly)
      }
      let actual = planNumber(of: row, entity)
      if actual != number {
        token = try rematch(token, object: object, requested: number, chosen: actual, base: &base)
        hasIdentity = false
      }
      return try use(
        row, number: actual, table: table, token: token, base: base, scope: scope,
        hasIdentity: hasIdentity)
    }
    let isIdentified = hasIdentity && entity.pointee.identityCount > 0
    guard isIdentified ? scope.operations.inserts : scope.operations.insertsUnidentified else {
      releaseSlots(from: base, number)
      return .none
    }
    if entity.pointee.isAbstract { throw abstractFailure(object, entity: number) }
    try validateKey(entity, base: base, number: number)
    let row = try insert(number, entity: entity)
    if namesOnly { graph.setPlaceholder(row, in: table) }
    try wait(
      ImportFrame(
        token, plan: number, row: row, slots: base, scope: scope, isNew: true,
        hasIdentity: hasIdentity), scope: scope)
    return OptionalRow(row)
  }

  /// Reads the identity of the object at hand and looks for its row.
  @inline(__always)
  private func findRow(
    _ number: PlanIndex, entity: UnsafeMutablePointer<EntityPlan>, base: Int, token: Int,
    scope: Scope, hasIdentity: inout Bool
  ) throws -> Row? {
    let index = try identityIndex(number)
    hasIdentity = try readKey(entity, base: base, object: token, scope: scope)
    return try find(number, index: index)
  }

  /// The row that has the identity at hand, which a store may have yet.
  @inline(__always)
  func find(
    _ number: PlanIndex, index: UnsafeMutablePointer<IdentityIndex>
  ) throws -> Row? {
    let entity = plan.entities + number
    guard let hash = index.pointee.hash(key) else { return nil }
    let found = index.pointee.find(
      key, hash: hash, first: entity.pointee.localIndex, last: entity.pointee.lastLocalIndex)
    guard let store, found.map({ !isOnly($0, entity: entity, index: index, store: store) }) ?? true,
      try store.readIdentity(
        plan.identityNumbers[number], in: entity.pointee.table,
        entities: entity.pointee.localIndex...entity.pointee.lastLocalIndex, key: key,
        remembers: true)
    else { return found }
    return index.pointee.find(
      key, hash: hash, first: entity.pointee.localIndex, last: entity.pointee.lastLocalIndex)
  }

  /// Whether no older object of a store can have the identity at hand, when one was found.
  ///
  /// Objects of several entities may have it; one that is not saved, or got it since, may be younger
  /// than another; where a part of it has no value, a store lets several objects have it, and keys
  /// that are no identity it does not look at.
  func isOnly(
    _ row: Row, entity: UnsafeMutablePointer<EntityPlan>,
    index: UnsafeMutablePointer<IdentityIndex>, store: StoreCoordinator
  ) -> Bool {
    let table = entity.pointee.table
    guard entity.pointee.localIndex == entity.pointee.lastLocalIndex,
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
  private func isUnique(
    _ entity: UnsafeMutablePointer<EntityPlan>, store: StoreCoordinator
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

  /// Has an object that was found filled, when that may be; its row + 1, or 0 when it is not there
  /// yet and may not be made.
  @inline(__always)
  private func use(
    _ row: Row, number: PlanIndex, table: TableIndex, token: Int, base: Int, scope: Scope,
    hasIdentity: Bool
  ) throws -> OptionalRow {
    if !scope.operations.updates {
      releaseSlots(from: base, number)
      meet(row, table: table, isChanged: false)
      return OptionalRow(row)
    }
    try wait(
      ImportFrame(
        token, plan: number, row: row, slots: base, scope: scope, isNew: false,
        hasIdentity: hasIdentity), scope: scope)
    return OptionalRow(row)
  }

  /// Fills an object now when it leads to no others; else it waits.
  ///
  /// So does a record whose finding may fail without harm: what is wrong inside it is another matter.
  @inline(__always)
  func wait(_ frame: ImportFrame, scope: Scope) throws {
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
    _ number: PlanIndex, entity: UnsafeMutablePointer<EntityPlan>, isStub: Bool = false
  ) throws -> Row {
    let table = entity.pointee.table
    let row = try graph.insertRow(entity.pointee.localIndex, in: table)
    let record = graph.tables[table].record(row)
    record.assumingMemoryBound(to: RecordHeader.self).pointee.epoch = graph.epoch
    record.assumingMemoryBound(to: RecordHeader.self).pointee.marks = ImportMark.inserted
    for position in 0..<Int(entity.pointee.identityCount) {
      let step = steps + Int(plan.identities[Int(entity.pointee.firstIdentity) &+ position])
      guard step.pointee.destination.isNone else { continue }
      key[position].write(
        to: record, step.pointee.field, table: graph.tables + table, arena: graph.text)
    }
    counts.inserted &+= 1
    if entity.pointee.isScoped {
      try insertScoped(row, entity: entity)
    } else if let index = indexes[number], graph.indexCounts[table] == 1 {
      if let hash = index.pointee.hash(key) { index.pointee.insert(row, key: key, hash: hash) }
    } else {
      graph.forEachIndex(row, in: table) { $0.insert(row) }
    }
    if !isStub && listsAccess { noteAccess(row, in: table) }
    return row
  }

  /// Checks the identity that a new object is to get against the limits of its attributes.
  @inline(__always)
  private func validateKey(
    _ entity: UnsafeMutablePointer<EntityPlan>, base: Int, number: PlanIndex
  ) throws {
    for position in 0..<Int(entity.pointee.identityCount) {
      let step = steps + Int(plan.identities[Int(entity.pointee.firstIdentity) &+ position])
      guard step.pointee.checksLimits else { continue }
      let token = try slot(step, base: base)
      if token >= 0 { try validate(key[position], step: step, token: Int(token), entity: number) }
    }
  }

  /// Indexes an object that is identified within its owner, and links it to that.
  private func insertScoped(
    _ row: Row, entity: UnsafeMutablePointer<EntityPlan>
  ) throws {
    graph.forEachIndex(row, in: entity.pointee.table) { $0.insert(row) }
    for position in 0..<Int(entity.pointee.identityCount) {
      let step = steps + Int(plan.identities[Int(entity.pointee.firstIdentity) + position])
      guard !step.pointee.destination.isNone else { continue }
      let field = step.pointee.field
      let owner = OptionalRow(word: key[position].isPresent ? key[position].word0 : 0)
      try store?.prefetchTarget(field, row: row, target: owner)
      graph.setTarget(field.link, side: field.side, row: row, to: owner)
    }
  }

  func noteAccess(_ row: Row, in table: TableIndex) {
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
    _ entity: UnsafeMutablePointer<EntityPlan>, base: Int, object: Int, scope: Scope
  ) throws -> Bool {
    var isComplete = true
    for position in 0..<Int(entity.pointee.identityCount) {
      var step = steps + Int(plan.identities[Int(entity.pointee.firstIdentity) &+ position])
      var token = try slot(step, base: base)
      while token < 0 && step.pointee.options.contains(.hasSuccessor) {
        step += 1
        token = try slot(step, base: base)
      }
      if !step.pointee.destination.isNone {
        if try !readOwner(step, token: token, part: &key[position], scope: scope) {
          isComplete = false
        }
      } else if token < 0 {
        let table = entity.pointee.table
        let template = graph.tables[table].template(entity.pointee.localIndex)
        key[position] = StoredValue(
          template, field: step.pointee.field, table: graph.tables + table)
        isComplete = false
      } else if tape.tokens[Int(token)].rawKind == JSONKind.null.rawValue {
        key[position] = .none
        isComplete = false
      } else if try read(step, token: Int(token), entity: planIndex(entity), into: &key[position])
        != .value
      {
        key[position] = .none
        isComplete = false
      }
    }
    return isComplete
  }

  /// Reads a to-one that is a part of an identity: the parent that the object is reached from, or
  /// what the object itself names.
  private func readOwner(
    _ step: UnsafeMutablePointer<StepPlan>, token: Int32, part: inout StoredValue,
    scope: Scope
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
        "more than \(Self.maximumOwnerDepth) objects are identified within one another",
        token: Int(token))
    }
    ownerDepth += 1
    defer { ownerDepth -= 1 }
    // The owner's identity is read into the same place.
    let saved = (0..<keyLength).map { key[$0] }
    let owner = try resolve(
      Int(token), entity: step.pointee.destination,
      scope: Scope(step.pointee.policies.unknownIdentifier, operations: targetOperations))
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
    _ token: Int, object: Int, requested: PlanIndex, chosen: PlanIndex, base: inout Int
  ) throws -> Int {
    let entity = plan.entities + chosen
    var token = token
    let transformer = entity.pointee.dictionaryTransformer
    if transformer >= 0 {
      let before = plan.entities[requested].dictionaryTransformer
      let isSame =
        before >= 0 && plan.functionNames[Int(before)] == plan.functionNames[Int(transformer)]
      if !isSame { token = try transformObject(transformer, object: token, entity: chosen) }
    }
    releaseSlots(from: base, requested)
    base = slots.count
    try match(token, entity: entity, base: base)
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
