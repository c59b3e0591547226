// Lists that are not arrays in their own order: keyed, grouped, or sorted by position.

extension Exporter {
  /// Begins an arranged list; returns true if a member begins, which is written first.
  @inline(never)
  func beginArranged(
    _ step: PlanPart<StepPlan>, output: PlanPart<OutputOperation>,
    frame: UnsafeMutablePointer<ExportFrame>
  ) throws -> Bool {
    let first = arranged.count
    try arrange(frame.pointee.object, step: step)
    frame.pointee.arranged = Int32(first)
    frame.pointee.arrangedStart = Int32(first)
    frame.pointee.arrangedEnd = Int32(arranged.count)
    frame.pointee.memberIndex = 0
    key(output)
    if step.form == .array { beginArray() } else { beginObject() }
    frame.pointee.isInList = true
    return try advanceList(frame)
  }

  /// Returns the key of a member in a keyed collection; nil without one.
  func key(of object: ObjectKey, entity: PlanPart<EntityPlan>) -> StoredValue? {
    guard entity.keyStep >= 0 else { return nil }
    let field = plan.steps[Int(entity.keyStep)].field
    let record = graph.tables[object.table].record(object.row)
    guard graph.tables[object.table].has(field, in: record) else { return nil }
    return StoredValue(record, field: field, table: graph.tables + object.table)
  }

  /// Writes the key of an object in a keyed collection; returns false without one.
  func writeKey(of object: ObjectKey, entity: PlanPart<EntityPlan>) throws -> Bool {
    guard let key = key(of: object, entity: entity) else { return false }
    let step = plan.steps + Int(entity.keyStep)
    if step.isWrittenAsStored {
      if step.field.type.isInteger { writer.key(key.integer) } else { writer.key(key.bytes) }
      return true
    }
    let start = writer.position
    try writeAttribute(
      step, record: graph.tables[object.table].record(object.row), table: object.table, part: -1)
    return writer.makeKey(from: start)
  }

  /// Writes members of an arranged list; returns true if a member begins, which is written first.
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
      if output.wrapCount > 0 { try beginWraps(output, frame: frame, around: object) }
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

  /// Removes the members of a list, which are the last ones.
  private func endArranged(_ frame: UnsafeMutablePointer<ExportFrame>) {
    arranged.removeLast(to: Int(frame.pointee.arrangedStart))
    frame.pointee.arranged = -1
  }
}

extension JSONWriter {
  /// Makes a key of the value after `position`; returns false if the value cannot be a key.
  func makeKey(from position: Int) -> Bool {
    guard position >= 0, self.position - position >= 2, !lacksMemory else { return false }
    switch bytes[position] {
    case Byte.openBrace, Byte.openBracket, UInt8(ascii: "n"): return false
    case Byte.quote: replaceLast(with: Byte.colon)
    default:
      // A number or a truth value is quoted.
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
