/// Objects in other shapes than an object of all their keys, and the objects around members.
///
/// A shape is a scalar, or an object with a few attributes. The part may touch the text, and has no
/// state of its own.
struct ShapedObjects {
  private let rules: ExportRules
  private let graph: Graph
  private let plan: Plan
  private let text: ExportText
  private let writer: JSONWriter
  private let values: ExportValues
  private let standIns: StandIns

  init(_ rules: ExportRules, text: ExportText, values: ExportValues, standIns: StandIns) {
    self.rules = rules
    graph = rules.graph
    plan = rules.plan
    self.text = text
    writer = text.writer
    self.values = values
    self.standIns = standIns
  }

  /// Writes a member as a scalar or with a few attributes; returns false for any other form.
  ///
  /// - Parameters:
  ///   - object: The object of the relationship.
  ///   - step: The step of the relationship.
  ///   - output: The output with the key; nil for a member of a list.
  ///   - isKeyed: Whether the object is written under its key.
  ///   - isNear: Whether the object is within the depth of the export.
  func write(
    _ object: ObjectKey, step: PlanPart<StepPlan>, key output: PlanPart<OutputOperation>?,
    isKeyed: Bool, isNear: Bool
  ) throws -> Bool {
    let number = rules.planNumber(object, step: step)
    let isNamed = step.writesIdentifiers && plan.entities[number].identifiesByKey
    if !isNamed, let value = rules.scalarStep(number, object: object) {
      let start = writer.position
      if let output { text.key(output) }
      if try writeScalar(value, of: object, isUnderKey: step.form == .keyed) { return true }
      writer.truncate(to: start)
    }
    guard step.partial >= 0, isNear, !plan.partials[Int(step.partial)].isNested
    else { return false }
    if let output { text.key(output) }
    try writeAttributes(
      rules.partialRange(number, step: step).pointee, of: object, isKeyed: isKeyed)
    return true
  }

  /// Writes an object of which only attributes are written.
  private func writeAttributes(_ range: OutputRange, of object: ObjectKey, isKeyed: Bool) throws {
    let table = graph.tables + object.table
    let record = table.pointee.record(object.row)
    text.begin(isPositional: range.isPositional)
    for position in range.first..<range.first &+ range.count {
      let output = plan.outputs + Int(position)
      switch output.kind {
      case .open:
        text.key(output)
        text.beginObject()
      case .close: text.endNested(output, as: .object, omitsNull: rules.omitsNull)
      case .openArray:
        text.key(output)
        text.beginArray()
      case .closeArray: text.endNested(output, as: .array, omitsNull: rules.omitsNull)
      case .gap: writer.null()
      case .constant: text.constant(output)
      case .ownersValue, .membersValue, .rest, .restElement, .restTail, .kind: break
      case .value:
        let step = plan.steps + Int(output.step)
        let isLeftOut =
          output.isKey && isKeyed
          || rules.omits(step) && !output.isElement && !table.pointee.has(step.field, in: record)
        if isLeftOut { continue }
        text.key(output)
        try values.write(output, record: record, table: object.table)
      }
    }
    text.end(isPositional: range.isPositional)
  }

  // MARK: Scalars

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
    try values.write(step, of: object)
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
    return try standIns.write(ObjectKey(table: link.table(side.inverse), row: row), step: step)
  }

  // MARK: Enclosing objects

  /// Begins the enclosing objects of a member.
  func beginWraps(_ output: PlanPart<OutputOperation>, around member: ObjectKey) throws {
    for position in 0..<Int(output.wrapCount) {
      text.beginObject()
      let key = plan.wraps[Int(output.firstWrap) &+ position]
      if position == output.wrapCount - 1 {
        try writeValues(of: member, around: key, step: plan.steps + Int(output.step))
      }
      writer.raw(key.bytes)
    }
  }

  /// Ends the enclosing objects of a member.
  func endWraps(_ output: PlanPart<OutputOperation>) {
    for _ in 0..<output.wrapCount { text.endObject() }
  }

  /// Writes the values that a member has from its enclosing object.
  private func writeValues(
    of member: ObjectKey, around key: OutputKey, step: PlanPart<StepPlan>
  ) throws {
    // A stand-in has no values of the enclosing object.
    if step.writesIdentifiers || step.partial >= 0 { return }
    let entity = plan.entities + rules.planNumber(member, step: step)
    for position in 0..<Int(entity.aroundCount) {
      let (number, own) = plan.arounds[Int(entity.firstAround) + position]
      let field = plan.steps[Int(number)].field
      let record = graph.tables[member.table].record(member.row)
      guard graph.tables[member.table].has(field, in: record),
        !own.bytes.elementsEqual(key.bytes)
      else { continue }
      writer.raw(own.bytes)
      try values.write(plan.steps + Int(number), of: member)
    }
  }
}
