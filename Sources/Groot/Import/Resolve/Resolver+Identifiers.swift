// Identifiers in the place of objects, and the objects that were only named so far.

extension Resolver {
  /// Finds the object that an identifier names, or makes one with only that identity.
  func resolveIdentifier(_ token: TokenIndex, number: PlanIndex, scope: Scope) throws -> OptionalRow
  {
    let entity = plan.entities + number
    guard entity.identityCount == 1, !entity.isScoped else {
      throw log.failure(
        .wrongShape,
        "there is an identifier where an object of '\(log.name(number))' belongs; only an entity with one "
          + "identity attribute takes identifiers", token: token, entity: number)
    }
    let step = steps + Int(plan.identities[Int(entity.firstIdentity)])
    guard try values.read(step, token: token, entity: number, into: &finder.key[0]) == .value else {
      throw log.failure(
        .missingValue, "the identifier \(matcher.current.shown(token)) has no value", token: token,
        entity: number,
        property: step.field)
    }
    let index = try finder.identityIndex(number)
    let table = entity.table
    if let row = try finder.find(number, index: index) {
      return try references.use(row, token: token, number: number, scope: scope)
    }
    if graph.hasPlaceholders[table], let row = try references.findPlaceholder(named: number) {
      try refine(row, table: table, to: entity.localIndex)
      return try references.use(row, token: token, number: number, scope: scope)
    }
    if step.checksLimits {
      try values.validate(finder.key[0], step: step, token: token, entity: number)
    }
    switch scope.unknownIdentifier {
    case .placeholder:
      // A later record is found by its own identity, not by this key.
      if entity.isForeignKey {
        let row = try expect(number, entity: entity, isPlaceholder: true)
        if let row = row.index { try references.noteNamed(row, token: token, number: number) }
        return row
      }
      let row = try insert(number, entity: entity)
      graph.setPlaceholder(row, in: table)
      try references.noteNamed(row, token: token, number: number)
      return OptionalRow(row)
    case .skip, .keep: return try expect(number, entity: entity)
    case .error:
      throw log.failure(
        .unknownIdentifier,
        "no object of '\(log.name(number))' has the identity \(matcher.current.shown(token))",
        token: token, entity: number)
    }
  }

  /// Makes a stub row with the current identity, and returns it.
  func expect(
    _ number: PlanIndex, entity: PlanPart<EntityPlan>, isPlaceholder: Bool = false
  ) throws -> OptionalRow {
    let row = try insert(number, entity: entity, isStub: true)
    graph.setPlaceholder(row, in: entity.table)
    try references.noteStub(row, of: number, isPlaceholder: isPlaceholder)
    return OptionalRow(row)
  }

  /// Fills a placeholder from the record that brings it, as an object of the record's entity.
  ///
  /// A placeholder that was named as an object of a descendant keeps the descendant's entity.
  func fillPlaceholder(
    _ row: Row, record: MatchedRecord, scope: Scope
  ) throws -> OptionalRow {
    let namesOnly = namesOnly(record, scope: scope)
    var record = record
    let entity = plan.entities + record.plan
    let table = entity.table
    var local = entity.localIndex
    let own = graph.tables[table].header(row).pointee.entity
    // An object of an ancestor cannot be used as one of this entity: it is refined or left out.
    let hasToChange = !graph.isKind(own, in: table, of: local)
    if !graph.isKind(local, in: table, of: own) {
      local = own
      let actual = finder.planNumber(of: row, entity)
      if actual != record.plan { try rematch(&record, as: actual) }
    }
    record.hasIdentity = false
    let isWaiting = references.hasForwardReferences && tally.isStub(row, in: table)
    let isWanted =
      isWaiting || (hasToChange && !scope.operations.contains(.updates))
      ? scope.operations.contains(.inserts) : scope.operations.contains(.updates)
    guard isWanted else {
      matcher.releaseSlots(of: record)
      if isWaiting || hasToChange { return .none }
      try tally.meet(row, table: table, isChanged: false)
      return OptionalRow(row)
    }
    if plan.entities[PlanIndex(of: graph.entityNumbers[table][Int(local)])].isAbstract {
      throw log.abstractFailure(record.object, entity: record.plan)
    }
    if isWaiting { try tally.resolveStub(row, in: table) }
    try refine(row, table: table, to: local)
    if namesOnly {
      try references.noteGiven(row, in: table)
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
      repeats.noteChange(in: table)
      try tally.meet(row, table: table, isChanged: true)
    }
  }
}
