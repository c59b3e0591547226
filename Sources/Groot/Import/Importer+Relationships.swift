// Setting the relationships of an object that was found or made.

extension Importer {
  func fillToOne(
    _ frame: ImportFrame, _ table: TableIndex, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int
  ) throws -> Bool {
    let field = step.pointee.field
    if tape.tokens[token].kind == .array,
      plan.entities[step.pointee.destination].positionCount == 0
    {
      if step.pointee.policies.shape == .ignore { return false }
      throw failure(
        .wrongShape, "an array stands where the to-one relationship takes one object", token,
        entity: frame.plan, property: field)
    }
    var scope = Scope(step.pointee, frame.row, targetOperations)
    let link = field.link
    if scope.unidentified == .reuse {
      scope.current = graph.target(graph.links[link], field.side, frame.row)
    }
    var target = try resolve(token, step.pointee.destination, scope)
    var isWaiting = false
    if let row = target.index, hasForwardReferences {
      if isStub(graph.destination(field), row) {
        target = expect(row, of: step, frame, table, token)
        isWaiting = true
      }
    } else if target.isNone && scope.unknownIdentifier == .keep && tape.tokens[token].kind != .object
    {
      return false
    }
    try store?.prefetchTarget(field, frame.row, target)
    let isChanged = graph.setTarget(link, field.side, frame.row, target)
    if target.isNone && !isWaiting {
      try requireValue(frame, table, step, Int32(truncatingIfNeeded: token))
    }
    return isChanged
  }

  /// Notes that a to-one waits for an object; what it has until then.
  private func expect(
    _ target: Row, of step: UnsafeMutablePointer<StepPlan>, _ frame: ImportFrame, _ table: TableIndex,
    _ token: Int
  ) -> OptionalRow {
    let field = step.pointee.field
    let keeps = step.pointee.policies.unknownIdentifier == .keep
    var note: Issue?
    if keeps {
      let destination = name(step.pointee.destination)
      note = issue(
        .unknownIdentifier,
        "no object of '\(destination)' has the identity \(shown(token)); the relationship stays as it is",
        token, entity: frame.plan, property: field)
      note?.severity = .warning
    }
    let isRequired = !field.isOptional && step.pointee.policies.validation == .import
    if isRequired && !keeps {
      note = missing(frame, step, Int32(truncatingIfNeeded: token)).issues.first
    }
    forward.wait(
      ForwardReferences.Target(
        object: graph.tables[table].id(frame.row), field: field,
        target: graph.tables[graph.destination(field)].id(target), issue: note,
        isRequired: isRequired))
    // A required one stays until it is known whether another comes.
    let current = graph.target(graph.links[field.link], field.side, frame.row)
    return keeps || isRequired ? current : .none
  }

  func fillToMany(
    _ frame: ImportFrame, _ table: TableIndex, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int
  ) throws -> Bool {
    let field = step.pointee.field
    let base = members.count
    defer { members.removeLast(to: base) }
    let scope = Scope(step.pointee, frame.row, memberOperations)
    if tape.tokens[token].kind == .array {
      if step.pointee.options.contains(.refusesMixedLists) { try refuseMixed(token, frame, step) }
      let count = Int(truncatingIfNeeded: tape.tokens[token].payload)
      var element = token &+ 1
      for _ in 0..<count {
        let end = tape.tokens[element].end(at: element)
        do {
          let member = try resolve(element, step.pointee.destination, scope)
          if let member = member.index { members.append(member) }
        } catch {
          if !noteInvalid(error, step) { try gather(error) }
        }
        element = end
      }
    } else if step.pointee.policies.shape == .box {
      let member = try resolve(token, step.pointee.destination, scope)
      if let member = member.index { members.append(member) }
    } else if step.pointee.policies.shape == .ignore {
      return false
    } else {
      throw failure(
        .wrongShape, "\(shown(token)) stands where the to-many relationship takes an array", token,
        entity: frame.plan, property: field)
    }
    if hasForwardReferences {
      // One of the members may be stub.
      forward.members.append(
        ForwardReferences.Members(object: graph.tables[table].id(frame.row), field: field))
    }
    let listed = UnsafeBufferPointer(start: members.start + base, count: members.count &- base)
    if step.pointee.policies.assignment == .deleteMissingObjects {
      if isGivenAsObjects(token, step, Int(frame.slots)) {
        noteMissing(table, frame.row, step.pointee, kept: Set(listed))
      }
    }
    try store?.prefetchMembers(listed, of: field, frame.row, isNew: frame.isNew)
    let isChanged = try assign(listed, table, frame.row, step.pointee)
    try checkCount(frame, table, step, token)
    return isChanged
  }

  /// Refuses a list that has objects and identifiers in it.
  private func refuseMixed(
    _ token: Int, _ frame: ImportFrame, _ step: UnsafeMutablePointer<StepPlan>
  ) throws {
    var (objects, others) = (false, false)
    var element = token + 1
    for _ in 0..<Int(clamping: tape.tokens[token].payload) {
      switch tape.tokens[tape.resolved(element)].kind {
      case .object: objects = true
      case .null: break
      default: others = true
      }
      element = tape.end(of: element)
    }
    guard objects && others else { return }
    throw failure(
      .wrongShape, "a list holds objects or identifiers, not both", token, entity: frame.plan,
      property: step.pointee.field)
  }

  @inline(__always)
  private func assign(
    _ listed: UnsafeBufferPointer<Row>, _ table: TableIndex, _ row: Row, _ step: StepPlan
  ) throws -> Bool {
    switch step.policies.assignment {
    case .replace, .deleteMissingObjects:
      return try graph.setMembers(table, row, step.field, listed)
    case .union:
      var isChanged = false
      for member in listed where try graph.add(table, row, step.field, member) { isChanged = true }
      return isChanged
    case .deleteMissing:
      noteMissing(table, row, step, kept: Set(listed))
      return try graph.setMembers(table, row, step.field, listed)
    }
  }

  /// Notes the members that are not listed any more.
  func noteMissing(_ table: TableIndex, _ row: Row, _ step: StepPlan, kept: Set<Row>) {
    guard deletesMembers else { return }
    for member in graph.members(table, row, step.field) where !kept.contains(member) {
      missingMembers.append(
        MissingMember(link: step.field.link, side: step.field.side, row: member))
    }
  }

  /// Reads what the deletion of missing members is about.
  private func prefetchMissing() throws {
    guard let store else { return }
    var objects: [ObjectID] = []
    for index in 0..<missingMembers.count {
      let member = missingMembers.start[index]
      let table = graph.tables[graph.links[member.link].table(member.side.inverse)]
      let header = table.header(member.row)
      guard header.pointee.state & RecordState.live != 0, header.pointee.epoch != graph.epoch else {
        continue
      }
      objects.append(table.id(member.row))
    }
    try store.prefetchDeletion(objects)
  }

  /// Deletes the members that went missing under `deleteMissing`, now that all that may have them is
  /// known: the record, or the whole import.
  ///
  /// What the import gave elsewhere, or what another object still has as a member, is not missing.
  func deleteMissing() throws {
    try prefetchMissing()
    for index in 0..<missingMembers.count {
      let member = missingMembers.start[index]
      let link = graph.links[member.link]
      let table = link.table(member.side.inverse)
      let header = graph.tables[table].header(member.row)
      guard header.pointee.state & RecordState.live != 0, header.pointee.epoch != graph.epoch,
        graph.isAlone(link, member.side.inverse, member.row)
      else { continue }
      do {
        try graph.delete(graph.tables[table].id(member.row))
      } catch {
        try gather(error)
      }
    }
    missingMembers.removeLast(to: 0)
  }

  @inline(__always)
  private func checkCount(
    _ frame: ImportFrame, _ table: TableIndex, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int
  ) throws {
    let field = step.pointee.field
    if step.pointee.policies.validation == .save { return }
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
