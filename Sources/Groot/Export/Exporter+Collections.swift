// Lists that are no arrays in their own order: keyed, grouped, or in the order of positions.

/// A member of a list that is written in an order of its own.
struct ArrangedMember {
  let row: Row
  /// The number of its group, counted as they come first.
  var group: Int32
  /// How many positions before it no member has, each written as null.
  var gap: Int32 = 0
}

extension Exporter {
  /// Begins a list whose members are arranged first; true when a member begins that is to be
  /// completed first.
  @inline(never)
  func beginArranged(
    _ step: PlanPart<StepPlan>, output: PlanPart<OutputOperation>,
    frame: UnsafeMutablePointer<ExportFrame>
  ) throws -> Bool {
    let table = graph.links[step.link].table(step.field.side.inverse)
    var rows: [Row] = []
    graph.forEachMember(of: frame.pointee.object.row, field: step.field) { rows.append($0) }
    var places =
      step.hasIndexes ? rows.map { position(of: $0, in: table, step: step) } : []
    if step.hasIndexes { sort(&rows, &places) }
    guard let members = try arrange(rows, places, in: table, step: step) else {
      if output.isElement { writer.null() }
      return false
    }
    frame.pointee.arranged = Int32(arranged.count)
    frame.pointee.arrangedStart = Int32(arranged.count)
    for member in members { try arranged.append(member) }
    frame.pointee.arrangedEnd = Int32(arranged.count)
    frame.pointee.memberIndex = 0
    key(output)
    if step.form == .array { beginArray() } else { beginObject() }
    frame.pointee.isInList = true
    return try advanceList(frame)
  }

  /// The position of a member in its list; no value when it has none.
  private func position(
    of row: Row, in table: TableIndex, step: PlanPart<StepPlan>
  ) -> StoredValue {
    let number = planNumber(ObjectKey(table: table, row: row), step: step)
    guard plan.entities[number].indexStep >= 0 else { return .none }
    let field = plan.steps[Int(plan.entities[number].indexStep)].field
    return StoredValue(
      graph.tables[table].record(row), field: field, table: graph.tables + table)
  }

  /// Sorts members by their positions in lists, where they have any.
  private func sort(_ rows: inout [Row], _ places: inout [StoredValue]) {
    func comesBefore(_ left: StoredValue, _ right: StoredValue) -> Bool {
      guard left.isPresent && right.isPresent else { return left.isPresent && !right.isPresent }
      return left.integer < right.integer
    }
    let isSorted = (1..<max(rows.count, 1)).allSatisfy { !comesBefore(places[$0], places[$0 - 1]) }
    if isSorted { return }
    let order = rows.indices.sorted { one, other in
      if comesBefore(places[one], places[other]) { return true }
      return !comesBefore(places[other], places[one]) && one < other
    }
    (rows, places) = (order.map { rows[$0] }, order.map { places[$0] })
  }

  /// Puts members into groups where the form has them; nil when a member has no key, or that of
  /// another, so that the list could not be read again.
  private func arrange(
    _ rows: [Row], _ places: [StoredValue], in table: TableIndex, step: PlanPart<StepPlan>
  ) throws -> [ArrangedMember]? {
    var members = rows.map { ArrangedMember(row: $0, group: 0) }
    guard step.form != .array else {
      noteGaps(&members, places)
      return members
    }
    var groups: [[UInt8]: Int32] = [:]
    var last: (key: StoredValue, group: Int32)?
    for index in members.indices {
      let object = ObjectKey(table: table, row: rows[index])
      let entity = plan.entities + planNumber(object, step: step)
      guard let key = key(of: object, entity: entity) else { return nil }
      if step.form == .keyed && entity.hasUniqueKeys {
        members[index].group = Int32(index)
        continue
      }
      // Members of a group mostly stand together.
      let type = plan.steps[Int(entity.keyStep)].field.type
      if step.form == .grouped, let last, last.key.order(key, as: type) == 0 {
        members[index].group = last.group
        continue
      }
      let start = writer.position
      guard try writeKey(of: object, entity: entity) else { return nil }
      let text = Array(writer.bytes[start..<writer.position])
      writer.truncate(to: start)
      let known = groups[text]
      if step.form == .keyed && known != nil { return nil }
      let group = known ?? Int32(groups.count)
      groups[text] = group
      members[index].group = group
      last = (key, group)
    }
    guard step.form == .grouped else { return members }
    let order = rows.indices.sorted { (members[$0].group, $0) < (members[$1].group, $1) }
    members = order.map { members[$0] }
    if step.hasIndexes { noteGaps(&members, order.map { places[$0] }) }
    return members
  }

  /// Notes the positions that no member has, as far as they may be written.
  private func noteGaps(_ members: inout [ArrangedMember], _ places: [StoredValue]) {
    var next: Int64 = 0
    for index in members.indices {
      if index > 0, members[index].group != members[index - 1].group { next = 0 }
      guard places[index].isPresent, places[index].integer >= next else {
        next += 1
        continue
      }
      let (gap, isHuge) = places[index].integer.subtractingReportingOverflow(next)
      let isWritten = !isHuge && gap <= JSONKeyPath.maximumPositions
      members[index].gap = isWritten ? Int32(gap) : 0
      next += isWritten ? gap + 1 : 1
    }
  }

  /// The key of a member in a keyed collection; nil when it has none.
  private func key(of object: ObjectKey, entity: PlanPart<EntityPlan>) -> StoredValue? {
    guard entity.keyStep >= 0 else { return nil }
    let field = plan.steps[Int(entity.keyStep)].field
    let record = graph.tables[object.table].record(object.row)
    guard graph.tables[object.table].has(field, in: record) else { return nil }
    return StoredValue(record, field: field, table: graph.tables + object.table)
  }

  /// Writes the key of an object in a keyed collection; false when it has none.
  func writeKey(of object: ObjectKey, entity: PlanPart<EntityPlan>) throws -> Bool {
    guard key(of: object, entity: entity) != nil else { return false }
    let step = plan.steps + Int(entity.keyStep)
    let start = writer.position
    try writeAttribute(
      step, record: graph.tables[object.table].record(object.row), table: object.table, part: -1)
    return writer.makeKey(from: start)
  }

  /// Writes members of an arranged list; true when a member begins that is to be completed first.
  func advanceArranged(_ frame: UnsafeMutablePointer<ExportFrame>) throws -> Bool {
    let output = plan.outputs + Int(frame.pointee.next &- 1)
    let step = plan.steps + Int(output.step)
    let table = graph.links[step.link].table(step.field.side.inverse)
    let isGrouped = step.form == .grouped
    while frame.pointee.arranged < frame.pointee.arrangedEnd {
      let member = arranged.start[Int(frame.pointee.arranged)]
      let object = ObjectKey(table: table, row: member.row)
      let start = writer.position
      if isGrouped, frame.pointee.memberIndex != UInt32(bitPattern: member.group) &+ 1 {
        if frame.pointee.memberIndex > 0 { endArray() }
        frame.pointee.memberIndex = UInt32(bitPattern: member.group) &+ 1
        _ = try writeKey(of: object, entity: plan.entities + planNumber(object, step: step))
        beginArray()
      } else if step.form == .keyed {
        _ = try writeKey(of: object, entity: plan.entities + planNumber(object, step: step))
      }
      for _ in 0..<member.gap { writer.null() }
      frame.pointee.arranged &+= 1
      isKeyed = step.form != .array
      if output.wrapCount > 0 { beginWraps(output, frame: frame) }
      let beginning = try begin(object, step: step, key: nil, from: start)
      isKeyed = false
      switch beginning {
      case .waits: return true
      case .isDone: if output.wrapCount > 0 { endWraps(output, frame: frame) }
      case .isLeftOut:
        leaveOutList(output, frame: frame, levels: isGrouped ? 2 : 1)
        endArranged(frame)
        return false
      }
    }
    if isGrouped && frame.pointee.memberIndex > 0 { endArray() }
    frame.pointee.isInList = false
    if step.form == .array { endArray() } else { endObject() }
    endArranged(frame)
    return false
  }

  /// Gives up the members of a list, which are the last ones.
  private func endArranged(_ frame: UnsafeMutablePointer<ExportFrame>) {
    arranged.removeLast(to: Int(frame.pointee.arrangedStart))
    frame.pointee.arranged = -1
  }
}

extension JSONWriter {
  /// Makes a key of the value that was written since the writer was at `position`; false when it is
  /// none that a key can be made of.
  func makeKey(from position: Int) -> Bool {
    guard position >= 0, self.position - position >= 2, !lacksMemory else { return false }
    switch bytes[position] {
    case Byte.openBrace, Byte.openBracket, UInt8(ascii: "n"): return false
    case Byte.quote: replaceLast(with: Byte.colon)
    default:
      // A number or a truth value becomes text.
      let text = Array(bytes[position..<self.position - 1])
      truncate(to: position)
      text.withUnsafeBufferPointer { value in
        quoted(capacity: value.count) { target in
          if let start = value.baseAddress { target.update(from: start, count: value.count) }
          return value.count
        }
      }
      replaceLast(with: Byte.colon)
    }
    return true
  }
}
