/// Writes the values of attributes in the forms of their steps.
///
/// It may touch the text, the calls of reverse functions and the tape for JSON in attributes, and
/// only reads objects.
final class ExportValues {
  private let rules: ExportRules
  private let graph: Graph
  private let plan: Plan
  private let text: ExportText
  private let writer: JSONWriter
  private let calls: ReverseCalls
  private let attributeTape: AttributeTape
  /// The form of dates; nil for that of the mapping.
  private let dateForm: DateForm?

  init(
    _ rules: ExportRules, text: ExportText, attributeTape: AttributeTape, options: ExportOptions
  ) throws {
    dateForm = try options.dates.map { try DateForm($0) }
    self.rules = rules
    graph = rules.graph
    plan = rules.plan
    self.text = text
    writer = text.writer
    self.attributeTape = attributeTape
    calls = ReverseCalls(rules, writer: text.writer, userdata: options.callbackUserdata)
  }

  // MARK: Outputs

  /// Writes a plain attribute with its key directly from the record, by the output alone.
  @inline(__always)
  func writeDirect(
    _ output: PlanPart<OutputOperation>, record: UnsafeMutableRawPointer,
    table: UnsafePointer<ObjectTable>
  ) {
    guard table.pointee.has(number: output.number, in: record) else {
      if output.missing == .omitted || output.missing == .byDefault && rules.omitsNull { return }
      text.key(output)
      writer.null()
      return
    }
    text.key(output)
    let address = record + Int(output.offset)
    switch output.direct {
    case .none: break
    case .text: writer.string(TextSlot.bytes(address))
    case .integer: writer.integer(address.load(as: Int64.self))
    case .real: writer.real(address.load(as: Double.self))
    case .boolean: writer.boolean(address.load(as: UInt8.self) != 0)
    case .integerText:
      writer.quoted(capacity: NumberText.integerCapacity) {
        NumberText.writeInteger(address.load(as: Int64.self), into: $0)
      }
    }
  }

  /// Writes the value of an attribute in the form of an output.
  @inline(__always)
  func write(
    _ output: PlanPart<OutputOperation>, record: UnsafeMutableRawPointer, table: TableIndex
  ) throws {
    if output.wrapCount > 0 {
      try writeWrapped(output, record: record, table: table)
    } else {
      let step = plan.steps + Int(output.step)
      try write(step, record: record, table: table, part: output.part)
    }
  }

  /// Writes each element of a list attribute in its own enclosing objects.
  private func writeWrapped(
    _ output: PlanPart<OutputOperation>, record: UnsafeMutableRawPointer, table: TableIndex
  ) throws {
    let step = plan.steps + Int(output.step)
    let start = writer.position
    try write(step, record: record, table: table, part: output.part)
    // The wrapped elements replace the text.
    let value = Array(writer.bytes[start..<max(writer.position - 1, start)])
    try value.withUnsafeBufferPointer { value in
      let list = try attributeTape.load(value)
      guard list.tokens[0].kind == .array else { return }
      writer.truncate(to: start)
      text.beginArray()
      var element = TokenIndex.first.next
      for _ in 0..<Int(clamping: list.tokens[0].payload) {
        for position in 0..<Int(output.wrapCount) {
          text.beginObject()
          writer.raw(plan.wraps[Int(output.firstWrap) &+ position].bytes)
        }
        try requireRoom(
          forLevels: writer.value(list, index: element, keepsReals: true),
          property: Int(step.field.number), record: record, table: table)
        for _ in 0..<output.wrapCount { text.endObject() }
        element = list.end(of: element)
      }
      text.endArray()
    }
  }

  /// Writes the value that names the entity of a to-one's object.
  func writeKind(_ output: PlanPart<OutputOperation>, of object: ObjectKey) {
    let step = plan.steps + Int(output.step)
    let link = graph.links[step.link]
    let side = step.field.side
    let name =
      graph.target(link, side: side, row: object.row).index.map {
        plan.kindTexts[
          rules.planNumber(ObjectKey(table: link.table(side.inverse), row: $0), step: step)]
      } ?? []
    if name.isEmpty && rules.omits(step) && !output.isElement { return }
    text.key(output)
    if name.isEmpty { writer.null() } else { name.withUnsafeBufferPointer { writer.raw($0) } }
  }

  // MARK: Values

  /// Writes the value of an attribute of an object.
  func write(_ step: PlanPart<StepPlan>, of object: ObjectKey) throws {
    try write(
      step, record: graph.tables[object.table].record(object.row), table: object.table, part: -1)
  }

  /// Writes the value of an attribute; `part` is the position in a function's result, or -1.
  func write(
    _ step: PlanPart<StepPlan>, record: UnsafeMutableRawPointer, table: TableIndex, part: Int16
  ) throws {
    let value = StoredValue(record, field: step.field, table: graph.tables + table)
    if step.reverse >= 0 && value.isPresent {
      let levels = try calls.write(value, step: step, record: record, table: table, part: part)
      try requireRoom(
        forLevels: levels, property: Int(step.field.number), record: record, table: table)
    } else if let dateForm, step.field.type == .date, value.isPresent {
      dateForm.write(Timestamp(microseconds: value.integer), writer: writer)
    } else if step.conversion == .dateForms, value.isPresent {
      plan.dateForms[Int(step.dateForms)].write(value, as: step.field.type, writer: writer)
    } else {
      // A value of the greatest depth still fits inside an object in a list.
      if text.depth > 2, value.count > 2 &* (JanssonBridge.maxDepth &- text.depth) {
        try requireRoom(for: value, step: step, record: record, table: table)
      }
      writer.write(value, conversion: step.conversion, as: step.field.type)
    }
  }

  // MARK: Levels

  /// Throws for JSON that would nest deeper than an import can read.
  @inline(never)
  private func requireRoom(
    for value: StoredValue, step: PlanPart<StepPlan>, record: UnsafeRawPointer, table: TableIndex
  ) throws {
    guard ValueKind(step.field.type) == .json || step.conversion == .jsonBytes,
      JSONNesting.isDeeper(value.bytes, than: JanssonBridge.maxDepth - text.depth)
    else { return }
    // Bytes that are not JSON are written as base64.
    if step.conversion == .jsonBytes, (try? JSONValue(parsing: value.bytes)) == nil { return }
    throw tooDeep(
      JSONNesting.count(value.bytes), property: Int(step.field.number), record: record, table: table
    )
  }

  /// Throws if a value with too many levels has been written.
  ///
  /// - Parameters:
  ///   - levels: The number of levels of the value.
  ///   - property: The number of the property with the value.
  ///   - record: The record and its table, for the message.
  /// - Throws: ``Status/limitExceeded``.
  func requireRoom(
    forLevels levels: Int, property: Int, record: UnsafeRawPointer, table: TableIndex
  ) throws {
    guard levels > JanssonBridge.maxDepth - text.depth else { return }
    throw tooDeep(levels, property: property, record: record, table: table)
  }

  private func tooDeep(
    _ levels: Int, property: Int, record: UnsafeRawPointer, table: TableIndex
  ) -> GrootError {
    GrootError(
      .limitExceeded,
      "the value has \(levels) levels, and \(text.depth) are around it: an import reads "
        + "\(JanssonBridge.maxDepth) in all; limit the depth of the export",
      entity: graph.entityName(record, in: table),
      property: graph.model.hierarchies[table].properties[property].name)
  }
}
