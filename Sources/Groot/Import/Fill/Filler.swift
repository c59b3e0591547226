/// Sets the attributes of an object that was found or made, and what missing and null values mean.
///
/// It sets values through the graph. It follows no relationship, since these lead to other objects.
final class Filler {
  let graph: Graph
  let store: StoreCoordinator?
  let plan: Plan
  let steps: PlanPart<StepPlan>
  let tape: JSONTape
  let matcher: RecordMatcher
  let values: ValueReader
  let log: IssueLog
  let tally: ImportTally
  let tombstones: Tombstones?
  let references: References
  let missingMembers: MissingMembers?
  let rests: RestReader?
  let pendingRests: RestMerger?
  /// The objects of nested records that were read before, which a change forgets.
  let repeats: RepeatedRecords
  /// The number of objects whose position changed.
  @exclusivity(unchecked) private(set) var moveCount = 0

  init(
    references: References, tombstones: Tombstones?, missingMembers: MissingMembers?,
    pendingRests: RestMerger?, repeats: RepeatedRecords
  ) {
    self.repeats = repeats
    (self.references, self.tombstones) = (references, tombstones)
    (self.missingMembers, self.pendingRests) = (missingMembers, pendingRests)
    (graph, store, plan) = (references.graph, references.store, references.plan)
    (matcher, tally) = (references.matcher, references.tally)
    (steps, tape, log) = (matcher.steps, matcher.tape, matcher.log)
    (values, rests) = (matcher.values, matcher.rests)
  }

  /// An object that is being filled.
  struct State {
    /// Whether the record is older than its object, of which nothing is set then.
    var isStale = false
    /// Whether the object changed.
    var isChanged = false
    /// The number of values that properties ignored before.
    fileprivate var ignoredCount = 0
  }

  /// Sets all properties of an object without relationships.
  func fill(_ frame: ImportFrame) throws {
    let state = try fillAttributes(frame)
    if !state.isStale { try finish(frame, state) }
  }

  /// Sets the attributes of an object.
  func fillAttributes(_ frame: ImportFrame) throws -> State {
    let entity = plan.entities + frame.plan
    let table = entity.table
    var state = State()
    if entity.hasHistory, !frame.isNew, let tombstones {
      if entity.version >= 0, try tombstones.isStale(frame, table: table) {
        try leaveOut(frame, table: table)
        state.isStale = true
        return state
      }
      state.isChanged = tombstones.clearDeletionMark(frame, table: table)
    }
    if entity.indexStep >= 0, !frame.isNew { try noteMove(frame, table: table) }
    if entity.hasRest, let rests { state.ignoredCount = rests.ignoredCount }
    let first = steps + Int(entity.firstStep)
    // Of several steps for one property, the first step with a value counts.
    var isSettled = false
    let record = graph.tables[table].record(frame.row)
    let count = Int(entity.attributeCount)
    var position = 0
    while true {
      position = fillFast(first, at: position..<count, record: record, frame: frame)
      if position == count { break }
      let step = first + position
      position &+= 1
      if !frame.isNew, step.fastFill != .none,
        change(
          step, row: frame.row, table: table, slots: Int(frame.slots), isChanged: &state.isChanged)
      {
        continue
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
      do {
        let token = try matcher.slot(step, base: Int(frame.slots))
        if !token.isNone {
          isSettled = true
        } else if step.options.contains(.hasSuccessor) {
          continue
        }
        if try fill(step, frame: frame, table: table, token: token) { state.isChanged = true }
      } catch {
        if try settle(error, step: step, frame: frame, table: table) { state.isChanged = true }
      }
    }
    return state
  }

  /// Completes an object after all other properties are set.
  func finish(_ frame: ImportFrame, _ state: State) throws {
    let entity = plan.entities + frame.plan
    var isChanged = state.isChanged
    if entity.hasRest, let rests,
      try fillRest(
        frame, from: rests, table: entity.table, isLater: rests.ignoredCount != state.ignoredCount)
    {
      isChanged = true
    }
    if frame.isNew { return }
    if isChanged { repeats.noteChange(in: entity.table) }
    try tally.meet(frame.row, table: entity.table, isChanged: isChanged)
  }

  /// Counts a record that is older than its object.
  private func leaveOut(_ frame: ImportFrame, table: TableIndex) throws {
    tally.noteStale(frame.row, in: table)
    try tally.meet(frame.row, table: table, isChanged: false)
  }

  /// Counts an object whose position changed.
  @inline(never)
  func noteMove(_ frame: ImportFrame, table: TableIndex) throws {
    let step = steps + Int(plan.entities[frame.plan].indexStep)
    let token = try matcher.slot(step, base: Int(frame.slots))
    guard !token.isNone else { return }
    let record = graph.tables[table].record(frame.row)
    let old = StoredValue(record, field: step.field, table: graph.tables + table)
    if !old.isPresent || old.word0 != tape.tokens[token].payload { moveCount &+= 1 }
  }

  /// Sets the attributes at some positions, up to the first that needs a conversion or has no value.
  ///
  /// It returns the position of that one, or the end.
  private func fillFast(
    _ first: PlanPart<StepPlan>, at positions: Range<Int>, record: UnsafeMutableRawPointer,
    frame: ImportFrame
  ) -> Int {
    let table = plan.entities[frame.plan].table
    let (slots, tokens) = (matcher.slots.start + Int(frame.slots), tape.tokens)
    for position in positions {
      let step = first + position
      guard step.fastFill != .none, case let token = slots[Int(step.firstSlot)], !token.isNone,
        fillFast(step, token: tokens[token], record: record, table: table, isNew: frame.isNew)
      else { return position }
    }
    return positions.upperBound
  }

  // MARK: One property

  /// Sets an attribute of a new object, or detects that an object already has the value.
  ///
  /// It returns false, and does nothing, in all other cases. A detour through ``StoredValue`` would
  /// write a value in small pieces and read it in large ones, for which processors stall.
  @inline(__always)
  func fillFast(
    _ step: PlanPart<StepPlan>, token: JSONToken, record: UnsafeMutableRawPointer,
    table: TableIndex, isNew: Bool
  ) -> Bool {
    let kind = token.rawKind
    let field = step.field
    switch step.fastFill {
    case .none: return false
    case .text:
      guard let text = plainText(token) else { return false }
      guard isNew else { return graph.has(text: text, in: field, of: record, table: table) }
      if graph.isInIndex(field, in: table) { return false }
      graph.setFirst(text: text, of: field, in: record, table: table)
      return true
    case .boolean:
      let isTrue = kind == JSONKind.true.rawValue
      guard isTrue || kind == JSONKind.false.rawValue else { return false }
      guard isNew else { return graph.has(truth: isTrue, in: field, of: record, table: table) }
      if graph.isInIndex(field, in: table) { return false }
      graph.setFirst(truth: isTrue, of: field, in: record, table: table)
      return true
    case .integer16, .integer32, .integer64, .real, .date: break
    }
    guard let word = plainWord(token, step) else { return false }
    guard isNew else { return graph.has(word: word, in: field, of: record, table: table) }
    if graph.isInIndex(field, in: table) { return false }
    graph.setFirst(word: word, of: field, in: record, table: table)
    return true
  }

  /// Changes an attribute of an existing object to a value that needs no conversion.
  ///
  /// It returns false, and does nothing, for other values and for a part of an index.
  @inline(never)
  private func change(
    _ step: PlanPart<StepPlan>, row: Row, table: TableIndex, slots: Int, isChanged: inout Bool
  ) -> Bool {
    let index = matcher.slots.start[slots &+ Int(step.firstSlot)]
    let field = step.field
    guard !index.isNone, !graph.isInIndex(field, in: table) else { return false }
    if step.fastFill == .text {
      guard let text = plainText(tape.tokens[index]), text.count <= graph.maximumTextLength else {
        return false
      }
      if graph.set(row, in: table, field: field, to: StoredValue(bytes: text)) { isChanged = true }
    } else {
      guard let word = plainWord(tape.tokens[index], step) else { return false }
      if graph.change(row, in: table, field: field, to: word) { isChanged = true }
    }
    return true
  }

  /// Returns a text that its attribute has as it stands; nil for another value.
  @inline(__always)
  private func plainText(_ token: JSONToken) -> UnsafeBufferPointer<UInt8>? {
    guard token.rawKind == JSONKind.string.rawValue,
      let start = UnsafePointer<UInt8>(bitPattern: UInt(truncatingIfNeeded: token.payload))
    else { return nil }
    let text = UnsafeBufferPointer(start: start, count: Int(token.size))
    return !graph.hasLimits || graph.limits.hold(text: text) ? text : nil
  }

  /// Returns the bits of a number or a date that needs no conversion; nil for another value.
  @inline(__always)
  private func plainWord(_ token: JSONToken, _ step: PlanPart<StepPlan>) -> UInt64? {
    let kind = token.rawKind
    switch step.fastFill {
    case .none, .text, .boolean: return nil
    case .integer64: return kind == JSONKind.integer.rawValue ? token.payload : nil
    case .integer16:
      let fits = kind == JSONKind.integer.rawValue && Int16(exactly: token.integer) != nil
      return fits ? token.payload : nil
    case .integer32:
      let fits = kind == JSONKind.integer.rawValue && Int32(exactly: token.integer) != nil
      return fits ? token.payload : nil
    case .real: return kind == JSONKind.real.rawValue ? token.payload : nil
    case .date:
      guard kind == JSONKind.string.rawValue, let date = Timestamp(iso8601: token.bytes),
        !graph.hasLimits || date.microseconds >= graph.limits.firstInstant
      else { return nil }
      return UInt64(bitPattern: date.microseconds)
    }
  }

  /// Sets one property, and returns whether the object changed.
  @inline(__always)
  func fill(
    _ step: PlanPart<StepPlan>, frame: ImportFrame, table: TableIndex, token: TokenIndex
  ) throws -> Bool {
    if token.isNone { return try fillMissing(frame, table: table, step: step) }
    if tape.tokens[token].rawKind == JSONKind.null.rawValue {
      return try fillNull(frame, table: table, step: step, token: token)
    }
    return try fillAttribute(frame, table: table, step: step, token: token)
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
      switch try values.read(step, token: token, entity: frame.plan, into: &value) {
      case .value: break
      case .ignored:
        rests?.leaveAlone(token, step)
        return false
      // A transformer without a result counts as null.
      case .nothing: return try fillNull(frame, table: table, step: step, token: token)
      }
      if step.checksLimits {
        try values.validate(value, step: step, token: token, entity: frame.plan)
      }
      isLong =
        value.count > SharedValues.minimumLength && step.options.contains(.readsPlace)
      if isLong { noteText(value, step, token: token) }
    }
    if isLong {
      let kept = try sharedText(value, step, frame: frame, table: table)
      return graph.share(kept, frame.row, in: table, field: field)
    }
    if frame.isNew && !graph.isInIndex(field, in: table) {
      graph.setFirst(value, of: field, in: graph.tables[table].record(frame.row), table: table)
      return true
    }
    return graph.set(frame.row, in: table, field: field, to: value)
  }

  @inline(__always)
  func fillMissing(
    _ frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>
  ) throws -> Bool {
    var isChanged = false
    if frame.isPartial { return false }
    if step.policies.missing != .keep {
      if step.policies.missing == .required { throw log.missing(frame, step: step, token: .none) }
      isChanged = try clear(frame, table: table, step: step)
    }
    try requireValue(frame, table: table, step: step, token: .none)
    return isChanged
  }

  func fillNull(
    _ frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>, token: TokenIndex
  ) throws -> Bool {
    var isChanged = false
    switch step.policies.null {
    case .keep: break
    case .error: throw log.missing(frame, step: step, token: token)
    case .clear:
      if step.policies.assignment == .deleteMissingObjects && step.field.isToMany,
        matcher.isGivenAsObjects(token, step: step, base: Int(frame.slots))
      {
        try missingMembers?.noteMissing(frame.row, in: table, step: step.value, kept: [])
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

  func clear(
    _ frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>
  ) throws -> Bool {
    let field = step.field
    if step.destination.isNone {
      store?.replaceUnreadable(frame.row, in: table, field: field)
      return graph.set(frame.row, in: table, field: field, to: .none)
    }
    if field.isToMany {
      return !log.isLeftOut && graph.removeAllMembers(of: frame.row, field: field)
    }
    try store?.prefetchTarget(field, row: frame.row, target: .none)
    return graph.setTarget(field.link, side: field.side, row: frame.row, to: .none)
  }

  /// Throws if a required property has no value.
  @inline(__always)
  func requireValue(
    _ frame: ImportFrame, table: TableIndex, step: PlanPart<StepPlan>, token: TokenIndex
  ) throws {
    if step.field.isOptional || step.policies.validation == .save { return }
    if graph.hasValue(frame.row, table: table, field: step.field) { return }
    if references.hasForwardReferences,
      references.isExpected(frame, table: table, field: step.field)
    {
      return
    }
    throw log.missing(frame, step: step, token: token)
  }

  /// Handles an invalid property by its policy, and returns whether the object changed.
  @inline(never)
  func settle(
    _ error: any Error, step: PlanPart<StepPlan>, frame: ImportFrame, table: TableIndex
  ) throws -> Bool {
    guard log.noteInvalid(error, step: step) else {
      try log.gather(error)
      return false
    }
    if let rests {
      let token = try matcher.slot(step, base: Int(frame.slots))
      // The text of a rest stands for the record itself.
      let isText =
        step.options.contains(.isRest)
        && rests.text(token, entity: plan.entities + frame.plan) != nil
      rests.leaveAlone(isText ? frame.token : token, step)
    }
    guard step.policies.invalid == .clear else { return false }
    return try clear(frame, table: table, step: step)
  }

  /// Sets the rest after all other properties are set, and returns whether the object changed.
  ///
  /// - Parameter isLater: Whether values were ignored after the record was matched.
  @inline(never)
  func fillRest(
    _ frame: ImportFrame, from rests: RestReader, table: TableIndex, isLater: Bool
  ) throws -> Bool {
    let entity = plan.entities + frame.plan
    let step = steps + Int(entity.restStep)
    if step.slotCount == 0 { return false }
    do {
      var token = try matcher.slot(step, base: Int(frame.slots))
      if isLater || rests.isUncertain(token), rests.hasRest(frame.token, entity: entity) {
        token =
          try rests.rest(of: frame.token, entity: entity, row: OptionalRow(frame.row)) ?? .none
      }
      if !frame.isNew, !frame.isPartial, step.policies.missing == .keep,
        rests.hasRest(frame.token, entity: entity),
        let isChanged = try pendingRests?.add(token, of: frame, table: table, step: step)
      {
        return isChanged
      }
      if let text = rests.text(token, entity: entity) {
        return fill(text: text, of: step.field, frame: frame, table: table)
      }
      return try fill(step, frame: frame, table: table, token: token)
    } catch {
      return try settle(error, step: step, frame: frame, table: table)
    }
  }

  /// Sets an attribute to a text that needs no check, and returns whether the object changed.
  @inline(__always)
  private func fill(
    text: UnsafeBufferPointer<UInt8>, of field: Field, frame: ImportFrame, table: TableIndex
  ) -> Bool {
    if frame.isNew && !graph.isInIndex(field, in: table) {
      graph.setFirst(
        text: text, of: field, in: graph.tables[table].record(frame.row), table: table)
      return true
    }
    return graph.set(frame.row, in: table, field: field, to: StoredValue(bytes: text))
  }

  /// Returns a long text that was read for another object; nil without one.
  func knownText(_ step: PlanPart<StepPlan>, token: TokenIndex) -> StoredValue? {
    matcher.shared.text(SharedValues.Source(token: token, number: matcher.number(step)))
  }

  /// Notes a long text that other objects may share.
  func noteText(_ value: StoredValue, _ step: PlanPart<StepPlan>, token: TokenIndex) {
    matcher.shared.keep(
      text: value, of: SharedValues.Source(token: token, number: matcher.number(step)))
  }

  /// Returns a long text in the graph's memory, shared by all objects that have it.
  @inline(never)
  func sharedText(
    _ value: StoredValue, _ step: PlanPart<StepPlan>, frame: ImportFrame, table: TableIndex
  ) throws -> StoredValue {
    guard let start = value.start else { return value }
    if let copy = matcher.shared.copy(of: value) {
      return StoredValue(bytes: UnsafeBufferPointer(start: copy, count: value.count))
    }
    let record = graph.tables[table].record(frame.row)
    let old = StoredValue(record, field: step.field, table: graph.tables + table)
    if let lent = old.start, old.equals(value, storage: step.field.storage) {
      matcher.shared.keep(copy: lent, of: value)
      return old
    }
    guard let room = graph.text.pointee.allocate(value.count) else { throw graph.memory.failure }
    CLibrary.copy(value.count, from: start, to: room)
    let copy = UnsafePointer(room.assumingMemoryBound(to: UInt8.self))
    matcher.shared.keep(copy: copy, of: value)
    return StoredValue(bytes: UnsafeBufferPointer(start: copy, count: value.count))
  }
}
