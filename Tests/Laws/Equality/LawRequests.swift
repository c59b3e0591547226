@testable import Groot

/// Makes requests for the objects of any model.
struct LawRequests {
  let law: LawModel
  var random: SeededGenerator

  mutating func fetch(_ entity: EntityIndex) -> FetchRequest {
    var request = FetchRequest(law.model.resolved[entity].name)
    if !random.once(in: 4) { request.predicate = predicate(entity, 2) }
    for _ in 0..<random.number(in: 0...2) {
      guard let key = orderable(entity) else { continue }
      request.sortKeys.append(FetchRequest.SortKey(key, isAscending: random.flip()))
    }
    if random.once(in: 3) {
      request.limit = random.number(in: 0...5)
      request.offset = random.number(in: 0...4)
    }
    if random.once(in: 6) {
      // All values of the identity: an index may answer.
      let properties = law.model.hierarchies[law.model.resolved[entity].hierarchy].properties
      var conditions = request.predicate.map { [$0] } ?? []
      for number in law.mapping.plan.identityNumbers[entity] {
        guard let attribute = properties[number].attribute else { continue }
        let value = random.value(of: attribute.type).json
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
    if random.flip(), let path = orderable(entity) { request.groups = [path] }
    if random.flip() { request.predicate = predicate(entity, 1) }
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
    return random.one(of: names.map { prefix + $0.name })
  }

  private mutating func way(_ entity: EntityIndex) -> (String, EntityIndex) {
    var (prefix, entity) = ("", entity)
    while random.once(in: 3) {
      let toOnes = law.relationships(of: entity).compactMap(\.relationship).filter { !$0.isToMany }
      guard let next = random.one(of: toOnes),
        let destination = try? law.model.index(of: next.destination)
      else { break }
      prefix += next.name + "."
      entity = destination
    }
    return (prefix, entity)
  }

  mutating func predicate(_ entity: EntityIndex, _ depth: Int) -> JSONValue {
    var object = JSONObject()
    for _ in 0...random.number(in: 0...1) { add(entity, depth, &object) }
    return .object(object)
  }

  private mutating func add(_ entity: EntityIndex, _ depth: Int, _ object: inout JSONObject) {
    let (prefix, last) = way(entity)
    switch random.below(depth > 0 ? 10 : 4) {
    case 0...3:
      guard let attribute = random.one(of: law.attributes(of: last).compactMap(\.attribute)) else {
        return
      }
      object[prefix + attribute.name] = condition(attribute.type)
    case 4...6:
      guard let found = random.one(of: law.relationships(of: last).compactMap(\.relationship))
      else { return }
      object[prefix + found.name] = condition(found, depth)
    case 7: object["not"] = predicate(entity, depth - 1)
    default:
      let parts = (0..<random.number(in: 0...2)).map { _ in
        predicate(entity, depth - 1)
      }
      object[random.flip() ? "and" : "or"] = .array(parts)
    }
  }

  private mutating func condition(_ relationship: RelationshipDescription, _ depth: Int)
    -> JSONValue
  {
    if !relationship.isToMany { return random.pick([.null, ["==": nil], ["!=": nil]]) }
    if random.once(in: 3) {
      let count = JSONValue.integer(random.number(in: 0...3))
      return random.pick([["count": count], ["count": [">=": count]], ["count": ["!=": count]]])
    }
    guard let destination = try? law.model.index(of: relationship.destination) else { return .null }
    return [random.pick(["any", "all", "none"]): predicate(destination, depth - 1)]
  }

  private mutating func condition(_ type: AttributeType) -> JSONValue {
    let value = random.value(of: type).json
    let other = random.value(of: type).json
    switch random.below(8) {
    case 0: return random.pick([.null, ["!=": nil], ["==": nil]])
    case 1: return ["in": [value, other, .null]]
    case 2: return ["!=": value]
    case 3...4 where type != .transformable && type != .composite:
      let key = random.pick(["<", "<=", ">", ">="])
      return random.flip() ? ["between": [value, other]] : [key: value]
    case 5...6 where type == .string:
      var condition = JSONObject()
      condition[random.pick(["contains", "beginsWith", "endsWith", "like", "==", "<"])] =
        random.pick(["a", "A", "*a*", "?da", "", "*", "_", "%", "\"", "本", "Z*"])
      if random.flip() { condition["ignoreCase"] = true }
      return .object(condition)
    default: return ["==": value]
    }
  }
}
