// Values at mapped keys that properties ignored: an object keeps them, and exports write them where
// the properties have no values.

extension Exporter {
  /// Returns whether an object has unmapped keys that are written.
  func keepsRest(_ object: ObjectKey, number: PlanIndex, range: OutputRange) -> Bool {
    guard let step = restStep(of: number) else { return false }
    let record = graph.tables[object.table].record(object.row)
    guard graph.tables[object.table].has(step.field, in: record) else { return false }
    guard let skipped, frames.count == 0 else { return true }
    return (range.first..<range.first &+ range.count).contains { index in
      switch plan.outputs[Int(index)].kind {
      case .rest, .restElement, .restTail: !skipped.contains(index)
      default: false
      }
    }
  }

  /// Returns the step of unmapped keys; nil without one.
  private func restStep(of number: PlanIndex) -> PlanPart<StepPlan>? {
    let step = plan.entities[number].restStep
    return step < 0 ? nil : plan.steps + Int(step)
  }

  /// Writes the kept value at an output without a value; returns false if there is none.
  @inline(never)
  func writeKept(
    _ output: PlanPart<OutputOperation>, frame: UnsafeMutablePointer<ExportFrame>
  ) throws -> Bool {
    guard output.restPath >= 0 else { return false }
    let object = frame.pointee.object
    switch output.kind {
    case .rest, .restElement, .restTail, .gap, .ownersValue: return false
    case .value, .kind:
      let step = plan.steps + Int(output.step)
      let record = graph.tables[object.table].record(object.row)
      if output.isKey && frame.pointee.isKeyed || hasContent(step, record: record, object: object)
        || !step.destination.isNone && isWayBack(step, arrivedBy: frame.pointee.arrival)
      {
        return false
      }
    case .membersValue:
      if hasMembers(output, object: object) { return try writeKeptNull(output, of: object) }
    case .constant: break
    case .open, .openArray:
      guard let kept = try kept(output, of: object),
        valueTape.tokens[kept].kind != (output.kind == .open ? .object : .array),
        !hasContentInside(frame.pointee.next, of: object),
        // Null in the rest of an array may mean an element without a rest.
        !output.isElement || valueTape.tokens[kept].kind != .null
      else { return false }
      try write(kept: kept, output, object)
      skipNested(frame)
      return true
    case .close, .closeArray:
      return try endKept(output, of: object)
    }
    guard let kept = try kept(output, of: object) else { return false }
    try write(kept: kept, output, object)
    return true
  }

  /// Writes a kept null if no member has a value: any other value would become the members'.
  private func writeKeptNull(
    _ output: PlanPart<OutputOperation>, of object: ObjectKey
  ) throws -> Bool {
    guard let kept = try kept(output, of: object), valueTape.tokens[kept].kind == .null,
      !hasMembersValue(output, object: object)
    else { return false }
    try write(kept: kept, output, object)
    return true
  }

  /// Ends a nested object or array that was imported empty.
  private func endKept(_ output: PlanPart<OutputOperation>, of object: ObjectKey) throws -> Bool {
    guard let found = try kept(output, of: object) else { return false }
    switch (output.kind, valueTape.tokens[found].kind) {
    case (.closeArray, .array):
      let count = Int(clamping: valueTape.tokens[found].payload)
      if omitsNull || output.level == 0 { dropNulls(atMost: Int(output.part) - count) }
      endArray()
      return true
    case (.close, .object) where writer.followsBracket:
      endObject()
      return true
    default: return false
    }
  }

  /// Returns the token on the tape of values of the kept value at an output.
  private func kept(
    _ output: PlanPart<OutputOperation>, of object: ObjectKey
  ) throws -> TokenIndex? {
    guard let value = rest(of: object) else { return nil }
    let tape = try loadRest(value.bytes)
    return plan.restPaths[Int(output.restPath)].value(from: .first, on: tape)
  }

  private func rest(of object: ObjectKey) -> StoredValue? {
    let table = graph.tables + object.table
    let record = table.pointee.record(object.row)
    let number = PlanIndex(of: graph.entity(record, in: object.table))
    guard let step = restStep(of: number) else { return nil }
    let value = StoredValue(record, field: step.field, table: table)
    return value.count > 0 && value.start != nil ? value : nil
  }

  private func write(
    kept token: TokenIndex, _ output: PlanPart<OutputOperation>, _ object: ObjectKey
  ) throws {
    key(output)
    let levels = writer.value(valueTape, index: token, keepsReals: true)
    let record = graph.tables[object.table].record(object.row)
    let number = PlanIndex(of: graph.entity(record, in: object.table))
    guard let step = restStep(of: number) else { return }
    try requireRoom(
      forLevels: levels, property: Int(step.field.number), record: record, table: object.table)
  }

  /// Returns whether the nested object or array with outputs from `first` on has a value.
  private func hasContentInside(_ first: Int32, of object: ObjectKey) -> Bool {
    let record = graph.tables[object.table].record(object.row)
    var (level, position) = (1, Int(first))
    while level > 0 {
      let output = plan.outputs + position
      switch output.kind {
      case .open, .openArray: level += 1
      case .close, .closeArray: level -= 1
      case .constant, .ownersValue: return true
      case .membersValue: if hasMembers(output, object: object) { return true }
      case .value, .kind:
        if hasContent(plan.steps + Int(output.step), record: record, object: object) { return true }
      case .gap, .rest, .restElement, .restTail: break
      }
      position += 1
    }
    return false
  }
}
