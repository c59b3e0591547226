@testable import Groot

/// Requests at random on any model: all operators, all kinds of paths.
struct GeneratedQuery {
  let model: ManagedObjectModel
  var random: SeededGenerator
  /// Whether attributes are asked that no store keeps.
  var asksTransient = true

  init(_ model: ManagedObjectModel, seed: Int) {
    self.model = model
    random = SeededGenerator(seed: UInt64(seed))
  }

  mutating func predicate(_ entity: EntityIndex, _ depth: Int = 3) throws -> JSONValue {
    var object = JSONObject()
    for _ in 0...Int.random(in: 0...1, using: &random) {
      switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
      case 0...4: try addCondition(entity, depth, &object)
      case 5:
        object["not"] = try predicate(entity, depth - 1)
      default:
        object[pick(["and", "or"])] = .array(
          try (0..<Int.random(in: 0...3, using: &random)).map { _ in
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
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let steps = try properties(current) { $0.relationship != nil && !$0.field.isToMany }
      guard let step = steps.randomElement(using: &random) else { break }
      names.append(step.name)
      current = try model.index(of: step.relationship?.destination ?? "")
    }
    guard let last = try properties(current, kind).randomElement(using: &random) else {
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
    let isLikely = Int.random(in: 0..<20, using: &random) > 0 || !asksTransient
    let (name, property) = try path(entity) { property in
      !isLikely || property.attribute?.isTransient != true
    }
    if let attribute = property.attribute {
      object[name] = try condition(attribute.type)
    } else if !property.field.isToMany {
      object[name] = pick([nil, ["!=": nil]])
    } else if depth > 0, Int.random(in: 0..<3, using: &random) > 0 {
      let destination = try model.index(of: property.relationship?.destination ?? "")
      let part = try predicate(destination, depth - 1)
      object[name] = .object([pick(["any", "all", "none"]): part])
    } else {
      let count = JSONValue.integer(Int64.random(in: 0...3, using: &random))
      object[name] = [
        "count": pick([count, ["<": count], [">=": count], ["!=": count], ["in": [count, 1]]])
      ]
    }
  }

  private mutating func condition(_ type: AttributeType) throws -> JSONValue {
    let value = try QueryModel.value(type, &random).json
    let other = try QueryModel.value(type, &random).json
    let isText = type == .string || type == .uri
    let isJSON = type == .transformable || type == .composite
    var condition = JSONObject()
    switch Int.random(in: 0..<(isText ? 8 : isJSON ? 4 : 6), using: &random) {
    case 0: return isJSON ? ["==": value] : value
    case 1: return pick([nil, ["!=": nil]])
    case 2: condition["!="] = value
    case 3: condition["in"] = pick([[value, other], [value, nil], [value], []])
    case 4: condition[pick(["<", "<=", ">", ">="])] = value
    case 5: condition["between"] = [value, other]
    default:
      condition[pick(["contains", "beginsWith", "endsWith", "like"])] = pick([
        "a", "A", "", "*", "?", "a?b", "*B", "\\*", "x*", "ä", "http", "%",
      ])
    }
    if isText, Bool.random(using: &random) { condition["ignoreCase"] = true }
    return .object(condition)
  }

  /// A path to an attribute that a store has.
  mutating func attributePath(_ entity: EntityIndex) throws -> String {
    try path(entity) { $0.attribute?.isTransient == false }.0
  }

  mutating func sortKeys(_ entity: EntityIndex) throws -> [FetchRequest.SortKey] {
    try (0..<Int.random(in: 0...3, using: &random)).map { _ in
      FetchRequest.SortKey(try attributePath(entity), isAscending: Bool.random(using: &random))
    }
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }
}
