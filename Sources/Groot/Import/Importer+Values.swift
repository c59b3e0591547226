// Attribute values: conversion, callbacks, validation.

/// A value on the tape that a callback returned for another value.
struct SynthesizedValue {
  /// The first token of the value, and the position after its last token.
  let start: TokenIndex
  let end: TokenIndex
  /// The token that the value replaces.
  let origin: TokenIndex
  /// The number of synthesized values around the value, including itself.
  let depth: Int
}

/// The outcome of reading a value.
enum ReadResult {
  case value
  /// The callback returned nothing.
  case nothing
  /// The value is of a kind that leaves the property unchanged.
  case ignored
}

extension Importer {
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
      throw failure(.outOfRange, reason, token: token, entity: entity, property: step.field)
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
    failure(
      .limitExceeded,
      "the value has \(value.count) bytes, and an attribute holds \(graph.maximumTextLength)",
      token: token,
      entity: entity, property: step.field)
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
      throw conversionError(
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
      value, text: value.kind == .string ? value : text(ofTypedKey: token), as: step.field.type,
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
      let value = try invoke(
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

  /// Calls a function of the registry; returns nil if its result is nothing or null.
  private func invoke(
    _ function: Int32, token: TokenIndex, entity: PlanIndex, property: Field?
  ) throws -> TokenIndex? {
    if recordLimit != .kept {
      throw exceeded(function, token: token, entity: entity, property: property)
    }
    if tape.maximumCount == tape.ceiling { tape.limitGrowth(by: synthesizedLimit) }
    let start = tape.next
    call = Call(token: token, entity: entity, property: property)
    do {
      guard let result = try plan.functions[Int(function)](tape, token) else { return nil }
      addSynthesized(start, origin: token)
      guard tape.count <= tape.maximumCount,
        tape.next == start || synthesized.last?.depth ?? 0 <= JanssonBridge.maxDepth
      else { throw exceeded(function, token: token, entity: entity, property: property) }
      return tape.tokens[result].kind == .null ? nil : result
    } catch let error as JanssonBridge.TooLarge {
      throw failure(
        .outOfRange, "\(error.message), for '\(plan.functionNames[Int(function)])'",
        token: error.token, entity: entity, property: property)
    } catch let error as GrootError {
      // After an error from the limits, the rest of the record is not read.
      if recordLimit != .kept { throw error }
      if error.status == .limitExceeded {
        throw exceeded(function, token: token, entity: entity, property: property, cause: error)
      }
      throw GrootError(
        issue(
          error.status == .callbackFailed ? .callbackFailed : .transformFailed,
          "'\(plan.functionNames[Int(function)])' failed for \(shown(token)): "
            + (error.issues.first?.message ?? ""), token: token, entity: entity, property: property),
        underlying: error.underlying)
    } catch {
      throw GrootError(
        issue(
          .callbackFailed,
          "'\(plan.functionNames[Int(function)])' failed for \(shown(token)): \(error)",
          token: token,
          entity: entity, property: property), underlying: error)
    }
  }

  /// Runs a dictionary transformer; an object without a result is unchanged.
  func transformObject(_ function: Int32, object: TokenIndex, entity: PlanIndex) throws
    -> TokenIndex
  {
    guard let result = try invoke(function, token: object, entity: entity, property: nil) else {
      return object
    }
    guard tape.tokens[result].kind == .object else {
      throw failure(
        .transformFailed,
        "the dictionary transformer '\(plan.functionNames[Int(function)])' returned "
          + "\(shown(result)), not an object", token: object, entity: entity)
    }
    return result
  }

  /// Asks an entity mapper for the entity of an object; returns nil without a result.
  func mapEntity(_ function: Int32, object: TokenIndex, requested: PlanIndex) throws -> PlanIndex? {
    guard let result = try invoke(function, token: object, entity: requested, property: nil) else {
      return nil
    }
    if tape.tokens[result].kind == .string,
      let number = descendant(named: tape.tokens[result].bytes, of: plan.entities + requested),
      !plan.entities[PlanIndex(of: number)].isAbstract
    {
      return PlanIndex(of: number)
    }
    throw failure(
      .mapperFailed,
      "the entity mapper '\(plan.functionNames[Int(function)])' returned \(shown(result)), which "
        + "does not name an entity with objects among '\(name(requested))' and its descendants",
      token: object,
      entity: requested)
  }

  /// Returns the number of the named entity, if it is a plan's entity or a descendant of that.
  private func descendant(
    named name: UnsafeBufferPointer<UInt8>, of entity: PlanPart<EntityPlan>
  ) -> EntityIndex? {
    let locals = entity.localIndex...entity.lastLocalIndex
    let numbers = graph.model.hierarchies[entity.table].entities
    // A few names are compared one by one; many are found by hashing.
    if locals.count <= 16 {
      return locals.lazy.map { numbers[Int($0)] }.first {
        self.graph.model.resolved[$0].name.utf8.elementsEqual(name)
      }
    }
    guard let number = try? graph.model.index(of: String(decoding: name, as: UTF8.self)),
      graph.model.isKind(number, of: entity.entity)
    else { return nil }
    return number
  }

  /// Checks a value against the limits of its attribute.
  func validate(
    _ value: StoredValue, step: PlanPart<StepPlan>, token: TokenIndex, entity: PlanIndex
  ) throws {
    let table = plan.entities[entity].table
    let property = graph.model.hierarchies[table].properties[Int(step.field.number)]
    guard let (status, message) = property.validationFailure(of: value) else { return }
    throw failure(status, message, token: token, entity: entity, property: step.field)
  }
}
