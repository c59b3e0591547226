// The frames of the objects being written: their beginning, continuation and end.

extension Exporter {
  /// Begins an object; its text begins at `start` if it may be removed.
  func push(
    _ object: ObjectKey, number: PlanIndex, range: OutputRange, arrivedBy arrival: LinkDirection,
    from start: Int
  ) throws {
    let header = graph.tables[object.table].header(object.row)
    let entity = plan.entities + number
    if entity.isRecursive && header.pointee.state & RecordState.exported == 0 {
      try written.append(object)
      header.pointee.state |= RecordState.exported
    }
    try frames.append(
      ExportFrame(
        object: object, next: range.first, end: range.first &+ range.count, arrival: arrival,
        isInList: false, isPositional: range.isPositional,
        member: .none,
        hasRest: entity.hasRest && keepsRest(object, number: number, range: range),
        isKeyed: isKeyed,
        isOnlyNamed: header.pointee.state & RecordState.placeholder != 0
          && isOnlyNamed(object, number: number, range: range),
        memberIndex: 0, listStart: 0, start: start))
    isKeyed = false
    header.pointee.state |= RecordState.exporting
    if range.isPositional { beginArray() } else { beginObject() }
  }

  private func pop() {
    let frame = frames.start[frames.count &- 1]
    graph.tables[frame.object.table].header(frame.object.row).pointee.state &= ~RecordState
      .exporting
    frames.removeLast(to: frames.count &- 1)
    if frame.start >= 0 && writer.followsBracket {
      writer.truncate(to: frame.start)
      depth &-= 1
      if frames.count > 0, frames.start[frames.count &- 1].memberIndex > 0 {
        frames.start[frames.count &- 1].memberIndex &-= 1
      }
    } else if frame.isPositional {
      endArray()
    } else {
      endObject()
    }
  }

  /// Continues the innermost object until it is complete or another object begins in it.
  func advance(_ frame: UnsafeMutablePointer<ExportFrame>) throws {
    if frame.pointee.isInList, try advanceList(frame) { return }
    let table = frame.pointee.object.table
    let row = frame.pointee.object.row
    while frame.pointee.next < frame.pointee.end {
      let output = plan.outputs + Int(frame.pointee.next)
      frame.pointee.next &+= 1
      if skipped != nil && frames.count == 1 && isSkipped(output) {
        skip(output, frame: frame)
        continue
      }
      if frame.pointee.hasRest, try writeKept(output, frame: frame) { continue }
      switch output.kind {
      case .open:
        if frame.pointee.isOnlyNamed, leavesOut(output, frame: frame) { continue }
        key(output)
        beginObject()
      case .close: endNested(output, as: .object)
      case .openArray:
        if frame.pointee.isOnlyNamed, leavesOut(output, frame: frame) { continue }
        key(output)
        beginArray()
      case .closeArray: endNested(output, as: .array)
      case .gap: writer.null()
      case .constant: writeConstant(output)
      case .kind: writeKind(output, of: frame.pointee.object)
      case .membersValue:
        if try !writeMembersValue(output, object: frame.pointee.object) && output.isElement {
          writer.null()
        }
      case .rest, .restElement, .restTail:
        try writeRest(output, record: graph.tables[table].record(row), table: table)
      case .ownersValue:
        guard frames.count > 1 else { continue }
        try writeOwnersValue(output, owner: frames.start + (frames.count &- 2))
      case .value:
        let step = plan.steps + Int(output.step)
        if step.destination.isNone {
          let record = graph.tables[table].record(row)
          if output.isKey && frame.pointee.isKeyed { continue }
          if frame.pointee.isOnlyNamed, !step.isIdentity {
            if output.isElement { writer.null() }
            continue
          }
          if omits(step), !output.isElement, !graph.tables[table].has(step.field, in: record) {
            continue
          }
          key(output)
          try writeAttribute(output, record: record, table: table)
        } else if !output.isElement
          && isWayBack(step, arrivedBy: frame.pointee.arrival)
        {
          continue
        } else if step.field.isToMany {
          if try beginList(step, output: output, frame: frame) { return }
        } else if try writeToOne(step, output: output, frame: frame) {
          return
        }
      }
    }
    pop()
  }

  /// Skips a nested object or array without names, inside an object that was only named.
  @inline(never)
  private func leavesOut(
    _ output: PlanPart<OutputOperation>, frame: UnsafeMutablePointer<ExportFrame>
  ) -> Bool {
    guard namesNothing(at: frame.pointee.next &- 1) else { return false }
    skip(output, frame: frame)
    return true
  }

  /// Skips an output, including a nested object or array; an array gets null instead.
  private func skip(
    _ output: PlanPart<OutputOperation>, frame: UnsafeMutablePointer<ExportFrame>
  ) {
    if output.kind == .open || output.kind == .openArray { skipNested(frame) }
    if output.isElement && output.kind != .rest && output.kind != .restTail { writer.null() }
  }

  /// Skips the outputs to the end of the nested object or array that has begun.
  func skipNested(_ frame: UnsafeMutablePointer<ExportFrame>) {
    var level = 1
    while level > 0, frame.pointee.next < frame.pointee.end {
      switch plan.outputs[Int(frame.pointee.next)].kind {
      case .open, .openArray: level += 1
      case .close, .closeArray: level -= 1
      default: break
      }
      frame.pointee.next &+= 1
    }
  }

  func isSkipped(_ output: PlanPart<OutputOperation>) -> Bool {
    skipped?.contains(Int32(truncatingIfNeeded: output - plan.outputs)) == true
  }

  /// Returns whether a relationship leads back to the object's parent.
  @inline(__always)
  func isWayBack(
    _ step: PlanPart<StepPlan>, arrivedBy arrival: LinkDirection
  ) -> Bool {
    guard arrival.link == step.link, step.options.contains(.skipsWayBack)
    else { return false }
    return graph.links[step.link].isSymmetric
      ? false : step.field.side != arrival.side
  }

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
  @inline(__always)
  func begin(
    _ object: ObjectKey, step: PlanPart<StepPlan>,
    key output: PlanPart<OutputOperation>?, merge: Int32 = -1, from position: Int
  ) throws -> Beginning {
    if step.isShaped, try writeShaped(object, step: step, key: output) { return .isDone }
    let state = graph.tables[object.table].header(object.row).pointee.state
    let start = step.options.contains(.omitsEmpty) ? position : -1
    let isExplicit = step.options.contains(.isExplicit)
    if !rooted.isEmpty || state & RecordState.placeholder != 0,
      try beginException(object, step: step, key: output, merge: merge)
    {
      return .isDone
    }
    let isIdentityOnly =
      (state & RecordState.exporting != 0 && !isExplicit) || frames.count > depthLimit
      || step.writesIdentifiers
    let isWritten =
      step.isRecursive && state & RecordState.exported != 0 && !isExplicit
    let hasRoom = depth < JanssonBridge.maxDepth - 32
    let number = planNumber(object, step: step)
    if isIdentityOnly || isWritten || !hasRoom {
      if try writeStandIn(object, step: step, key: output, merge: merge) { return .isDone }
      if isIdentityOnly { return .isLeftOut }
      guard hasRoom else { throw tooDeep(number) }
      repeats += 1
      if repeats > Self.maximumRepeats { throw tooOften(number) }
    }
    if plan.needsKeys && step.form == .array { try requireKey(number) }
    if let output { key(output) }
    try push(
      object, number: number,
      range: step.partial >= 0
        ? partialRange(number, step: step) : outputRange(number, merge: merge),
      arrivedBy: step.direction, from: start)
    return .waits
  }

  /// Writes the stand-in of an object that is written elsewhere or is of unknown kind.
  ///
  /// It returns false for other objects, and for one of unknown kind without a stand-in.
  @inline(never)
  private func beginException(
    _ object: ObjectKey, step: PlanPart<StepPlan>, key output: PlanPart<OutputOperation>?,
    merge: Int32
  ) throws -> Bool {
    let number = planNumber(object, step: step)
    let isElsewhere = isWrittenElsewhere(object, number: number)
    guard isElsewhere || isOfUnknownKind(object, number: number) else { return false }
    isNamedOnly = isNamed(object, step: step)
    defer { isNamedOnly = false }
    if try writeStandIn(object, step: step, key: output, merge: merge) { return true }
    if isElsewhere { throw unnameable(number) }
    return false
  }

  /// Returns the outputs of a member of which only some properties are written.
  private func partialRange(_ number: PlanIndex, step: PlanPart<StepPlan>) -> OutputRange {
    let partial = plan.partials[Int(step.partial)]
    return plan.outputRanges[partial.range(plan.entities[number].localIndex)]
  }

  /// Returns the outputs of an object, including attributes of its owner that a to-one merges.
  @inline(__always)
  func outputRange(_ number: PlanIndex, merge: Int32) -> OutputRange {
    if merge >= 0 {
      let merged = plan.mergedRanges[plan.mergedIndex(merge, number: number)]
      if merged >= 0 { return plan.outputRanges[Int(merged)] }
    }
    return plan.outputRanges[Int(plan.entities[number].firstRange) &+ variant]
  }

  /// Returns the plan for writing an object of a relationship.
  @inline(__always)
  func planNumber(_ object: ObjectKey, step: PlanPart<StepPlan>) -> PlanIndex {
    let destination = plan.entities + step.destination
    return destination.isFixed
      ? step.destination
      : PlanIndex(
        of: graph.entity(graph.tables[object.table].record(object.row), in: object.table))
  }
}
