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

/// The members of lists that are written by position or by group, or under keys.
///
/// The lists are open inside each other, and the last one is that of the innermost object with one.
/// The part may touch its own buffers and the keys of a list; it writes nothing.
final class ArrangedLists {
  /// An open list.
  private struct List {
    let start: Int
    var next: Int
  }

  /// The order of the members of a list in groups.
  private enum Order {
    /// They are in the order of an export.
    case exported
    /// So they are, and their positions leave none unused.
    case dense
    case other
  }

  private let rules: ExportRules
  private let graph: Graph
  private let plan: Plan
  private let keys: ExportKeys
  /// The members of all open lists, those of the last list at the end.
  @exclusivity(unchecked) private var arranged: Buffer<ArrangedMember>
  @exclusivity(unchecked) private var lists: Buffer<List>
  /// The first members of the groups of the current list.
  @exclusivity(unchecked) private var heads: Buffer<Row>

  init(_ rules: ExportRules, keys: ExportKeys) {
    self.rules = rules
    graph = rules.graph
    plan = rules.plan
    self.keys = keys
    arranged = Buffer(graph.memory)
    lists = Buffer(graph.memory)
    heads = Buffer(graph.memory)
  }

  deinit {
    arranged.deallocate()
    lists.deallocate()
    heads.deallocate()
  }

  /// Begins the list of an owner, with its members in the order of the output.
  ///
  /// - Throws: ``Status/missingValue`` for a member without a key; ``Status/invalidArgument`` for
  ///   two members with the same key in a keyed collection.
  func begin(_ owner: ObjectKey, step: PlanPart<StepPlan>) throws {
    let first = arranged.count
    try graph.forEachMember(of: owner.row, field: step.field) {
      try arranged.append(ArrangedMember(row: $0))
    }
    let members = UnsafeMutableBufferPointer(
      start: arranged.start + first, count: arranged.count - first)
    let table = graph.links[step.link].table(step.field.side.inverse)
    let order = try step.form == .grouped ? number(members, in: table, step: step) : .other
    if step.hasIndexes && order == .other { sortByPlace(members, in: table, step: step) }
    switch step.form {
    case .array: break
    case .keyed: try requireKeysOfTheirOwn(members, in: table, step: step)
    case .grouped: if order == .other { try group(members, in: table, step: step) }
    }
    if step.hasIndexes && step.form != .keyed && order != .dense {
      try noteGaps(members, of: owner, step: step)
    }
    try lists.append(List(start: first, next: first))
  }

  /// Returns the next member of the last list; nil at its end.
  func next() -> ArrangedMember? {
    let list = lists.start + (lists.count &- 1)
    guard list.pointee.next < arranged.count else { return nil }
    defer { list.pointee.next &+= 1 }
    return arranged.start[list.pointee.next]
  }

  /// Ends the last list.
  func end() {
    arranged.removeLast(to: lists.start[lists.count &- 1].start)
    lists.removeLast(to: lists.count &- 1)
  }

  /// Ends all lists, including those of a failed export.
  func removeAll() {
    arranged.removeLast(to: 0)
    lists.removeLast(to: 0)
  }

  /// Sorts members by their positions; those without one come last.
  private func sortByPlace(
    _ members: UnsafeMutableBufferPointer<ArrangedMember>, in table: TableIndex,
    step: PlanPart<StepPlan>
  ) {
    // Local copies of the references are not retained for each member.
    let (rules, entities, steps) = (rules, plan.entities, plan.steps)
    let objects = graph.tables + table
    var last = Int64.min
    var isSorted = true
    for index in members.indices {
      let row = members[index].row
      let entity = entities + rules.planNumber(ObjectKey(table: table, row: row), step: step)
      if entity.indexStep >= 0 {
        let field = steps[Int(entity.indexStep)].field
        let place = StoredValue(objects.pointee.record(row), field: field, table: objects)
        if place.isPresent { members[index].place = place.integer }
      }
      if members[index].place < last { isSorted = false }
      last = members[index].place
    }
    if !isSorted { members.sortStably(by: \.place) }
  }

  /// Throws for a member of a keyed collection without a key, or with another member's key.
  private func requireKeysOfTheirOwn(
    _ members: UnsafeMutableBufferPointer<ArrangedMember>, in table: TableIndex,
    step: PlanPart<StepPlan>
  ) throws {
    if try keys.haveStoredKeys(members, in: table, step: step) { return }
    keys.beginList()
    for member in members {
      let object = ObjectKey(table: table, row: member.row)
      let entity = plan.entities + rules.planNumber(object, step: step)
      let isNew = try keys.number(of: object, entity: entity).isNew
      if !isNew { throw try keys.sameKey(object, entity: entity) }
    }
  }

  /// Numbers the groups of members that are already in the order of an export.
  ///
  /// The members of a group are adjacent, by position, and the first of each group has no position
  /// before that of the group before. Members with several plans, without keys or with keys that may
  /// be written alike count as in another order, as does a member of a group further ahead.
  private func number(
    _ members: UnsafeMutableBufferPointer<ArrangedMember>, in table: TableIndex,
    step: PlanPart<StepPlan>
  ) throws -> Order {
    guard let first = members.first else { return .dense }
    let objects = graph.tables + table
    let isFixed = plan.entities[step.destination].isFixed
    let kind = objects.pointee.header(first.row).pointee.entity
    let entity =
      plan.entities + rules.planNumber(ObjectKey(table: table, row: first.row), step: step)
    guard entity.keyStep >= 0, plan.steps[Int(entity.keyStep)].isWrittenAsStored else {
      return .other
    }
    let keyField = plan.steps[Int(entity.keyStep)].field
    let hasPlaces = step.hasIndexes && entity.indexStep >= 0
    let placeField = hasPlaces ? plan.steps[Int(entity.indexStep)].field : keyField
    heads.removeLast(to: 0)
    var last = StoredValue.none
    var (lastPlace, headPlace, nextPlace) = (Int64.min, Int64.min, Int64(0))
    var order = Order.dense
    for index in members.indices {
      let row = members[index].row
      let record = objects.pointee.record(row)
      let key = StoredValue(record, field: keyField, table: objects)
      guard key.isPresent, isFixed || objects.pointee.header(row).pointee.entity == kind else {
        return .other
      }
      if hasPlaces {
        let place = StoredValue(record, field: placeField, table: objects)
        if place.isPresent { members[index].place = place.integer }
      }
      let place = members[index].place
      if !key.equals(last, storage: keyField.storage) {
        guard place >= headPlace else { return .other }
        (last, headPlace, nextPlace) = (key, place, 0)
        try heads.append(row)
      } else if place < lastPlace {
        return .other
      }
      if place < .max {
        if place > nextPlace { order = .exported }
        nextPlace &+= 1
      }
      lastPlace = place
      members[index].group = Int32(truncatingIfNeeded: heads.count &- 1)
    }
    let firsts = UnsafeBufferPointer(start: heads.start, count: heads.count)
    return try keys.areDifferent(firsts, field: keyField, in: table) ? order : .other
  }

  /// Groups members by their keys, in the order in which the groups first occur.
  private func group(
    _ members: UnsafeMutableBufferPointer<ArrangedMember>, in table: TableIndex,
    step: PlanPart<StepPlan>
  ) throws {
    keys.beginList()
    var last: (key: StoredValue, step: Int32, group: Int32)?
    for index in members.indices {
      let object = ObjectKey(table: table, row: members[index].row)
      let entity = plan.entities + rules.planNumber(object, step: step)
      guard let key = keys.key(of: object, entity: entity) else { throw keys.keyless(object) }
      // The members of a group are mostly adjacent.
      if let last, last.step == entity.keyStep,
        last.key.order(key, as: plan.steps[Int(entity.keyStep)].field.type) == 0
      {
        members[index].group = last.group
        continue
      }
      let number = try keys.number(of: object, entity: entity).number
      members[index].group = number
      last = (key, entity.keyStep, number)
    }
    members.sortStably(by: \.group)
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
