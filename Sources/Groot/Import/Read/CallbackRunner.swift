/// Calls the functions of a mapping with values on the tape, within limits.
///
/// Without the limits, a dictionary transformer whose result holds another object of its entity would
/// be called without end. It adds results to the tape, and touches nothing else.
final class CallbackRunner {
  /// The purpose of a function's call.
  private struct Call {
    var token = TokenIndex.none
    var entity = PlanIndex.none
    var property: Field?
  }

  /// The number of values that callbacks may add to any record.
  static let synthesizedValues = 1 << 20
  /// The number of additional values for each of a record's own values.
  ///
  /// It allows for a copy of each nested object with all objects inside it.
  static let synthesizedValuesPerValue = JanssonBridge.maxDepth

  let plan: Plan
  let current: CurrentElement
  let tape: JSONTape
  let log: IssueLog
  /// The number of values that callbacks may add to a record besides those for its size.
  @exclusivity(unchecked) var synthesizedLimit = CallbackRunner.synthesizedValues
  /// The current call of a function.
  @exclusivity(unchecked) private var call = Call()
  /// The results for values that were read ahead; nil without functions that get many values.
  @exclusivity(unchecked) var memo: BatchMemo?
  package let callbackUserdata: UInt

  init(_ plan: Plan, current: CurrentElement, log: IssueLog, userdata: UInt) {
    self.plan = plan
    self.current = current
    tape = current.tape
    self.log = log
    callbackUserdata = userdata
    tape.describer = self
  }

  /// Calls a function of the registry; returns nil if its result is nothing or null.
  func invoke(
    _ function: Int32, token: TokenIndex, entity: PlanIndex, property: Field?
  ) throws -> TokenIndex? {
    if log.recordLimit != .kept {
      throw exceeded(function, token: token, entity: entity, property: property)
    }
    if tape.maximumCount == tape.ceiling { tape.limitGrowth(by: synthesizedLimit) }
    let start = tape.next
    call = Call(token: token, entity: entity, property: property)
    do {
      guard let result = try result(of: function, token: token) else { return nil }
      try current.addSynthesized(start, origin: token)
      guard tape.count <= tape.maximumCount,
        tape.next == start || current.lastDepth <= JanssonBridge.maxDepth
      else { throw exceeded(function, token: token, entity: entity, property: property) }
      return tape.tokens[result].kind == .null ? nil : result
    } catch let error as JanssonBridge.TooLarge {
      throw log.failure(
        .outOfRange, "\(error.message), for '\(plan.functionNames[Int(function)])'",
        token: error.token, entity: entity, property: property)
    } catch let error as GrootError {
      // After an error from the limits, the rest of the record is not read.
      if log.recordLimit != .kept { throw error }
      if error.status == .limitExceeded {
        throw exceeded(function, token: token, entity: entity, property: property, cause: error)
      }
      throw GrootError(
        log.issue(
          error.status == .callbackFailed ? .callbackFailed : .transformFailed,
          "'\(plan.functionNames[Int(function)])' failed for \(current.shown(token)): "
            + (error.issues.first?.message ?? ""), token: token, entity: entity, property: property),
        underlying: error.underlying)
    } catch {
      throw GrootError(
        log.issue(
          .callbackFailed,
          "'\(plan.functionNames[Int(function)])' failed for \(current.shown(token)): \(error)",
          token: token,
          entity: entity, property: property), underlying: error)
    }
  }

  /// Takes the result that is known from a call with many values, or calls the function.
  @inline(__always)
  private func result(of function: Int32, token: TokenIndex) throws -> TokenIndex? {
    guard let known = memo?.result(of: function, for: token, on: tape) else {
      return try plan.functions[Int(function)](tape, token)
    }
    if known.tape.tokens[known.token].kind == .null { return nil }
    return try tape.append(known.token, of: known.tape)
  }

  /// Notes that the current record exceeds the limits, and returns the failure at a value.
  func exceeded(
    _ function: Int32, token: TokenIndex, entity: PlanIndex, property: Field?,
    cause: GrootError? = nil
  ) -> GrootError {
    log.exceedLimit()
    let reason =
      cause.flatMap { $0.issues.first?.message }.map { "; \($0)" } ?? ""
    return log.failure(
      .limitExceeded,
      "the results of '\(plan.functionNames[Int(function)])' and other callbacks for one record "
        + "exceed the limits: \(tape.maximumCount) values, and \(JanssonBridge.maxDepth) results "
        + "within one another\(reason)", token: token, entity: entity, property: property)
  }
}

extension CallbackRunner: CallDescriber {
  package func describeCall() -> CallDescription {
    guard !call.token.isNone else { return CallDescription() }
    let issue = log.issue(
      .ok, "", token: call.token, entity: call.entity, property: call.property)
    return CallDescription(entity: issue.entity, property: issue.property, path: issue.path)
  }
}

extension JSONTape {
  /// Lets the tape grow by `allowed` values, and by a multiple of its current values.
  func limitGrowth(by allowed: Int) {
    let (more, overflow) = count.multipliedReportingOverflow(
      by: CallbackRunner.synthesizedValuesPerValue)
    maximumCount = overflow ? Self.maxCount : min(count &+ more &+ allowed, Self.maxCount)
  }
}
