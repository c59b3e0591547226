// Relationships: the objects to which they lead, in full or as their stand-ins.

extension Exporter {
  /// The outcome for an object of a relationship.
  enum Beginning {
    /// The object has begun, and must be completed first.
    case waits
    /// The object was written as its stand-in.
    case isDone
    /// Nothing was written, since the object has no stand-in.
    case isLeftOut
  }

  /// Begins an object of a relationship, or writes its stand-in.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - step: The step of the relationship.
  ///   - output: The output with the key; nil for a member of a list.
  ///   - merge: The number of the merge of attributes of the owner; -1 without one.
  ///   - position: The position at which the text of the object and its key begins.
  ///   - isKeyed: Whether the object is written under its key.
  /// - Throws: the error of a value; ``Status/limitExceeded``.
  @inline(__always)
  func begin(
    _ object: ObjectKey, step: PlanPart<StepPlan>, key output: PlanPart<OutputOperation>?,
    merge: Int32 = -1, from position: Int, isKeyed: Bool = false
  ) throws -> Beginning {
    // A state with marks, or an export with limits, needs all questions.
    guard step.isDirect, frames.count <= rules.depthLimit, text.hasRoom, !standIns.hasRoots,
      graph.tables[object.table].header(object.row).pointee.state
        & (RecordState.exporting | RecordState.exported | RecordState.placeholder) == 0
    else {
      return try beginOther(
        object, step: step, key: output, merge: merge, from: position, isKeyed: isKeyed)
    }
    let number = rules.planNumber(object, step: step)
    let range = rules.outputRange(number, merge: merge)
    if let output { text.key(output) }
    if range.pointee.isDirect, !plan.entities[number].hasRest, !plan.entities[number].isRecursive {
      writeDirectly(object, range: range)
      return .isDone
    }
    try push(
      object, number: number, range: range, arrivedBy: step.direction, from: -1, isKeyed: false)
    return .waits
  }

  /// Writes an object with plain attributes only, which needs no frame.
  @inline(__always)
  private func writeDirectly(_ object: ObjectKey, range: UnsafeMutablePointer<OutputRange>) {
    let number = UInt64(truncatingIfNeeded: range - plan.outputRanges)
    let key = number &<< 32 | UInt64(object.row.rawValue)
    if texts.write(key) { return }
    let start = writer.position
    let table = graph.tables + object.table
    let record = table.pointee.record(object.row)
    text.beginObject()
    for position in range.pointee.first..<range.pointee.first &+ range.pointee.count {
      values.writeDirect(plan.outputs + Int(position), record: record, table: table)
    }
    text.endObject()
    texts.note(key, from: start)
  }

  @inline(never)
  private func beginOther(
    _ object: ObjectKey, step: PlanPart<StepPlan>, key output: PlanPart<OutputOperation>?,
    merge: Int32, from position: Int, isKeyed: Bool
  ) throws -> Beginning {
    let isNear = frames.count <= rules.depthLimit
    if step.isShaped,
      try shapes.write(object, step: step, key: output, isKeyed: isKeyed, isNear: isNear)
    {
      return .isDone
    }
    let state = graph.tables[object.table].header(object.row).pointee.state
    let start = step.options.contains(.omitsEmpty) ? position : -1
    let isExplicit = step.options.contains(.isExplicit)
    if standIns.hasRoots || state & RecordState.placeholder != 0,
      try standIns.writeException(object, step: step, key: output, merge: merge)
    {
      return .isDone
    }
    let isIdentityOnly =
      (state & RecordState.exporting != 0 && !isExplicit) || !isNear || step.writesIdentifiers
    let isWritten =
      step.isRecursive && state & RecordState.exported != 0 && !isExplicit
    let hasRoom = text.hasRoom
    let number = rules.planNumber(object, step: step)
    if isIdentityOnly || isWritten || !hasRoom {
      if try standIns.write(object, step: step, key: output, merge: merge) { return .isDone }
      if isIdentityOnly { return .isLeftOut }
      guard hasRoom else { throw tooDeep(number) }
      guard frames.countRepeat() else { throw tooOften(number) }
    }
    if plan.needsKeys && step.form == .array { try keys.requireKey(number) }
    if let output { text.key(output) }
    try push(
      object, number: number,
      range: step.partial >= 0
        ? rules.partialRange(number, step: step) : rules.outputRange(number, merge: merge),
      arrivedBy: step.direction, from: start, isKeyed: isKeyed)
    return .waits
  }

  private func tooOften(_ entity: PlanIndex) -> GrootError {
    beyondLimit(
      entity,
      message:
        "the export would write objects again more than \(ExportFrames.maximumRepeats) times; give "
        + "the entity an identity, or limit the depth")
  }

  private func tooDeep(_ entity: PlanIndex) -> GrootError {
    beyondLimit(
      entity,
      message:
        "the export would nest deeper than \(JanssonBridge.maxDepth) levels, and the object has no "
        + "identity to write instead")
  }

  private func beyondLimit(_ entity: PlanIndex, message: String) -> GrootError {
    GrootError(
      .limitExceeded, message,
      entity: graph.model.resolved[plan.entities[entity].entity].name)
  }

  /// Writes a to-one; returns true if its object begins.
  @inline(__always)
  func writeToOne(
    _ step: PlanPart<StepPlan>, output: PlanPart<OutputOperation>,
    frame: UnsafeMutablePointer<ExportFrame>
  ) throws -> Bool {
    let link = graph.links[step.link]
    let side = step.field.side
    guard let row = graph.target(link, side: side, row: frame.pointee.object.row).index else {
      if step.options.contains(.omitsEmpty) || rules.omits(step) && !output.isElement {
        return false
      }
      text.key(output)
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
    if frame.pointee.isFiltered,
      (1...Int(output.mergedCount)).contains(where: { isSkipped(output + $0) })
    {
      return false
    }
    let index = plan.mergedIndex(
      output.merge, number: rules.planNumber(target, step: step))
    guard plan.mergedRanges[index] >= 0 else { return false }
    return try plan.mergedPairs[index].allSatisfy { pair in
      let ours = try attribute(Int(pair.owners), of: frame.pointee.object)
      return try ours == attribute(Int(pair.own), of: target)
    }
  }

  /// Returns the JSON text of an attribute.
  private func attribute(_ step: Int, of object: ObjectKey) throws -> [UInt8] {
    let start = writer.position
    defer { writer.truncate(to: start) }
    try values.write(plan.steps + step, of: object)
    return Array(writer.bytes[start...])
  }
}
