// The identity of a record, its attributes and owners, and new objects with that identity.

extension Resolver {
  /// Reads the identity of a record and finds its row, with the entity that the record chose.
  ///
  /// The chosen entity is one of those of `asked`.
  @inline(__always)
  func findRow(_ record: inout MatchedRecord, among asked: PlanIndex, scope: Scope) throws -> Row? {
    let entity = plan.entities + record.plan
    record.isUnknown = false
    guard entity.identityCount > 0 else { return nil }
    let index = try finder.identityIndex(record.plan)
    record.hasIdentity = try readKey(
      entity, base: record.slots, object: record.token, scope: scope)
    if asked != record.plan, finder.store == nil {
      return try finder.findChosen(&record, among: asked, index: index)
    }
    return try finder.find(record.plan, index: index)
  }

  /// Reads the identity of an object into `key`, and returns whether it is complete.
  ///
  /// A missing part gets its default, and a null part gets no value.
  @inline(__always)
  func readKey(
    _ entity: PlanPart<EntityPlan>, base: Int, object: TokenIndex, scope: Scope
  ) throws -> Bool {
    var isComplete = true
    for position in 0..<Int(entity.identityCount) {
      var step = steps + Int(plan.identities[Int(entity.firstIdentity) &+ position])
      var token = try matcher.slot(step, base: base)
      while token.isNone && step.options.contains(.hasSuccessor) {
        step = step + 1
        token = try matcher.slot(step, base: base)
      }
      if !step.destination.isNone {
        if try !readOwner(step, token: token, part: &finder.key[position], scope: scope) {
          isComplete = false
        }
      } else if token.isNone {
        let table = entity.table
        let template = graph.tables[table].template(entity.localIndex)
        finder.key[position] = StoredValue(
          template, field: step.field, table: graph.tables + table)
        isComplete = false
      } else if tape.tokens[token].rawKind == JSONKind.null.rawValue {
        finder.key[position] = .none
        isComplete = false
      } else if try values.read(
        step, token: token, entity: plan.number(of: entity), into: &finder.key[position])
        != .value
      {
        finder.key[position] = .none
        isComplete = false
      }
    }
    return isComplete
  }

  /// Reads a to-one in an identity: the object's parent, or the object that the record names.
  private func readOwner(
    _ step: PlanPart<StepPlan>, token: TokenIndex, part: inout StoredValue,
    scope: Scope
  ) throws -> Bool {
    let field = step.field
    if scope.link == field.link && (scope.side != field.side || isSymmetric(field)) {
      part = StoredValue(word: scope.row.word)
      return true
    }
    guard !token.isNone else {
      part = .none
      return false
    }
    guard ownerDepth < Self.maximumOwnerDepth else {
      throw log.failure(
        .limitExceeded,
        "more than \(Self.maximumOwnerDepth) objects are identified within one another",
        token: token)
    }
    ownerDepth += 1
    defer { ownerDepth -= 1 }
    // The owner's identity is read into the same buffer.
    let saved = (0..<finder.keyLength).map { finder.key[$0] }
    let standing = matcher.place
    matcher.place = Place()
    let inside = Scope(step.policies.unknownIdentifier, operations: targetOperations)
    let owner =
      try step.options.contains(.readsPlace)
      ? resolvePlaced(token, step: step, scope: inside)
      : resolve(token, entity: step.destination, scope: inside)
    for (index, value) in saved.enumerated() { finder.key[index] = value }
    matcher.place = standing
    part = owner.isNone ? .none : StoredValue(word: owner.word)
    return !owner.isNone
  }

  private func isSymmetric(_ field: Field) -> Bool { graph.links[field.link].isSymmetric }

  /// Checks the identity of a new object against the limits of its attributes.
  @inline(__always)
  func validateKey(_ record: MatchedRecord) throws {
    let entity = plan.entities + record.plan
    for position in 0..<Int(entity.identityCount) {
      let step = steps + Int(plan.identities[Int(entity.firstIdentity) &+ position])
      guard step.checksLimits else { continue }
      let token = try matcher.slot(step, base: record.slots)
      if !token.isNone {
        try values.validate(finder.key[position], step: step, token: token, entity: record.plan)
      }
    }
  }

  // MARK: New objects

  /// Makes an object with the current identity.
  @inline(__always)
  func insert(
    _ number: PlanIndex, entity: PlanPart<EntityPlan>, isStub: Bool = false
  ) throws -> Row {
    let table = entity.table
    let row = try graph.insertRow(entity.localIndex, in: table)
    let record = graph.tables[table].record(row)
    var hasPartner = false
    for position in 0..<Int(entity.identityCount) {
      let step = steps + Int(plan.identities[Int(entity.firstIdentity) &+ position])
      guard step.destination.isNone else {
        if graph.links[step.link].kind != .oneToMany { hasPartner = true }
        continue
      }
      if finder.key[position].count > SharedValues.minimumLength
        && step.options.contains(.readsPlace)
      {
        writeKept(finder.key[position], step.field, to: record, table: table)
        continue
      }
      graph.setFirst(finder.key[position], of: step.field, in: record, table: table)
    }
    // An index finds a row by its stored values; without memory these may differ from the key.
    try graph.checkMemory()
    if isStub { tally.noteStub(row, in: table) } else { tally.noteInserted(row, in: table) }
    if entity.isScoped {
      try insertScoped(row, number, entity: entity, hasPartner: hasPartner)
    } else {
      addToIndexes(row, number, table: table)
    }
    if !isStub && tally.listsAccess { tally.noteAccess(row, in: table) }
    return row
  }

  /// Adds a new object, whose record has the current identity, to the indexes.
  @inline(__always)
  private func addToIndexes(_ row: Row, _ number: PlanIndex, table: TableIndex) {
    if let index = finder.madeIndex(number), graph.indexCounts[table] == 1 {
      if let hash = index.pointee.hash(finder.key) {
        index.pointee.insert(row, key: finder.key, hash: hash)
      }
    } else {
      graph.forEachIndex(row, in: table) { $0.insert(row) }
    }
  }

  /// Links an object that is identified within its owner to the owner, and indexes it.
  ///
  /// The indexes take it once, with its owners. The partners of a one-to-one may have others, for
  /// which the graph keeps the indexes: an object that is identified by its partner is indexed first.
  private func insertScoped(
    _ row: Row, _ number: PlanIndex, entity: PlanPart<EntityPlan>, hasPartner: Bool
  ) throws {
    let table = entity.table
    if hasPartner {
      graph.forEachIndex(row, in: table) { $0.insert(row) }
      _ = try linkToOwners(row, entity: entity, isIndexed: true)
      return
    }
    do {
      if try linkToOwners(row, entity: entity, isIndexed: false) {
        return addToIndexes(row, number, table: table)
      }
    } catch {
      graph.forEachIndex(row, in: table) { $0.insert(row) }
      throw error
    }
    // Without memory the record lacks an owner of the key.
    graph.forEachIndex(row, in: table) { $0.insert(row) }
  }

  /// Links a new object to the owners in the current identity; returns false without memory.
  @inline(__always)
  private func linkToOwners(
    _ row: Row, entity: PlanPart<EntityPlan>, isIndexed: Bool
  ) throws -> Bool {
    var isLinked = true
    for position in 0..<Int(entity.identityCount) {
      let step = steps + Int(plan.identities[Int(entity.firstIdentity) &+ position])
      guard !step.destination.isNone else { continue }
      let part = finder.key + position
      let owner = OptionalRow(word: part.pointee.isPresent ? part.pointee.word0 : 0)
      if let store = finder.store {
        try store.prefetchTarget(step.field, row: row, target: owner)
      }
      if isIndexed {
        graph.setTarget(step.link, side: step.field.side, row: row, to: owner)
      } else if !graph.setFirstOwner(step.link, row: row, to: owner) {
        isLinked = false
      }
    }
    return isLinked
  }

  /// Writes a long text in the identity of a new object, which other identities may share.
  @inline(never)
  func writeKept(
    _ value: StoredValue, _ field: Field, to record: UnsafeMutableRawPointer, table: TableIndex
  ) {
    if let copy = matcher.shared.copy(of: value) {
      return graph.setFirst(copy: copy, of: value, field, in: record, table: table)
    }
    graph.setFirst(value, of: field, in: record, table: table)
    let kept = StoredValue(record, field: field, table: graph.tables + table)
    if kept.count == value.count, let copy = kept.start {
      matcher.shared.keep(copy: copy, of: value)
    }
  }
}
