/// Unmapped keys, and values at mapped keys that properties ignored.
///
/// An object keeps them as JSON, and exports write them where the properties have no values. The
/// part may touch the text, the members of the unmapped keys, and the tape for JSON in attributes.
struct ExportRest {
  private let rules: ExportRules
  private let graph: Graph
  private let plan: Plan
  private let text: ExportText
  private let writer: JSONWriter
  private let values: ExportValues
  private let members: MemberValues
  private let attributeTape: AttributeTape
  private let rests: RestText

  init(
    _ rules: ExportRules, text: ExportText, attributeTape: AttributeTape, values: ExportValues,
    members: MemberValues
  ) {
    self.rules = rules
    graph = rules.graph
    plan = rules.plan
    self.text = text
    writer = text.writer
    self.attributeTape = attributeTape
    self.values = values
    self.members = members
    rests = RestText(graph.memory, isUsed: plan.hasRest)
  }

  // MARK: Unmapped keys

  /// Writes the unmapped members, or elements, of an object.
  func write(
    _ output: PlanPart<OutputOperation>, record: UnsafeMutableRawPointer, table: TableIndex
  ) throws {
    let step = plan.steps + Int(output.step)
    let value = StoredValue(record, field: step.field, table: graph.tables + table)
    let position = Int(output.part)
    guard let start = value.start, value.count > 0 else {
      if output.kind == .restElement { writer.null() }
      return
    }
    let level = plan.restLevels[Int(output.level)]
    rests.load(UnsafeBufferPointer(start: start, count: value.count))
    let found = try rests.part(at: level.path)
    let kind = found?.first ?? 0
    guard let found, kind == (output.kind == .rest ? Byte.openBrace : Byte.openBracket) else {
      if output.kind == .restElement { writer.null() }
      return
    }
    let parts = try rests.parts(of: found, at: level.path)
    switch output.kind {
    case .restElement:
      if parts.indices.contains(position) {
        try write(parts[position], step, record: record, table: table)
      } else {
        writer.null()
      }
    case .restTail:
      for part in parts.dropFirst(max(position, 0)) {
        try write(part, step, record: record, table: table)
      }
    default:
      for part in parts where !level.named.contains(part.keyText) {
        try write(part, step, record: record, table: table)
      }
    }
  }

  /// Writes a kept member or element: its text is copied, since it was written in the same form.
  private func write(
    _ part: RestText.Part, _ step: PlanPart<StepPlan>, record: UnsafeRawPointer, table: TableIndex
  ) throws {
    let levels: Int
    if part.isRespelled {
      writer.raw(UnsafeBufferPointer(start: part.key, count: part.value - part.key))
      let tape = try attributeTape.load(part.text)
      levels = writer.value(tape, index: .first, keepsReals: true)
    } else {
      writer.rawValue(UnsafeBufferPointer(start: part.key, count: part.end - part.key))
      guard JSONNesting.isDeeper(part.text, than: JanssonBridge.maxDepth - text.depth) else {
        return
      }
      levels = JSONNesting.count(part.text)
    }
    try values.requireRoom(
      forLevels: levels, property: Int(step.field.number), record: record, table: table)
  }

  // MARK: Ignored values

  /// Returns whether an object has unmapped keys that are written.
  ///
  /// The top-level object also has the outputs that the options skip.
  func isKept(
    _ object: ObjectKey, number: PlanIndex, range: OutputRange, filter: OutputFilter?
  ) -> Bool {
    guard let step = restStep(of: number) else { return false }
    let record = graph.tables[object.table].record(object.row)
    guard graph.tables[object.table].has(step.field, in: record) else { return false }
    rests.forget()
    guard let filter else { return true }
    return (range.first..<range.first &+ range.count).contains { index in
      switch plan.outputs[Int(index)].kind {
      case .rest, .restElement, .restTail: !filter.skips(index)
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
      if output.isKey && frame.pointee.isKeyed
        || rules.hasContent(step, record: record, object: object)
        || !step.destination.isNone && rules.isWayBack(step, arrivedBy: frame.pointee.arrival)
      {
        return false
      }
    case .membersValue:
      if members.hasMembers(output, of: object) { return try writeKeptNull(output, of: object) }
    case .constant: break
    case .open, .openArray:
      guard let found = try kept(output, of: object),
        found.first != (output.kind == .open ? Byte.openBrace : Byte.openBracket),
        !hasContentInside(frame.pointee.next, of: object),
        // Null in the rest of an array may mean an element without a rest.
        !output.isElement || !found.isNull
      else { return false }
      try write(kept: found, output, object)
      frame.pointee.skipNested(plan)
      return true
    case .close, .closeArray:
      return try endKept(output, of: object)
    }
    guard let found = try kept(output, of: object) else { return false }
    try write(kept: found, output, object)
    return true
  }

  /// Writes a kept null if no member has a value: any other value would become the members'.
  private func writeKeptNull(
    _ output: PlanPart<OutputOperation>, of object: ObjectKey
  ) throws -> Bool {
    guard let found = try kept(output, of: object), found.isNull,
      !members.hasValue(output, of: object)
    else { return false }
    try write(kept: found, output, object)
    return true
  }

  /// Ends a nested object or array that was imported empty.
  private func endKept(_ output: PlanPart<OutputOperation>, of object: ObjectKey) throws -> Bool {
    // Most objects are not empty.
    if output.kind == .close, !writer.followsBracket { return false }
    guard let found = try kept(output, of: object) else { return false }
    switch (output.kind, found.first) {
    case (.closeArray, Byte.openBracket):
      let count = try rests.parts(of: found, at: plan.restPaths[Int(output.restPath)]).count
      if rules.omitsNull || output.level == 0 { text.dropNulls(atMost: Int(output.part) - count) }
      text.endArray()
      return true
    case (.close, Byte.openBrace):
      text.endObject()
      return true
    default: return false
    }
  }

  /// Returns the kept value at an output.
  private func kept(
    _ output: PlanPart<OutputOperation>, of object: ObjectKey
  ) throws -> RestText.Part? {
    guard let value = rest(of: object) else { return nil }
    rests.load(value.bytes)
    return try rests.part(at: plan.restPaths[Int(output.restPath)])
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
    kept part: RestText.Part, _ output: PlanPart<OutputOperation>, _ object: ObjectKey
  ) throws {
    text.key(output)
    let record = graph.tables[object.table].record(object.row)
    let number = PlanIndex(of: graph.entity(record, in: object.table))
    guard let step = restStep(of: number) else { return }
    try write(part.withoutKey, step, record: record, table: object.table)
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
      case .membersValue: if members.hasMembers(output, of: object) { return true }
      case .value, .kind:
        if rules.hasContent(plan.steps + Int(output.step), record: record, object: object) {
          return true
        }
      case .gap, .rest, .restElement, .restTail: break
      }
      position += 1
    }
    return false
  }
}
