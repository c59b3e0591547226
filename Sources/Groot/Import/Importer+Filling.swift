// The properties of an object that was found or made.

extension Importer {
  func fill(_ frame: ImportFrame) throws {
    let entity = plan.entities + frame.plan
    let table = entity.table
    var isChanged = false
    if frame.isNaming {
      try nameMembers(frame)
      return try meet(frame.row, table: table, isChanged: false)
    }
    if entity.hasHistory, !frame.isNew {
      if entity.version >= 0, try isStale(frame, table: table) {
        return try leaveOut(frame, table: table)
      }
      isChanged = clearDeletionMark(frame, table: table)
    }
    if entity.indexStep >= 0, !frame.isNew { try noteMove(frame, table: table) }
    let first = steps + Int(entity.firstStep)
    // Of several steps for one property, the first step with a value counts.
    var isSettled = false
    let leftCount = entity.hasRest ? namedRests.leftAlone.count : 0
    let record = graph.tables[table].record(frame.row)
    for position in 0..<Int(entity.stepCount) {
      let step = first + position
      if step.fastFill != .none {
        let token = slots.start[Int(frame.slots) &+ Int(step.firstSlot)]
        if !token.isNone,
          fillFast(
            step, token: tape.tokens[token], record: record, table: table, isNew: frame.isNew)
        {
          continue
        }
      }
      if !step.options.isDisjoint(with: .special) {
        if step.options.contains(.isRest) { continue }
        if !step.options.contains(.isSuccessor) { isSettled = false }
        if isSettled { continue }
      }
      if step.isIdentity {
        if frame.hasIdentity { continue }
      } else if step.slotCount == 0 {
        // An import does not validate values that it does not read.
        continue
      }
      if fillsAttributesOnly && !step.destination.isNone { break }
      if frame.link != .none && isInverse(step, frame: frame) { continue }
      do {
        let token = try slot(step, base: Int(frame.slots))
        if !token.isNone {
          isSettled = true
        } else if step.options.contains(.hasSuccessor) {
          continue
        }
        if try fill(step, frame: frame, table: table, token: token) { isChanged = true }
      } catch {
        if try settle(error, step: step, frame: frame, table: table) { isChanged = true }
      }
    }
    if entity.hasRest,
      try fillRest(frame, table: table, isLater: namedRests.leftAlone.count != leftCount)
    {
      isChanged = true
    }
    if !frame.isNew { try meet(frame.row, table: table, isChanged: isChanged) }
  }

  /// Counts a record that is older than its object.
  private func leaveOut(_ frame: ImportFrame, table: TableIndex) throws {
    counts.stale &+= 1
    if listsChanges { stale.append(graph.tables[table].id(frame.row)) }
    // A synchronization does not delete an object that an entry names, however old the entry is.
    if takesEntriesOnly { try nameMembers(frame) }
    try meet(frame.row, table: table, isChanged: false)
  }

  /// Returns whether a step is the to-one that leads back to the object's parent.
  @inline(__always)
  private func isInverse(_ step: PlanPart<StepPlan>, frame: ImportFrame) -> Bool {
    step.link == frame.link && !step.destination.isNone
      && step.field.side != frame.side && !step.field.isToMany
  }

  /// Counts an object that existed before the import.
  @inline(__always)
  func meet(_ row: Row, table: TableIndex, isChanged: Bool) throws {
    let header = graph.tables[table].header(row)
    if errorMode == .skip {
      try met.append(
        MetObject(
          table: table, epoch: header.pointee.epoch, row: row,
          marks: header.pointee.marks))
    }
    if listsAccess { noteAccess(row, in: table) }
    if header.pointee.epoch != graph.epoch {
      header.pointee.epoch = graph.epoch
      header.pointee.marks = 0
      counts.met &+= 1
    }
    if isChanged { repeats.noteChange(in: table) }
    if isChanged && header.pointee.marks == 0 {
      header.pointee.marks = ImportMark.updated
      counts.updated &+= 1
    }
  }

  /// Removes the marks of the current record, which is left out.
  func forgetMet() {
    while met.count > 0 {
      let object = met.start[met.count - 1]
      met.removeLast(to: met.count - 1)
      let header = graph.tables[object.table].header(object.row)
      header.pointee.epoch = object.epoch
      header.pointee.marks = object.marks
    }
  }

  /// Sets one property, and returns whether the object changed.
  @inline(__always)
  func fill(
    _ step: PlanPart<StepPlan>, frame: ImportFrame, table: TableIndex, token: TokenIndex
  ) throws -> Bool {
    if let store, !step.destination.isNone, !frame.isNew {
      try store.prefetchFilling(step, table: table, row: frame.row, isGiven: !token.isNone)
    }
    if token.isNone { return try fillMissing(frame, table: table, step: step) }
    if tape.tokens[token].rawKind == JSONKind.null.rawValue {
      return try fillNull(frame, table: table, step: step, token: token)
    }
    if step.destination.isNone {
      return try fillAttribute(frame, table: table, step: step, token: token)
    }
    if step.field.isToMany {
      return try fillToMany(frame, table: table, step: step, token: token)
    }
    return try fillToOne(frame, table: table, step: step, token: token)
  }

  @inline(__always)
  private func fillAttribute(
    _ frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>, token: TokenIndex
  ) throws -> Bool {
    let field = step.field
    var value = StoredValue.none
    let isLong: Bool
    if step.options.contains(.readsPlace), let known = knownText(step, token: token) {
      (value, isLong) = (known, true)
    } else {
      switch try read(step, token: token, entity: frame.plan, into: &value) {
      case .value: break
      case .ignored:
        leaveAlone(token, step)
        return false
      // A transformer without a result counts as null.
      case .nothing: return try fillNull(frame, table: table, step: step, token: token)
      }
      if step.checksLimits {
        try validate(value, step: step, token: token, entity: frame.plan)
      }
      isLong =
        value.count > PlacedValues.minimumLength && step.options.contains(.readsPlace)
      if isLong { noteText(value, step, token: token) }
    }
    if isLong {
      let kept = try shared(value, step, frame: frame, table: table)
      return graph.share(kept, frame.row, in: table, field: field)
    }
    if frame.isNew && graph.identityMasks[table][Int(field.number)] == 0 {
      value.write(
        to: graph.tables[table].record(frame.row), field, table: graph.tables + table,
        arena: graph.text)
      return true
    }
    return graph.set(frame.row, in: table, field: field, to: value)
  }

  // MARK: Missing and null values

  @inline(__always)
  private func fillMissing(
    _ frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>
  ) throws -> Bool {
    var isChanged = false
    if frame.isPartial { return false }
    if step.policies.missing != .keep {
      if step.policies.missing == .required { throw missing(frame, step: step, token: .none) }
      isChanged = try clear(frame, table: table, step: step)
    }
    try requireValue(frame, table: table, step: step, token: .none)
    return isChanged
  }

  private func fillNull(
    _ frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>, token: TokenIndex
  ) throws -> Bool {
    var isChanged = false
    switch step.policies.null {
    case .keep: break
    case .error: throw missing(frame, step: step, token: token)
    case .clear:
      if step.policies.assignment == .deleteMissingObjects && step.field.isToMany,
        isGivenAsObjects(token, step: step, base: Int(frame.slots))
      {
        try noteMissing(frame.row, in: table, step: step.value, kept: [])
      }
      isChanged = try clear(frame, table: table, step: step)
    case .default:
      if !step.destination.isNone {
        isChanged = try clear(frame, table: table, step: step)
      } else {
        let template = graph.tables[table].template(
          plan.entities[frame.plan].localIndex)
        let value = StoredValue(template, field: step.field, table: graph.tables + table)
        isChanged = graph.set(frame.row, in: table, field: step.field, to: value)
      }
    }
    try requireValue(frame, table: table, step: step, token: token)
    return isChanged
  }

  /// Whether the record is already left out, so that its lists need not be set.
  var isLeftOut: Bool { errorMode == .skip && !issues.isEmpty }

  func clear(
    _ frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>
  ) throws -> Bool {
    let field = step.field
    if step.destination.isNone {
      return graph.set(frame.row, in: table, field: field, to: .none)
    }
    if field.isToMany { return !isLeftOut && graph.removeAllMembers(of: frame.row, field: field) }
    try store?.prefetchTarget(field, row: frame.row, target: .none)
    return graph.setTarget(field.link, side: field.side, row: frame.row, to: .none)
  }

  /// Throws if a required property has no value.
  @inline(__always)
  func requireValue(
    _ frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>, token: TokenIndex
  ) throws {
    if step.field.isOptional || step.policies.validation == .save { return }
    if hasValue(frame.row, table: table, field: step.field) { return }
    if hasForwardReferences, isExpected(frame, table: table, field: step.field) { return }
    throw missing(frame, step: step, token: token)
  }

  /// Returns whether a to-one waits for an object that another record named.
  private func isExpected(_ frame: ImportFrame, table: TableIndex, field: Field) -> Bool {
    forward.required.contains(
      ForwardReferences.Required(
        object: graph.tables[table].id(frame.row), property: field.number))
  }

  func hasValue(_ row: Row, table: TableIndex, field: Field) -> Bool {
    if field.isToMany { return graph.memberCount(of: row, field: field) > 0 }
    if field.isRelationship {
      return !graph.target(graph.links[field.link], side: field.side, row: row).isNone
    }
    return graph.tables[table].has(field, in: graph.tables[table].record(row))
  }
}
