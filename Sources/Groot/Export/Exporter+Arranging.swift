// The order in which the members of a list are written: by position, and by group.

/// A member of a list that is not written in the list's own order.
struct ArrangedMember {
  let row: Row
  /// The number of the member's group, in the order of first occurrence.
  var group: Int32 = 0
  /// The position of the member in the list; the greatest number without one.
  var place = Int64.max
  /// The number of unused positions before the member, each written as null.
  var gap: Int32 = 0
}

extension Exporter {
  /// Adds the members of an owner's list to ``arranged``, in the order of the output.
  ///
  /// It throws for a list that could not be imported again.
  ///
  /// - Throws: ``Status/missingValue`` for a member without a key; ``Status/invalidArgument`` for
  ///   two members with the same key in a keyed collection.
  func arrange(_ owner: ObjectKey, step: PlanPart<StepPlan>) throws {
    let first = arranged.count
    try graph.forEachMember(of: owner.row, field: step.field) {
      try arranged.append(ArrangedMember(row: $0))
    }
    let members = UnsafeMutableBufferPointer(
      start: arranged.start + first, count: arranged.count - first)
    let table = graph.links[step.link].table(step.field.side.inverse)
    if step.hasIndexes { sortByPlace(members, in: table, step: step) }
    switch step.form {
    case .array: break
    case .keyed: try requireKeysOfTheirOwn(members, in: table, step: step)
    case .grouped: try group(members, in: table, step: step)
    }
    if step.hasIndexes && step.form != .keyed { try noteGaps(members, of: owner, step: step) }
  }

  private func sortByPlace(
    _ members: UnsafeMutableBufferPointer<ArrangedMember>, in table: TableIndex,
    step: PlanPart<StepPlan>
  ) {
    for index in members.indices {
      let object = ObjectKey(table: table, row: members[index].row)
      let entity = plan.entities + planNumber(object, step: step)
      guard entity.indexStep >= 0 else { continue }
      let place = StoredValue(
        graph.tables[table].record(object.row),
        field: plan.steps[Int(entity.indexStep)].field, table: graph.tables + table)
      if place.isPresent { members[index].place = place.integer }
    }
    members.sortStably(by: \.place)
  }

  /// Throws for a member of a keyed collection without a key, or with another member's key.
  private func requireKeysOfTheirOwn(
    _ members: UnsafeMutableBufferPointer<ArrangedMember>, in table: TableIndex,
    step: PlanPart<StepPlan>
  ) throws {
    if try haveStoredKeys(members, in: table, step: step) { return }
    listKeys.removeAll()
    for member in members {
      let object = ObjectKey(table: table, row: member.row)
      let entity = plan.entities + planNumber(object, step: step)
      guard let text = try keyText(of: object, entity: entity) else { throw keyless(object) }
      if !text.isNew { throw try sameKey(object, entity: entity) }
    }
  }

  /// Does the same by the stored values, without writing them, and returns whether it could.
  ///
  /// It returns false if different values may be written as the same key.
  private func haveStoredKeys(
    _ members: UnsafeMutableBufferPointer<ArrangedMember>, in table: TableIndex,
    step: PlanPart<StepPlan>
  ) throws -> Bool {
    guard let first = members.first else { return true }
    let plans = plan.entities
    let number = plans[planNumber(ObjectKey(table: table, row: first.row), step: step)].keyStep
    guard number >= 0 else { return false }
    let field = plan.steps[Int(number)].field
    let objects = graph.tables + table
    // Local copies of the references are not retained for each member.
    let (keys, hash) = (listKeys, Hash.ofProcess)
    try keys.reset(for: members.count)
    for member in members {
      let object = ObjectKey(table: table, row: member.row)
      let entity = plans + planNumber(object, step: step)
      guard entity.keyStep >= 0 else { throw keyless(object) }
      let key = plan.steps + Int(entity.keyStep)
      guard key.field.number == field.number, key.isWrittenAsStored else { return false }
      let value = StoredValue(objects.pointee.record(object.row), field: field, table: objects)
      guard value.isPresent else { throw keyless(object) }
      let isNew = try keys.insert(value.hash(field.storage, from: 0, with: hash)) {
        let other = objects.pointee.record(members[Int($0)].row)
        return StoredValue(other, field: field, table: objects)
          .equals(value, storage: field.storage)
      }
      if !isNew { throw try sameKey(object, entity: entity) }
    }
    return true
  }

  /// Groups members by their keys, in the order in which the groups first occur.
  private func group(
    _ members: UnsafeMutableBufferPointer<ArrangedMember>, in table: TableIndex,
    step: PlanPart<StepPlan>
  ) throws {
    listKeys.removeAll()
    var last: (key: StoredValue, step: Int32, group: Int32)?
    for index in members.indices {
      let object = ObjectKey(table: table, row: members[index].row)
      let entity = plan.entities + planNumber(object, step: step)
      guard let key = key(of: object, entity: entity) else { throw keyless(object) }
      // The members of a group are mostly adjacent.
      if let last, last.step == entity.keyStep,
        last.key.order(key, as: plan.steps[Int(entity.keyStep)].field.type) == 0
      {
        members[index].group = last.group
        continue
      }
      guard let text = try keyText(of: object, entity: entity) else { throw keyless(object) }
      members[index].group = text.number
      last = (key, entity.keyStep, text.number)
    }
    members.sortStably(by: \.group)
  }

  /// Returns the number of the text of an object's key; nil without a key.
  private func keyText(
    of object: ObjectKey, entity: PlanPart<EntityPlan>
  ) throws -> (number: Int32, isNew: Bool)? {
    let start = writer.position
    defer { writer.truncate(to: start) }
    guard try writeKey(of: object, entity: entity) else { return nil }
    return try listKeys.insert(writer.bytes(from: start))
  }

  /// Notes the unused positions; members without a position are at the end.
  private func noteGaps(
    _ members: UnsafeMutableBufferPointer<ArrangedMember>, of owner: ObjectKey,
    step: PlanPart<StepPlan>
  ) throws {
    var next: Int64 = 0
    for index in members.indices {
      if index > 0, members[index].group != members[index - 1].group { next = 0 }
      let place = members[index].place
      guard place < .max else { continue }
      // A program may set a position below those of imports.
      let gap = place < next ? 0 : place - next
      guard gap <= JSONKeyPath.maximumPositions else {
        throw tooWide(gap, before: place, of: owner, step: step)
      }
      members[index].gap = Int32(gap)
      next += gap + 1
    }
  }

  private func tooWide(
    _ gap: Int64, before place: Int64, of owner: ObjectKey, step: PlanPart<StepPlan>
  ) -> GrootError {
    GrootError(
      .limitExceeded,
      "no member has one of the \(gap) positions before \(place), and an export writes at most "
        + "\(JSONKeyPath.maximumPositions) nulls in a row for them; give the members positions that "
        + "follow each other",
      entity: graph.entityName(graph.tables[owner.table].record(owner.row), in: owner.table),
      property: graph.model.hierarchies[owner.table].properties[Int(step.field.number)].name)
  }
}

extension UnsafeMutableBufferPointer<ArrangedMember> {
  /// Sorts members by a number, and keeps the order of members with equal numbers.
  fileprivate func sortStably<Number: Comparable>(by number: (ArrangedMember) -> Number) {
    let isSorted = indices.dropFirst().allSatisfy { number(self[$0 - 1]) <= number(self[$0]) }
    if isSorted { return }
    let sorted = enumerated().sorted {
      (number($0.element), $0.offset) < (number($1.element), $1.offset)
    }
    for (index, member) in sorted.enumerated() { self[index] = member.element }
  }
}
