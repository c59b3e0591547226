/// Sets the relationships of an object that was found or made.
///
/// It resolves the objects that the values of relationships describe, and links them through the
/// graph.
final class Linker {
  let graph: Graph
  /// The store, which the resolver holds.
  let store: Borrowed<StoreCoordinator>?
  let plan: Plan
  let steps: PlanPart<StepPlan>
  let tape: JSONTape
  let matcher: RecordMatcher
  let resolver: Resolver
  let chooser: EntityChooser
  let filler: Filler
  let references: References
  let missingMembers: MissingMembers?
  let tally: ImportTally
  let log: IssueLog
  /// The rows of the lists that are being read.
  @exclusivity(unchecked) var members: Buffer<Row>
  /// The changes allowed to members of to-many relationships.
  @exclusivity(unchecked) private(set) var memberOperations: ImportOperations
  /// Whether the import is a synchronization, which deletes no object that an entry names.
  @exclusivity(unchecked) private(set) var isSynchronizing = false
  @exclusivity(unchecked) private(set) var repeated = RepeatedMembers()

  init(_ resolver: Resolver) {
    (self.resolver, chooser) = (resolver, resolver.chooser)
    (graph, store, plan) = (resolver.graph, resolver.finder.borrowedStore, resolver.plan)
    (steps, tape, matcher) = (resolver.steps, resolver.tape, resolver.matcher)
    filler = resolver.filler
    (references, tally) = (resolver.references, resolver.tally)
    (missingMembers, log) = (filler.missingMembers, filler.log)
    memberOperations = resolver.targetOperations
    members = Buffer(graph.memory)
  }

  deinit { members.deallocate() }

  /// Sets the changes that a synchronization allows to members.
  func prepareSync(_ operations: ImportOperations) {
    memberOperations = operations
    isSynchronizing = true
  }

  /// Forgets the lists of the previous record, which may have failed.
  func begin() {
    resolver.begin()
    members.removeLast(to: 0)
  }

  /// Forgets the lists of a record that is left out.
  func removeRepeated(to earlier: RepeatedMembers) { repeated = earlier }

  /// Fills the objects that wait, and those that their relationships lead to.
  func fillWaiting(_ progress: ImportProgressReporter) throws {
    var passed = 0
    // A record that exceeds the limits is left out, with all that waits.
    while log.recordLimit != .noted, resolver.waitingCount > 0 {
      try graph.cancellationMark.check()
      try progress.passFrame(&passed)
      try graph.checkMemory()
      let frame = resolver.takeFrame()
      let waiting = resolver.waitingCount
      try fill(frame)
      resolver.reverseFrames(from: waiting)
    }
  }

  /// Sets the properties of an object.
  private func fill(_ frame: ImportFrame) throws {
    if frame.isNaming {
      try nameMembers(frame)
      return try tally.meet(
        frame.row, table: plan.entities[frame.plan].table, isChanged: false)
    }
    var state = try filler.fillAttributes(frame)
    if state.isStale {
      // A synchronization deletes no object that an entry names, however old the entry is.
      if isSynchronizing { try nameMembers(frame) }
      return
    }
    let entity = plan.entities + frame.plan
    let table = entity.table
    let first = steps + Int(entity.firstStep)
    var isSettled = false
    for position in Int(entity.attributeCount)..<Int(entity.stepCount) {
      let step = first + position
      if !step.options.isDisjoint(with: .special) {
        if !step.options.contains(.isSuccessor) { isSettled = false }
        if isSettled { continue }
      }
      if step.isIdentity {
        if frame.hasIdentity { continue }
      } else if step.slotCount == 0 {
        continue
      }
      if frame.link != .none && isInverse(step, frame: frame) { continue }
      do {
        let token = try matcher.slot(step, base: Int(frame.slots))
        if !token.isNone {
          isSettled = true
        } else if step.options.contains(.hasSuccessor) {
          continue
        }
        if try fill(step, frame: frame, table: table, token: token) { state.isChanged = true }
      } catch {
        // The property may be cleared.
        try prefetch(frame, table: table, step: step)
        if try filler.settle(error, step: step, frame: frame, table: table) {
          state.isChanged = true
        }
      }
    }
    try filler.finish(frame, state)
  }

  /// Returns whether a step is the to-one that leads back to the object's parent.
  @inline(__always)
  private func isInverse(_ step: PlanPart<StepPlan>, frame: ImportFrame) -> Bool {
    step.link == frame.link
      && step.field.side != frame.side && !step.field.isToMany
  }

  /// Sets one relationship, and returns whether the object changed.
  @inline(__always)
  private func fill(
    _ step: PlanPart<StepPlan>, frame: ImportFrame, table: TableIndex, token: TokenIndex
  ) throws -> Bool {
    if token.isNone || tape.tokens[token].rawKind == JSONKind.null.rawValue {
      return try fillEmpty(step, frame: frame, table: table, token: token)
    }
    return step.field.isToMany
      ? try fillToMany(frame, table: table, step: step, token: token)
      : try fillToOne(frame, table: table, step: step, token: token)
  }

  /// Sets a relationship whose value is missing or null.
  @inline(never)
  private func fillEmpty(
    _ step: PlanPart<StepPlan>, frame: ImportFrame, table: TableIndex, token: TokenIndex
  ) throws -> Bool {
    if let store, !frame.isNew {
      try store.use {
        try $0.prefetchFilling(step, table: table, row: frame.row, isGiven: !token.isNone)
      }
    }
    return token.isNone
      ? try filler.fillMissing(frame, table: table, step: step)
      : try filler.fillNull(frame, table: table, step: step, token: token)
  }

  func fillToOne(
    _ frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>, token: TokenIndex
  ) throws -> Bool {
    let field = step.field
    if matcher.hasPlaces { matcher.place = Place(parent: matcher.parent(of: token, frame, step)) }
    if tape.tokens[token].rawKind == JSONKind.array.rawValue,
      !plan.entities[step.destination].takesArrays
    {
      if step.policies.shape == .ignore {
        matcher.rests?.leaveAlone(token, step)
        return false
      }
      throw log.failure(
        .wrongShape, "there is an array where the to-one relationship takes one object",
        token: token, entity: frame.plan, property: field)
    }
    if step.policies.shape == .ignore && isStrayScalar(token, step: step) {
      matcher.rests?.leaveAlone(token, step)
      return false
    }
    var scope = Scope(step, row: frame.row, operations: resolver.targetOperations)
    let link = field.link
    if scope.unidentified == .reuse {
      scope.current = graph.target(graph.links[link], side: field.side, row: frame.row)
    }
    let destination = try chooser.destination(of: token, step, record: frame.token)
    if destination.isNone { return false }
    var target =
      try step.options.contains(.readsPlace)
      ? resolver.resolvePlaced(token, step: step, scope: scope)
      : resolver.resolve(token, entity: destination, scope: scope)
    var isWaiting = false
    if let row = target.index, references.hasForwardReferences {
      if tally.isStub(row, in: graph.destination(field)) {
        target = try references.expect(row, of: step, frame: frame, table: table, token: token)
        isWaiting = true
      }
    } else if target.isNone && scope.unknownIdentifier == .keep
      && tape.tokens[token].kind != .object
    {
      return false
    }
    if let missingMembers, let row = target.index { missingMembers.noteLinked(row, along: step) }
    try store?.use { try $0.prefetchTarget(field, row: frame.row, target: target) }
    let isChanged = graph.setTarget(link, side: field.side, row: frame.row, to: target)
    if target.isNone && !isWaiting {
      try filler.requireValue(frame, table: table, step: step, token: token)
    }
    return isChanged
  }

  /// Completes what setting a relationship of an existing object touches in the store.
  private func prefetch(
    _ frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>
  ) throws {
    if let store, !frame.isNew {
      try store.use { try $0.prefetchFilling(step, table: table, row: frame.row, isGiven: true) }
    }
  }

  /// Returns the keys of the members that a list has in the store, if they can be compared with others
  /// without their links; nil if the list must be complete.
  @inline(__always)
  private func storedMembers(
    _ frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>
  ) -> UnsafeBufferPointer<Int64>? {
    guard let store, !frame.isNew, step.isCompared else { return nil }
    return store.use { $0.storedMembers(of: frame.row, in: table, field: step.field) }
  }

  func fillToMany(
    _ frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>, token: TokenIndex
  ) throws -> Bool {
    let field = step.field
    let base = members.count
    defer { members.removeLast(to: base) }
    let scope = Scope(step, row: frame.row, operations: memberOperations)
    let moveCount = filler.moveCount
    let isStored = storedMembers(frame, table: table, step: step) != nil
    if store != nil, !isStored { try prefetch(frame, table: table, step: step) }
    guard try resolveList(token, of: frame, step: step, scope: scope) else { return false }
    if log.isLeftOut { return false }
    if references.hasForwardReferences {
      try references.noteList(frame.row, in: table, field: field)
    }
    let listed = UnsafeBufferPointer(start: members.start + base, count: members.count &- base)
    if let missingMembers {
      for row in listed { missingMembers.noteLinked(row, along: step) }
    }
    if step.policies.assignment == .deleteMissingObjects {
      if matcher.isGivenAsObjects(token, step: step, base: Int(frame.slots)) {
        try missingMembers?.noteMissing(frame.row, in: table, step: step.value, kept: Set(listed))
      }
    }
    if isStored {
      // The members may have changed the list, whose stored members are then nil.
      if let store, let stored = storedMembers(frame, table: table, step: step),
        store.use({ $0.isEqual(listed, to: stored, in: graph.destination(field)) })
      {
        return false
      }
      try prefetch(frame, table: table, step: step)
    }
    try store?.use {
      try $0.prefetchMembers(listed, of: field, row: frame.row, isNew: frame.isNew)
    }
    let isInPlace =
      step.hasIndexes && filler.moveCount == moveCount
      && (isAssigned(listed, of: frame.row, step: step)
        || isInPlace(listed, of: frame.row, step: step))
    let isChanged =
      isInPlace ? false : try assign(listed, table: table, row: frame.row, step: step.value)
    if step.isOrdered, step.policies.assignment != .union {
      noteRepeats(listed.count, frame: frame, step: step, token: token)
    }
    try checkCount(frame, table: table, step: step, token: token)
    return isChanged
  }

  /// Returns whether an assignment of the members changes nothing: they are the list's already.
  @inline(__always)
  private func isAssigned(
    _ listed: UnsafeBufferPointer<Row>, of row: Row, step: PlanPart<StepPlan>
  ) -> Bool {
    step.policies.assignment != .deleteMissing
      && graph.isSequence(of: row, field: step.field, desired: listed)
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
      try missingMembers?.noteMissing(row, in: table, step: step, kept: Set(listed))
      return try graph.setMembers(of: row, field: step.field, to: listed)
    }
  }

  @inline(__always)
  private func checkCount(
    _ frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>, token: TokenIndex
  ) throws {
    let field = step.field
    guard step.checksCount else { return }
    let count = Int(graph.memberCount(of: frame.row, field: field))
    if count == 0 {
      if field.isOptional { return }
      throw log.missing(frame, step: step, token: token)
    }
    if count < Int(step.minimumCount) {
      throw log.failure(
        .tooFew, "\(count) members; at least \(step.minimumCount) are required",
        token: token, entity: frame.plan, property: field)
    }
    if step.maximumCount > 0 && count > Int(step.maximumCount) {
      throw log.failure(
        .tooMany, "\(count) members; at most \(step.maximumCount) are allowed",
        token: token, entity: frame.plan, property: field)
    }
  }

  /// Returns whether the members are those listed, with positions in the listed order.
  ///
  /// A list that a program has reordered against the positions is then left unchanged.
  func isInPlace(
    _ listed: UnsafeBufferPointer<Row>, of row: Row, step: PlanPart<StepPlan>
  ) -> Bool {
    guard Int(graph.memberCount(of: row, field: step.field)) == listed.count else { return false }
    let table = graph.destination(step.field)
    var last = Int64.min
    for member in listed {
      guard graph.contains(member, in: step.field, of: row) else { return false }
      let record = graph.tables[table].record(member)
      let entity =
        plan.entities + references.finder.planNumber(of: member, plan.entities + step.destination)
      guard entity.indexStep >= 0 else { return false }
      let field = plan.steps[Int(entity.indexStep)].field
      let place = StoredValue(record, field: field, table: graph.tables + table)
      guard place.isPresent, place.integer > last else { return false }
      last = place.integer
    }
    return true
  }

  /// Notes a list that names an object more than once: it has more entries than there are members.
  @inline(__always)
  func noteRepeats(
    _ listed: Int, frame: ImportFrame, step: PlanPart<StepPlan>, token: TokenIndex
  ) {
    if Int(graph.memberCount(of: frame.row, field: step.field)) >= listed { return }
    noteRepeated(frame, step: step, token: token)
  }

  @inline(never)
  private func noteRepeated(
    _ frame: ImportFrame, step: PlanPart<StepPlan>, token: TokenIndex
  ) {
    repeated.count(matcher.number(step)) {
      log.issue(
        .tooMany,
        "the list names an object more than once, and it is one member; an entity in between, with a "
          + "position ('@index') and a to-one at '@value', keeps each",
        token: token, entity: frame.plan, property: step.field)
    }
  }
}
