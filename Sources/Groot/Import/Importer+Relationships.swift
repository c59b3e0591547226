// The relationships of an object that was found or made.

extension Importer {
  func fillToOne(
    _ frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>, token: TokenIndex
  ) throws -> Bool {
    let field = step.field
    if hasPlaces { place = Place(parent: parent(of: token, frame, step)) }
    if tape.tokens[token].kind == .array,
      !plan.entities[step.destination].takesArrays
    {
      if step.policies.shape == .ignore {
        leaveAlone(token, step)
        return false
      }
      throw failure(
        .wrongShape, "there is an array where the to-one relationship takes one object",
        token: token,
        entity: frame.plan, property: field)
    }
    if step.policies.shape == .ignore && isStrayScalar(token, step: step) {
      leaveAlone(token, step)
      return false
    }
    var scope = Scope(step.value, row: frame.row, operations: targetOperations)
    let link = field.link
    if scope.unidentified == .reuse {
      scope.current = graph.target(graph.links[link], side: field.side, row: frame.row)
    }
    let destination = try destination(of: token, step, record: frame.token)
    if destination.isNone { return false }
    var target =
      try step.options.contains(.readsPlace)
      ? resolvePlaced(token, step: step, scope: scope)
      : resolve(token, entity: destination, scope: scope)
    var isWaiting = false
    if let row = target.index, hasForwardReferences {
      if isStub(row, in: graph.destination(field)) {
        target = try expect(row, of: step, frame: frame, table: table, token: token)
        isWaiting = true
      }
    } else if target.isNone && scope.unknownIdentifier == .keep
      && tape.tokens[token].kind != .object
    {
      return false
    }
    if let row = target.index { noteLinked(row, along: step) }
    try store?.prefetchTarget(field, row: frame.row, target: target)
    let isChanged = graph.setTarget(link, side: field.side, row: frame.row, to: target)
    if target.isNone && !isWaiting {
      try requireValue(frame, table: table, step: step, token: token)
    }
    return isChanged
  }

  /// Notes that a to-one waits for an object, and returns its member until then.
  private func expect(
    _ target: Row, of step: PlanPart<StepPlan>, frame: ImportFrame, table: TableIndex,
    token: TokenIndex
  ) throws -> OptionalRow {
    let field = step.field
    let keeps = step.policies.unknownIdentifier == .keep
    var note: GrootIssue?
    if keeps {
      let destination = name(step.destination)
      note = issue(
        .unknownIdentifier,
        "no object of '\(destination)' has the identity \(shown(token)); the relationship stays as it is",
        token: token, entity: frame.plan, property: field)
      note?.severity = .warning
    }
    let isRequired = !field.isOptional && step.policies.validation == .import
    if isRequired && !keeps {
      note = missing(frame, step: step, token: token).issues.first
    }
    try forward.wait(
      ForwardReferences.Target(
        object: graph.tables[table].id(frame.row), field: field,
        target: graph.tables[graph.destination(field)].id(target), issue: note,
        isRequired: isRequired), graph.memory)
    // The member of a required to-one stays until the new object is known to come.
    let current = graph.target(graph.links[field.link], side: field.side, row: frame.row)
    return keeps || isRequired ? current : .none
  }

  func fillToMany(
    _ frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>, token: TokenIndex
  ) throws -> Bool {
    let field = step.field
    let base = members.count
    defer { members.removeLast(to: base) }
    let scope = Scope(step.value, row: frame.row, operations: memberOperations)
    let moveCount = self.moveCount
    if tape.tokens[token].kind == (step.form == .array ? .array : .object) {
      if step.options.contains(.refusesMixedLists) {
        try refuseMixed(token, frame: frame, step: step)
      }
      if step.options.contains(.readsPlace) {
        try resolvePlacedMembers(token, of: frame, step: step, scope: scope)
      } else {
        try resolveMembers(token, of: frame, step: step, scope: scope)
      }
    } else if step.policies.shape == .box && step.form == .array {
      if hasPlaces { place = Place(index: 0, parent: parent(of: token, frame, step)) }
      let member =
        try step.options.contains(.readsPlace)
        ? resolvePlaced(token, step: step, scope: scope)
        : resolve(token, entity: step.destination, scope: scope)
      if let member = member.index { try members.append(member) }
    } else if step.policies.shape == .ignore {
      leaveAlone(token, step)
      return false
    } else {
      throw failure(
        .wrongShape,
        "there is \(shown(token)) where the to-many relationship takes "
          + (step.form == .array ? "an array" : "an object of keys"), token: token,
        entity: frame.plan, property: field)
    }
    if isLeftOut { return false }
    if hasForwardReferences {
      // One of the members may be a stub.
      try forward.members.append(
        ForwardReferences.List(object: graph.tables[table].id(frame.row), field: field),
        within: graph.memory)
    }
    let listed = UnsafeBufferPointer(start: members.start + base, count: members.count &- base)
    if watchedLinks != nil { for row in listed { noteLinked(row, along: step) } }
    if step.policies.assignment == .deleteMissingObjects {
      if isGivenAsObjects(token, step: step, base: Int(frame.slots)) {
        try noteMissing(frame.row, in: table, step: step.value, kept: Set(listed))
      }
    }
    try store?.prefetchMembers(listed, of: field, row: frame.row, isNew: frame.isNew)
    let isInPlace =
      step.hasIndexes && self.moveCount == moveCount
      && isInPlace(listed, of: frame.row, step: step)
    let isChanged =
      isInPlace ? false : try assign(listed, table: table, row: frame.row, step: step.value)
    if step.isOrdered, step.policies.assignment != .union {
      noteRepeats(listed.count, frame: frame, step: step, token: token)
    }
    try checkCount(frame, table: table, step: step, token: token)
    return isChanged
  }

  /// Throws for a list with both objects and identifiers.
  private func refuseMixed(
    _ token: TokenIndex, frame: ImportFrame, step: PlanPart<StepPlan>
  ) throws {
    var (objects, others) = (false, false)
    var element = token.next
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
      .wrongShape, "a list holds objects or identifiers, not both", token: token,
      entity: frame.plan,
      property: step.field)
  }

  @inline(__always)
  private func assign(
    _ listed: UnsafeBufferPointer<Row>, table: TableIndex, row: Row, step: StepPlan
  ) throws -> Bool {
    switch step.policies.assignment {
    case .replace, .deleteMissingObjects:
      return try graph.setMembers(of: row, field: step.field, to: listed)
    case .union:
      var isChanged = false
      for member in listed where try graph.add(member, to: step.field, of: row) {
        isChanged = true
      }
      return isChanged
    case .deleteMissing:
      try noteMissing(row, in: table, step: step, kept: Set(listed))
      return try graph.setMembers(of: row, field: step.field, to: listed)
    }
  }

  /// Notes the members that are no longer listed.
  func noteMissing(
    _ row: Row, in table: TableIndex, step: StepPlan, kept: Set<Row>
  ) throws {
    guard deletesMembers else { return }
    for member in graph.members(of: row, field: step.field) where !kept.contains(member) {
      try missingMembers.append(
        MissingMember(link: step.field.link, side: step.field.side, row: member))
    }
  }

  @inline(__always)
  private func checkCount(
    _ frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>, token: TokenIndex
  ) throws {
    let field = step.field
    if step.policies.validation == .save { return }
    if field.isOptional && step.minimumCount == 0 && step.maximumCount == 0 {
      return
    }
    let count = Int(graph.memberCount(of: frame.row, field: field))
    if count == 0 {
      if field.isOptional { return }
      throw missing(frame, step: step, token: token)
    }
    if count < Int(step.minimumCount) {
      throw failure(
        .tooFew, "\(count) members; at least \(step.minimumCount) are required",
        token: token,
        entity: frame.plan, property: field)
    }
    if step.maximumCount > 0 && count > Int(step.maximumCount) {
      throw failure(
        .tooMany, "\(count) members; at most \(step.maximumCount) are allowed",
        token: token,
        entity: frame.plan, property: field)
    }
  }
}
