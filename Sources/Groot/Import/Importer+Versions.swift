// Records that are older than what is known, and records that mean a deletion.

/// A record that means that an object is to be deleted.
struct BuriedObject {
  let plan: PlanIndex
  /// Its identity.
  let key: [StoredValue]
  /// How new the record is; no value when it does not say.
  let version: StoredValue
  /// Where the record is, in an issue without further words; nil where no rule denies a deletion.
  let location: GrootIssue?
}

extension GrootError {
  /// The same about the record at a location.
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

extension Importer {
  // MARK: Versions

  /// Whether a record is older than its object, or says nothing that is newer.
  func isStale(_ frame: ImportFrame, table: TableIndex) throws -> Bool {
    let entity = plan.entities + frame.plan
    guard let version = try version(of: frame.plan, base: Int(frame.slots)) else {
      // A record without the key says nothing of its version; null is older than any.
      let token = try slot(steps + Int(entity.version), base: Int(frame.slots))
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
      // An object that was marked as deleted has come back.
      return !entity.takesEqualVersion && !isMarked(record, entity: entity)
    }
    return order < 0
  }

  private func isMarked(_ record: UnsafeRawPointer, entity: PlanPart<EntityPlan>) -> Bool {
    guard let field = entity.deletionMark else { return false }
    let mark = StoredValue(record, field: field, table: graph.tables + entity.table)
    return mark.isPresent && (field.type != .boolean || mark.word0 == 1)
  }

  /// How new a record is; nil when it does not say.
  private func version(of number: PlanIndex, base: Int) throws -> StoredValue? {
    let step = steps + Int(plan.entities[number].version)
    let token = try slot(step, base: base)
    guard !token.isNone, tape.tokens[token].kind != .null else { return nil }
    var version = StoredValue.none
    guard try read(step, token: token, entity: number, into: &version) == .value else { return nil }
    return version
  }

  // MARK: Tombstones

  /// Notes that the object with the current identity is to be deleted when all is read: the order of
  /// records does not matter.
  func bury(_ record: MatchedRecord, scope: Scope) throws {
    let entity = plan.entities + record.plan
    let isWhole = try readKey(entity, base: record.slots, object: record.token, scope: scope)
    guard isWhole || entity.identityCount > 1 else {
      throw keyless(record.object, number: record.plan)
    }
    let parts = (0..<Int(entity.identityCount)).map { kept(key[$0]) }
    let version =
      entity.version < 0 ? nil : try version(of: record.plan, base: record.slots).map(kept)
    let location =
      deniesDeletions
      ? issue(.deleteDenied, "", token: record.object, entity: record.plan, property: nil) : nil
    buried.append(
      BuriedObject(
        plan: record.plan, key: parts, version: version ?? .none, location: location))
    try graph.memory.check()
  }

  /// A value whose text does not depend on the tape.
  private func kept(_ value: StoredValue) -> StoredValue {
    guard let start = value.start, value.count > 0 else { return value }
    guard let room = buriedText.allocate(value.count) else { return .none }
    let bytes = room.assumingMemoryBound(to: UInt8.self)
    bytes.update(from: start, count: value.count)
    return StoredValue(bytes: UnsafeBufferPointer(start: bytes, count: value.count))
  }

  /// Deletes, or marks, what records have said is to be deleted.
  func deleteBuried() throws {
    guard deletesBuried else { return }
    var objects: [ObjectID] = []
    var locations: [GrootIssue?] = []
    for object in buried {
      let entity = plan.entities + object.plan
      for (position, part) in object.key.enumerated() { key[position] = part }
      guard let row = try find(object.plan, index: try identityIndex(object.plan)) else { continue }
      if object.version.isPresent, isOlder(object.version, row: row, entity: entity) { continue }
      objects.append(graph.tables[entity.table].id(row))
      locations.append(object.location)
    }
    buried.removeAll()
    if keepsDeleted { return try markOrWithhold(objects) }
    try store?.prefetchDeletion(objects)
    var denied: [Int] = []
    for (index, object) in objects.enumerated() where graph.isLive(object) {
      do {
        try delete(object)
      } catch let error as GrootError where error.status == .deleteDenied {
        denied.append(index)
      }
    }
    // A deletion that others forbade may be possible without them, such as that of members after
    // their owner.
    var failures: [(index: Int, error: GrootError)] = []
    for index in denied.reversed() where graph.isLive(objects[index]) {
      do {
        try delete(objects[index])
      } catch let error as GrootError where error.status == .deleteDenied {
        failures.append((index, error))
      }
    }
    for failure in failures.reversed() {
      try gather(failure.error.at(locations[failure.index]))
      lateFailures += 1
    }
  }

  /// Whether a deletion is older than its object: one of the same version counts.
  private func isOlder(_ version: StoredValue, row: Row, entity: PlanPart<EntityPlan>) -> Bool {
    let field = steps[Int(entity.version)].field
    let record = graph.tables[entity.table].record(row)
    let own = StoredValue(record, field: field, table: graph.tables + entity.table)
    return own.isPresent && version.order(own, as: field.type) < 0
  }

  /// Whether objects that are to be deleted stay: with a mark, or since an entry was not identified.
  var keepsDeleted: Bool { deletionMark != nil || withholdsDeletions && hasUnidentified }

  /// Sets the deletion marks of objects that stay, or notes that their deletion waits.
  func markOrWithhold(_ objects: [ObjectID]) throws {
    guard let mark = deletionMark, !(withholdsDeletions && hasUnidentified) else {
      return withhold(objects)
    }
    for object in objects where graph.isLive(object) {
      try store?.read([object.row], in: object.table)
      let number = PlanIndex(of: graph.entity(try graph.record(object), in: object.table))
      guard let field = plan.entities[number].deletionMark else { continue }
      let record = graph.tables[object.table].record(object.row)
      let old = StoredValue(record, field: field, table: graph.tables + object.table)
      if field.type == .boolean ? old.word0 == 1 && old.isPresent : old.isPresent { continue }
      let value =
        field.type == .boolean ? StoredValue(word: 1) : StoredValue(word: UInt64(bitPattern: mark))
      if graph.set(object.row, in: object.table, field: field, to: value) {
        noteUpdate(object.row, in: object.table)
      }
    }
  }

  /// Takes the deletion mark off an object that a record brings; whether it had one.
  func clearDeletionMark(_ frame: ImportFrame, table: TableIndex) -> Bool {
    let entity = plan.entities + frame.plan
    guard let field = entity.deletionMark else { return false }
    let template = graph.tables[table].template(entity.localIndex)
    let value = StoredValue(template, field: field, table: graph.tables + table)
    return graph.set(frame.row, in: table, field: field, to: value)
  }
}
