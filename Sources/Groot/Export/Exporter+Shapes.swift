// Shapes other than an object of keys: scalars, lists whose members are wrapped, what no path names.

extension Exporter {
  /// Whether a property is left out where there is no value.
  @inline(__always)
  func omits(_ step: PlanPart<StepPlan>) -> Bool {
    step.options.contains(.omitsNull) || omitsNull && !step.options.contains(.choosesNull)
  }

  /// Ends a nested object or array; one without content is left out where nulls are.
  func endNested(_ output: PlanPart<OutputOperation>, as kind: JSONKind) {
    if omitsNull && !output.isElement && writer.followsBracket {
      // What began it: its key, and the bracket.
      writer.truncate(to: writer.position - 1 - Int(output.keyLength))
      depth &-= 1
    } else if kind == .array {
      endArray()
    } else {
      endObject()
    }
  }

  func writeConstant(_ output: PlanPart<OutputOperation>) {
    key(output)
    writer.raw(UnsafeBufferPointer(start: output.constant, count: Int(output.constantLength)))
  }

  // MARK: Members that are no whole objects

  /// Writes a member that is a scalar, or is written with a few attributes; false when it is neither.
  func writeShaped(
    _ object: ObjectKey, step: PlanPart<StepPlan>, key output: PlanPart<OutputOperation>?
  ) throws -> Bool {
    let number = planNumber(object, step: step)
    let record = graph.tables[object.table].record(object.row)
    if let value = scalarStep(number, object: object) {
      if let output { key(output) }
      isKeyed = false
      try writeAttribute(value, record: record, table: object.table, part: -1)
      return true
    }
    guard step.partial >= 0, frames.count <= depthLimit else { return false }
    if let output { key(output) }
    let range = plan.partials[Int(step.partial)].range(plan.entities[number].localIndex)
    try writeAttributes(plan.outputRanges[range], record: record, table: object.table)
    return true
  }

  /// Writes an object that has attributes only.
  private func writeAttributes(
    _ range: OutputRange, record: UnsafeMutableRawPointer, table: TableIndex
  ) throws {
    let isUnderKey = isKeyed
    isKeyed = false
    beginObject()
    for position in range.first..<range.first &+ range.count {
      let output = plan.outputs + Int(position)
      switch output.kind {
      case .open:
        key(output)
        beginObject()
      case .close: endNested(output, as: .object)
      case .openArray:
        key(output)
        beginArray()
      case .closeArray: endNested(output, as: .array)
      case .gap: writer.null()
      case .constant: writeConstant(output)
      case .ownersValue, .rest, .restElement, .restTail: break
      case .value:
        let step = plan.steps + Int(output.step)
        let isLeftOut =
          output.isKey && isUnderKey
          || omits(step) && !output.isElement && !graph.tables[table].has(step.field, in: record)
        if isLeftOut { continue }
        key(output)
        try writeAttribute(step, record: record, table: table, part: output.part)
      }
    }
    endObject()
  }

  /// The step of the value that stands for an object: nothing else of it has a value.
  func scalarStep(_ number: PlanIndex, object: ObjectKey) -> PlanPart<StepPlan>? {
    let entity = plan.entities + number
    guard entity.valueStep >= 0 else { return nil }
    let value = plan.steps + Int(entity.valueStep)
    let record = graph.tables[object.table].record(object.row)
    let range = plan.outputRanges[Int(entity.firstRange) &+ variant]
    for position in range.first..<range.first &+ range.count {
      let output = plan.outputs + Int(position)
      switch output.kind {
      case .constant: return nil
      case .value, .rest, .restTail, .restElement:
        let step = plan.steps + Int(output.step)
        if step.field.number == value.field.number || output.isKey { continue }
        if hasContent(step, record: record, object: object) { return nil }
      case .open, .close, .openArray, .closeArray, .gap, .ownersValue: break
      }
    }
    return value
  }

  private func hasContent(
    _ step: PlanPart<StepPlan>, record: UnsafeRawPointer, object: ObjectKey
  ) -> Bool {
    if step.destination.isNone { return graph.tables[object.table].has(step.field, in: record) }
    if step.field.isToMany { return graph.memberCount(of: object.row, field: step.field) > 0 }
    return !graph.target(graph.links[step.link], side: step.field.side, row: object.row).isNone
  }

  // MARK: Wraps

  /// Begins the objects around a member.
  func beginWraps(
    _ output: PlanPart<OutputOperation>, frame: UnsafeMutablePointer<ExportFrame>
  ) {
    frame.pointee.isWrapped = true
    openWraps(output)
  }

  /// Ends them.
  func endWraps(
    _ output: PlanPart<OutputOperation>, frame: UnsafeMutablePointer<ExportFrame>
  ) {
    frame.pointee.isWrapped = false
    for _ in 0..<output.wrapCount { endObject() }
  }

  private func openWraps(_ output: PlanPart<OutputOperation>) {
    for position in 0..<Int(output.wrapCount) {
      beginObject()
      let key = plan.wraps[Int(output.firstWrap) &+ position]
      writer.raw(UnsafeBufferPointer(start: key.start, count: Int(key.length)))
    }
  }

  /// Writes each element of an attribute that is a list in objects of its own.
  func writeWrapped(
    _ output: PlanPart<OutputOperation>, record: UnsafeMutableRawPointer, table: TableIndex
  ) throws {
    let step = plan.steps + Int(output.step)
    let start = writer.position
    try writeAttribute(step, record: record, table: table, part: output.part)
    let list = JSONTape(graph.memory)
    try list.load(
      UnsafeBufferPointer(rebasing: writer.bytes[start..<writer.position - 1]), allowsScalars: true)
    guard list.tokens[0].kind == .array else { return }
    writer.truncate(to: start)
    beginArray()
    var element = TokenIndex.first.next
    for _ in 0..<Int(clamping: list.tokens[0].payload) {
      openWraps(output)
      writer.value(list, index: element, keepsReals: true)
      for _ in 0..<output.wrapCount { endObject() }
      element = list.end(of: element)
    }
    endArray()
  }

  // MARK: What no path names

  /// Writes what an object keeps of the members, or elements, that no path names.
  func writeRest(
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
    let rest = JSONTape(graph.memory)
    try rest.load(UnsafeBufferPointer(start: start, count: value.count), allowsScalars: true)
    let found = level.path.value(from: .first, on: rest)
    switch output.kind {
    case .restElement:
      if let element = found.flatMap({ rest.element(at: position, inArray: $0) }) {
        writer.value(rest, index: element, keepsReals: true)
      } else {
        writer.null()
      }
    case .restTail:
      guard let found, rest.tokens[found].kind == .array else { return }
      for next in position..<max(Int(clamping: rest.tokens[found].payload), position) {
        guard let element = rest.element(at: next, inArray: found) else { return }
        writer.value(rest, index: element, keepsReals: true)
      }
    default:
      guard let found, rest.tokens[found].kind == .object else { return }
      var keys: [TokenIndex] = []
      rest.distinctKeys(ofObject: found, sorted: false, into: &keys)
      for key in keys {
        let name = String(decoding: rest.tokens[key].bytes, as: UTF8.self)
        if level.named.contains(Name(name)) { continue }
        writer.key(rest.tokens[key].bytes)
        writer.value(rest, index: key.next, keepsReals: true)
      }
    }
  }
}
