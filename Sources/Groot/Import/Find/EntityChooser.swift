/// The choice of a record's entity: by a value in the record, or by a function.
///
/// It reads the tape and calls functions, and touches neither rows nor links.
final class EntityChooser {
  private let plan: Plan
  private let tape: JSONTape
  private let matcher: RecordMatcher
  private let callbacks: CallbackRunner

  init(_ matcher: RecordMatcher, callbacks: CallbackRunner) {
    self.matcher = matcher
    self.callbacks = callbacks
    (plan, tape) = (matcher.plan, matcher.tape)
  }

  private var current: CurrentElement { matcher.current }
  private var log: IssueLog { matcher.log }
  private var model: ManagedObjectModel { matcher.log.graph.model }

  /// Returns the plan to read a record by; none if the record is left out.
  ///
  /// - Throws: ``Status/mapperFailed`` if the value does not name a fitting entity.
  @inline(never)
  func discriminated(_ object: TokenIndex, requested: PlanIndex) throws -> PlanIndex {
    if let chosen = choice(of: object, among: plan.entities + requested) { return chosen }
    var requested = requested
    // A chosen entity may have its own discriminator.
    while plan.entities[requested].discriminator >= 0 {
      let chosen = try discriminatedOnce(object, requested: requested)
      let number = plan.entities[requested].discriminator
      requested = chosen
      if chosen.isNone || plan.entities[chosen].discriminator == number { break }
    }
    return requested
  }

  /// Returns the plan that a direct member of the record chooses without further discriminators.
  @inline(__always)
  private func choice(of object: TokenIndex, among entity: PlanPart<EntityPlan>) -> PlanIndex? {
    let choice = plan.choices[Int(entity.discriminator)]
    guard let chosen = choice.entity(of: object, on: tape), isKind(chosen, of: entity),
      plan.entities[PlanIndex(of: chosen)].discriminator == entity.discriminator
    else { return nil }
    return PlanIndex(of: chosen)
  }

  private func discriminatedOnce(
    _ object: TokenIndex, requested: PlanIndex
  ) throws -> PlanIndex {
    let entity = plan.entities + requested
    let discriminator = plan.discriminators[Int(entity.discriminator)]
    let token = discriminatingValue(object, path: discriminator.path)
    if let token, let value = chosen(by: token, discriminator), isKind(value, of: entity) {
      return PlanIndex(of: value)
    }
    switch discriminator.unknown {
    case .skip: return .none
    case .base where !entity.isAbstract: return requested
    case .base, .error:
      // A record without the value is of the requested entity if that is the only candidate.
      if token == nil, entity.localIndex == entity.lastLocalIndex, !entity.isAbstract {
        return requested
      }
      throw unknownKind(token, of: object, discriminator, requested: requested)
    }
  }

  private func unknownKind(
    _ token: TokenIndex?, of object: TokenIndex, _ discriminator: Discriminator,
    requested: PlanIndex
  ) -> GrootError {
    let known = discriminator.values.filter { isKind($0.entity, of: plan.entities + requested) }
    let values = "values are " + listed(known.lazy.map(\.value))
    guard let token = token ?? valueOrNull(object, path: discriminator.path) else {
      var issue = log.issue(
        .mapperFailed, "no value names the entity of the record; \(values)", token: object,
        entity: requested, property: nil)
      if discriminator.path.origin == .object { issue.path += discriminator.location }
      return GrootError(issue)
    }
    let other = chosen(by: token, discriminator).map { model.resolved[$0].name }
    return log.failure(
      .mapperFailed,
      "\(current.shown(token)) names "
        + (other.map { "'\($0)', which is not a kind of '\(log.name(requested))'" } ?? "no entity")
        + "; \(values)", token: token, entity: requested)
  }

  private func isKind(_ entity: EntityIndex, of ancestor: PlanPart<EntityPlan>) -> Bool {
    let local = plan.entities[PlanIndex(of: entity)].localIndex
    return ancestor.localIndex <= local && local <= ancestor.lastLocalIndex
  }

  /// Returns the entity that a value names; a number names the same as its text.
  private func chosen(by token: TokenIndex, _ discriminator: Discriminator) -> EntityIndex? {
    if tape.tokens[token].kind == .string {
      return discriminator.choice.entity(tape.tokens[token].bytes)
    }
    var text = JSONValue(tape, index: token).description
    return text.withUTF8 { discriminator.choice.entity($0) }
  }

  private func discriminatingValue(_ object: TokenIndex, path: TapeSteps) -> TokenIndex? {
    valueOrNull(object, path: path).flatMap { tape.tokens[$0].kind == .null ? nil : $0 }
  }

  /// Returns the value that chooses the entity, which may be null.
  private func valueOrNull(_ object: TokenIndex, path: TapeSteps) -> TokenIndex? {
    let start: TokenIndex =
      switch path.origin {
      case .object: object
      case .key: matcher.place.key
      case .parent: matcher.place.parent
      case .root: matcher.document
      case .value: tape.tokens[object].kind == .object ? .none : object
      case .index, .rest: .none
      }
    return start.isNone ? nil : path.value(from: start, on: tape)
  }

  // MARK: References with an entity and an identifier

  /// Returns the plan of the object that a relationship's value names; none if it is left out.
  @inline(__always)
  func destination(
    of token: TokenIndex, _ step: PlanPart<StepPlan>, record: TokenIndex
  ) throws -> PlanIndex {
    step.kind < 0 ? step.destination : try kind(of: token, step, record: record)
  }

  /// Returns the plan of an identifier's object when another value of the record names the entity.
  ///
  /// It returns none if the object is left out.
  @inline(never)
  private func kind(
    of token: TokenIndex, _ step: PlanPart<StepPlan>, record: TokenIndex
  ) throws -> PlanIndex {
    let entity = plan.entities + step.destination
    if tape.tokens[token].kind == .object || entity.discriminator < 0 { return step.destination }
    let discriminator = plan.discriminators[Int(entity.discriminator)]
    let (path, location) = plan.kindPaths[Int(step.kind)]
    let value = path.value(from: record, on: tape)
    if let value, let chosen = chosen(by: value, discriminator), isKind(chosen, of: entity) {
      return PlanIndex(of: chosen)
    }
    switch discriminator.unknown {
    case .skip: return .none
    case .base where !entity.isAbstract: return step.destination
    case .base, .error:
      if let value {
        throw unknownKind(value, of: record, discriminator, requested: step.destination)
      }
      var issue = log.issue(
        .mapperFailed,
        "no value names the entity of the object \(current.shown(token)); values are "
          + listed(discriminator.values.lazy.map(\.value)), token: record,
        entity: step.destination, property: nil)
      issue.path += location
      throw GrootError(issue)
    }
  }

  // MARK: Functions

  /// Runs a dictionary transformer; an object without a result is unchanged.
  func transformObject(_ function: Int32, object: TokenIndex, entity: PlanIndex) throws
    -> TokenIndex
  {
    guard let result = try callbacks.invoke(function, token: object, entity: entity, property: nil)
    else {
      return object
    }
    guard tape.tokens[result].kind == .object else {
      throw log.failure(
        .transformFailed,
        "the dictionary transformer '\(plan.functionNames[Int(function)])' returned "
          + "\(current.shown(result)), not an object", token: object, entity: entity)
    }
    return result
  }

  /// Asks an entity mapper for the entity of an object; returns nil without a result.
  func mapEntity(_ function: Int32, object: TokenIndex, requested: PlanIndex) throws -> PlanIndex? {
    guard
      let result = try callbacks.invoke(function, token: object, entity: requested, property: nil)
    else {
      return nil
    }
    if tape.tokens[result].kind == .string,
      let number = descendant(named: tape.tokens[result].bytes, of: plan.entities + requested),
      !plan.entities[PlanIndex(of: number)].isAbstract
    {
      return PlanIndex(of: number)
    }
    throw log.failure(
      .mapperFailed,
      "the entity mapper '\(plan.functionNames[Int(function)])' returned \(current.shown(result)), which "
        + "does not name an entity with objects among '\(log.name(requested))' and its descendants",
      token: object,
      entity: requested)
  }

  /// Returns the number of the named entity, if it is a plan's entity or a descendant of that.
  private func descendant(
    named name: UnsafeBufferPointer<UInt8>, of entity: PlanPart<EntityPlan>
  ) -> EntityIndex? {
    let locals = entity.localIndex...entity.lastLocalIndex
    let numbers = model.hierarchies[entity.table].entities
    // A few names are compared one by one; many are found by hashing.
    if locals.count <= 16 {
      return locals.lazy.map { numbers[Int($0)] }.first {
        self.model.resolved[$0].name.utf8.elementsEqual(name)
      }
    }
    guard let number = try? model.index(of: String(decoding: name, as: UTF8.self)),
      model.isKind(number, of: entity.entity)
    else { return nil }
    return number
  }
}
