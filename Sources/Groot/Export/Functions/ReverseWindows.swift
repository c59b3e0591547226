/// The results of reverse functions that get many values, for objects that are written in order.
///
/// The rows of a table are usually written one after the other. When the value of a row is not known,
/// the function gets the values of that row and the next ones: of 1, 2, 4 and up to 512 rows while they
/// come in order. It only reads objects.
final class ReverseWindows {
  /// The rows whose values one function got last.
  private struct Window {
    let calls: BatchCalls
    /// The row after the last one.
    var end: Row
    var size = 0
    /// The number of windows in a row that did not follow the one before.
    var strayCount = 0
  }

  private static let maximumSize = 512
  /// The number of values after which the known ones are forgotten.
  private static let maximumCount = 4_096
  /// The number of strays after which a function gets a value at a time.
  private static let maximumStrays = 16

  private let graph: Graph
  private let plan: Plan
  private let userdata: UInt
  /// The windows by the number of the function, which belongs to one property of an entity.
  private var windows: [Int32: Window] = [:]

  init(_ graph: Graph, plan: Plan, userdata: UInt) {
    (self.graph, self.plan, self.userdata) = (graph, plan, userdata)
  }

  /// Returns the result for a value of a record, with its tape; nil if it must be passed alone.
  ///
  /// - Parameters:
  ///   - value: The value in its JSON form on `tape`.
  ///   - step: The step with the function.
  ///   - record: The record and its table.
  ///   - put: A function that puts the value of another record onto an empty tape.
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  func result(
    for value: TokenIndex, on tape: JSONTape, step: PlanPart<StepPlan>,
    of object: (record: UnsafeRawPointer, table: TableIndex),
    put: (StoredValue) throws -> (TokenIndex, JSONTape)
  ) throws -> (token: TokenIndex, tape: JSONTape)? {
    guard let function = plan.reverseBatches[step.reverse] else { return nil }
    var window = windows[step.reverse] ?? makeWindow(function, step: step, of: object)
    if let known = known(value, on: tape, window) { return known }
    guard window.strayCount < Self.maximumStrays, move(&window, to: object) else { return nil }
    defer { windows[step.reverse] = window }
    if window.size == 1 { return nil }
    if window.calls.count > Self.maximumCount { try window.calls.removeAll() }
    let table = graph.tables + object.table
    let entity = object.record.assumingMemoryBound(to: RecordHeader.self).pointee.entity
    for row in Row(window.end.offset - window.size)..<min(window.end, table.pointee.rows.upperBound)
    where table.pointee.isLive(row) && table.pointee.header(row).pointee.entity == entity {
      let next = StoredValue(table.pointee.record(row), field: step.field, table: table)
      // A wrong value of another object is reported when that one is written.
      guard next.isPresent, let (token, other) = try? put(next) else { continue }
      if other.tokens[token].kind != .null { try window.calls.note(token, on: other) }
    }
    window.calls.callFunction()
    try graph.memory.check()
    return known(value, on: tape, window)
  }

  /// Returns a known result; nil for one that is larger than the limit, which the single call reports.
  private func known(
    _ value: TokenIndex, on tape: JSONTape, _ window: Window
  ) -> (token: TokenIndex, tape: JSONTape)? {
    guard let known = window.calls.result(for: value, on: tape),
      known.tape.end(of: known.token).offset - known.token.offset
        <= CallbackRunner.synthesizedValues
    else { return nil }
    return known
  }

  private func makeWindow(
    _ function: BatchFunction, step: PlanPart<StepPlan>,
    of object: (record: UnsafeRawPointer, table: TableIndex)
  ) -> Window {
    let property = graph.model.hierarchies[object.table].properties[Int(step.field.number)].name
    let description = CallDescription(
      entity: graph.entityName(object.record, in: object.table), property: property)
    return Window(
      calls: BatchCalls(
        function, graph.memory, userdata: userdata, description: description), end: Row(0))
  }

  /// Moves a window to the row of a record, and doubles it if the row follows soon after it.
  private func move(
    _ window: inout Window, to object: (record: UnsafeRawPointer, table: TableIndex)
  ) -> Bool {
    guard let row = graph.tables[object.table].row(of: object.record, near: window.end) else {
      return false
    }
    let distance = row.offset - window.end.offset
    let isNext = distance >= 0 && distance <= window.size
    window.strayCount = isNext ? 0 : window.strayCount + 1
    window.size = isNext ? min(max(window.size * 2, 1), Self.maximumSize) : 1
    window.end = Row(row.offset + window.size)
    return true
  }
}
