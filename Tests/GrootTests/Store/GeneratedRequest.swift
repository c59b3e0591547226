import Groot

/// Predicates and sort keys at random, on the people of ``Generated``.
struct GeneratedRequest {
  var random: SeededGenerator

  init(seed: Int) { random = SeededGenerator(seed: UInt64(seed)) }

  mutating func predicate(_ depth: Int = 3) -> JSONValue {
    var object = JSONObject()
    for _ in 0...Int.random(in: 0...1, using: &random) { addCondition(depth, &object) }
    return .object(object)
  }

  private mutating func addCondition(_ depth: Int, _ object: inout JSONObject) {
    switch Int.random(in: 0..<(depth > 0 ? 12 : 6), using: &random) {
    case 0...5: addAttribute(&object)
    case 6: object[pick(["parent", "employer", "employer.owner"])] = pick([nil, ["!=": nil]])
    case 7:
      object[pick(["and", "or"])] = .array(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in predicate(depth - 1) })
    case 8: object["not"] = predicate(depth - 1)
    case 9:
      let count = JSONValue.integer(Int64.random(in: 0...3, using: &random))
      object[pick(["children", "friends", "employer.staff"])] = [
        "count": pick([count, ["<": count], [">=": count], ["!=": count], ["in": [count, 1]]])
      ]
    default:
      object[pick(["children", "friends", "employer.staff", "parent.children"])] = .object([
        pick(["any", "all", "none"]): predicate(depth - 1)
      ])
    }
  }

  private mutating func addAttribute(_ object: inout JSONObject) {
    let path = pick(["", "", "parent.", "employer.owner."])
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      let key = JSONValue.integer(Int64.random(in: 1...60, using: &random))
      object[path + "key"] = pick([
        key, ordered(key), ["in": [key, 5, 9]], ["between": [key, 30]],
      ])
    case 1, 2:
      let name = pick(["Ada", "Zoë", "Ævar", "x\n\"y\"", "", "ada", "b"] as [JSONValue])
      var condition = JSONObject()
      condition[pick(["==", "!=", "<", "<=", ">", ">="])] = name
      if Bool.random(using: &random) {
        condition = JSONObject()
        condition[pick(["contains", "beginsWith", "endsWith", "like"])] = pick([
          "a", "A", "Zo?", "*a*", "?", "", "*", "var", "x*y?",
        ])
      }
      if Bool.random(using: &random) { condition["ignoreCase"] = true }
      object[path + "name"] = pick([name, nil, .object(condition), ["in": ["Ada", nil]]])
    case 3:
      let date = JSONValue.string("19\(Int.random(in: 10...99, using: &random))-02-03T04:05:06.5Z")
      object[path + "born"] = pick([ordered(date), date, ["!=": nil]])
    case 4: object[path + "height"] = ordered(.real(Double.random(in: 1...2, using: &random)))
    case 5:
      let wealth = JSONValue.string(
        "12345678901234567890.0\(Int.random(in: 1...9, using: &random))")
      object[path + "wealth"] = pick([ordered(wealth), wealth, 5, nil])
    case 6: object[path + "active"] = pick([true, false, ["!=": true]])
    default: object[path + "notes"] = pick([["a": true, "b": [1, 2.5, nil]], nil, ["!=": nil]])
    }
  }

  private mutating func ordered(_ value: JSONValue) -> JSONValue {
    [pick(["<", "<=", ">", ">=", "==", "!="]): value]
  }

  mutating func sortKeys() -> [FetchRequest.SortKey] {
    let paths = ["key", "name", "born", "wealth", "active", "parent.name", "employer.title"]
    return (0..<Int.random(in: 0...3, using: &random)).map { _ in
      FetchRequest.SortKey(pick(paths), isAscending: Bool.random(using: &random))
    }
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }
}
