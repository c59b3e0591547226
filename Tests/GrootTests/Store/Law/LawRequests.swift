@testable import Groot

/// Makes requests for the objects of any model.
struct LawRequests {
  let law: LawModel
  var random: SeededGenerator

  private mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &random)
  }

  mutating func fetch(_ entity: EntityIndex) -> FetchRequest {
    var request = FetchRequest(law.model.resolved[entity].name)
    if Int.random(in: 0..<4, using: &random) > 0 { request.predicate = predicate(entity, 2) }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      guard let key = orderable(entity) else { continue }
      request.sortKeys.append(FetchRequest.SortKey(key, isAscending: Bool.random(using: &random)))
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      request.limit = Int.random(in: 0...5, using: &random)
      request.offset = Int.random(in: 0...4, using: &random)
    }
    if Int.random(in: 0..<6, using: &random) == 0 {
      // All values of the identity: an index may answer.
      let properties = law.model.hierarchies[law.model.resolved[entity].hierarchy].properties
      var conditions = request.predicate.map { [$0] } ?? []
      for number in law.mapping.plan.identityNumbers[entity] {
        guard let attribute = properties[number].attribute else { continue }
        let value = LawValues.value(attribute.type, &random).json
        conditions.append([attribute.name: ["==": value]])
      }
      request.predicate = ["and": .array(conditions)]
    }
    return request
  }

  mutating func aggregate(_ entity: EntityIndex) -> AggregateRequest {
    var request = AggregateRequest(law.model.resolved[entity].name, aggregates: ["n": .count])
    if let path = orderable(entity) {
      request.aggregates["least"] = .minimum(path)
      request.aggregates["greatest"] = .maximum(path)
      request.aggregates["number"] = .countOf(path)
    }
    if let path = attribute(entity, { $0.isInteger || [.decimal, .double, .float].contains($0) }) {
      request.aggregates["sum"] = .sum(path)
      request.aggregates["mean"] = .average(path)
    }
    if Bool.random(using: &random), let path = orderable(entity) { request.groups = [path] }
    if Bool.random(using: &random) { request.predicate = predicate(entity, 1) }
    return request
  }

  mutating func orderable(_ entity: EntityIndex) -> String? {
    attribute(entity) { $0 != .transformable && $0 != .composite }
  }

  /// A path to an attribute, through to-one relationships now and then.
  private mutating func attribute(_ entity: EntityIndex, _ fits: (AttributeType) -> Bool) -> String?
  {
    let (prefix, entity) = way(entity)
    let names = law.attributes(of: entity).compactMap(\.attribute).filter { fits($0.type) }
    return pick(names.map { prefix + $0.name })
  }

  private mutating func way(_ entity: EntityIndex) -> (String, EntityIndex) {
    var (prefix, entity) = ("", entity)
    while Int.random(in: 0..<3, using: &random) == 0 {
      let toOnes = law.relationships(of: entity).compactMap(\.relationship).filter { !$0.isToMany }
      guard let next = pick(toOnes), let destination = try? law.model.index(of: next.destination)
      else { break }
      prefix += next.name + "."
      entity = destination
    }
    return (prefix, entity)
  }

  mutating func predicate(_ entity: EntityIndex, _ depth: Int) -> JSONValue {
    var object = JSONObject()
    for _ in 0...Int.random(in: 0...1, using: &random) { add(entity, depth, &object) }
    return .object(object)
  }

  private mutating func add(_ entity: EntityIndex, _ depth: Int, _ object: inout JSONObject) {
    let (prefix, last) = way(entity)
    switch Int.random(in: 0..<(depth > 0 ? 10 : 4), using: &random) {
    case 0...3:
      guard let attribute = pick(law.attributes(of: last).compactMap(\.attribute)) else { return }
      object[prefix + attribute.name] = condition(attribute.type)
    case 4...6:
      guard let found = pick(law.relationships(of: last).compactMap(\.relationship)) else { return }
      object[prefix + found.name] = condition(found, depth)
    case 7: object["not"] = predicate(entity, depth - 1)
    default:
      let parts = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        predicate(entity, depth - 1)
      }
      object[Bool.random(using: &random) ? "and" : "or"] = .array(parts)
    }
  }

  private mutating func condition(_ relationship: RelationshipDescription, _ depth: Int)
    -> JSONValue
  {
    if !relationship.isToMany { return pick([.null, ["==": nil], ["!=": nil]]) ?? .null }
    if Int.random(in: 0..<3, using: &random) == 0 {
      let count = JSONValue.integer(Int64.random(in: 0...3, using: &random))
      return pick([["count": count], ["count": [">=": count]], ["count": ["!=": count]]]) ?? .null
    }
    guard let destination = try? law.model.index(of: relationship.destination) else { return .null }
    return [pick(["any", "all", "none"]) ?? "any": predicate(destination, depth - 1)]
  }

  private mutating func condition(_ type: AttributeType) -> JSONValue {
    let value = LawValues.value(type, &random).json
    let other = LawValues.value(type, &random).json
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return pick([.null, ["!=": nil], ["==": nil]]) ?? .null
    case 1: return ["in": [value, other, .null]]
    case 2: return ["!=": value]
    case 3...4 where type != .transformable && type != .composite:
      let key = pick(["<", "<=", ">", ">="]) ?? "<"
      return Bool.random(using: &random) ? ["between": [value, other]] : [key: value]
    case 5...6 where type == .string:
      var condition = JSONObject()
      condition[pick(["contains", "beginsWith", "endsWith", "like", "==", "<"]) ?? "=="] =
        pick(["a", "A", "*a*", "?da", "", "*", "_", "%", "\"", "本", "Z*"])
      if Bool.random(using: &random) { condition["ignoreCase"] = true }
      return .object(condition)
    default: return ["==": value]
    }
  }
}
