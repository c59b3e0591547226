// Relationships: the lists of to-manys, and the objects of to-ones.

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
    key(output)
    if output.isIndexed { beginObject() } else { beginArray() }
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
        try !canStandIn(ObjectKey(table: table, row: row), step: step)
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
    if frame.pointee.arranged >= 0 { return try advanceArranged(frame) }
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
    if output.isIndexed { endObject() } else { endArray() }
    return false
  }

  /// Removes the current list with the given number of levels.
  func leaveOutList(
    _ output: PlanPart<OutputOperation>, frame: UnsafeMutablePointer<ExportFrame>, levels: Int
  ) {
    writer.truncate(to: frame.pointee.listStart)
    depth &-= levels &+ (frame.pointee.isWrapped ? Int(output.wrapCount) : 0)
    frame.pointee.isWrapped = false
    frame.pointee.isInList = false
    if output.isElement { writer.null() }
  }

  /// Writes a to-one; returns true if its object begins.
  func writeToOne(
    _ step: PlanPart<StepPlan>, output: PlanPart<OutputOperation>,
    frame: UnsafeMutablePointer<ExportFrame>
  ) throws -> Bool {
    let link = graph.links[step.link]
    let side = step.field.side
    guard let row = graph.target(link, side: side, row: frame.pointee.object.row).index else {
      if step.options.contains(.omitsEmpty) || omits(step) && !output.isElement { return false }
      key(output)
      writer.null()
      return false
    }
    let target = ObjectKey(table: link.table(side.inverse), row: row)
    var merge = frame.pointee.isOnlyNamed ? -1 : output.merge
    if merge >= 0, try !canMerge(output, frame: frame, target: target, step: step) { merge = -1 }
    // Frames may move when another frame begins.
    if merge >= 0 { frame.pointee.next &+= output.mergedCount }
    switch try begin(target, step: step, key: output, merge: merge, from: writer.position) {
    case .waits: return true
    case .isDone: return false
    case .isLeftOut:
      if merge >= 0 { frame.pointee.next &-= output.mergedCount }
      if output.isElement { writer.null() }
      return false
    }
  }

  // MARK: Attributes merged into to-ones

  /// Returns whether attributes of the current object can be written into a to-one's object.
  ///
  /// All of them must be written, and equal the values at their key paths in that object.
  @inline(never)
  private func canMerge(
    _ output: PlanPart<OutputOperation>, frame: UnsafeMutablePointer<ExportFrame>,
    target: ObjectKey, step: PlanPart<StepPlan>
  ) throws -> Bool {
    let isFiltered = skipped != nil && frames.count == 1
    if isFiltered, (1...Int(output.mergedCount)).contains(where: { isSkipped(output + $0) }) {
      return false
    }
    let index = plan.mergedIndex(
      output.merge, number: planNumber(target, step: step))
    guard plan.mergedRanges[index] >= 0 else { return false }
    return try plan.mergedPairs[index].allSatisfy { pair in
      let ours = try text(Int(pair.owners), of: frame.pointee.object)
      return try ours == text(Int(pair.own), of: target)
    }
  }

  /// Returns the JSON text of an attribute.
  private func text(_ step: Int, of object: ObjectKey) throws -> [UInt8] {
    let start = writer.position
    defer { writer.truncate(to: start) }
    try writeAttribute(
      plan.steps + step, record: graph.tables[object.table].record(object.row), table: object.table,
      part: -1)
    return Array(writer.bytes[start...])
  }

  /// Writes an attribute of the current object's parent.
  @inline(never)
  func writeOwnersValue(
    _ output: PlanPart<OutputOperation>, owner: UnsafeMutablePointer<ExportFrame>
  ) throws {
    let table = owner.pointee.object.table
    let step = plan.steps + Int(output.step)
    let record = graph.tables[table].record(owner.pointee.object.row)
    let hasValue = graph.tables[table].has(step.field, in: record)
    if step.options.contains(.omitsNull) && !hasValue { return }
    key(output)
    try writeAttribute(step, record: record, table: table, part: output.part)
  }
}
