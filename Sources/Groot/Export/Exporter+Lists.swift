// Lists: the members of to-manys, in the list's own order or arranged.

extension Exporter {
  /// Begins the list of a to-many; returns true if a member begins, which is written first.
  @inline(__always)
  func beginList(
    _ step: PlanPart<StepPlan>, output: PlanPart<OutputOperation>,
    frame: UnsafeMutablePointer<ExportFrame>
  ) throws -> Bool {
    let link = graph.links[step.link]
    frame.pointee.listStart = writer.position
    frame.pointee.memberIndex = 0
    frame.pointee.member =
      graph.listHead(link, side: step.field.side, row: frame.pointee.object.row).pointee
      .first
    let omitsEmpty = step.options.isSuperset(of: [.omitsNull, .choosesNull])
    if omitsEmpty && !output.isElement && frame.pointee.member.isNone { return false }
    if step.isRecursive, try !canWriteList(step, frame: frame) {
      if output.isElement { writer.null() }
      return false
    }
    if step.isArranged { return try beginArranged(step, output: output, frame: frame) }
    text.key(output)
    text.begin(isPositional: !output.isIndexed)
    frame.pointee.isInList = true
    return try advanceList(frame)
  }

  /// Returns the next member of the current list; nil at its end.
  @inline(__always)
  private func nextMember(
    _ link: Link, step: PlanPart<StepPlan>, member: inout OptionalEntry
  ) -> Row? {
    guard let entry = member.index else { return nil }
    if link.kind == .oneToMany {
      member = OptionalEntry(graph.memberSlot(link, row: entry.row).pointee.next)
      return entry.row
    }
    let side = step.field.side
    let node = graph.linkTables[step.link].node(entry.node)
    member = OptionalEntry(node.pointee.next(side))
    return node.pointee.row(side.inverse)
  }

  /// Returns whether each member that is an ancestor in the output has a stand-in.
  ///
  /// It must be known before any member is written.
  private func canWriteList(
    _ step: PlanPart<StepPlan>, frame: UnsafeMutablePointer<ExportFrame>
  ) throws -> Bool {
    if step.options.contains(.isExplicit) { return true }
    let link = graph.links[step.link]
    let table = link.table(step.field.side.inverse)
    var member = frame.pointee.member
    while let row = nextMember(link, step: step, member: &member) {
      if graph.tables[table].header(row).pointee.state & RecordState.exporting != 0,
        try !standIns.exists(for: ObjectKey(table: table, row: row), step: step)
      {
        return false
      }
    }
    return true
  }

  /// Writes members of the current list; returns true if a member begins, which is written first.
  @inline(__always)
  func advanceList(_ frame: UnsafeMutablePointer<ExportFrame>) throws -> Bool {
    let output = plan.outputs + Int(frame.pointee.next &- 1)
    if frame.pointee.isWrapped { endWraps(output, frame: frame) }
    if frame.pointee.isArranged { return try advanceArranged(frame) }
    let step = plan.steps + Int(output.step)
    let link = graph.links[step.link]
    let table = link.table(step.field.side.inverse)
    while let row = nextMember(link, step: step, member: &frame.pointee.member) {
      let start = writer.position
      if output.isIndexed {
        writer.key(Int64(frame.pointee.memberIndex))
        frame.pointee.memberIndex &+= 1
      }
      let object = ObjectKey(table: table, row: row)
      if output.wrapCount > 0 { try beginWraps(output, frame: frame, around: object) }
      switch try begin(object, step: step, key: nil, from: start) {
      case .waits: return true
      case .isDone: if output.wrapCount > 0 { endWraps(output, frame: frame) }
      case .isLeftOut:
        leaveOutList(output, frame: frame, levels: 1)
        return false
      }
    }
    frame.pointee.isInList = false
    text.end(isPositional: !output.isIndexed)
    return false
  }

  /// Removes the current list with the given number of levels.
  private func leaveOutList(
    _ output: PlanPart<OutputOperation>, frame: UnsafeMutablePointer<ExportFrame>, levels: Int
  ) {
    text.remove(
      from: frame.pointee.listStart,
      levels: levels &+ (frame.pointee.isWrapped ? Int(output.wrapCount) : 0))
    frame.pointee.isWrapped = false
    frame.pointee.isInList = false
    if output.isElement { writer.null() }
  }

  /// Begins the enclosing objects of a member.
  private func beginWraps(
    _ output: PlanPart<OutputOperation>, frame: UnsafeMutablePointer<ExportFrame>,
    around member: ObjectKey
  ) throws {
    frame.pointee.isWrapped = true
    try shapes.beginWraps(output, around: member)
  }

  /// Ends the enclosing objects of a member.
  private func endWraps(
    _ output: PlanPart<OutputOperation>, frame: UnsafeMutablePointer<ExportFrame>
  ) {
    frame.pointee.isWrapped = false
    shapes.endWraps(output)
  }

  // MARK: Arranged lists

  /// Begins an arranged list; returns true if a member begins, which is written first.
  @inline(never)
  private func beginArranged(
    _ step: PlanPart<StepPlan>, output: PlanPart<OutputOperation>,
    frame: UnsafeMutablePointer<ExportFrame>
  ) throws -> Bool {
    try lists.begin(frame.pointee.object, step: step)
    frame.pointee.isArranged = true
    frame.pointee.memberIndex = 0
    text.key(output)
    text.begin(isPositional: step.form == .array)
    frame.pointee.isInList = true
    return try advanceArranged(frame)
  }

  /// Writes members of an arranged list; returns true if a member begins, which is written first.
  @inline(never)
  private func advanceArranged(_ frame: UnsafeMutablePointer<ExportFrame>) throws -> Bool {
    let output = plan.outputs + Int(frame.pointee.next &- 1)
    let step = plan.steps + Int(output.step)
    let table = graph.links[step.link].table(step.field.side.inverse)
    let isGrouped = step.form == .grouped
    while let member = lists.next() {
      let object = ObjectKey(table: table, row: member.row)
      let start = writer.position
      if isGrouped, frame.pointee.memberIndex != UInt32(bitPattern: member.group) &+ 1 {
        if frame.pointee.memberIndex > 0 { text.endArray() }
        frame.pointee.memberIndex = UInt32(bitPattern: member.group) &+ 1
        _ = try keys.write(
          keyOf: object, entity: plan.entities + rules.planNumber(object, step: step))
        text.beginArray()
      } else if step.form == .keyed {
        _ = try keys.write(
          keyOf: object, entity: plan.entities + rules.planNumber(object, step: step))
      }
      for _ in 0..<member.gap { writer.null() }
      if output.wrapCount > 0 { try beginWraps(output, frame: frame, around: object) }
      switch try begin(
        object, step: step, key: nil, from: start, isKeyed: step.form != .array)
      {
      case .waits: return true
      case .isDone: if output.wrapCount > 0 { endWraps(output, frame: frame) }
      case .isLeftOut:
        leaveOutList(output, frame: frame, levels: isGrouped ? 2 : 1)
        endArranged(frame)
        return false
      }
    }
    if isGrouped && frame.pointee.memberIndex > 0 { text.endArray() }
    frame.pointee.isInList = false
    text.end(isPositional: step.form == .array)
    endArranged(frame)
    return false
  }

  private func endArranged(_ frame: UnsafeMutablePointer<ExportFrame>) {
    lists.end()
    frame.pointee.isArranged = false
  }
}
