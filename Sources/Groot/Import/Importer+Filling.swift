// Setting the properties of an object that was found or made.

extension Importer {
  func fill(_ frame: ImportFrame) throws {
    let entity = plan.entities + Int(frame.plan)
    let table = Int(entity.pointee.table)
    var isChanged = false
    let first = steps + Int(entity.pointee.firstStep)
    for position in 0..<Int(entity.pointee.stepCount) {
      let step = first + position
      if step.pointee.isIdentity {
        if frame.hasIdentity { continue }
      } else if step.pointee.slotCount == 0 {
        // What an import does not read it does not check.
        continue
      }
      do {
        if try fill(step, frame, table) { isChanged = true }
      } catch {
        try gather(error)
      }
    }
    if !frame.isNew { meet(frame.row, table, isChanged) }
  }

  /// Counts an object that was there before the import.
  @inline(__always)
  private func meet(_ row: UInt32, _ table: Int, _ isChanged: Bool) {
    let header = graph.tables[table].header(row)
    if errorMode == .skip {
      met.append(
        MetObject(
          table: UInt16(truncatingIfNeeded: table), epoch: header.pointee.epoch, row: row,
          marks: header.pointee.marks))
    }
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
      let header = graph.tables[Int(object.table)].header(object.row)
      header.pointee.epoch = object.epoch
      header.pointee.marks = object.marks
    }
  }

  /// Sets one property; whether that changed anything.
  @inline(__always)
  private func fill(
    _ step: UnsafeMutablePointer<StepPlan>, _ frame: ImportFrame, _ table: Int
  ) throws -> Bool {
    let token = slot(step, Int(frame.slots))
    if let changes {
      return try changes.watch(frame, table, step.pointee.field) {
        try fill(step, frame, table, token)
      }
    }
    return try fill(step, frame, table, token)
  }

  @inline(__always)
  private func fill(
    _ step: UnsafeMutablePointer<StepPlan>, _ frame: ImportFrame, _ table: Int, _ token: Int32
  ) throws -> Bool {
    if token < 0 { return try fillMissing(frame, table, step) }
    if tape.tokens[Int(token)].rawKind == JSONKind.null.rawValue {
      return try fillNull(frame, table, step, token)
    }
    if step.pointee.destination < 0 { return try fillAttribute(frame, table, step, token) }
    if step.pointee.field.isToMany { return try fillToMany(frame, table, step, Int(token)) }
    return try fillToOne(frame, table, step, Int(token))
  }

  @inline(__always)
  private func fillAttribute(
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int32
  ) throws -> Bool {
    let field = step.pointee.field
    var value = StoredValue.none
    guard try read(step, Int(token), frame.plan, &value) else {
      // A transformer that gives nothing is as good as null.
      return try fillNull(frame, table, step, token)
    }
    if step.pointee.hasConstraints { try validate(value, step, Int(token), frame.plan) }
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
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>
  ) throws -> Bool {
    var isChanged = false
    if step.pointee.policies.missing != .keep {
      if step.pointee.policies.missing == .required { throw missing(frame, step, -1) }
      isChanged = clear(frame, table, step)
    }
    try requireValue(frame, table, step, -1)
    return isChanged
  }

  private func fillNull(
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int32
  ) throws -> Bool {
    var isChanged = false
    switch step.pointee.policies.null {
    case .keep: break
    case .error: throw missing(frame, step, token)
    case .clear: isChanged = clear(frame, table, step)
    case .default:
      if step.pointee.destination >= 0 {
        isChanged = clear(frame, table, step)
      } else {
        let template = graph.tables[table].template(
          plan.entities[Int(frame.plan)].localIndex)
        let value = StoredValue(template, step.pointee.field, graph.tables + table)
        isChanged = graph.set(table, frame.row, step.pointee.field, value)
      }
    }
    try requireValue(frame, table, step, token)
    return isChanged
  }

  private func clear(
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>
  ) -> Bool {
    let field = step.pointee.field
    if step.pointee.destination < 0 { return graph.set(table, frame.row, field, .none) }
    if field.isToMany { return graph.removeAllMembers(table, frame.row, field) }
    return graph.setTarget(Int(field.link), field.side, frame.row, 0)
  }

  /// Makes sure that a required property has a value.
  @inline(__always)
  private func requireValue(
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int32
  ) throws {
    if step.pointee.field.isOptional { return }
    if !hasValue(frame, table, step.pointee.field) { throw missing(frame, step, token) }
  }

  private func hasValue(_ frame: ImportFrame, _ table: Int, _ field: Field) -> Bool {
    if field.isToMany { return graph.memberCount(table, frame.row, field) > 0 }
    if field.isRelationship {
      return graph.target(graph.links[Int(field.link)], field.side, frame.row) != 0
    }
    return graph.tables[table].has(field, graph.tables[table].record(frame.row))
  }

  // MARK: Relationships

  private func fillToOne(
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int
  ) throws -> Bool {
    let field = step.pointee.field
    if tape.tokens[token].kind == .array {
      if step.pointee.policies.shape == .ignore { return false }
      throw failure(
        .wrongShape, "an array stands where the to-one relationship takes one object", token,
        entity: frame.plan, property: field)
    }
    let scope = Scope(step.pointee, frame.row)
    let target = try resolve(token, step.pointee.destination, scope)
    let isChanged = graph.setTarget(Int(field.link), field.side, frame.row, target)
    if target == 0 { try requireValue(frame, table, step, Int32(truncatingIfNeeded: token)) }
    return isChanged
  }

  private func fillToMany(
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int
  ) throws -> Bool {
    let field = step.pointee.field
    let base = members.count
    defer { members.removeLast(to: base) }
    let scope = Scope(step.pointee, frame.row)
    if tape.tokens[token].kind == .array {
      let count = Int(truncatingIfNeeded: tape.tokens[token].payload)
      var element = token &+ 1
      for _ in 0..<count {
        let end = tape.tokens[element].end(at: element)
        do {
          let member = try resolve(element, step.pointee.destination, scope)
          if member != 0 { members.append(member &- 1) }
        } catch {
          try gather(error)
        }
        element = end
      }
    } else if step.pointee.policies.shape == .box {
      let member = try resolve(token, step.pointee.destination, scope)
      if member != 0 { members.append(member &- 1) }
    } else if step.pointee.policies.shape == .ignore {
      return false
    } else {
      throw failure(
        .wrongShape, "\(shown(token)) stands where the to-many relationship takes an array", token,
        entity: frame.plan, property: field)
    }
    let listed = UnsafeBufferPointer(start: members.start + base, count: members.count &- base)
    let isChanged = try assign(listed, table, frame.row, step.pointee)
    try checkCount(frame, table, step, token)
    return isChanged
  }

  @inline(__always)
  private func assign(
    _ listed: UnsafeBufferPointer<UInt32>, _ table: Int, _ row: UInt32, _ step: StepPlan
  ) throws -> Bool {
    switch step.policies.assignment {
    case .replace: return try graph.setMembers(table, row, step.field, listed)
    case .union:
      var isChanged = false
      for member in listed where try graph.add(table, row, step.field, member) { isChanged = true }
      return isChanged
    case .deleteMissing:
      let kept = Set(listed)
      for member in graph.members(table, row, step.field) where !kept.contains(member) {
        missingMembers.append(
          MissingMember(link: step.field.link, side: step.field.side, row: member))
      }
      return try graph.setMembers(table, row, step.field, listed)
    }
  }

  /// Deletes the members that went missing under `deleteMissing`, now that the whole record is known.
  ///
  /// What the import gave elsewhere, or what another object still has as a member, is not missing.
  func deleteMissing() throws {
    for index in 0..<missingMembers.count {
      let member = missingMembers.start[index]
      let link = graph.links[Int(member.link)]
      let table = link.table(1 - member.side)
      let header = graph.tables[table].header(member.row)
      guard header.pointee.state & RecordState.live != 0, header.pointee.epoch != graph.epoch,
        graph.isAlone(link, 1 - member.side, member.row)
      else { continue }
      let before = graph.liveCount
      do {
        try graph.delete(graph.tables[table].id(member.row))
      } catch {
        try gather(error)
      }
      counts.deleted += before - graph.liveCount
    }
    missingMembers.removeLast(to: 0)
  }

  @inline(__always)
  private func checkCount(
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int
  ) throws {
    let field = step.pointee.field
    if field.isOptional && step.pointee.minimumCount == 0 && step.pointee.maximumCount == 0 {
      return
    }
    let count = Int(graph.memberCount(table, frame.row, field))
    if count == 0 {
      if field.isOptional { return }
      throw missing(frame, step, Int32(truncatingIfNeeded: token))
    }
    if count < Int(step.pointee.minimumCount) {
      throw failure(
        .tooFew, "\(count) members; at least \(step.pointee.minimumCount) are required", token,
        entity: frame.plan, property: field)
    }
    if step.pointee.maximumCount > 0 && count > Int(step.pointee.maximumCount) {
      throw failure(
        .tooMany, "\(count) members; at most \(step.pointee.maximumCount) are allowed", token,
        entity: frame.plan, property: field)
    }
  }
}
