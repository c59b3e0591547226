@testable import Groot

/// Requests at random on any model: all operators, all kinds of paths.
struct GeneratedQuery {
  let model: ManagedObjectModel
  var random: SeededGenerator
  /// Whether attributes are asked that no store keeps.
  var asksTransient = true

  init(_ model: ManagedObjectModel, seed: Int) {
    self.model = model
    random = SeededGenerator(seed: seed)
  }

  mutating func predicate(_ entity: EntityIndex, _ depth: Int = 3) throws -> JSONValue {
    var object = JSONObject()
    for _ in 0...random.number(in: 0...1) {
      switch random.below(depth > 0 ? 8 : 5) {
      case 0...4: try addCondition(entity, depth, &object)
      case 5:
        object["not"] = try predicate(entity, depth - 1)
      default:
        object[random.pick(["and", "or"])] = .array(
          try (0..<random.number(in: 0...3)).map { _ in
            try predicate(entity, depth - 1)
          })
      }
    }
    return .object(object)
  }

  /// The name of a path to some property, with the property.
  private mutating func path(
    _ entity: EntityIndex, _ kind: (Property) -> Bool
  ) throws -> (String, Property) {
    var names: [String] = []
    var current = entity
    for _ in 0..<random.number(in: 0...2) {
      let steps = try properties(current) { $0.relationship != nil && !$0.field.isToMany }
      guard let step = random.one(of: steps) else { break }
      names.append(step.name)
      current = try model.index(of: step.relationship?.destination ?? "")
    }
    guard let last = try random.one(of: properties(current, kind)) else {
      return try path(entity, kind)
    }
    return ((names + [last.name]).joined(separator: "."), last)
  }

  private func properties(_ entity: EntityIndex, _ kind: (Property) -> Bool) throws -> [Property] {
    try model.resolved[entity].propertyNames.sorted()
      .map { try model.property(named: $0, of: entity) }.filter(kind)
  }

  private mutating func addCondition(
    _ entity: EntityIndex, _ depth: Int, _ object: inout JSONObject
  ) throws {
    let isLikely = !random.once(in: 20) || !asksTransient
    let (name, property) = try path(entity) { property in
      !isLikely || property.attribute?.isTransient != true
    }
    if let attribute = property.attribute {
      object[name] = condition(attribute.type)
    } else if !property.field.isToMany {
      object[name] = random.nullCondition()
    } else if depth > 0, !random.once(in: 3) {
      let destination = try model.index(of: property.relationship?.destination ?? "")
      let part = try predicate(destination, depth - 1)
      object[name] = .object([random.pick(["any", "all", "none"]): part])
    } else {
      object[name] = random.countCondition(.integer(random.number(in: 0...3)))
    }
  }

  private mutating func condition(_ type: AttributeType) -> JSONValue {
    let value = random.edge(of: type).json
    let other = random.edge(of: type).json
    let isText = type == .string || type == .uri
    let isJSON = type == .transformable || type == .composite
    var condition = JSONObject()
    switch random.below(isText ? 8 : isJSON ? 4 : 6) {
    case 0: return isJSON ? ["==": value] : value
    case 1: return random.nullCondition()
    case 2: condition["!="] = value
    case 3: condition["in"] = random.pick([[value, other], [value, nil], [value], []])
    case 4: condition[random.pick(["<", "<=", ">", ">="])] = value
    case 5: condition["between"] = [value, other]
    default:
      condition[random.pick(["contains", "beginsWith", "endsWith", "like"])] = random.pick([
        "a", "A", "", "*", "?", "a?b", "*B", "\\*", "x*", "ä", "http", "%",
      ])
    }
    if isText, random.flip() { condition["ignoreCase"] = true }
    return .object(condition)
  }

  /// A path to an attribute that a store has.
  mutating func attributePath(_ entity: EntityIndex) throws -> String {
    try path(entity) { $0.attribute?.isTransient == false }.0
  }

  mutating func sortKeys(_ entity: EntityIndex) throws -> [FetchRequest.SortKey] {
    try (0..<random.number(in: 0...3)).map { _ in
      FetchRequest.SortKey(try attributePath(entity), isAscending: random.flip())
    }
  }

}
