/// Records that are older than their objects, and records that mean a deletion.
///
/// It keeps the deletions that records ask for until all are read.
final class Tombstones {
  private let graph: Graph
  private let store: StoreCoordinator?
  private let plan: Plan
  private let steps: PlanPart<StepPlan>
  private let tape: JSONTape
  private let matcher: RecordMatcher
  private let values: ValueReader
  private let log: IssueLog
  private let finder: IdentityFinder
  private let deleter: Deleter
  /// The deletions that records ask for, and the texts of their identities.
  @exclusivity(unchecked) private var buried: [BuriedObject] = []
  @exclusivity(unchecked) private var buriedText: TextArena
  /// Whether a delete rule of the model may deny a deletion.
  private lazy var deniesDeletions = graph.model.hierarchies.contains { hierarchy in
    hierarchy.properties.contains { $0.relationship?.deleteRule == .deny }
  }
  /// Whether records may delete objects.
  @exclusivity(unchecked) var isOn = true
  /// The number of deletions that a rule denied.
  private(set) var failureCount = 0

  init(_ matcher: RecordMatcher, finder: IdentityFinder, deleter: Deleter) {
    (self.matcher, self.finder, self.deleter) = (matcher, finder, deleter)
    (graph, store, plan) = (finder.graph, finder.store, finder.plan)
    (steps, tape, values, log) = (matcher.steps, matcher.tape, matcher.values, matcher.log)
    buriedText = TextArena(graph.memory)
  }

  deinit { buriedText.removeAll() }

  /// The number of deletions, for returning to an earlier state.
  var count: Int { buried.count }

  /// Forgets the deletions after the first `count`.
  func removeLast(to count: Int) { buried.removeSubrange(count...) }

  // MARK: Versions

  /// Returns whether a record is older than its object, or the same version where that is ignored.
  func isStale(_ frame: ImportFrame, table: TableIndex) throws -> Bool {
    let entity = plan.entities + frame.plan
    guard let version = try version(of: frame.plan, base: Int(frame.slots)) else {
      // A record without the key is not stale; null is older than any version.
      let token = try matcher.slot(steps + Int(entity.version), base: Int(frame.slots))
      return !token.isNone && tape.tokens[token].kind == .null
        && isStale(.none, row: frame.row, entity: entity)
    }
    return isStale(version, row: frame.row, entity: entity)
  }

  private func isStale(_ version: StoredValue, row: Row, entity: PlanPart<EntityPlan>) -> Bool {
    let field = steps[Int(entity.version)].field
    let record = graph.tables[entity.table].record(row)
    let own = StoredValue(record, field: field, table: graph.tables + entity.table)
    guard own.isPresent else { return false }
    let order = version.order(own, as: field.type)
    if order == 0 {
      // A record of the same version brings back an object that was marked as deleted.
      return !entity.takesEqualVersion && !isMarked(record, entity: entity)
    }
    return order < 0
  }

  private func isMarked(_ record: UnsafeRawPointer, entity: PlanPart<EntityPlan>) -> Bool {
    guard let field = entity.deletionMark else { return false }
    let mark = StoredValue(record, field: field, table: graph.tables + entity.table)
    return mark.isPresent && (field.type != .boolean || mark.word0 == 1)
  }

  /// Returns the version of a record; nil without one.
  private func version(of number: PlanIndex, base: Int) throws -> StoredValue? {
    let step = steps + Int(plan.entities[number].version)
    let token = try matcher.slot(step, base: base)
    guard !token.isNone, tape.tokens[token].kind != .null else { return nil }
    var version = StoredValue.none
    guard try values.read(step, token: token, entity: number, into: &version) == .value else {
      return nil
    }
    return version
  }

  /// Removes the deletion mark of an object that a record brings; returns whether it had one.
  func clearDeletionMark(_ frame: ImportFrame, table: TableIndex) -> Bool {
    let entity = plan.entities + frame.plan
    guard let field = entity.deletionMark else { return false }
    let template = graph.tables[table].template(entity.localIndex)
    let value = StoredValue(template, field: field, table: graph.tables + table)
    return graph.set(frame.row, in: table, field: field, to: value)
  }

  // MARK: Tombstones

  /// Notes that the object with the current identity is deleted after all records are read.
  ///
  /// The order of records therefore does not matter.
  /// - Parameter isWhole: Whether the record has all parts of the identity.
  func bury(_ record: MatchedRecord, isWhole: Bool) throws {
    let entity = plan.entities + record.plan
    guard isWhole || entity.identityCount > 1 else {
      throw log.keyless(record.object, number: record.plan)
    }
    let parts = (0..<Int(entity.identityCount)).map { kept(finder.key[$0]) }
    let version =
      entity.version < 0 ? nil : try version(of: record.plan, base: record.slots).map(kept)
    let location =
      deniesDeletions
      ? log.issue(.deleteDenied, "", token: record.object, entity: record.plan, property: nil) : nil
    buried.append(
      BuriedObject(
        plan: record.plan, key: parts, version: version ?? .none, location: location))
    try graph.memory.check()
  }

  /// Returns a value whose text does not depend on the tape.
  private func kept(_ value: StoredValue) -> StoredValue {
    guard let start = value.start, value.count > 0 else { return value }
    guard let room = buriedText.allocate(value.count) else { return .none }
    let bytes = room.assumingMemoryBound(to: UInt8.self)
    bytes.update(from: start, count: value.count)
    return StoredValue(bytes: UnsafeBufferPointer(start: bytes, count: value.count))
  }

  /// Deletes, or marks, the objects that records ask to delete.
  func finish() throws {
    if buried.isEmpty { return }
    guard isOn else { return }
    var objects: [ObjectID] = []
    var locations: [GrootIssue?] = []
    for object in buried {
      let entity = plan.entities + object.plan
      for (position, part) in object.key.enumerated() { finder.key[position] = part }
      guard let row = try finder.find(object.plan, index: try finder.identityIndex(object.plan))
      else { continue }
      if object.version.isPresent, isOlder(object.version, row: row, entity: entity) { continue }
      objects.append(graph.tables[entity.table].id(row))
      locations.append(object.location)
    }
    buried.removeAll()
    if deleter.keepsDeleted { return try deleter.markOrWithhold(objects) }
    try store?.prefetchDeletion(objects)
    var denied: [Int] = []
    for (index, object) in objects.enumerated() where graph.isLive(object) {
      do {
        try deleter.delete(object)
      } catch let error as GrootError where error.status == .deleteDenied {
        denied.append(index)
      }
    }
    // A denied deletion may be possible after the other deletions.
    var failures: [(index: Int, error: GrootError)] = []
    for index in denied.reversed() where graph.isLive(objects[index]) {
      do {
        try deleter.delete(objects[index])
      } catch let error as GrootError where error.status == .deleteDenied {
        failures.append((index, error))
      }
    }
    for failure in failures.reversed() {
      try log.gather(failure.error.at(locations[failure.index]))
      failureCount += 1
    }
  }

  /// Returns whether a deletion is older than its object; one of the same version is not.
  private func isOlder(_ version: StoredValue, row: Row, entity: PlanPart<EntityPlan>) -> Bool {
    let field = steps[Int(entity.version)].field
    let record = graph.tables[entity.table].record(row)
    let own = StoredValue(record, field: field, table: graph.tables + entity.table)
    return own.isPresent && version.order(own, as: field.type) < 0
  }
}

/// An object that a record asks to delete.
private struct BuriedObject {
  let plan: PlanIndex
  /// The identity of the object.
  let key: [StoredValue]
  /// The version of the record; no value without one.
  let version: StoredValue
  /// The location of the record, in an issue without a message; nil if no rule denies deletions.
  let location: GrootIssue?
}

extension GrootError {
  /// Returns the same error with the location of a record.
  fileprivate func at(_ location: GrootIssue?) -> GrootError {
    guard let location else { return self }
    let issues = issues.map { issue in
      var issue = issue
      issue.path = location.path
      issue.line = location.line
      issue.column = location.column
      issue.offset = location.offset
      return issue
    }
    return GrootError(status, issues, underlying: underlying)
  }
}
