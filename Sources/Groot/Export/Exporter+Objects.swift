// Objects: their beginning, their outputs one after the other, and their end.

extension Exporter {
  /// Begins an object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - number: The plan for writing it.
  ///   - range: Its outputs.
  ///   - arrival: The relationship that led to it; none for a top-level object.
  ///   - start: The position at which its text begins if it may be removed; else -1.
  ///   - isKeyed: Whether it is written under its key.
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  @inline(__always)
  func push(
    _ object: ObjectKey, number: PlanIndex, range: UnsafeMutablePointer<OutputRange>,
    arrivedBy arrival: LinkDirection, from start: Int, isKeyed: Bool
  ) throws {
    let header = graph.tables[object.table].header(object.row)
    let entity = plan.entities + number
    let isFiltered = frames.count == 0 && filter != nil
    let hasRest =
      entity.hasRest
      && rest.isKept(
        object, number: number, range: range.pointee,
        filter: isFiltered ? filter : nil)
    let isOnlyNamed =
      header.pointee.state & RecordState.placeholder != 0
      && named.isOnlyNamed(object, number: number, range: range.pointee)
    let isPositional = range.pointee.isPositional
    try frames.push(
      ExportFrame(
        object: object, next: range.pointee.first,
        end: range.pointee.first &+ range.pointee.count, arrival: arrival,
        isPositional: isPositional,
        isPlain: !isFiltered && !hasRest && !isOnlyNamed,
        hasOnlyRest: hasRest && !isFiltered && !isOnlyNamed,
        hasRest: hasRest, isKeyed: isKeyed, isFiltered: isFiltered, isOnlyNamed: isOnlyNamed,
        start: start),
      header: header, isRecursive: entity.isRecursive)
    text.begin(isPositional: isPositional)
  }

  /// Ends the innermost object, or removes it if it may not be empty.
  private func pop(_ frame: UnsafeMutablePointer<ExportFrame>) {
    let start = frame.pointee.start
    let isPositional = frame.pointee.isPositional
    frames.pop()
    if start >= 0 && writer.followsBracket {
      text.remove(from: start, levels: 1)
      frames.uncountMember()
    } else {
      text.end(isPositional: isPositional)
    }
  }

  /// Continues the innermost object until it is complete or another object begins in it.
  func advance(_ frame: UnsafeMutablePointer<ExportFrame>) throws {
    if frame.pointee.isInList, try advanceList(frame) { return }
    let object = frame.pointee.object
    let table = graph.tables + object.table
    let record = table.pointee.record(object.row)
    while frame.pointee.next < frame.pointee.end {
      let output = plan.outputs + Int(frame.pointee.next)
      frame.pointee.next &+= 1
      if frame.pointee.isPlain
        || frame.pointee.hasOnlyRest && output.direct != .none
          && table.pointee.has(number: output.number, in: record)
      {
        if output.isKey && frame.pointee.isKeyed { continue }
      } else if try writeException(output, frame: frame) {
        continue
      }
      if output.direct != .none {
        values.writeDirect(output, record: record, table: table)
        continue
      }
      switch output.kind {
      case .open:
        text.key(output)
        text.beginObject()
      case .close: text.endNested(output, as: .object, omitsNull: rules.omitsNull)
      case .constant: text.constant(output)
      case .value:
        let step = plan.steps + Int(output.step)
        if step.destination.isNone {
          if !output.isElement, rules.omits(step), !table.pointee.has(step.field, in: record) {
            continue
          }
          text.key(output)
          try values.write(output, record: record, table: object.table)
        } else if !output.isElement, rules.isWayBack(step, arrivedBy: frame.pointee.arrival) {
          continue
        } else if step.field.isToMany {
          if try beginList(step, output: output, frame: frame) { return }
        } else if try writeToOne(step, output: output, frame: frame) {
          return
        }
      default: try writeRare(output, record: record, frame: frame)
      }
    }
    pop(frame)
  }

  /// Writes an output of a rare kind: neither a value nor a bracket of a nested object.
  @inline(never)
  private func writeRare(
    _ output: PlanPart<OutputOperation>, record: UnsafeMutableRawPointer,
    frame: UnsafeMutablePointer<ExportFrame>
  ) throws {
    let object = frame.pointee.object
    switch output.kind {
    case .openArray:
      text.key(output)
      text.beginArray()
    case .closeArray: text.endNested(output, as: .array, omitsNull: rules.omitsNull)
    case .gap: writer.null()
    case .kind: values.writeKind(output, of: object)
    case .membersValue:
      if try !members.write(output, of: object) && output.isElement { writer.null() }
    case .rest, .restElement, .restTail:
      try rest.write(output, record: record, table: object.table)
    case .ownersValue:
      if let owner = frames.outer { try standIns.writeOwnersValue(output, owner: owner) }
    case .value, .open, .close, .constant: break
    }
  }

  // MARK: Exceptions

  /// Writes or leaves out an output of an object that is not written as the plan says.
  ///
  /// It returns false for outputs that are.
  @inline(never)
  private func writeException(
    _ output: PlanPart<OutputOperation>, frame: UnsafeMutablePointer<ExportFrame>
  ) throws -> Bool {
    let number = Int32(truncatingIfNeeded: output - plan.outputs)
    if frame.pointee.isFiltered, filter?.skips(number) == true {
      skip(output, frame: frame)
      return true
    }
    if frame.pointee.hasRest, try rest.writeKept(output, frame: frame) { return true }
    if frame.pointee.isFiltered, filter?.writesOnlyKept(number) == true {
      skip(output, frame: frame)
      return true
    }
    switch output.kind {
    case .open, .openArray:
      guard frame.pointee.isOnlyNamed, named.namesNothing(at: frame.pointee.next &- 1)
      else { return false }
      skip(output, frame: frame)
      return true
    case .value:
      let step = plan.steps + Int(output.step)
      guard step.destination.isNone else { return false }
      if output.isKey && frame.pointee.isKeyed { return true }
      guard frame.pointee.isOnlyNamed, !step.isIdentity else { return false }
      if output.isElement { writer.null() }
      return true
    case .close, .closeArray:
      guard frame.pointee.isFiltered, filter?.endsRest(number) == true else { return false }
      text.endNested(output, as: output.kind == .close ? .object : .array, omitsNull: true)
      return true
    default: return false
    }
  }

  /// Skips an output, including a nested object or array; an array gets null instead.
  private func skip(
    _ output: PlanPart<OutputOperation>, frame: UnsafeMutablePointer<ExportFrame>
  ) {
    if output.kind == .open || output.kind == .openArray { frame.pointee.skipNested(plan) }
    if output.isElement && output.kind != .rest && output.kind != .restTail { writer.null() }
  }

  /// Returns whether the options leave out an output of the top-level object.
  func isSkipped(_ output: PlanPart<OutputOperation>) -> Bool {
    filter?.leavesOut(Int32(truncatingIfNeeded: output - plan.outputs)) == true
  }
}
