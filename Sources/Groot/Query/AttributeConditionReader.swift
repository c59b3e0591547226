/// Reads the conditions of a predicate on one attribute.
struct AttributeConditionReader {
  private static let operators = [
    "==", "!=", "<", "<=", ">", ">=", "in", "between", "contains", "beginsWith", "endsWith", "like",
    "ignoreCase",
  ]

  let path: PropertyPath
  let model: ManagedObjectModel

  private var type: AttributeType { path.property.field.type }
  /// Whether the attribute's values may be JSON objects.
  private var holdsObjects: Bool { type == .transformable || type == .composite }
  private var holdsText: Bool { type == .string || type == .uri }

  /// Reads a plain value, which must be equal, or an object of operators, which must all hold.
  func read(_ json: JSONValue, at location: String) throws -> Predicate {
    guard case .object(let condition) = json, isCondition(condition) else {
      return try equal(json, ignoresCase: false, at: location)
    }
    let ignoresCase = try readIgnoreCase(condition, at: location)
    return .all(
      try condition.members.compactMap { key, value in
        if key == "ignoreCase" { return nil }
        return try read(
          key, json: value, ignoresCase: ignoresCase, at: location + MessagePath.member(key))
      })
  }

  /// Returns whether an object is a list of operators, not a value of an attribute with JSON.
  private func isCondition(_ object: JSONObject) -> Bool {
    !holdsObjects || (!object.isEmpty && object.keys.allSatisfy { Self.operators.contains($0) })
  }

  private func readIgnoreCase(_ condition: JSONObject, at location: String) throws -> Bool {
    guard condition.keys.contains(where: { $0 != "ignoreCase" }) else {
      throw failure(.invalidArgument, "a condition without an operator; \(known)", at: location)
    }
    guard let option = condition["ignoreCase"] else { return false }
    let location = location + MessagePath.member("ignoreCase")
    guard let ignoresCase = option.booleanValue else {
      throw failure(.wrongType, "\"ignoreCase\" is true or false, not \(option)", at: location)
    }
    guard holdsText else {
      throw failure(
        .wrongType, "\"ignoreCase\" is for text, not for \(type.rawValue)", at: location)
    }
    return ignoresCase
  }

  private func read(
    _ key: String, json: JSONValue, ignoresCase: Bool, at location: String
  ) throws -> Predicate {
    switch key {
    case "==": return try equal(json, ignoresCase: ignoresCase, at: location)
    case "!=":
      if json.isNull { return .hasValue(path) }
      return .not(try equal(json, ignoresCase: ignoresCase, at: location))
    case "in": return try membership(json, ignoresCase: ignoresCase, at: location)
    case "between":
      guard case .array(let ends) = json, ends.count == 2 else {
        throw failure(
          .wrongShape, "\"between\" takes a list of two values, not \(json)", at: location)
      }
      return .and([
        try ordered(
          .greaterOrEqual, json: ends[0], ignoresCase: ignoresCase,
          at: location + MessagePath.element(0)),
        try ordered(
          .lessOrEqual, json: ends[1], ignoresCase: ignoresCase,
          at: location + MessagePath.element(1)),
      ])
    default: break
    }
    if let comparison = Predicate.Comparison(rawValue: key) {
      return try ordered(comparison, json: json, ignoresCase: ignoresCase, at: location)
    }
    if let match = TextMatch(rawValue: key) {
      return try text(match, json: json, ignoresCase: ignoresCase, at: location)
    }
    throw failure(.invalidArgument, "\"\(key)\" is not known here; \(known)", at: location)
  }

  private var known: String { "the operators are \(listed(Self.operators))" }

  private func equal(
    _ json: JSONValue, ignoresCase: Bool, at location: String
  ) throws -> Predicate {
    if json.isNull { return .not(.hasValue(path)) }
    return .compare(path, .equal, try value(json, at: location), ignoresCase: ignoresCase)
  }

  private func ordered(
    _ comparison: Predicate.Comparison, json: JSONValue, ignoresCase: Bool, at location: String
  ) throws -> Predicate {
    guard !holdsObjects else {
      throw failure(
        .wrongType,
        "values of the type \(type.rawValue) have no order; only \"==\", \"!=\" and "
          + "\"in\" compare them", at: location)
    }
    guard !json.isNull else {
      throw failure(
        .wrongType, "null has no order; \"==\" and \"!=\" ask whether there is a value",
        at: location)
    }
    return .compare(path, comparison, try value(json, at: location), ignoresCase: ignoresCase)
  }

  private func membership(
    _ json: JSONValue, ignoresCase: Bool, at location: String
  ) throws -> Predicate {
    guard case .array(let elements) = json else {
      throw failure(.wrongShape, "\"in\" takes a list of values, not \(json)", at: location)
    }
    var values: [Value] = []
    var allowsNone = false
    for (position, element) in elements.enumerated() {
      if element.isNull {
        allowsNone = true
      } else {
        values.append(try value(element, at: location + MessagePath.element(position)))
      }
    }
    var parts: [Predicate] = []
    if !values.isEmpty { parts.append(.isOne(path, of: values, ignoresCase: ignoresCase)) }
    if allowsNone { parts.append(.not(.hasValue(path))) }
    return .some(parts)
  }

  private func text(
    _ match: TextMatch, json: JSONValue, ignoresCase: Bool, at location: String
  ) throws -> Predicate {
    guard holdsText else {
      throw failure(
        .wrongType, "\"\(match.rawValue)\" is for text, not for \(type.rawValue)", at: location)
    }
    guard let text = json.stringValue else {
      throw failure(.wrongType, "\"\(match.rawValue)\" takes a string, not \(json)", at: location)
    }
    var pattern = text
    let length = pattern.withUTF8 {
      TextPattern(match, text: $0, ignoresCase: ignoresCase).openLength
    }
    guard length <= TextPattern.maximumOpenLength else {
      throw failure(
        .limitExceeded,
        "between two \"*\" there may be \(TextPattern.maximumOpenLength) bytes when a \"?\" is among "
          + "them; here are \(length)", at: location)
    }
    return .text(path, match, text, ignoresCase: ignoresCase)
  }

  /// Returns the value in the form of the attribute's type.
  private func value(_ json: JSONValue, at location: String) throws -> Value {
    do {
      return try Value(json, as: type)
    } catch let error as GrootError {
      throw failure(error.status, error.issues[0].message, at: location)
    }
  }

  private func failure(_ status: Status, _ message: String, at location: String) -> GrootError {
    GrootError(
      GrootIssue(
        status, message, path: location, entity: model.resolved[path.entity].name,
        property: path.property.name))
  }
}
