@testable import Groot

/// Makes the objects and the export of a ``RoundTripScene``.
struct RoundTripObjects {
  let model: ManagedObjectModel
  let mapping: Mapping
  let document: JSONValue
  var random: SeededGenerator

  /// Objects by name; what they lead to as names.
  mutating func objects() -> JSONValue {
    var made: [(name: String, entity: EntityIndex, json: JSONObject)] = []
    for number in 0..<random.number(in: 2...9) {
      let entity = random.pick(model.entityIndices.filter { !model.resolved[$0].isAbstract })
      var json: JSONObject = ["is": .string(model.resolved[entity].name)]
      for property in properties(of: entity) where property.attribute != nil {
        json[property.name] = value(property, entity, number)
      }
      made.append(("o\(number)", entity, json))
    }
    var owned: Set<String> = []
    for index in made.indices {
      for property in properties(of: made[index].entity) {
        guard let relationship = property.relationship, !property.name.hasPrefix("of"),
          !property.name.hasPrefix("parts"), !property.name.hasPrefix("only")
        else { continue }
        // An owner comes before what it owns, so that no identity leads in a circle.
        let isOwner = property.name.hasPrefix("owner")
        var fitting = made.indices.filter { other in
          (!isOwner || other < index) && isKind(made[other].entity, relationship.destination)
        }.map { made[$0].name }
        let destination = (try? model.index(of: relationship.destination)) ?? 0
        if mapping.plan.identityNumbers[destination].isEmpty {
          // What has no identity is reached once.
          fitting.removeAll { owned.contains($0) || $0 <= made[index].name }
        }
        if fitting.isEmpty || (!isOwner && random.chance(30)) { continue }
        if property.field.isToMany {
          let members = (0..<random.number(in: 1...3)).map { _ in random.pick(fitting) }
          var seen: Set<String> = []
          let once = members.filter { seen.insert($0).inserted }
          owned.formUnion(once)
          made[index].json[property.name] = .array(once.map { .string($0) })
        } else {
          let member = random.pick(fitting)
          owned.insert(member)
          made[index].json[property.name] = .string(member)
        }
      }
    }
    return .object(JSONObject(made.map { (key: $0.name, value: .object($0.json)) }))
  }

  private func properties(of entity: EntityIndex) -> [Property] {
    model.namedProperties(of: entity)
  }

  private func isKind(_ entity: EntityIndex, _ name: String) -> Bool {
    var next: EntityIndex? = entity
    while let current = next {
      if model.resolved[current].name == name { return true }
      next = model.resolved[current].parent
    }
    return false
  }

  /// A value in JSON; of identities one that no other object has, but within owners.
  private mutating func value(_ property: Property, _ entity: EntityIndex, _ number: Int)
    -> JSONValue?
  {
    let type = property.attribute?.type ?? .string
    if property.name == "kind" { return .string(model.resolved[entity].name) }
    let numbers = mapping.plan.identityNumbers[entity]
    if numbers.contains(property.number) {
      let hasOwner = numbers.contains {
        model.hierarchies[model.resolved[entity].hierarchy].properties[$0].field.isRelationship
      }
      return identity(type, hasOwner ? number % 3 + (random.chance(50) ? 100 * number : 0) : number)
    }
    if random.chance(20) { return random.chance(50) ? nil : .null }
    let annotations = property.userInfo.map(\.value)
    if annotations.contains("Shout") { return .string(random.pick(["", "ABC", "X\"Y"])) }
    // Of "quiet" its reverse makes nothing: a transformer that is none cannot bring a value back.
    if annotations.contains("Shy") { return .string(random.pick(["", "x"])) }
    if type == .date {
      let seconds = random.number(in: Int64(400_000_000)...1_900_000_000)
      let isWhole = mapping.dialect == .hyper || annotations.contains("Millis")
      return Value.date(
        Timestamp(microseconds: seconds * 1_000_000 + (isWhole ? 0 : seconds % 1000))
      ).json
    }
    if type == .binary && mapping.dialect == .hyper {
      return Value.binary(Array(random.pick([#"{"a":[1,2]}"#, #""x""#, "17", "[]"]).utf8)).json
    }
    if type == .composite { return ["one": .integer(Int64(number))] }
    return random.value(of: type).json
  }

  private func identity(_ type: AttributeType, _ number: Int) -> JSONValue {
    switch type {
    case .integer16, .integer32, .integer64: .integer(Int64(number) - 1)
    case .decimal: .string("0.\(number + 1)1")
    case .double, .float: .real(Double(number) / 8)
    case .date:
      Value.date(Timestamp(microseconds: 500_000_000_000_000 + Int64(number) * 1_000_000)).json
    case .day: CalendarDay(daysSinceEpoch: Int64(number)).map(Value.day)?.json ?? .null
    case .uuid: .string("7d444840-9dc0-11d1-b245-5ffdce74\(1000 + number)")
    default: .string("key \(number)")
    }
  }

  // MARK: The export

  mutating func export() -> JSONValue {
    let entity = random.pick(Array(model.entityIndices))
    var json: JSONObject = ["entity": .string(model.resolved[entity].name)]
    if random.chance(50) { json["depth"] = .integer(random.number(in: 0...2)) }
    let names = properties(of: entity).map(\.name)
    if random.chance(25) {
      let identity = properties(of: entity)
        .filter { mapping.plan.identityNumbers[entity].contains($0.number) }.map(\.name)
      let others = names.filter { _ in random.chance(50) }
      json["properties"] = .array((identity + others).map { .string($0) })
    }
    if random.chance(20), let name = random.one(of: names) {
      let annotated = properties(of: entity).first { $0.name == name }?.userInfo
      let path = annotated?["JSONKeyPath"] ?? annotated?["sync.remoteKey"] ?? name
      json["exclude"] = [.string(random.chance(30) ? "in" : path)]
    }
    if random.chance(25) {
      json["relationships"] = .string(
        random.pick(mapping.dialect == .hyper ? ["nested", "none"] : ["none"]))
    }
    if mapping.dialect == .hyper && random.chance(40) { json["inflection"] = "camel" }
    if random.chance(10) {
      json["dates"] = .string(random.pick(["unixSeconds", "unixMillis", "iso8601"]))
    }
    if mapping.dialect == .kvc {
      json["toMany"] = .boolean(random.chance(60))
      json["subobjects"] = .boolean(random.chance(60))
    }
    json["form"] = .string(random.pick(["text", "value", "chunks", "file", "lines", "jansson"]))
    return .object(json)
  }
}
