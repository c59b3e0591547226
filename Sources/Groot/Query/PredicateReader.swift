/// Reads a predicate from JSON and checks it against a model.
///
/// An object is a list of conditions, which must all hold. Its keys are `and`, `or`, `not`, or
/// paths to properties.
struct PredicateReader {
  /// The greatest depth of nested predicates.
  static let maximumDepth = 64

  let model: ManagedObjectModel

  /// Reads a predicate on objects of an entity; `location` is its path in the JSON.
  func read(_ json: JSONValue, entity: EntityIndex, at location: String, depth: Int = 0) throws
    -> Predicate
  {
    guard depth < Self.maximumDepth else {
      throw failure(
        .limitExceeded, "a predicate nests no deeper than \(Self.maximumDepth) levels",
        at: location,
        entity: entity)
    }
    guard case .object(let conditions) = json else {
      throw failure(
        .wrongShape,
        "a predicate is an object with names of properties, \"and\", \"or\" or \"not\" as keys; "
          + "this is \(json)", at: location, entity: entity)
    }
    return .all(
      try conditions.members.map { key, value in
        let location = location + MessagePath.member(key)
        switch key {
        case "and": return .all(try list(value, entity: entity, at: location, depth: depth))
        case "or": return .some(try list(value, entity: entity, at: location, depth: depth))
        case "not": return .not(try read(value, entity: entity, at: location, depth: depth + 1))
        default: return try condition(key, json: value, entity: entity, at: location, depth: depth)
        }
      })
  }

  private func list(
    _ json: JSONValue, entity: EntityIndex, at location: String, depth: Int
  ) throws -> [Predicate] {
    guard case .array(let elements) = json else {
      throw failure(
        .wrongShape, "a list of predicates belongs here, not \(json)", at: location, entity: entity)
    }
    return try elements.enumerated().map { position, element in
      try read(
        element, entity: entity, at: location + MessagePath.element(position), depth: depth + 1)
    }
  }

  private func condition(
    _ text: String, json: JSONValue, entity: EntityIndex, at location: String, depth: Int
  ) throws -> Predicate {
    let path = try PropertyPath(text, of: entity, model: model, location: location)
    let field = path.property.field
    guard field.isRelationship else {
      return try AttributeConditionReader(path: path, model: model).read(json, at: location)
    }
    return field.isToMany
      ? try members(path, json: json, at: location, depth: depth)
      : try member(path, json: json, at: location)
  }

  /// Reads the condition that a to-one relationship has a member, or none.
  private func member(
    _ path: PropertyPath, json: JSONValue, at location: String
  ) throws -> Predicate {
    if json.isNull { return .not(.hasValue(path)) }
    guard case .object(let condition) = json, !condition.isEmpty else {
      throw failure(.wrongType, Self.toOneHint(path, json: json), at: location, path: path)
    }
    return .all(
      try condition.members.map { key, value in
        switch (key, value) {
        case ("==", .null): return .not(.hasValue(path))
        case ("!=", .null): return .hasValue(path)
        default:
          throw failure(
            .wrongType, Self.toOneHint(path, json: value), at: location + MessagePath.member(key),
            path: path)
        }
      })
  }

  private static func toOneHint(_ path: PropertyPath, json: JSONValue) -> String {
    "a to-one relationship is compared with null only, not with \(json); ask about a property of "
      + "its member with \"\(path.text).name\""
  }

  /// Reads the condition on the members of a to-many relationship.
  private func members(
    _ path: PropertyPath, json: JSONValue, at location: String, depth: Int
  ) throws -> Predicate {
    guard case .object(let condition) = json, !condition.isEmpty else {
      throw failure(.wrongShape, Self.toManyHint(json), at: location, path: path)
    }
    let destination = try model.index(of: path.property.relationship?.destination ?? "")
    return .all(
      try condition.members.map { key, value in
        let location = location + MessagePath.member(key)
        if key == "count" {
          return try CountReader(path: path, reader: self).read(value, at: location)
        }
        guard ["any", "all", "none"].contains(key) else {
          throw failure(
            .invalidArgument, "\"\(key)\" is not known here; " + Self.toManyHint(value),
            at: location,
            path: path)
        }
        let predicate = try read(value, entity: destination, at: location, depth: depth + 1)
        switch key {
        case "any": return .any(path, predicate)
        case "none": return .not(.any(path, predicate))
        default: return .not(.any(path, .not(predicate)))
        }
      })
  }

  private static func toManyHint(_ json: JSONValue) -> String {
    "a condition on a to-many relationship is {\"any\": predicate}, or \"all\", \"none\" or "
      + "\"count\"; this is \(json)"
  }

  func failure(
    _ status: Status, _ message: String, at location: String, entity: EntityIndex,
    property: String = ""
  ) -> GrootError {
    GrootError(
      GrootIssue(
        status, message, path: location, entity: model.resolved[entity].name, property: property))
  }

  func failure(
    _ status: Status, _ message: String, at location: String, path: PropertyPath
  ) -> GrootError {
    failure(status, message, at: location, entity: path.entity, property: path.property.name)
  }
}

extension Predicate {
  /// Returns the conjunction of predicates: a single one is unchanged, an empty list is true.
  static func all(_ parts: [Predicate]) -> Predicate {
    parts.count == 1 ? parts[0] : parts.isEmpty ? .constant(true) : .and(parts)
  }

  /// Returns the disjunction of predicates: a single one is unchanged, an empty list is false.
  static func some(_ parts: [Predicate]) -> Predicate {
    parts.count == 1 ? parts[0] : parts.isEmpty ? .constant(false) : .or(parts)
  }
}

/// Reads the condition on the number of members of a to-many relationship.
struct CountReader {
  let path: PropertyPath
  let reader: PredicateReader

  func read(_ json: JSONValue, at location: String) throws -> Predicate {
    guard case .object(let condition) = json else {
      return .count(path, .equal, try number(json, at: location))
    }
    guard !condition.isEmpty else { throw unknown(json, at: location) }
    return .all(
      try condition.members.map { key, value in
        try read(key, value: value, at: location + MessagePath.member(key))
      })
  }

  private func read(_ key: String, value: JSONValue, at location: String) throws -> Predicate {
    if let comparison = Predicate.Comparison(rawValue: key) {
      return .count(path, comparison, try number(value, at: location))
    }
    switch (key, value) {
    case ("!=", _): return .not(.count(path, .equal, try number(value, at: location)))
    case ("between", .array(let ends)) where ends.count == 2:
      return .and([
        .count(path, .greaterOrEqual, try number(ends[0], at: location + MessagePath.element(0))),
        .count(path, .lessOrEqual, try number(ends[1], at: location + MessagePath.element(1))),
      ])
    case ("in", .array(let numbers)):
      return .some(
        try numbers.enumerated().map { position, value in
          .count(path, .equal, try number(value, at: location + MessagePath.element(position)))
        })
    default: throw unknown(value, at: location)
    }
  }

  private func number(_ json: JSONValue, at location: String) throws -> Int64 {
    guard let number = json.integerValue else {
      throw reader.failure(
        .wrongType, "a number of members is an integer, not \(json)", at: location, path: path)
    }
    return number
  }

  private func unknown(_ json: JSONValue, at location: String) -> GrootError {
    reader.failure(
      .invalidArgument,
      "\"count\" takes a number, or \"==\", \"!=\", \"<\", \"<=\", \">\", \">=\" with a number, "
        + "\"between\" with two, \"in\" with a list; this is \(json)", at: location, path: path)
  }
}
