// Setting the properties of an object that was found or made.

extension Importer {
  func fill(_ frame: ImportFrame) throws {
    let entity = plan.entities + frame.plan
    let table = entity.pointee.table
    var isChanged = false
    let first = steps + Int(entity.pointee.firstStep)
    // Of several steps for one property the first that finds something counts.
    var isSettled = false
    let record = graph.tables[table].record(frame.row)
    for position in 0..<Int(entity.pointee.stepCount) {
      let step = first + position
      if step.pointee.fastFill != .none {
        let token = slots.start[Int(frame.slots) &+ Int(step.pointee.firstSlot)]
        if token >= 0, fillFast(step, tape.tokens[Int(token)], record, table, frame.isNew) {
          continue
        }
      }
      if !step.pointee.options.isDisjoint(with: .special) {
        if !step.pointee.options.contains(.isSuccessor) { isSettled = false }
        if isSettled { continue }
      }
      if step.pointee.isIdentity {
        if frame.hasIdentity { continue }
      } else if step.pointee.slotCount == 0 {
        // What an import does not read it does not check.
        continue
      }
      if fillsAttributesOnly && !step.pointee.destination.isNone { break }
      if frame.link != .none && isInverse(step, frame) { continue }
      do {
        let token = try slot(step, Int(frame.slots))
        if token >= 0 {
          isSettled = true
        } else if step.pointee.options.contains(.hasSuccessor) {
          continue
        }
        if try fill(step, frame, table, token) { isChanged = true }
      } catch {
        if try settle(error, step, frame, table) { isChanged = true }
      }
    }
    if !frame.isNew { meet(frame.row, table, isChanged) }
  }

  /// Whether a step is the to-one that leads back to where the object was reached from.
  @inline(__always)
  private func isInverse(_ step: UnsafeMutablePointer<StepPlan>, _ frame: ImportFrame) -> Bool {
    step.pointee.link == frame.link && !step.pointee.destination.isNone
      && step.pointee.field.side != frame.side && !step.pointee.field.isToMany
  }

  /// Counts an object that was there before the import.
  @inline(__always)
  func meet(_ row: Row, _ table: TableIndex, _ isChanged: Bool) {
    let header = graph.tables[table].header(row)
    if errorMode == .skip {
      met.append(
        MetObject(
          table: table, epoch: header.pointee.epoch, row: row,
          marks: header.pointee.marks))
    }
    if listsAccess { noteAccess(table, row) }
    if header.pointee.epoch != graph.epoch {
      header.pointee.epoch = graph.epoch
      header.pointee.marks = 0
      counts.met &+= 1
    }
    if isChanged && header.pointee.marks == 0 {
      header.pointee.marks = ImportMark.updated
      counts.updated &+= 1
    }
  }

  /// Takes back the marks of the record at hand, which is left out.
  func forgetMet() {
    while met.count > 0 {
      let object = met.start[met.count - 1]
      met.removeLast(to: met.count - 1)
      let header = graph.tables[object.table].header(object.row)
      header.pointee.epoch = object.epoch
      header.pointee.marks = object.marks
    }
  }

  /// Sets one property; whether that changed anything.
  @inline(__always)
  private func fill(
    _ step: UnsafeMutablePointer<StepPlan>, _ frame: ImportFrame, _ table: TableIndex, _ token: Int32
  ) throws -> Bool {
    if let store, !step.pointee.destination.isNone, !frame.isNew {
      try store.prefetchFilling(step, table, frame.row, isGiven: token >= 0)
    }
    if token < 0 { return try fillMissing(frame, table, step) }
    if tape.tokens[Int(token)].rawKind == JSONKind.null.rawValue {
      return try fillNull(frame, table, step, token)
    }
    if step.pointee.destination.isNone { return try fillAttribute(frame, table, step, token) }
    if step.pointee.field.isToMany { return try fillToMany(frame, table, step, Int(token)) }
    return try fillToOne(frame, table, step, Int(token))
  }

  @inline(__always)
  private func fillAttribute(
    _ frame: ImportFrame, _ table: TableIndex, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int32
  ) throws -> Bool {
    let field = step.pointee.field
    var value = StoredValue.none
    switch try read(step, Int(token), frame.plan, &value) {
    case .value: break
    case .ignored: return false
    // A transformer that gives nothing is as good as null.
    case .nothing: return try fillNull(frame, table, step, token)
    }
    if step.pointee.checksLimits { try validate(value, step, Int(token), frame.plan) }
    if frame.isNew && graph.identityMasks[table][Int(field.number)] == 0 {
      value.write(
        to: graph.tables[table].record(frame.row), field, graph.tables + table, graph.text)
      return true
    }
    return graph.set(table, frame.row, field, value)
  }

  // MARK: Missing and null

  @inline(__always)
  private func fillMissing(
    _ frame: ImportFrame, _ table: TableIndex, _ step: UnsafeMutablePointer<StepPlan>
  ) throws -> Bool {
    var isChanged = false
    if step.pointee.policies.missing != .keep {
      if step.pointee.policies.missing == .required { throw missing(frame, step, -1) }
      isChanged = try clear(frame, table, step)
    }
    try requireValue(frame, table, step, -1)
    return isChanged
  }

  private func fillNull(
    _ frame: ImportFrame, _ table: TableIndex, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int32
  ) throws -> Bool {
    var isChanged = false
    switch step.pointee.policies.null {
    case .keep: break
    case .error: throw missing(frame, step, token)
    case .clear:
      if step.pointee.policies.assignment == .deleteMissingObjects && step.pointee.field.isToMany,
        isGivenAsObjects(Int(token), step, Int(frame.slots))
      {
        noteMissing(table, frame.row, step.pointee, kept: [])
      }
      isChanged = try clear(frame, table, step)
    case .default:
      if !step.pointee.destination.isNone {
        isChanged = try clear(frame, table, step)
      } else {
        let template = graph.tables[table].template(
          plan.entities[frame.plan].localIndex)
        let value = StoredValue(template, step.pointee.field, graph.tables + table)
        isChanged = graph.set(table, frame.row, step.pointee.field, value)
      }
    }
    try requireValue(frame, table, step, token)
    return isChanged
  }

  func clear(
    _ frame: ImportFrame, _ table: TableIndex, _ step: UnsafeMutablePointer<StepPlan>
  ) throws -> Bool {
    let field = step.pointee.field
    if step.pointee.destination.isNone { return graph.set(table, frame.row, field, .none) }
    if field.isToMany { return graph.removeAllMembers(table, frame.row, field) }
    try store?.prefetchTarget(field, frame.row, .none)
    return graph.setTarget(field.link, field.side, frame.row, .none)
  }

  /// Makes sure that a required property has a value.
  @inline(__always)
  func requireValue(
    _ frame: ImportFrame, _ table: TableIndex, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int32
  ) throws {
    if step.pointee.field.isOptional || step.pointee.policies.validation == .save { return }
    if hasValue(frame, table, step.pointee.field) { return }
    if hasForwardReferences, isExpected(frame, table, step.pointee.field) { return }
    throw missing(frame, step, token)
  }

  /// Whether a to-one waits for the object that another record named.
  private func isExpected(_ frame: ImportFrame, _ table: TableIndex, _ field: Field) -> Bool {
    forward.required.contains(
      ForwardReferences.Required(
        object: graph.tables[table].id(frame.row), property: field.number))
  }

  private func hasValue(_ frame: ImportFrame, _ table: TableIndex, _ field: Field) -> Bool {
    if field.isToMany { return graph.memberCount(table, frame.row, field) > 0 }
    if field.isRelationship {
      return !graph.target(graph.links[field.link], field.side, frame.row).isNone
    }
    return graph.tables[table].has(field, graph.tables[table].record(frame.row))
  }
}
