/// Reads a predicate from JSON and checks it against a model.
///
/// An object is a list of conditions that all must hold. Its keys are `and`, `or`, `not`, or paths
/// to properties.
struct PredicateReader {
  /// How deep predicates nest at most.
  static let maximumDepth = 64

  let model: ManagedObjectModel

  /// Reads a predicate on objects of an entity, a position in the model; `place` is its JSON path.
  func read(_ json: JSONValue, entity: EntityIndex, at place: String, depth: Int = 0) throws
    -> Predicate
  {
    guard depth < Self.maximumDepth else {
      throw failure(
        .limitExceeded, "a predicate nests no deeper than \(Self.maximumDepth) levels", at: place,
        entity: entity)
    }
    guard case .object(let conditions) = json else {
      throw failure(
        .wrongShape,
        "a predicate is an object with names of properties, \"and\", \"or\" or \"not\" as keys; "
          + "this is \(json)", at: place, entity: entity)
    }
    return .all(
      try conditions.members.map { key, value in
        let place = place + JSONPath.member(key)
        switch key {
        case "and": return .all(try list(value, entity: entity, at: place, depth: depth))
        case "or": return .some(try list(value, entity: entity, at: place, depth: depth))
        case "not": return .not(try read(value, entity: entity, at: place, depth: depth + 1))
        default: return try condition(key, json: value, entity: entity, at: place, depth: depth)
        }
      })
  }

  private func list(
    _ json: JSONValue, entity: EntityIndex, at place: String, depth: Int
  ) throws -> [Predicate] {
    guard case .array(let elements) = json else {
      throw failure(
        .wrongShape, "a list of predicates belongs here, not \(json)", at: place, entity: entity)
    }
    return try elements.enumerated().map { position, element in
      try read(element, entity: entity, at: place + JSONPath.element(position), depth: depth + 1)
    }
  }

  private func condition(
    _ text: String, json: JSONValue, entity: EntityIndex, at place: String, depth: Int
  ) throws -> Predicate {
    let path = try PropertyPath(text, of: entity, model: model, place: place)
    if let attribute = path.property.attribute {
      return try AttributeConditionReader(path: path, attribute: attribute, model: model)
        .read(json, at: place)
    }
    return path.property.field.isToMany
      ? try members(path, json: json, at: place, depth: depth)
      : try member(path, json: json, at: place)
  }

  /// A to-one relationship has a member or none.
  private func member(
    _ path: PropertyPath, json: JSONValue, at place: String
  ) throws -> Predicate {
    if json.isNull { return .not(.hasValue(path)) }
    guard case .object(let condition) = json, !condition.isEmpty else {
      throw failure(.wrongType, Self.toOneHint(path, json: json), at: place, path: path)
    }
    return .all(
      try condition.members.map { key, value in
        switch (key, value) {
        case ("==", .null): return .not(.hasValue(path))
        case ("!=", .null): return .hasValue(path)
        default:
          throw failure(
            .wrongType, Self.toOneHint(path, json: value), at: place + JSONPath.member(key),
            path: path)
        }
      })
  }

  private static func toOneHint(_ path: PropertyPath, json: JSONValue) -> String {
    "a to-one relationship is compared with null only, not with \(json); ask about a property of "
      + "its member with \"\(path.text).name\""
  }

  /// What holds for the members of a to-many relationship.
  private func members(
    _ path: PropertyPath, json: JSONValue, at place: String, depth: Int
  ) throws -> Predicate {
    guard case .object(let condition) = json, !condition.isEmpty else {
      throw failure(.wrongShape, Self.toManyHint(json), at: place, path: path)
    }
    let destination = try model.index(of: path.property.relationship?.destination ?? "")
    return .all(
      try condition.members.map { key, value in
        let place = place + JSONPath.member(key)
        if key == "count" {
          return try CountReader(path: path, reader: self).read(value, at: place)
        }
        guard ["any", "all", "none"].contains(key) else {
          throw failure(
            .invalidArgument, "\"\(key)\" is not known here; " + Self.toManyHint(value), at: place,
            path: path)
        }
        let predicate = try read(value, entity: destination, at: place, depth: depth + 1)
        switch key {
        case "any": return .any(path, predicate)
        case "none": return .not(.any(path, predicate))
        default: return .not(.any(path, .not(predicate)))
        }
      })
  }

  private static func toManyHint(_ json: JSONValue) -> String {
    "a to-many relationship is asked with {\"any\": predicate}, \"all\", \"none\" or \"count\"; "
      + "this is \(json)"
  }

  func failure(
    _ status: Status, _ message: String, at place: String, entity: EntityIndex,
    property: String = ""
  ) -> GrootError {
    GrootError(
      Issue(
        status, message, path: place, entity: model.resolved[entity].name, property: property))
  }

  func failure(
    _ status: Status, _ message: String, at place: String, path: PropertyPath
  ) -> GrootError {
    failure(status, message, at: place, entity: path.entity, property: path.property.name)
  }
}

extension Predicate {
  /// All of these: one alone stands for itself, none is true.
  static func all(_ parts: [Predicate]) -> Predicate {
    parts.count == 1 ? parts[0] : parts.isEmpty ? .constant(true) : .and(parts)
  }

  /// One of these at least: one alone stands for itself, none is false.
  static func some(_ parts: [Predicate]) -> Predicate {
    parts.count == 1 ? parts[0] : parts.isEmpty ? .constant(false) : .or(parts)
  }
}

/// Reads how the number of members of a to-many relationship is to compare.
struct CountReader {
  let path: PropertyPath
  let reader: PredicateReader

  func read(_ json: JSONValue, at place: String) throws -> Predicate {
    guard case .object(let condition) = json else {
      return .count(path, .equal, try number(json, at: place))
    }
    guard !condition.isEmpty else { throw unknown(json, at: place) }
    return .all(
      try condition.members.map { key, value in
        try read(key, value: value, at: place + JSONPath.member(key))
      })
  }

  private func read(_ key: String, value: JSONValue, at place: String) throws -> Predicate {
    if let comparison = Predicate.Comparison(rawValue: key) {
      return .count(path, comparison, try number(value, at: place))
    }
    switch (key, value) {
    case ("!=", _): return .not(.count(path, .equal, try number(value, at: place)))
    case ("between", .array(let ends)) where ends.count == 2:
      return .and([
        .count(path, .greaterOrEqual, try number(ends[0], at: place + JSONPath.element(0))),
        .count(path, .lessOrEqual, try number(ends[1], at: place + JSONPath.element(1))),
      ])
    case ("in", .array(let numbers)):
      return .some(
        try numbers.enumerated().map { position, value in
          .count(path, .equal, try number(value, at: place + JSONPath.element(position)))
        })
    default: throw unknown(value, at: place)
    }
  }

  private func number(_ json: JSONValue, at place: String) throws -> Int64 {
    guard let number = json.integerValue else {
      throw reader.failure(
        .wrongType, "a number of members is an integer, not \(json)", at: place, path: path)
    }
    return number
  }

  private func unknown(_ json: JSONValue, at place: String) -> GrootError {
    reader.failure(
      .invalidArgument,
      "\"count\" takes a number, or \"==\", \"!=\", \"<\", \"<=\", \">\", \">=\" with a number, "
        + "\"between\" with two, \"in\" with a list; this is \(json)", at: place, path: path)
  }
}
