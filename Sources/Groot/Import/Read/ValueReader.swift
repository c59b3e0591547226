/// Reads the values of attributes: conversion, functions, validation.
///
/// It asks the graph for limits, and changes nothing in it.
final class ValueReader {
  private let graph: Graph
  private let plan: Plan
  private let tape: JSONTape
  private let current: CurrentElement
  private let log: IssueLog
  let callbacks: CallbackRunner

  init(_ graph: Graph, plan: Plan, callbacks: CallbackRunner) {
    self.graph = graph
    self.plan = plan
    self.callbacks = callbacks
    (tape, current, log) = (callbacks.tape, callbacks.current, callbacks.log)
  }

  /// Converts a value that is not null, and that the store can hold.
  @inline(__always)
  func read(
    _ step: PlanPart<StepPlan>, token: TokenIndex, entity: PlanIndex,
    into result: inout StoredValue
  ) throws -> ReadResult {
    let outcome = try convert(step, token: token, entity: entity, into: &result)
    if graph.hasLimits, outcome == .value, !graph.limits.hold(result, as: step.field.type),
      let reason = graph.objection(result, step.field.type)
    {
      throw log.failure(.outOfRange, reason, token: token, entity: entity, property: step.field)
    }
    return outcome
  }

  @inline(__always)
  private func convert(
    _ step: PlanPart<StepPlan>, token: TokenIndex, entity: PlanIndex,
    into result: inout StoredValue
  ) throws -> ReadResult {
    if step.conversion.needsPlan {
      return try step.conversion == .function
        ? readThroughFunction(step, token: token, entity: entity, into: &result)
        : readDate(step, token: token, entity: entity, into: &result)
    }
    let conversionFailure = Conversion.read(
      step.conversion, as: step.field.type, on: tape, index: token, into: &result)
    if conversionFailure != .none {
      return try readAnyway(
        conversionFailure, step: step, token: token, value: token, entity: entity, into: &result)
    }
    if result.count > graph.maximumTextLength {
      throw tooLong(result, step: step, token: token, entity: entity)
    }
    return .value
  }

  @inline(never)
  private func tooLong(
    _ value: StoredValue, step: PlanPart<StepPlan>, token: TokenIndex, entity: PlanIndex
  ) -> GrootError {
    log.failure(
      .limitExceeded,
      "the value has \(value.count) bytes, and an attribute holds \(graph.maximumTextLength)",
      token: token, entity: entity, property: step.field)
  }

  /// Reads a value of the wrong type if the policy allows it; otherwise throws an error.
  @inline(never)
  private func readAnyway(
    _ conversionFailure: ConversionFailure, step: PlanPart<StepPlan>, token: TokenIndex,
    value: TokenIndex,
    entity: PlanIndex, into result: inout StoredValue
  ) throws -> ReadResult {
    var conversionFailure = conversionFailure
    let isBuiltin = step.conversion != .plain && step.conversion != .function
    let type = step.field.type
    if !isBuiltin {
      switch step.policies.conversion {
      case .exact: break
      case .lenient:
        // Text that is not a day may have another reading; other texts have only one valid form.
        if conversionFailure == .type || type == .day {
          conversionFailure = Conversion.readLenient(type, on: tape, index: value, into: &result)
        }
      case .coercing:
        conversionFailure = Conversion.readCoercing(
          type, on: tape, index: value, into: &result, cutsFractions: false)
      case .generous:
        if tape.tokens[value].kind == .object { return .ignored }
        conversionFailure = Conversion.readCoercing(
          type, on: tape, index: value, into: &result, cutsFractions: true)
      }
    } else if conversionFailure == .type && step.policies.conversion == .generous {
      // Conventions ignore misplaced objects, and containers for values without a transformer.
      let isContainerOnly = step.conversion == .jsonContainer
      if isContainerOnly || tape.tokens[value].kind == .object { return .ignored }
    }
    if conversionFailure != .none {
      throw log.conversionError(
        conversionFailure, step: step, token: token, value: value, entity: entity)
    }
    if result.count > graph.maximumTextLength {
      throw tooLong(result, step: step, token: token, entity: entity)
    }
    return .value
  }

  /// Reads a date or a day in one of its step's formats.
  private func readDate(
    _ step: PlanPart<StepPlan>, token: TokenIndex, entity: PlanIndex,
    into result: inout StoredValue
  ) throws -> ReadResult {
    let value = tape.tokens[token]
    let conversionFailure = plan.dateForms[Int(step.dateForms)].read(
      value, text: value.kind == .string ? value : current.text(ofTypedKey: token),
      as: step.field.type,
      into: &result)
    if conversionFailure == .none { return .value }
    return try readAnyway(
      conversionFailure, step: step, token: token, value: token, entity: entity, into: &result)
  }

  private func readThroughFunction(
    _ step: PlanPart<StepPlan>, token: TokenIndex, entity: PlanIndex,
    into result: inout StoredValue
  ) throws -> ReadResult {
    guard
      let value = try callbacks.invoke(
        step.forward, token: token, entity: entity, property: step.field)
    else { return .nothing }
    let conversionFailure = Conversion.read(
      .plain, as: step.field.type, on: tape, index: value, into: &result)
    if conversionFailure != .none {
      return try readAnyway(
        conversionFailure, step: step, token: token, value: value, entity: entity, into: &result)
    }
    if result.count > graph.maximumTextLength {
      throw tooLong(result, step: step, token: token, entity: entity)
    }
    return .value
  }

  /// Checks a value against the limits of its attribute.
  func validate(
    _ value: StoredValue, step: PlanPart<StepPlan>, token: TokenIndex, entity: PlanIndex
  ) throws {
    let table = plan.entities[entity].table
    let property = graph.model.hierarchies[table].properties[Int(step.field.number)]
    guard let (status, message) = property.validationFailure(of: value) else { return }
    throw log.failure(status, message, token: token, entity: entity, property: step.field)
  }
}

/// The outcome of reading a value.
enum ReadResult {
  case value
  /// The callback returned nothing.
  case nothing
  /// The value is of a kind that leaves the property unchanged.
  case ignored
}
