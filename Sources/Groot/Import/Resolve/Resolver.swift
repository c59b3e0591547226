/// Resolves records: finds the object of each, or makes one, and lets it wait for its values.
///
/// It makes rows, and changes the entity of placeholders. Objects without relationships are filled
/// at once; the others wait on a stack of frames.
final class Resolver {
  let graph: Graph
  let plan: Plan
  let steps: PlanPart<StepPlan>
  let tape: JSONTape
  let matcher: RecordMatcher
  let chooser: EntityChooser
  let finder: IdentityFinder
  let tally: ImportTally
  let references: References
  let tombstones: Tombstones?
  let filler: Filler
  let unknownKeys: UnknownKeyLog?
  let values: ValueReader
  let log: IssueLog
  /// The objects of nested records that were read before.
  let repeats: RepeatedRecords
  /// The changes allowed to targets of to-ones.
  let targetOperations: ImportOperations
  @exclusivity(unchecked) private var frames: Buffer<ImportFrame>
  /// The number of nested lookups of owners.
  @exclusivity(unchecked) var ownerDepth = 0
  static let maximumOwnerDepth = 64

  init(
    filler: Filler, chooser: EntityChooser, references: References, tombstones: Tombstones?,
    unknownKeys: UnknownKeyLog?, operations: ImportOperations
  ) {
    self.filler = filler
    self.chooser = chooser
    self.references = references
    self.tombstones = tombstones
    self.unknownKeys = unknownKeys
    (repeats, values, log) = (filler.repeats, filler.values, filler.log)
    targetOperations = operations
    (graph, plan) = (references.graph, references.plan)
    (matcher, steps, tape) = (filler.matcher, filler.matcher.steps, filler.matcher.tape)
    (finder, tally) = (references.finder, references.tally)
    frames = Buffer(graph.memory)
  }

  deinit { frames.deallocate() }

  /// Forgets the objects of the previous record that still wait.
  func begin() { frames.removeLast(to: 0) }

  /// The number of objects that wait.
  @inline(__always)
  var waitingCount: Int { frames.count }

  /// Takes the next object that waits.
  @inline(__always)
  func takeFrame() -> ImportFrame {
    let frame = frames.start[frames.count &- 1]
    frames.removeLast(to: frames.count &- 1)
    return frame
  }

  /// Brings the objects that wait since `first` into the order of the document.
  @inline(__always)
  func reverseFrames(from first: Int) { frames.reverse(from: first) }

  /// Finds or makes the object of a value; returns its row, or none.
  @inline(__always)
  func resolve(_ token: TokenIndex, entity: PlanIndex, scope: Scope) throws -> OptionalRow {
    if tape.tokens[token].rawKind == JSONKind.object.rawValue {
      return try resolveObject(token, requested: entity, scope: scope)
    }
    return try resolveOther(token, entity: entity, scope: scope)
  }

  /// Does the same for a value that is not an object.
  @inline(never)
  private func resolveOther(
    _ token: TokenIndex, entity: PlanIndex, scope: Scope
  ) throws -> OptionalRow {
    switch tape.tokens[token].kind {
    case .object, .null: return .none
    case .alias: return try resolve(tape.resolved(token), entity: entity, scope: scope)
    case .array:
      if plan.entities[entity].takesArrays {
        return try resolveObject(token, requested: entity, scope: scope)
      }
      throw log.failure(
        .wrongShape, "there is an array where an object of '\(log.name(entity))' belongs",
        token: token,
        entity: entity)
    default:
      if plan.entities[entity].takesScalars,
        !matcher.place.key.isNone || !plan.entities[entity].identifiesByKey
      {
        return try resolveObject(token, requested: entity, scope: scope)
      }
      return try resolveIdentifier(token, number: entity, scope: scope)
    }
  }

  /// Finds or makes the object of a record; null under a key is a record with only that key.
  func resolveRecord(_ token: TokenIndex, entity: PlanIndex, scope: Scope) throws -> OptionalRow {
    if tape.tokens[token].kind == .null && !matcher.place.key.isNone {
      return try resolveObject(token, requested: entity, scope: scope)
    }
    return try resolve(token, entity: entity, scope: scope)
  }

  func resolveObject(
    _ object: TokenIndex, requested asked: PlanIndex, scope: Scope
  ) throws -> OptionalRow {
    var number = asked
    if plan.entities[asked].discriminator >= 0 {
      number = try chooser.discriminated(object, requested: asked)
      if number.isNone { return .none }
    }
    let entity = plan.entities + number
    let content = takesRepeats(of: entity, scope: scope) ? repeatableContent(object) : nil
    if let content, let row = repeats.find(content, of: number) { return OptionalRow(row) }
    return try readObject(object, of: number, requested: asked, content: content, scope: scope)
  }

  /// Finds or makes the object of a record that is not a repetition.
  ///
  /// - Parameter content: The text to know its repetitions by; nil if none can be left out.
  @inline(never)
  func readObject(
    _ object: TokenIndex, of number: PlanIndex, requested asked: PlanIndex,
    content: RepeatedRecords.Content?, scope: Scope
  ) throws -> OptionalRow {
    let entity = plan.entities + number
    if entity.takesIdentifiersOnly { throw log.identifierWanted(object, number: number) }
    let noteCount = log.noteCount
    var record = MatchedRecord(object: object, plan: number, slots: matcher.slotCount)
    guard try match(&record, entity: entity, scope: scope) else { return .none }
    var found = try findObject(of: &record, entity: entity, among: asked, scope: scope)
    if scope.unidentified != .insert, !record.hasIdentity,
      try !takeUnidentified(record, requested: number, found: &found, scope: scope)
    {
      return .none
    }
    record.isPartial = matcher.isPartial(record, scope: scope)
    if let row = found, graph.isPlaceholder(row, in: entity.table) {
      return try fillPlaceholder(row, record: record, scope: scope)
    }
    let used =
      if let row = found {
        try use(row, record: &record, scope: scope)
      } else {
        try insertRecord(record, among: asked, scope: scope)
      }
    if let content, let row = used.index {
      noteRepeatable(content, record: record, row: row, noteCount: noteCount)
    }
    return used
  }

  /// Matches the keys of a record; returns false for a tombstone, which it notes.
  @inline(__always)
  private func match(
    _ record: inout MatchedRecord, entity: PlanPart<EntityPlan>, scope: Scope
  ) throws -> Bool {
    if entity.dictionaryTransformer >= 0, tape.tokens[record.object].kind == .object {
      record.token = try chooser.transformObject(
        entity.dictionaryTransformer, object: record.object, entity: record.plan)
    }
    try matcher.match(record.token, entity: entity, base: record.slots)
    guard entity.tombstone >= 0,
      plan.tombstones[Int(entity.tombstone)].marks(record.token, on: tape)
    else { return true }
    let isWhole = try readKey(entity, base: record.slots, object: record.token, scope: scope)
    try tombstones?.bury(record, isWhole: isWhole)
    matcher.releaseSlots(of: record)
    return false
  }

  /// Finds the object of a record, which may be a placeholder; asks a function for its entity.
  @inline(__always)
  private func findObject(
    of record: inout MatchedRecord, entity: PlanPart<EntityPlan>, among asked: PlanIndex,
    scope: Scope
  ) throws -> Row? {
    var found = try findRow(&record, among: asked, scope: scope)
    let table = entity.table
    if entity.entityMapper >= 0, tape.tokens[record.token].kind == .object,
      found.map({ graph.isPlaceholder($0, in: table) }) ?? true
    {
      record.isChosen = try chooseEntity(&record, found: &found, scope: scope)
    }
    if let row = found, !references.fits(row, entity: plan.entities + record.plan) { found = nil }
    if found == nil, graph.hasPlaceholders[table] {
      found = try references.findPlaceholder(record.plan, base: record.slots)
    }
    return found
  }

  /// Handles a record without an identity by its scope; returns false if it is left out.
  @inline(never)
  private func takeUnidentified(
    _ record: MatchedRecord, requested: PlanIndex, found: inout Row?, scope: Scope
  ) throws -> Bool {
    if plan.entities[record.plan].identityCount > 0 && scope.unidentified != .reuse {
      let error = log.keyless(record.object, number: requested)
      if scope.unidentified == .note { throw error }
      log.noteUnidentified()
      log.note(error.issues)
      matcher.releaseSlots(of: record)
      return false
    }
    found = scope.current.index
    if let store = finder.store, let found {
      try store.read(found, in: plan.entities[record.plan].table)
    }
    return true
  }

  /// Returns whether a record only names its object.
  @inline(__always)
  func namesOnly(_ record: MatchedRecord, scope: Scope) -> Bool {
    record.isPartial
      || !record.isChosen
        && matcher.isIdentityOnly(plan.entities + record.plan, base: record.slots, scope: scope)
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
      let chosen = try chooser.mapEntity(mapper, object: record.token, requested: record.plan)
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
    let index = try finder.identityIndex(record.plan)
    guard plan.entities[asked].identityCount > 0, try finder.identityIndex(asked) == index,
      let row = try finder.find(asked, index: index)
    else { return }
    let other = finder.planNumber(of: row, plan.entities + asked)
    throw log.failure(
      .identityConflict,
      "the object with this identity is of '\(log.name(other))', and the record is of "
        + "'\(log.name(record.plan))'; an object keeps its entity: delete it first, or let each entity "
        + "have an identity of its own", token: record.object, entity: record.plan)
  }

  /// Makes the object of a record without an existing one; returns none if that is not allowed.
  @inline(__always)
  private func insertRecord(
    _ record: MatchedRecord, among asked: PlanIndex, scope: Scope
  ) throws -> OptionalRow {
    if asked != record.plan && record.hasIdentity && !record.isUnknown
      && plan.entities[asked].discriminator >= 0
    {
      try requireKind(of: record, among: asked)
    }
    let entity = plan.entities + record.plan
    guard scope.operations.contains(record.hasIdentity ? .inserts : .insertsUnidentified) else {
      matcher.releaseSlots(of: record)
      return .none
    }
    if entity.isAbstract { throw log.abstractFailure(record.object, entity: record.plan) }
    try validateKey(record)
    let row = try insert(record.plan, entity: entity)
    if namesOnly(record, scope: scope) { graph.setPlaceholder(row, in: entity.table) }
    try wait(ImportFrame(record, row: row, scope: scope, isNew: true), scope: scope)
    return OptionalRow(row)
  }

  /// Fills a found object if that is allowed, by the plan of its entity.
  @inline(__always)
  private func use(
    _ row: Row, record: inout MatchedRecord, scope: Scope
  ) throws -> OptionalRow {
    let actual = finder.planNumber(of: row, plan.entities + record.plan)
    if actual != record.plan {
      try rematch(&record, as: actual)
      record.hasIdentity = false
    }
    if !scope.operations.isDisjoint(with: [.updates, .names]) {
      try wait(ImportFrame(record, row: row, scope: scope, isNew: false), scope: scope)
    } else {
      matcher.releaseSlots(of: record)
      try tally.meet(row, table: plan.entities[record.plan].table, isChanged: false)
    }
    return OptionalRow(row)
  }

  /// Fills an object immediately if it has no relationships; otherwise it waits.
  ///
  /// A record whose failed look-up is only noted waits too, so that errors inside it remain
  /// separate.
  @inline(__always)
  func wait(_ frame: ImportFrame, scope: Scope) throws {
    if plan.hasForeignKeys { try references.noteKeys(frame) }
    if let unknownKeys { try unknownKeys.noteUnknownKeys(frame) }
    if plan.entities[frame.plan].hasRelationships || scope.unidentified == .note {
      try frames.append(frame)
    } else {
      if frame.isNaming {
        try tally.meet(frame.row, table: plan.entities[frame.plan].table, isChanged: false)
      } else {
        try filler.fill(frame)
      }
      matcher.removeSlots(from: frame.slots)
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
        record.token = try chooser.transformObject(
          transformer, object: record.token, entity: chosen)
      }
    }
    matcher.releaseSlots(of: record)
    record.plan = chosen
    record.slots = matcher.slotCount
    try matcher.match(record.token, entity: entity, base: record.slots)
  }

  /// Does the same as ``resolve(_:entity:scope:)`` for a value that other objects may share.
  @inline(never)
  func resolvePlaced(
    _ token: TokenIndex, step: PlanPart<StepPlan>, scope: Scope
  ) throws -> OptionalRow {
    let source = SharedValues.Source(token: token, number: matcher.number(step))
    if let rows = matcher.shared.rows(source) { return rows.first.map { OptionalRow($0) } ?? .none }
    let found = try resolve(token, entity: step.destination, scope: scope)
    matcher.shared.keep(rows: found.index.map { [$0] } ?? [], of: source)
    return found
  }
}
