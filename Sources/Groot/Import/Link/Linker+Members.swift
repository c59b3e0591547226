// The members of a to-many in each form: an array, an object of keys, or an object of groups.

extension Linker {
  /// Resolves the members that a value describes; returns false for a value that is ignored.
  @inline(__always)
  func resolveList(
    _ token: TokenIndex, of frame: ImportFrame, step: PlanPart<StepPlan>, scope: Scope
  ) throws -> Bool {
    let wanted = step.form == .array ? JSONKind.array : JSONKind.object
    if tape.tokens[token].rawKind == wanted.rawValue {
      if step.options.contains(.refusesMixedLists) {
        try refuseMixed(token, frame: frame, step: step)
      }
      if step.options.contains(.readsPlace) {
        try resolvePlacedMembers(token, of: frame, step: step, scope: scope)
      } else {
        try resolveMembers(token, of: frame, step: step, scope: scope)
      }
    } else if step.policies.shape == .box && step.form == .array {
      if matcher.hasPlaces {
        matcher.place = Place(index: 0, parent: matcher.parent(of: token, frame, step))
      }
      let member =
        try step.options.contains(.readsPlace)
        ? resolver.resolvePlaced(token, step: step, scope: scope)
        : resolver.resolve(token, entity: step.destination, scope: scope)
      if let member = member.index { try members.append(member) }
    } else if step.policies.shape == .ignore {
      matcher.rests?.leaveAlone(token, step)
      return false
    } else {
      throw log.failure(
        .wrongShape,
        "there is \(matcher.current.shown(token)) where the to-many relationship takes "
          + (step.form == .array ? "an array" : "an object of keys"), token: token,
        entity: frame.plan, property: step.field)
    }
    return true
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
    throw log.failure(
      .wrongShape, "a list holds objects or identifiers, not both", token: token,
      entity: frame.plan,
      property: step.field)
  }

  /// Finds or makes the objects that a value lists, and appends their rows to ``members``.
  @inline(__always)
  func resolveMembers(
    _ token: TokenIndex, of frame: ImportFrame, step: PlanPart<StepPlan>, scope: Scope
  ) throws {
    guard step.form == .array else {
      return try resolveKeyed(token, of: frame, step: step, scope: scope)
    }
    guard step.readsAround else {
      if matcher.hasPlaces { matcher.place = Place(parent: frame.token) }
      return try resolveElements(token, step: step, scope: scope)
    }
    let around = matcher.around(token, of: frame, step: step)
    matcher.place = Place(parent: around[0])
    try resolveElements(token, step: step, scope: scope, around: around)
  }

  /// Does the same for the elements of an array.
  @inline(__always)
  private func resolveElements(
    _ array: TokenIndex, step: PlanPart<StepPlan>, scope: Scope, around: [TokenIndex] = []
  ) throws {
    let standing = matcher.place
    let number = step.destination
    let takesRepeats = resolver.takesRepeats(of: plan.entities + number, scope: scope)
    var cursor = ElementCursor(array, on: tape)
    while !cursor.isAtEnd {
      var content: RepeatedRecords.Content?
      if takesRepeats {
        content = try resolver.takeRepeats(&cursor, of: number, to: &members)
        if cursor.isAtEnd { break }
      }
      let (element, position) = (cursor.element, cursor.position)
      let end = tape.tokens[element].end(at: element)
      if matcher.hasPlaces {
        matcher.place = standing
        matcher.place.index = position
        if around.count > 1, position < around.count { matcher.place.parent = around[position] }
      }
      try resolveMember(element, content: content, step: step, scope: scope)
      cursor.move(to: end)
    }
  }

  @inline(__always)
  private func resolveMember(
    _ token: TokenIndex, content: RepeatedRecords.Content? = nil, step: PlanPart<StepPlan>,
    scope: Scope
  ) throws {
    if step.policies.shape == .ignore && isStrayScalar(token, step: step) { return }
    do {
      let number = step.destination
      let member =
        try content == nil
        ? resolver.resolve(token, entity: number, scope: scope)
        : resolver.readObject(
          token, of: number, requested: number, content: content, scope: scope)
      if let member = member.index { try members.append(member) }
    } catch {
      try leaveOutMember(error, step: step)
    }
  }

  /// Handles an invalid member by the policy of its property.
  private func leaveOutMember(_ error: any Error, step: PlanPart<StepPlan>) throws {
    guard log.noteInvalid(error, step: step) else { return try log.gather(error) }
    log.noteUnidentified()
  }

  /// Does the same for the members of an object, in the order of their keys.
  private func resolveKeyed(
    _ object: TokenIndex, of frame: ImportFrame, step: PlanPart<StepPlan>, scope: Scope
  ) throws {
    let parent = matcher.parent(of: object, frame, step)
    for (position, key) in try matcher.keys(of: object).enumerated() {
      let value = tape.resolved(key.next)
      matcher.place = Place(key: key, index: position, parent: parent)
      switch (step.form, tape.tokens[value].kind) {
      case (.keyed, .null):
        // The member is known only by its key.
        do {
          let member = try resolver.resolveObject(value, requested: step.destination, scope: scope)
          if let member = member.index { try members.append(member) }
        } catch {
          try leaveOutMember(error, step: step)
        }
      case (.grouped, .array): try resolveElements(value, step: step, scope: scope)
      case (.grouped, .null): break
      case (.grouped, _) where step.policies.shape == .ignore: break
      case (.grouped, _) where step.policies.shape != .box:
        let error = log.failure(
          .wrongShape,
          "there is \(matcher.current.shown(value)) where a group needs an array of its members",
          token: value, entity: frame.plan, property: step.field)
        try leaveOutMember(error, step: step)
      default:
        if step.form == .grouped { matcher.place.index = 0 }
        try resolveMember(value, step: step, scope: scope)
      }
    }
  }

  /// Returns whether a value is a scalar where only an object is valid.
  func isStrayScalar(_ token: TokenIndex, step: PlanPart<StepPlan>) -> Bool {
    switch tape.tokens[tape.resolved(token)].kind {
    case .object, .array, .null, .alias: return false
    case .false, .true, .integer, .real, .largeNumber, .string:
      let entity = plan.entities + step.destination
      return !entity.takesScalars && (entity.identityCount != 1 || entity.isScoped)
    }
  }

  /// Does the same as ``resolveMembers(_:of:step:scope:)`` for a list that other objects may share.
  @inline(never)
  func resolvePlacedMembers(
    _ token: TokenIndex, of frame: ImportFrame, step: PlanPart<StepPlan>, scope: Scope
  ) throws {
    let source = SharedValues.Source(token: token, number: matcher.number(step))
    if let rows = matcher.shared.rows(source) {
      for row in rows { try members.append(row) }
      return
    }
    let first = members.count
    try resolveMembers(token, of: frame, step: step, scope: scope)
    matcher.shared.keep(rows: (first..<members.count).map { members.start[$0] }, of: source)
  }

  // MARK: Named members

  /// Notes the objects that a record names, and sets nothing.
  func nameMembers(_ frame: ImportFrame) throws {
    let entity = plan.entities + frame.plan
    guard entity.hasRelationships else { return }
    for position in 0..<Int(entity.stepCount) {
      let step = steps + (Int(entity.firstStep) + position)
      guard !step.destination.isNone, !step.options.contains(.readsPlace) else { continue }
      let count = members.count
      defer { members.removeLast(to: count) }
      do {
        try nameMembers(of: step, frame: frame)
      } catch let error as GrootError where IssueLog.isAboutValue(error) {
        // The record is left out, but the object that it means may be among the others.
        log.noteUnidentified()
      }
    }
  }

  private func nameMembers(of step: PlanPart<StepPlan>, frame: ImportFrame) throws {
    let token = try matcher.slot(step, base: Int(frame.slots))
    guard !token.isNone, tape.tokens[token].kind != .null else { return }
    var scope = Scope(step, row: frame.row, operations: .names)
    // Nothing is made, even where each object makes a new member.
    scope.operations = .names
    scope.unknownIdentifier = .skip
    if step.field.isToMany, tape.tokens[token].kind == (step.form == .array ? .array : .object) {
      try resolveMembers(token, of: frame, step: step, scope: scope)
    } else {
      if matcher.hasPlaces { matcher.place = Place(parent: matcher.parent(of: token, frame, step)) }
      let destination = try chooser.destination(of: token, step, record: frame.token)
      if destination.isNone { return }
      _ = try resolver.resolve(token, entity: destination, scope: scope)
    }
  }
}
