import Groot

/// Predicates and sort keys at random, on the people of ``Generated``.
struct GeneratedRequest {
  var random: SeededGenerator

  init(seed: Int) { random = SeededGenerator(seed: seed) }

  mutating func predicate(_ depth: Int = 3) -> JSONValue {
    var object = JSONObject()
    for _ in 0...random.number(in: 0...1) { addCondition(depth, &object) }
    return .object(object)
  }

  private mutating func addCondition(_ depth: Int, _ object: inout JSONObject) {
    switch random.below(depth > 0 ? 12 : 6) {
    case 0...5: addAttribute(&object)
    case 6: object[random.pick(["parent", "employer", "employer.owner"])] = random.nullCondition()
    case 7:
      object[random.pick(["and", "or"])] = .array(
        (0..<random.number(in: 0...3)).map { _ in predicate(depth - 1) })
    case 8: object["not"] = predicate(depth - 1)
    case 9:
      let count = JSONValue.integer(random.number(in: 0...3))
      let path = random.pick(["children", "friends", "employer.staff"])
      object[path] = random.countCondition(count)
    default:
      object[random.pick(["children", "friends", "employer.staff", "parent.children"])] = .object([
        random.pick(["any", "all", "none"]): predicate(depth - 1)
      ])
    }
  }

  private mutating func addAttribute(_ object: inout JSONObject) {
    let path = random.pick(["", "", "parent.", "employer.owner."])
    switch random.below(8) {
    case 0:
      let key = JSONValue.integer(random.number(in: 1...60))
      object[path + "key"] = random.pick([
        key, ordered(key), ["in": [key, 5, 9]], ["between": [key, 30]],
      ])
    case 1, 2:
      let name = random.pick(["Ada", "Zoë", "Ævar", "x\n\"y\"", "", "ada", "b"] as [JSONValue])
      var condition = JSONObject()
      condition[random.pick(["==", "!=", "<", "<=", ">", ">="])] = name
      if random.flip() {
        condition = JSONObject()
        condition[random.pick(["contains", "beginsWith", "endsWith", "like"])] = random.pick([
          "a", "A", "Zo?", "*a*", "?", "", "*", "var", "x*y?",
        ])
      }
      if random.flip() { condition["ignoreCase"] = true }
      object[path + "name"] = random.pick(
        [name, nil, .object(condition), ["in": ["Ada", nil]]] as [JSONValue])
    case 3:
      let date = JSONValue.string("19\(random.number(in: 10...99))-02-03T04:05:06.5Z")
      object[path + "born"] = random.pick([ordered(date), date, ["!=": nil]])
    case 4: object[path + "height"] = ordered(.real(Double.random(in: 1...2, using: &random)))
    case 5:
      let wealth = JSONValue.string(
        "12345678901234567890.0\(random.number(in: 1...9))")
      object[path + "wealth"] = random.pick([ordered(wealth), wealth, 5, nil] as [JSONValue])
    case 6: object[path + "active"] = random.pick([true, false, ["!=": true]])
    default:
      object[path + "notes"] = random.pick(
        [["a": true, "b": [1, 2.5, nil]], nil, ["!=": nil]] as [JSONValue])
    }
  }

  private mutating func ordered(_ value: JSONValue) -> JSONValue {
    [random.pick(["<", "<=", ">", ">=", "==", "!="]): value]
  }

  mutating func sortKeys() -> [FetchRequest.SortKey] {
    let paths = ["key", "name", "born", "wealth", "active", "parent.name", "employer.title"]
    return (0..<random.number(in: 0...3)).map { _ in
      FetchRequest.SortKey(random.pick(paths), isAscending: random.flip())
    }
  }

}
