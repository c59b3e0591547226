/// The results of functions that get many values, for the values that were read ahead.
///
/// It keeps them from one look ahead to the next. It belongs to one import, changes no objects, and
/// adds results to the tape that asks for them.
final class BatchMemo {
  private let graph: Graph
  private let batchNumbers: [Int32]
  private let calls: [BatchCalls]

  /// Makes a memo of the functions of a plan.
  init(_ graph: Graph, plan: Plan, userdata: UInt) {
    self.graph = graph
    batchNumbers = plan.batchNumbers
    calls = plan.batches.map { batch in
      let entity = graph.model.resolved[plan.entities[batch.entity].entity].name
      return BatchCalls(
        batch.function, graph.memory, userdata: userdata,
        description: CallDescription(entity: entity, property: batch.property))
    }
  }

  /// Forgets all values and results.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  func removeAll() throws { for call in calls { try call.removeAll() } }

  /// Notes a value that an import may pass to a function of the plan.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  func note(_ token: TokenIndex, of function: Int32, on tape: JSONTape) throws {
    let number = batchNumbers[Int(function)]
    if number >= 0 { try calls[Int(number)].note(token, on: tape) }
  }

  /// Calls the functions with the values that were noted since the last time.
  ///
  /// The values of a call that fails have no results: the import passes them one at a time.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``, ``Status/cancelled``.
  func callFunctions() throws {
    try graph.memory.check()
    for call in calls {
      try graph.cancellationMark.check()
      call.callFunction()
      try graph.memory.check()
    }
  }

  /// Finds the result of a function of the plan for a value; nil if it is not known.
  func result(
    of function: Int32, for token: TokenIndex, on tape: JSONTape
  ) -> (token: TokenIndex, tape: JSONTape)? {
    let number = batchNumbers[Int(function)]
    return number < 0 ? nil : calls[Int(number)].result(for: token, on: tape)
  }
}
