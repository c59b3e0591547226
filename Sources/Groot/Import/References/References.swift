/// The objects that identifiers name before a record describes them.
///
/// It finds placeholders when their records come. After all records are read it links those that
/// waited, removes stubs, and reports placeholders without a record.
final class References {
  let graph: Graph
  let plan: Plan
  let matcher: RecordMatcher
  let log: IssueLog
  let finder: IdentityFinder
  let tally: ImportTally
  let deleter: Deleter
  /// The missing objects that identifiers named; some of them may come later.
  @exclusivity(unchecked) private(set) var forward = ForwardReferences()
  /// Whether identifiers named missing objects.
  @exclusivity(unchecked) private(set) var hasForwardReferences = false
  /// The ways in which a plan's objects may have been named before, by plan; nil until needed.
  @exclusivity(unchecked) var knownNamings: [[Naming]?] = []
  /// The placeholders that no record brought, with their issues for the report.
  private(set) var unbrought: [(object: ObjectID, issue: GrootIssue)] = []
  /// The number of objects that were removed at the end because a required member did not come.
  @exclusivity(unchecked) private(set) var failureCount = 0

  init(_ matcher: RecordMatcher, finder: IdentityFinder, tally: ImportTally, deleter: Deleter) {
    (self.matcher, self.finder, self.tally, self.deleter) = (matcher, finder, tally, deleter)
    (graph, plan, log) = (finder.graph, finder.plan, matcher.log)
  }

  var store: StoreCoordinator? { finder.store }
  var steps: PlanPart<StepPlan> { matcher.steps }
  var values: ValueReader { matcher.values }

  /// Notes that an identifier names an existing object, and returns its row.
  func use(_ row: Row, token: TokenIndex, number: PlanIndex, scope: Scope) throws -> OptionalRow {
    let entity = plan.entities + number
    let table = entity.table
    deleter.noteNamed(row, in: table)
    if hasForwardReferences, scope.unknownIdentifier == .placeholder, !entity.isForeignKey,
      tally.isStub(row, in: table)
    {
      try tally.resolveStub(row, in: table)
      try noteNamed(row, token: token, number: number)
    }
    if tally.listsAccess { tally.noteAccess(row, in: table) }
    return OptionalRow(row)
  }

  /// Notes a placeholder of this import if its record may determine another entity.
  func noteNamed(_ row: Row, token: TokenIndex, number: PlanIndex) throws {
    let table = plan.entities[number].table
    guard graph.model.hierarchies[table].entities.count > 1 else { return }
    if forward.placeholders.count < ForwardReferences.maximumLocationCount {
      forward.locations.append(
        log.issue(.unknownIdentifier, "", token: token, entity: number, property: nil))
    }
    try forward.placeholders.append(
      ForwardReferences.Placeholder(id: graph.tables[table].id(row), plan: number),
      within: graph.memory)
  }

  /// Returns whether a to-one waits for an object that another record named.
  func isExpected(_ frame: ImportFrame, table: TableIndex, field: Field) -> Bool {
    forward.required.contains(
      ForwardReferences.Required(
        object: graph.tables[table].id(frame.row), property: field.number))
  }

  /// Notes that a to-one waits for an object, and returns its member until then.
  func expect(
    _ target: Row, of step: PlanPart<StepPlan>, frame: ImportFrame, table: TableIndex,
    token: TokenIndex
  ) throws -> OptionalRow {
    let field = step.field
    let keeps = step.policies.unknownIdentifier == .keep
    var note: GrootIssue?
    if keeps {
      let destination = log.name(step.destination)
      note = log.issue(
        .unknownIdentifier,
        "no object of '\(destination)' has the identity \(matcher.current.shown(token)); the relationship stays as it is",
        token: token, entity: frame.plan, property: field)
      note?.severity = .warning
    }
    let isRequired = !field.isOptional && step.policies.validation == .import
    if isRequired && !keeps {
      note = log.missing(frame, step: step, token: token).issues.first
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

  /// Whether stubs wait for their records.
  var isWaiting: Bool { !forward.rows.isEmpty }

  /// Notes a stub row of a missing object.
  func noteStub(_ row: Row, of number: PlanIndex, isPlaceholder: Bool) throws {
    hasForwardReferences = true
    try forward.rows.append(
      ForwardReferences.Row(
        id: graph.tables[plan.entities[number].table].id(row), plan: number,
        isPlaceholder: isPlaceholder),
      within: graph.memory)
  }

  /// Notes a placeholder that came as an object with only its identity.
  func noteGiven(_ row: Row, in table: TableIndex) throws {
    try forward.given.append(graph.tables[table].id(row), within: graph.memory)
  }

  /// Notes a list of which one of the members may be a stub.
  func noteList(_ row: Row, in table: TableIndex, field: Field) throws {
    try forward.members.append(
      ForwardReferences.List(object: graph.tables[table].id(row), field: field),
      within: graph.memory)
  }

  /// The numbers of what waits, for returning to an earlier state.
  var counts: ForwardReferences.Counts { forward.counts }

  /// Forgets what a record which is left out made wait.
  func removeLast(to counts: ForwardReferences.Counts) { forward.removeLast(to: counts) }

  // MARK: After all records

  /// Completes the references after all records are read.
  func finish() throws {
    if hasForwardReferences { try resolveForwardReferences() }
    reportPlaceholders()
  }

  /// Links the objects that came and removes the remaining stubs, after all records are read.
  func resolveForwardReferences() throws {
    var replacements: [ObjectID: ObjectID] = [:]
    var merges: [(placeholder: ObjectID, row: Row)] = []
    for row in forward.rows where graph.isLive(row.id) {
      let isWaiting = tally.isStub(row.id.row, in: row.id.table)
      guard isWaiting || graph.isPlaceholder(row.id.row, in: row.id.table) else { continue }
      if let other = try object(insteadOf: row) {
        if isWaiting {
          replacements[row.id] = other
        } else {
          merges.append((row.id, other.row))
        }
        graph.bring(row.id.row, in: row.id.table)
      } else if row.isPlaceholder && isWaiting {
        try tally.resolveStub(row.id.row, in: row.id.table)
      }
    }
    for waiting in forward.targets where graph.isLive(waiting.object) {
      let target = replacements[waiting.target] ?? waiting.target
      if graph.isLive(target) { try resolve(waiting, to: target) }
    }
    if !replacements.isEmpty {
      for list in forward.members { try replaceMembers(list, replacements: replacements) }
    }
    for merge in merges { try self.merge(merge.placeholder, into: merge.row) }
    reportPlaceholders()
    for row in forward.rows where graph.isLive(row.id) {
      if tally.isStub(row.id.row, in: row.id.table) { graph.discard(row.id) }
    }
    hasForwardReferences = false
    forward = ForwardReferences()
  }

  /// Sets a to-one that waited, unless its object is still a stub.
  private func resolve(_ waiting: ForwardReferences.Target, to target: ObjectID) throws {
    guard !tally.isStub(target.row, in: target.table) else { return try settle(waiting) }
    if tally.listsAccess { tally.noteAccess(target.row, in: target.table) }
    try store?.prefetchTarget(
      waiting.field, row: waiting.object.row, target: OptionalRow(target.row))
    let isChanged = graph.setTarget(
      waiting.field.link, side: waiting.field.side, row: waiting.object.row,
      to: OptionalRow(target.row))
    if isChanged { tally.noteUpdate(waiting.object.row, in: waiting.object.table) }
  }

  /// Handles a to-one whose object did not come.
  private func settle(_ waiting: ForwardReferences.Target) throws {
    guard let issue = waiting.issue else { return }
    let link = graph.links[waiting.field.link]
    let keepsTarget =
      issue.severity == .warning
      && !graph.target(link, side: waiting.field.side, row: waiting.object.row).isNone
    guard waiting.isRequired && !keepsTarget else {
      log.note([issue])
      return
    }
    var failure = issue
    failure.severity = .error
    guard log.errorMode == .skip else { return try log.gather(GrootError(failure)) }
    log.note([failure])
    // The record can no longer be undone, so its new object is discarded.
    if tally.isInserted(waiting.object.row, in: waiting.object.table) {
      failureCount += 1
      graph.discard(waiting.object)
    }
  }

  /// Returns the object that came under another identity with the key of a stub row.
  private func object(insteadOf row: ForwardReferences.Row) throws -> ObjectID? {
    let entity = plan.entities + row.plan
    guard entity.isForeignKey else { return nil }
    let index = try finder.identityIndex(row.plan)
    let table = row.id.table
    return index.pointee.rows(
      like: row.id.row, entity.localIndex, entity.lastLocalIndex
    ).first { $0 != row.id.row && !tally.isStub($0, in: table) }.map { graph.tables[table].id($0) }
  }

  /// Replaces stub members by the objects that came.
  private func replaceMembers(
    _ list: ForwardReferences.List, replacements: [ObjectID: ObjectID]
  ) throws {
    guard graph.isLive(list.object) else { return }
    let table = graph.destination(list.field)
    try store?.prefetchList(list.object.row, in: list.object.table, field: list.field)
    let rows = graph.members(of: list.object.row, field: list.field)
    let wanted = rows.map { replacements[graph.tables[table].id($0)]?.row ?? $0 }
    guard wanted != rows else { return }
    for row in wanted where tally.listsAccess { tally.noteAccess(row, in: table) }
    _ = try wanted.withUnsafeBufferPointer {
      try graph.setMembers(of: list.object.row, field: list.field, to: $0, setsOrder: true)
    }
  }

  /// Returns whether a record may still determine the entity of an object.
  private func isOpen(_ row: Row, table: TableIndex) -> Bool {
    let entity = plan.entities[
      PlanIndex(of: graph.entity(graph.tables[table].record(row), in: table))]
    return entity.isAbstract || entity.localIndex < entity.lastLocalIndex
  }

  /// Reports this import's placeholders that no record brought, after all records are read.
  ///
  /// A placeholder of an abstract entity stays too, since a later import may determine its entity.
  func reportPlaceholders() {
    var reported = Set(forward.given)
    for (position, placeholder) in forward.placeholders.enumerated() {
      let id = placeholder.id
      guard graph.isLive(id), graph.isPlaceholder(id.row, in: id.table),
        isOpen(id.row, table: id.table),
        reported.insert(id).inserted
      else { continue }
      guard unbrought.count < ImportNotes.maximumCount else { break }
      var issue =
        position < forward.locations.count
        ? forward.locations[position] : GrootIssue(.unknownIdentifier, "")
      issue.severity = .warning
      issue.entity = graph.entityName(graph.tables[id.table].record(id.row), in: id.table)
      issue.message =
        "the object with the identity \(identity(of: placeholder)) is a placeholder of "
        + "'\(issue.entity)', and no record has chosen its sub-entity"
      unbrought.append((id, issue))
    }
    forward.placeholders = []
    forward.locations = []
    forward.given = []
  }

  private func identity(of placeholder: ForwardReferences.Placeholder) -> String {
    let table = placeholder.id.table
    let record = graph.tables[table].record(placeholder.id.row)
    return plan.identityNumbers[placeholder.plan].map { number in
      let field = graph.fields[table][number]
      return Value(StoredValue(record, field: field, table: graph.tables + table), as: field.type)
        .json.description
    }.joined(separator: ", ")
  }

  // MARK: Merging a placeholder with the object that came with its key

  /// Moves all links of a placeholder to an object and deletes the placeholder.
  func merge(_ placeholder: ObjectID, into row: Row) throws {
    let (table, old) = (placeholder.table, placeholder.row)
    try store?.prefetchDeletion([placeholder])
    try store?.read(row, in: table)
    let entity = graph.tables[table].header(row).pointee.entity
    for field in graph.relationshipFields(old, in: table) where field.belongs(to: entity) {
      let link = graph.links[field.link]
      let other = graph.destination(field)
      let far = link.isSymmetric ? field : link.field(field.side.inverse)
      let linked =
        field.isToMany ? graph.members(of: old, field: field) : target(field, row: old)
      for owner in linked {
        tally.noteUpdate(owner, in: other)
        if far.isToMany {
          try replace(old, by: row, in: far, of: ObjectKey(table: other, row: owner))
        } else if field.isToMany || target(field, row: row).isEmpty {
          try store?.prefetchTarget(far, row: owner, target: OptionalRow(row))
          graph.setTarget(far.link, side: far.side, row: owner, to: OptionalRow(row))
        }
      }
    }
    tally.noteUpdate(row, in: table)
    graph.discard(placeholder)
  }

  private func target(_ field: Field, row: Row) -> [Row] {
    graph.target(graph.links[field.link], side: field.side, row: row).index.map { [$0] } ?? []
  }

  /// Replaces a placeholder in a list by an object, unless that is in the list or has an owner.
  private func replace(
    _ old: Row, by row: Row, in field: Field, of object: ObjectKey
  ) throws {
    let (table, owner) = (object.table, object.row)
    let link = graph.links[field.link]
    if link.kind == .oneToMany, !target(link.field(field.side.inverse), row: row).isEmpty { return }
    try store?.prefetchList(owner, in: table, field: field)
    try store?.prefetchMember(field, member: row)
    let members = graph.members(of: owner, field: field)
    let isThere = members.contains(row)
    let wanted = members.compactMap { $0 == old ? (isThere ? nil : row) : $0 }
    _ = try wanted.withUnsafeBufferPointer {
      try graph.setMembers(of: owner, field: field, to: $0, setsOrder: true)
    }
  }
}
