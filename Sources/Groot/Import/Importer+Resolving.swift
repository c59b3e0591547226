// The objects that values describe: found, or made.

extension Importer {
  /// Finds or makes the object of a value; returns its row, or none.
  @inline(__always)
  func resolve(_ token: TokenIndex, entity: PlanIndex, scope: Scope) throws -> OptionalRow {
    switch tape.tokens[token].kind {
    case .object: return try resolveObject(token, requested: entity, scope: scope)
    case .null: return .none
    case .alias: return try resolveAlias(token, entity: entity, scope: scope)
    case .array:
      if plan.entities[entity].takesArrays {
        return try resolveObject(token, requested: entity, scope: scope)
      }
      throw failure(
        .wrongShape, "there is an array where an object of '\(name(entity))' belongs", token: token,
        entity: entity)
    default:
      if plan.entities[entity].takesScalars,
        !place.key.isNone || !plan.entities[entity].identifiesByKey
      {
        return try resolveObject(token, requested: entity, scope: scope)
      }
      return try resolveIdentifier(token, number: entity, scope: scope)
    }
  }

  @inline(never)
  private func resolveAlias(_ token: TokenIndex, entity: PlanIndex, scope: Scope) throws
    -> OptionalRow
  {
    try resolve(tape.resolved(token), entity: entity, scope: scope)
  }

  func resolveObject(_ object: TokenIndex, requested: PlanIndex, scope: Scope) throws -> OptionalRow
  {
    let asked = requested
    var requested = requested
    if plan.entities[requested].discriminator >= 0 {
      requested = try discriminated(object, requested: requested)
      if requested.isNone { return .none }
    }
    let entity = plan.entities + requested
    if entity.takesIdentifiersOnly { throw identifierWanted(object, number: requested) }
    let content = repeatableContent(object, of: entity, scope: scope)
    if let content, let row = repeats.find(content, of: requested) { return OptionalRow(row) }
    let noteCount = notes.count
    var record = MatchedRecord(object: object, plan: requested, slots: slots.count)
    if entity.dictionaryTransformer >= 0, tape.tokens[object].kind == .object {
      record.token = try transformObject(
        entity.dictionaryTransformer, object: object, entity: requested)
    }
    try match(record.token, entity: entity, base: record.slots)
    if entity.tombstone >= 0,
      plan.tombstones[Int(entity.tombstone)].marks(record.token, on: tape)
    {
      try bury(record, scope: scope)
      releaseSlots(of: record)
      return .none
    }
    var found = try findRow(&record, among: asked, scope: scope)
    let table = entity.table
    var isChosen = false
    if entity.entityMapper >= 0, tape.tokens[record.token].kind == .object,
      found.map({ graph.isPlaceholder($0, in: table) }) ?? true
    {
      isChosen = try chooseEntity(&record, found: &found, scope: scope)
    }
    if let row = found, !fits(row, entity: plan.entities + record.plan) { found = nil }
    if found == nil, graph.hasPlaceholders[table] {
      found = try findPlaceholder(record.plan, base: record.slots)
    }
    if scope.unidentified != .insert && !record.hasIdentity {
      if plan.entities[record.plan].identityCount > 0 && scope.unidentified != .reuse {
        if scope.unidentified == .note { throw keyless(object, number: requested) }
        hasUnidentified = true
        notes.append(keyless(object, number: requested).issues)
        releaseSlots(of: record)
        return .none
      }
      found = scope.current.index
      if let store, let found { try store.read(found, in: table) }
    }
    record.isPartial = isPartial(record, scope: scope)
    let namesOnly =
      record.isPartial
      || !isChosen && isIdentityOnly(plan.entities + record.plan, base: record.slots, scope: scope)
    guard let row = found else {
      if asked != record.plan && record.hasIdentity && !record.isUnknown
        && plan.entities[asked].discriminator >= 0
      {
        try requireKind(of: record, among: asked)
      }
      let made = try insertRecord(record, scope: scope, namesOnly: namesOnly)
      if let content, let row = made.index {
        noteRepeatable(content, record: record, row: row, noteCount: noteCount)
      }
      return made
    }
    if graph.isPlaceholder(row, in: table) {
      return try fillPlaceholder(row, record: record, scope: scope, namesOnly: namesOnly)
    }
    let actual = planNumber(of: row, plan.entities + record.plan)
    if actual != record.plan {
      try rematch(&record, as: actual)
      record.hasIdentity = false
    }
    let used = try use(row, record: record, scope: scope)
    if let content {
      noteRepeatable(content, record: record, row: row, noteCount: noteCount)
    }
    return used
  }

  /// Calls the entity mapper for a record that is new, or whose object was only named so far.
  ///
  /// It returns false if the mapper returns nothing.
  @inline(__always)
  private func chooseEntity(
    _ record: inout MatchedRecord, found: inout Row?, scope: Scope
  ) throws -> Bool {
    let mapper = plan.entities[record.plan].entityMapper
    guard
      let chosen = try mapEntity(mapper, object: record.token, requested: record.plan)
    else { return false }
    if chosen != record.plan {
      try rematch(&record, as: chosen)
      // The chosen entity may have other identity attributes and another transformer.
      found = try findRow(&record, among: record.plan, scope: scope) ?? found
    }
    return true
  }

  /// Throws if a record names its entity, and its identity belongs to an object of another entity.
  ///
  /// An object keeps its entity, so the record contradicts the existing object.
  ///
  /// - Throws: ``Status/identityConflict``.
  @inline(never)
  private func requireKind(of record: MatchedRecord, among asked: PlanIndex) throws {
    let index = try identityIndex(record.plan)
    guard plan.entities[asked].identityCount > 0, try identityIndex(asked) == index,
      let row = try find(asked, index: index)
    else { return }
    let other = planNumber(of: row, plan.entities + asked)
    throw failure(
      .identityConflict,
      "the object with this identity is of '\(name(other))', and the record is of "
        + "'\(name(record.plan))'; an object keeps its entity: delete it first, or let each entity "
        + "have an identity of its own", token: record.object, entity: record.plan)
  }

  /// Makes the object of a record without an existing one; returns none if that is not allowed.
  @inline(__always)
  private func insertRecord(
    _ record: MatchedRecord, scope: Scope, namesOnly: Bool
  ) throws -> OptionalRow {
    let entity = plan.entities + record.plan
    let operations = scope.operations
    guard record.hasIdentity ? operations.inserts : operations.insertsUnidentified else {
      releaseSlots(of: record)
      return .none
    }
    if entity.isAbstract { throw abstractFailure(record.object, entity: record.plan) }
    try validateKey(record)
    let row = try insert(record.plan, entity: entity)
    if namesOnly { graph.setPlaceholder(row, in: entity.table) }
    try wait(ImportFrame(record, row: row, scope: scope, isNew: true), scope: scope)
    return OptionalRow(row)
  }

  /// Fills a found object if that is allowed.
  @inline(__always)
  private func use(_ row: Row, record: MatchedRecord, scope: Scope) throws -> OptionalRow {
    if scope.operations.updates || scope.operations.names {
      try wait(ImportFrame(record, row: row, scope: scope, isNew: false), scope: scope)
    } else {
      releaseSlots(of: record)
      try meet(row, table: plan.entities[record.plan].table, isChanged: false)
    }
    return OptionalRow(row)
  }

  /// Fills an object immediately if it has no relationships; otherwise it waits.
  ///
  /// A record whose failed look-up is only noted waits too, so that errors inside it remain
  /// separate.
  @inline(__always)
  func wait(_ frame: ImportFrame, scope: Scope) throws {
    if plan.hasForeignKeys { try noteKeys(frame) }
    if looksForUnknownKeys { try noteUnknownKeys(frame) }
    if plan.entities[frame.plan].hasRelationships || scope.unidentified == .note {
      try frames.append(frame)
    } else {
      try fill(frame)
      slots.removeLast(to: Int(frame.slots))
    }
  }

  /// Matches a record again by the plan of another entity, after that entity's transformer.
  func rematch(_ record: inout MatchedRecord, as chosen: PlanIndex) throws {
    let entity = plan.entities + chosen
    let transformer = entity.dictionaryTransformer
    if transformer >= 0, tape.tokens[record.token].kind == .object {
      let before = plan.entities[record.plan].dictionaryTransformer
      let isSame =
        before >= 0 && plan.functionNames[Int(before)] == plan.functionNames[Int(transformer)]
      if !isSame {
        record.token = try transformObject(transformer, object: record.token, entity: chosen)
      }
    }
    releaseSlots(of: record)
    record.plan = chosen
    record.slots = slots.count
    try match(record.token, entity: entity, base: record.slots)
  }

  /// Releases the slots of an object that is not filled.
  ///
  /// The slots stay if a waiting owner, which is part of the identity, has slots after them.
  @inline(__always)
  func releaseSlots(of record: MatchedRecord) {
    if slots.count == record.slots + Int(plan.entities[record.plan].slotCount) {
      slots.removeLast(to: record.slots)
    }
  }
}
