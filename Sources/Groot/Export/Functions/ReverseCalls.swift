/// The calls of reverse functions, which may ask about the current call.
///
/// It may touch its tape and the writer, and keeps the purpose of the current call.
final class ReverseCalls: CallDescriber {
  private let graph: Graph
  private let plan: Plan
  private let writer: JSONWriter
  /// The tape with the arguments and results of functions.
  private let tape: JSONTape
  /// The results for many values; nil without functions that get many.
  private let windows: ReverseWindows?
  /// The tape for the values of other objects.
  private lazy var others = JSONTape(graph.memory)
  package let callbackUserdata: UInt
  /// The object and the property of the current call of a function.
  @exclusivity(unchecked) private var call:
    (record: UnsafeRawPointer, table: TableIndex, property: Int)?

  init(_ rules: ExportRules, writer: JSONWriter, userdata: UInt) {
    graph = rules.graph
    plan = rules.plan
    self.writer = writer
    tape = JSONTape(graph.memory)
    callbackUserdata = userdata
    windows =
      plan.reverseBatches.isEmpty ? nil : ReverseWindows(graph, plan: plan, userdata: userdata)
    tape.describer = self
  }

  package func describeCall() -> CallDescription {
    guard let call else { return CallDescription() }
    return CallDescription(
      entity: graph.entityName(call.record, in: call.table),
      property: graph.model.hierarchies[call.table].properties[call.property].name)
  }

  /// Passes a value to the reverse function of a step in its JSON form, and writes the result.
  ///
  /// - Parameters:
  ///   - value: A value that is present.
  ///   - step: The step with the function.
  ///   - record: The record and its table, which the function may ask about.
  ///   - part: The position of the element of the result that is written; -1 for the whole result.
  /// - Returns: The number of levels of the written value.
  /// - Throws: the error of the function.
  func write(
    _ value: StoredValue, step: PlanPart<StepPlan>, record: UnsafeRawPointer, table: TableIndex,
    part: Int16
  ) throws -> Int {
    let input = try put(value, as: step.field.type, onto: tape)
    // Functions are not called with null, which a JSON value may be.
    if tape.tokens[input].kind == .null {
      writer.null()
      return 1
    }
    if let known = try windows?.result(
      for: input, on: tape, step: step, of: (record, table),
      put: { (try put($0, as: step.field.type, onto: others), others) })
    {
      return write(known.token, on: known.tape, part: part)
    }
    tape.limitGrowth(by: CallbackRunner.synthesizedValues)
    call = (record, table, Int(step.field.number))
    do {
      guard let result = try plan.functions[Int(step.reverse)](tape, input) else {
        writer.null()
        return 1
      }
      return write(result, on: tape, part: part)
    } catch let error as GrootError where error.issues.first?.property.isEmpty == false {
      throw error
    } catch {
      throw failure(error, step: step, record: record, table: table)
    }
  }

  /// Returns the error for a function that failed.
  private func failure(
    _ error: any Error, step: PlanPart<StepPlan>, record: UnsafeRawPointer, table: TableIndex
  ) -> GrootError {
    let entity = graph.entityName(record, in: table)
    let property = graph.model.hierarchies[table].properties[Int(step.field.number)].name
    let name = plan.functionNames[Int(step.reverse)]
    if let error = error as? JanssonBridge.TooLarge {
      return GrootError(
        GrootIssue(
          .outOfRange, "\(error.message), for the reverse of '\(name)'", entity: entity,
          property: property))
    }
    let cause = error as? GrootError
    let isRefusal = cause != nil && cause?.status != .callbackFailed
    return GrootError(
      GrootIssue(
        isRefusal ? .transformFailed : .callbackFailed,
        "the reverse of '\(name)' failed: \(cause?.issues.first?.message ?? "\(error)")",
        entity: entity, property: property),
      underlying: cause == nil ? error : cause?.underlying)
  }

  /// Puts a value alone onto a tape in its JSON form.
  private func put(
    _ value: StoredValue, as type: AttributeType, onto tape: JSONTape
  ) throws -> TokenIndex {
    tape.reset()
    guard ValueKind(type) == .json, value.isPresent else {
      return try Value(value, as: type).json.append(to: tape)
    }
    // The text itself may have digits that a JSONValue cannot represent.
    try tape.load(UnsafeBufferPointer(start: value.start, count: value.count))
    return .first
  }

  /// Writes a result, or an element of it, and returns its number of levels.
  private func write(_ result: TokenIndex, on tape: JSONTape, part: Int16) -> Int {
    part >= 0
      ? writeElement(Int(part), of: result, on: tape) : writer.value(tape, index: result)
  }

  /// Writes an element of a reverse function's result, and returns its number of levels.
  ///
  /// The element is null if the result is not a list or is too short.
  private func writeElement(
    _ position: Int, of list: TokenIndex, on tape: JSONTape
  ) -> Int {
    let token = tape.tokens[list]
    guard token.kind == .array, UInt64(position) < token.payload else {
      writer.null()
      return 1
    }
    var element = list.next
    for _ in 0..<position { element = tape.end(of: element) }
    return writer.value(tape, index: element)
  }
}
