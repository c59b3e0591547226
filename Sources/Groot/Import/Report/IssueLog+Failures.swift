// Errors with their location: the path, entity, property, value and expectation.

extension IssueLog {
  /// Warns of an entity whose records have no mapped keys.
  func noteUnread(_ entity: PlanIndex) {
    let model = graph.model
    let number = plan.entities[entity].entity
    guard plan.entities[entity].slotCount == 0,
      model.kinds(of: number).allSatisfy({ plan.entities[PlanIndex(of: $0)].slotCount == 0 }),
      !model.resolved[number].propertyNames.isEmpty
    else { return }
    note([
      GrootIssue(
        .invalidMapping,
        "no property has a key path, so the records are not read: give properties a JSONKeyPath, "
          + "or the entity groot.implicit 'true'",
        severity: .warning, entity: model.resolved[number].name)
    ])
  }

  /// Returns the name of a plan's entity.
  func name(_ number: PlanIndex) -> String {
    graph.model.resolved[plan.entities[number].entity].name
  }

  @inline(never)
  func failure(
    _ status: Status, _ message: String, token: TokenIndex, entity: PlanIndex = .none,
    property: Field? = nil
  ) -> GrootError {
    GrootError(issue(status, message, token: token, entity: entity, property: property))
  }

  func issue(
    _ status: Status, _ message: String, token: TokenIndex, entity: PlanIndex, property: Field?
  ) -> GrootIssue {
    var issue = GrootIssue(status, message, path: current.path(token))
    if !entity.isNone {
      issue.entity = name(entity)
      if let property {
        let table = plan.entities[entity].table
        issue.property = graph.model.hierarchies[table].properties[Int(property.number)].name
      }
    }
    current.reader?.locate(&issue, token: current.source(token))
    return issue
  }

  @inline(never)
  func missing(
    _ frame: ImportFrame, step: PlanPart<StepPlan>, token: TokenIndex
  ) -> GrootError {
    let entity = frame.plan
    let paths =
      mapping.entities[entity].properties
      .first { $0.property.number == Int(step.field.number) }?.inputs ?? []
    let index = !token.isNone ? token : frame.token
    let found = !token.isNone ? "the value is null" : "the key is missing"
    var issue = issue(
      .missingValue, "\(found), but the property is required", token: index, entity: entity,
      property: step.field)
    if token.isNone, let path = paths.first {
      issue.path += path.location
    }
    return GrootError(issue)
  }

  func keyless(_ object: TokenIndex, number: PlanIndex) -> GrootError {
    let entity = plan.entities + number
    let step = plan.steps + Int(plan.identities[Int(entity.firstIdentity)])
    return failure(
      .missingValue, "the record lacks a value of its identity", token: object, entity: number,
      property: step.field)
  }

  func identifierWanted(_ object: TokenIndex, number: PlanIndex) -> GrootError {
    failure(
      .wrongShape,
      "there is \(current.shown(object)) where an identifier of '\(name(number))' belongs",
      token: object,
      entity: number)
  }

  @inline(never)
  func abstractFailure(_ object: TokenIndex, entity: PlanIndex) -> GrootError {
    let hasMapper = plan.entities[entity].entityMapper >= 0
    return failure(
      hasMapper ? .mapperFailed : .abstractEntity,
      hasMapper
        ? "the entity mapper returned nothing, and '\(name(entity))' is abstract"
        : "'\(name(entity))' is abstract and has no entityMapperName to choose a descendant",
      token: object, entity: entity)
  }

  @inline(never)
  func conversionError(
    _ conversionFailure: ConversionFailure, step: PlanPart<StepPlan>, token: TokenIndex,
    value: TokenIndex,
    entity: PlanIndex
  ) -> GrootError {
    let type = step.field.type
    let wanted =
      step.conversion == .dateForms
      ? "a \(type.rawValue) in the form '\(plan.dateForms[Int(step.dateForms)].text.shortened)'"
      : expectation(step.conversion, as: type)
    var text = current.shown(value)
    if value != token { text += ", made from \(current.shown(token))," }
    switch conversionFailure {
    case .range:
      return failure(
        .outOfRange, "\(text) does not fit the type \(type.rawValue)", token: token, entity: entity,
        property: step.field)
    case .memory: return current.tape.noRoom
    case .depth:
      return failure(
        .limitExceeded, Value.tooDeep().issues[0].message, token: token, entity: entity,
        property: step.field)
    case .form, .type, .none:
      let isBuiltin = step.conversion != .plain && step.conversion != .function
      return failure(
        isBuiltin && !step.conversion.isConvention ? .transformFailed : .wrongType,
        "\(text) is not \(wanted)\(remedy(step.conversion, type: type))", token: token,
        entity: entity, property: step.field)
    }
  }

  /// Returns the way to another form of the values; a transformer decides its own form.
  private func remedy(_ conversion: Conversion, type: AttributeType) -> String {
    guard conversion == .plain, type == .date || type == .day else { return "" }
    return "; set groot.dateFormat for other forms"
  }

  private func expectation(_ conversion: Conversion, as type: AttributeType) -> String {
    switch conversion {
    case .plain, .function, .dateForms:
      switch type {
      case .integer16, .integer32, .integer64: "a whole number"
      case .double, .float: "a number"
      case .decimal: "a number, or text that is one"
      case .string: "a string"
      case .boolean: "true or false"
      case .date: "an ISO 8601 date"
      case .day: "an ISO 8601 day without a time"
      case .binary: "base64 text"
      case .uuid: "the text of a UUID"
      case .uri: "text"
      case .transformable: "a JSON value"
      case .composite: "an object"
      }
    case .integerText: "text that is a whole number"
    case .doubleText, .decimalText: "text that is a number"
    case .booleanText: "the text true or false"
    case .booleanInteger: "1 or 0"
    case .unixSeconds, .unixMilliseconds: "a number of seconds or milliseconds since 1970"
    case .anyDate, .anyDay: "a date: ISO 8601 text, or a time since 1970"
    case .uppercaseUUID: "the text of a UUID"
    case .jsonBytes: "a JSON value"
    case .jsonContainer: "an array or an object"
    case .lowercase, .uppercase, .trim: "a string"
    }
  }
}
