// Shapes other than an object of keys: scalars, lists with wrapped members, and unmapped keys.

extension Exporter {
  /// Returns whether a property without a value is left out.
  @inline(__always)
  func omits(_ step: PlanPart<StepPlan>) -> Bool {
    step.options.contains(.omitsNull) || omitsNull && !step.options.contains(.choosesNull)
  }

  /// Ends a nested object or array.
  ///
  /// If nulls are left out, so are empty ones and nulls at the end of an array.
  func endNested(_ output: PlanPart<OutputOperation>, as kind: JSONKind) {
    let omits = omitsNull || output.level == 0
    if omits && kind == .array { dropNulls(atMost: Int(output.part)) }
    if omits, writer.followsBracket {
      // The text to remove is the key and the bracket.
      writer.truncate(to: writer.position - 1 - Int(output.keyLength))
      depth &-= 1
      if output.isElement { writer.null() }
    } else if kind == .array {
      endArray()
    } else {
      endObject()
    }
  }

  /// Removes up to `count` nulls at the end of the current array.
  func dropNulls(atMost count: Int) {
    for _ in 0..<max(count, 0) {
      guard writer.isNull(from: writer.position - 5) else { return }
      writer.truncate(to: writer.position - 5)
    }
  }

  func writeConstant(_ output: PlanPart<OutputOperation>) {
    key(output)
    writer.raw(UnsafeBufferPointer(start: output.constant, count: Int(output.constantLength)))
  }

  /// Writes the value that names the entity of a to-one's object.
  func writeKind(_ output: PlanPart<OutputOperation>, of object: ObjectKey) {
    let step = plan.steps + Int(output.step)
    let link = graph.links[step.link]
    let side = step.field.side
    let text =
      graph.target(link, side: side, row: object.row).index.map {
        plan.kindTexts[planNumber(ObjectKey(table: link.table(side.inverse), row: $0), step: step)]
      } ?? []
    if text.isEmpty && omits(step) && !output.isElement { return }
    key(output)
    if text.isEmpty { writer.null() } else { text.withUnsafeBufferPointer { writer.raw($0) } }
  }

  // MARK: Scalars and objects with a few attributes

  /// Writes a member as a scalar or with a few attributes; returns false for any other form.
  func writeShaped(
    _ object: ObjectKey, step: PlanPart<StepPlan>, key output: PlanPart<OutputOperation>?
  ) throws -> Bool {
    let number = planNumber(object, step: step)
    let record = graph.tables[object.table].record(object.row)
    let isNamed = step.writesIdentifiers && plan.entities[number].identifiesByKey
    if !isNamed, let value = scalarStep(number, object: object) {
      let start = writer.position
      if let output { key(output) }
      if try writeScalar(value, of: object, isUnderKey: step.form == .keyed) {
        isKeyed = false
        return true
      }
      writer.truncate(to: start)
    }
    guard step.partial >= 0, frames.count <= depthLimit,
      !plan.partials[Int(step.partial)].isNested
    else { return false }
    if let output { key(output) }
    let range = plan.partials[Int(step.partial)].range(plan.entities[number].localIndex)
    try writeAttributes(plan.outputRanges[range], record: record, table: object.table)
    return true
  }

  /// Writes an object of which only attributes are written.
  private func writeAttributes(
    _ range: OutputRange, record: UnsafeMutableRawPointer, table: TableIndex
  ) throws {
    let isUnderKey = isKeyed
    isKeyed = false
    if range.isPositional { beginArray() } else { beginObject() }
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
      case .ownersValue, .membersValue, .rest, .restElement, .restTail, .kind: break
      case .value:
        let step = plan.steps + Int(output.step)
        let isLeftOut =
          output.isKey && isUnderKey
          || omits(step) && !output.isElement && !graph.tables[table].has(step.field, in: record)
        if isLeftOut { continue }
        key(output)
        try writeAttribute(output, record: record, table: table)
      }
    }
    if range.isPositional { endArray() } else { endObject() }
  }

  /// Writes the scalar of an object.
  ///
  /// It returns false for null, which is not a valid member of an array or object of a to-one.
  func writeScalar(
    _ step: PlanPart<StepPlan>, of object: ObjectKey, isUnderKey: Bool
  ) throws -> Bool {
    let start = writer.position
    guard step.destination.isNone else {
      return try writeIdentifier(step, of: object, isUnderKey: isUnderKey)
    }
    try writeAttribute(
      step, record: graph.tables[object.table].record(object.row), table: object.table, part: -1)
    if isUnderKey || !writer.isNull(from: start) { return true }
    writer.truncate(to: start)
    return false
  }

  /// Writes the identifier of the object that an object's scalar refers to.
  private func writeIdentifier(
    _ step: PlanPart<StepPlan>, of object: ObjectKey, isUnderKey: Bool
  ) throws -> Bool {
    let link = graph.links[step.link]
    let side = step.field.side
    guard let row = graph.target(link, side: side, row: object.row).index else {
      if isUnderKey { writer.null() }
      return isUnderKey
    }
    return try writeStandIn(ObjectKey(table: link.table(side.inverse), row: row), step: step)
  }

  /// Returns the step of an object's scalar; nil if another property has a value.
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
      case .open, .close, .openArray, .closeArray, .gap, .ownersValue, .membersValue, .kind: break
      }
    }
    return value
  }

  func hasContent(
    _ step: PlanPart<StepPlan>, record: UnsafeRawPointer, object: ObjectKey
  ) -> Bool {
    if step.destination.isNone { return graph.tables[object.table].has(step.field, in: record) }
    if step.field.isToMany { return graph.memberCount(of: object.row, field: step.field) > 0 }
    return !graph.target(graph.links[step.link], side: step.field.side, row: object.row).isNone
  }

  // MARK: Enclosing objects

  /// Begins the enclosing objects of a member.
  func beginWraps(
    _ output: PlanPart<OutputOperation>, frame: UnsafeMutablePointer<ExportFrame>,
    around member: ObjectKey
  ) throws {
    frame.pointee.isWrapped = true
    try openWraps(output, around: member)
  }

  /// Ends the enclosing objects of a member.
  func endWraps(
    _ output: PlanPart<OutputOperation>, frame: UnsafeMutablePointer<ExportFrame>
  ) {
    frame.pointee.isWrapped = false
    for _ in 0..<output.wrapCount { endObject() }
  }

  private func openWraps(
    _ output: PlanPart<OutputOperation>, around member: ObjectKey? = nil
  ) throws {
    for position in 0..<Int(output.wrapCount) {
      beginObject()
      let key = plan.wraps[Int(output.firstWrap) &+ position]
      if position == output.wrapCount - 1, let member {
        try writeValues(of: member, around: key, step: plan.steps + Int(output.step))
      }
      writer.raw(key.bytes)
    }
  }

  /// Writes the values that a member has from its enclosing object.
  private func writeValues(
    of member: ObjectKey, around key: OutputKey, step: PlanPart<StepPlan>
  ) throws {
    // A stand-in has no values of the enclosing object.
    if step.writesIdentifiers || step.partial >= 0 { return }
    let entity = plan.entities + planNumber(member, step: step)
    for position in 0..<Int(entity.aroundCount) {
      let (number, own) = plan.arounds[Int(entity.firstAround) + position]
      let field = plan.steps[Int(number)].field
      let record = graph.tables[member.table].record(member.row)
      guard graph.tables[member.table].has(field, in: record),
        !own.bytes.elementsEqual(key.bytes)
      else { continue }
      writer.raw(own.bytes)
      try writeAttribute(plan.steps + Int(number), record: record, table: member.table, part: -1)
    }
  }

  /// Writes the value of an attribute in the form of an output.
  @inline(__always)
  func writeAttribute(
    _ output: PlanPart<OutputOperation>, record: UnsafeMutableRawPointer, table: TableIndex
  ) throws {
    if output.wrapCount > 0 {
      try writeWrapped(output, record: record, table: table)
    } else {
      let step = plan.steps + Int(output.step)
      try writeAttribute(step, record: record, table: table, part: output.part)
    }
  }

  /// Writes each element of a list attribute in its own enclosing objects.
  private func writeWrapped(
    _ output: PlanPart<OutputOperation>, record: UnsafeMutableRawPointer, table: TableIndex
  ) throws {
    let step = plan.steps + Int(output.step)
    let start = writer.position
    try writeAttribute(step, record: record, table: table, part: output.part)
    // The wrapped elements replace the text.
    let text = Array(writer.bytes[start..<max(writer.position - 1, start)])
    let list = valueTape
    list.reset()
    loadedRest = nil
    try text.withUnsafeBufferPointer { text in
      try list.load(text)
      guard list.tokens[0].kind == .array else { return }
      writer.truncate(to: start)
      beginArray()
      var element = TokenIndex.first.next
      for _ in 0..<Int(clamping: list.tokens[0].payload) {
        try openWraps(output)
        try requireRoom(
          forLevels: writer.value(list, index: element, keepsReals: true),
          property: Int(step.field.number), record: record, table: table)
        for _ in 0..<output.wrapCount { endObject() }
        element = list.end(of: element)
      }
      endArray()
    }
  }
}
