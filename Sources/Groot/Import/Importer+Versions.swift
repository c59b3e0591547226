// Records that are older than their objects, and records that mean a deletion.

/// An object that a record asks to delete.
struct BuriedObject {
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

extension Importer {
  // MARK: Versions

  /// Returns whether a record is older than its object, or the same version where that is ignored.
  func isStale(_ frame: ImportFrame, table: TableIndex) throws -> Bool {
    let entity = plan.entities + frame.plan
    guard let version = try version(of: frame.plan, base: Int(frame.slots)) else {
      // A record without the key is not stale; null is older than any version.
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
    let token = try slot(step, base: base)
    guard !token.isNone, tape.tokens[token].kind != .null else { return nil }
    var version = StoredValue.none
    guard try read(step, token: token, entity: number, into: &version) == .value else { return nil }
    return version
  }

  // MARK: Tombstones

  /// Notes that the object with the current identity is deleted after all records are read.
  ///
  /// The order of records therefore does not matter.
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

  /// Returns a value whose text does not depend on the tape.
  private func kept(_ value: StoredValue) -> StoredValue {
    guard let start = value.start, value.count > 0 else { return value }
    guard let room = buriedText.allocate(value.count) else { return .none }
    let bytes = room.assumingMemoryBound(to: UInt8.self)
    bytes.update(from: start, count: value.count)
    return StoredValue(bytes: UnsafeBufferPointer(start: bytes, count: value.count))
  }

  /// Deletes, or marks, the objects that records ask to delete.
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
    // A denied deletion may be possible after the other deletions.
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

  /// Returns whether a deletion is older than its object; one of the same version is not.
  private func isOlder(_ version: StoredValue, row: Row, entity: PlanPart<EntityPlan>) -> Bool {
    let field = steps[Int(entity.version)].field
    let record = graph.tables[entity.table].record(row)
    let own = StoredValue(record, field: field, table: graph.tables + entity.table)
    return own.isPresent && version.order(own, as: field.type) < 0
  }

  /// Whether deleted objects are kept: with a mark, or because an entry was not identified.
  var keepsDeleted: Bool { deletionMark != nil || withholdsDeletions && hasUnidentified }

  /// Sets the deletion marks of objects, or notes that their deletion is withheld.
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
      if field.type == .boolean ? old.word0 == 1 && old.isPresent : old.isPresent {
        deletionGuard?.note(object, isMarkedNow: false)
        continue
      }
      let value =
        field.type == .boolean ? StoredValue(word: 1) : StoredValue(word: UInt64(bitPattern: mark))
      if graph.set(object.row, in: object.table, field: field, to: value) {
        noteUpdate(object.row, in: object.table)
        deletionGuard?.note(object, isMarkedNow: true)
      }
    }
  }

  /// Removes the deletion mark of an object that a record brings; returns whether it had one.
  func clearDeletionMark(_ frame: ImportFrame, table: TableIndex) -> Bool {
    let entity = plan.entities + frame.plan
    guard let field = entity.deletionMark else { return false }
    let template = graph.tables[table].template(entity.localIndex)
    let value = StoredValue(template, field: field, table: graph.tables + table)
    return graph.set(frame.row, in: table, field: field, to: value)
  }
}
