/// Objects that identifiers name before a record describes them.
///
/// The order of records must not matter where unknown identifiers are left out. A stub row is
/// therefore used until the import ends. A record that describes the stub makes it an object; a
/// remaining stub is removed at the end.
struct ForwardReferences {
  /// A to-one that is set if its object comes.
  struct Target {
    let object: ObjectID
    let field: Field
    let target: ObjectID
    /// The note for the report, or the failure, if the object does not come; nil for neither.
    let issue: GrootIssue?
    /// Whether the to-one is required.
    let isRequired: Bool

    var requirement: Required { Required(object: object, property: field.number) }
  }

  /// A required to-one that waits for its object.
  struct Required: Hashable {
    let object: ObjectID
    let property: UInt16
  }

  /// A to-many with stub rows among its members.
  struct List {
    let object: ObjectID
    let field: Field
  }

  /// A stub row, with the plan of its identity.
  struct Row {
    let id: ObjectID
    let plan: PlanIndex
    /// Whether the stub becomes a placeholder if no record describes it.
    let isPlaceholder: Bool
  }

  /// A placeholder that this import made.
  struct Placeholder {
    let id: ObjectID
    /// The plan of the entity that the identifier names.
    let plan: PlanIndex
  }

  /// The numbers of entries, for returning to an earlier state.
  struct Counts {
    fileprivate let rows: Int
    fileprivate let targets: Int
    fileprivate let members: Int
    fileprivate let placeholders: Int
    fileprivate let given: Int
  }

  var rows: [Row] = []
  private(set) var targets: [Target] = []
  private(set) var required: Set<Required> = []
  var members: [List] = []
  var placeholders: [Placeholder] = []
  /// The locations where the first of the placeholders are named.
  var locations: [GrootIssue] = []
  /// The placeholders that came as objects with only their identity.
  var given: [ObjectID] = []
  /// The number of placeholders whose location is noted: finding a location takes time.
  static let maximumLocationCount = 100

  var counts: Counts {
    Counts(
      rows: rows.count, targets: targets.count, members: members.count,
      placeholders: placeholders.count, given: given.count)
  }

  mutating func wait(_ target: Target, _ memory: MemoryAccount) throws {
    try targets.append(target, within: memory)
    if target.isRequired { required.insert(target.requirement) }
  }

  mutating func removeLast(to counts: Counts) {
    rows.removeSubrange(counts.rows...)
    if !required.isEmpty && targets.count > counts.targets {
      required = Set(targets[..<counts.targets].filter(\.isRequired).map(\.requirement))
    }
    targets.removeSubrange(counts.targets...)
    members.removeSubrange(counts.members...)
    placeholders.removeSubrange(counts.placeholders...)
    given.removeSubrange(counts.given...)
    if locations.count > counts.placeholders { locations.removeSubrange(counts.placeholders...) }
  }
}

extension Importer {
  /// Makes a stub row with the current identity, and returns it.
  func expect(
    _ number: PlanIndex, entity: PlanPart<EntityPlan>, isPlaceholder: Bool = false
  ) throws -> OptionalRow {
    let before = counts.inserted
    let row = try insert(number, entity: entity, isStub: true)
    counts.inserted = before
    let table = entity.table
    graph.tables[table].header(row).pointee.marks = ImportMark.stub
    graph.setPlaceholder(row, in: table)
    hasForwardReferences = true
    try forward.rows.append(
      ForwardReferences.Row(
        id: graph.tables[table].id(row), plan: number, isPlaceholder: isPlaceholder),
      within: graph.memory)
    return OptionalRow(row)
  }

  func isStub(_ row: Row, in table: TableIndex) -> Bool {
    let header = graph.tables[table].header(row)
    return header.pointee.epoch == graph.epoch && header.pointee.marks == ImportMark.stub
  }

  /// Makes a stub row an object.
  func resolveStub(_ row: Row, in table: TableIndex) throws {
    let header = graph.tables[table].header(row)
    if errorMode == .skip {
      // The record that makes the stub an object may be left out later.
      try met.append(
        MetObject(
          table: table, epoch: header.pointee.epoch, row: row,
          marks: header.pointee.marks))
    }
    header.pointee.marks = ImportMark.inserted
    counts.inserted &+= 1
  }

  /// Links the objects that came and removes the remaining stubs, after all records are read.
  func resolveForwardReferences() throws {
    var replacements: [ObjectID: ObjectID] = [:]
    var merges: [(placeholder: ObjectID, row: Row)] = []
    for row in forward.rows where graph.isLive(row.id) {
      let isWaiting = isStub(row.id.row, in: row.id.table)
      guard isWaiting || graph.isPlaceholder(row.id.row, in: row.id.table) else { continue }
      if let other = try object(insteadOf: row) {
        if isWaiting {
          replacements[row.id] = other
        } else {
          merges.append((row.id, other.row))
        }
        graph.bring(row.id.row, in: row.id.table)
      } else if row.isPlaceholder && isWaiting {
        try resolveStub(row.id.row, in: row.id.table)
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
      if isStub(row.id.row, in: row.id.table) { graph.discard(row.id) }
    }
    hasForwardReferences = false
    forward = ForwardReferences()
  }

  /// Sets a to-one that waited, unless its object is still a stub.
  private func resolve(_ waiting: ForwardReferences.Target, to target: ObjectID) throws {
    guard !isStub(target.row, in: target.table) else { return try settle(waiting) }
    if listsAccess { noteAccess(target.row, in: target.table) }
    try store?.prefetchTarget(
      waiting.field, row: waiting.object.row, target: OptionalRow(target.row))
    let isChanged = graph.setTarget(
      waiting.field.link, side: waiting.field.side, row: waiting.object.row,
      to: OptionalRow(target.row))
    if isChanged { noteUpdate(waiting.object.row, in: waiting.object.table) }
  }

  /// Handles a to-one whose object did not come.
  private func settle(_ waiting: ForwardReferences.Target) throws {
    guard let issue = waiting.issue else { return }
    let link = graph.links[waiting.field.link]
    let keepsTarget =
      issue.severity == .warning
      && !graph.target(link, side: waiting.field.side, row: waiting.object.row).isNone
    guard waiting.isRequired && !keepsTarget else {
      notes.append([issue])
      return
    }
    var failure = issue
    failure.severity = .error
    guard errorMode == .skip else { return try gather(GrootError(failure)) }
    notes.append([failure])
    // The record can no longer be undone, so its new object is discarded.
    let header = graph.tables[waiting.object.table].header(waiting.object.row)
    if header.pointee.epoch == graph.epoch, header.pointee.marks == ImportMark.inserted {
      lateFailures += 1
      graph.discard(waiting.object)
    }
  }

  /// Returns the object that came under another identity with the key of a stub row.
  private func object(insteadOf row: ForwardReferences.Row) throws -> ObjectID? {
    let entity = plan.entities + row.plan
    guard entity.isForeignKey else { return nil }
    let index = try identityIndex(row.plan)
    let table = row.id.table
    return index.pointee.rows(
      like: row.id.row, entity.localIndex, entity.lastLocalIndex
    ).first { $0 != row.id.row && !isStub($0, in: table) }.map { graph.tables[table].id($0) }
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
    for row in wanted where listsAccess { noteAccess(row, in: table) }
    _ = try wanted.withUnsafeBufferPointer {
      try graph.setMembers(of: list.object.row, field: list.field, to: $0, setsOrder: true)
    }
  }

  /// Counts an object that was met unchanged before as updated.
  func noteUpdate(_ row: Row, in table: TableIndex) {
    let header = graph.tables[table].header(row)
    guard header.pointee.epoch == graph.epoch, header.pointee.marks == 0 else { return }
    header.pointee.marks = ImportMark.updated
    counts.updated &+= 1
  }
}
