import Groot

/// Writes a model at random, in one of the three dialects, as a part of a ``RoundTripScene``.
struct RoundTripModel {
  /// An entity in the making.
  struct Entity {
    let name: String
    let parent: String?
    var attributes: [(name: String, json: JSONObject)] = []
    var relationships: [(name: String, json: JSONObject)] = []
    var userInfo: JSONObject = [:]
    var identity: [String] = []
    var isIdentified = true
    /// Whether it is only reached through its owner.
    var isClosed = false
  }

  let dialect: Mapping.Dialect
  var random: SeededGenerator
  private(set) var entities: [Entity] = []
  private var count = 0
  private lazy var isPolymorphic = random.chance(35)

  init(_ dialect: Mapping.Dialect, _ random: SeededGenerator) {
    self.dialect = dialect
    self.random = random
  }

  private mutating func fresh(_ stem: String) -> String {
    count += 1
    return stem + "\(count)"
  }

  mutating func document() -> JSONValue {
    for name in ["Ape", "Bee", "Cat"].prefix(random.number(in: 1...3)) {
      addTree(name)
    }
    for index in entities.indices where entities[index].parent == nil { identify(index) }
    for _ in 0..<random.number(in: 1...5) { addRelationship() }
    var all = JSONObject()
    for entity in entities {
      var json: JSONObject = [:]
      if let parent = entity.parent { json["parent"] = .string(parent) }
      json["attributes"] = .object(
        JSONObject(entity.attributes.map { (key: $0.name, value: .object($0.json)) }))
      json["relationships"] = .object(
        JSONObject(entity.relationships.map { (key: $0.name, value: .object($0.json)) }))
      var info = entity.userInfo
      if dialect != .hyper && !entity.identity.isEmpty {
        info["identityAttributes"] = .string(entity.identity.joined(separator: ", "))
      }
      json["userInfo"] = .object(info)
      all[entity.name] = .object(json)
    }
    return ["entities": .object(all)]
  }

  // MARK: Entities

  private mutating func addTree(_ root: String) {
    var names = [root]
    entities.append(Entity(name: root, parent: nil))
    // Where one tree has sub-entities, all say of which entity a record is.
    if dialect != .kvc, isPolymorphic {
      let mapper = dialect == .hyper ? "groot.entityMapper" : "entityMapperName"
      entities[entities.count - 1].userInfo[mapper] = "Kind"
      let kind = property("kind", "string", path: "kind")
      entities[entities.count - 1].attributes.append(("kind", kind))
      for number in 0..<random.number(in: 1...2) {
        entities.append(Entity(name: root + "\(number)", parent: random.pick(names)))
        entities[entities.count - 1].userInfo[mapper] = "Kind"
        names.append(root + "\(number)")
      }
    }
    for index in entities.indices where names.contains(entities[index].name) {
      for _ in 0..<random.number(in: 0...3) { addAttribute(index) }
    }
  }

  /// An attribute's description, with the annotations that its dialect reads.
  private func property(
    _ name: String, _ type: String, path: String?, isOptional: Bool = true
  ) -> JSONObject {
    var json: JSONObject = ["type": .string(type), "optional": .boolean(isOptional)]
    var info: JSONObject = [:]
    if let path, dialect != .hyper || path != name {
      info[dialect == .hyper ? "sync.remoteKey" : "JSONKeyPath"] = .string(path)
    }
    json["userInfo"] = .object(info)
    return json
  }

  private mutating func path(_ name: String) -> String {
    switch random.below(10) {
    case 0...1: return "in.\(name)"
    case 2: return "in.side.\(name)"
    case 3 where dialect == .groot: return "dot\\.\(name)"
    default: return name
    }
  }

  private mutating func addAttribute(_ index: Int) {
    let type = random.pick(AttributeType.allCases)
    // What is written and not read has a name by which the law knows it.
    let isShown = dialect == .groot && random.chance(5)
    let name = fresh(isShown ? "shown" : random.pick(["plainName", "someURL", "x", "snake_like"]))
    var json = property(name, type.rawValue, path: path(name))
    if type == .composite {
      json["elements"] = ["one": ["type": "integer64", "optional": true]]
    }
    var info = json["userInfo"]?.objectValue ?? [:]
    annotate(&info, type, name)
    if isShown { info["groot.direction"] = "export" }
    json["userInfo"] = .object(info)
    if type == .integer64 && random.chance(30) { json["default"] = 5 }
    entities[index].attributes.append((name, json))
  }

  private mutating func annotate(
    _ info: inout JSONObject, _ type: AttributeType, _ name: String
  ) {
    let key = dialect == .hyper ? "sync.valueTransformer" : "JSONTransformerName"
    if random.chance(30), type == .integer32 || type == .integer64 { info[key] = "Digits" }
    if random.chance(30), type == .string {
      info[key] = .string(random.pick(["Turned", "Shout", "Shy"]))
    }
    if random.chance(20), type == .date && dialect == .groot { info[key] = "Millis" }
    if dialect == .hyper, random.chance(8), info["sync.remoteKey"] == nil {
      info["sync.nonExportable"] = ""
    }
    if dialect == .groot {
      if random.chance(5) { info["groot.direction"] = "import" }
      if random.chance(8) { info["groot.alternatives"] = .string("other\(name)") }
      if random.chance(10) { info["groot.null"] = .string(random.pick(["keep", "default"])) }
    }
  }

  // MARK: Identity

  private mutating func identify(_ index: Int) {
    if random.chance(15) {
      entities[index].isIdentified = false
      return
    }
    if dialect == .hyper {
      let name = random.pick(["id", "remoteID", "theKey"])
      var json = property(
        name, random.pick(["integer32", "string"]), path: name == "theKey" ? path(name) : nil)
      if name == "theKey" {
        var info = json["userInfo"]?.objectValue ?? [:]
        info["sync.isPrimaryKey"] = "YES"
        json["userInfo"] = .object(info)
      }
      entities[index].attributes.append((name, json))
      entities[index].identity = [name]
      return
    }
    let kind = dialect == .kvc ? 0 : random.below(10)
    if kind != 9 { addKey(index) }
    if kind == 4 || kind == 5 { addKey(index) }
    if kind >= 6 {
      addOwner(index, isAlone: kind == 9)
      if kind == 8 { addOwner(index, isAlone: false) }
    }
  }

  private mutating func addKey(_ index: Int) {
    let type = random.pick([
      "integer64", "integer64", "string", "uuid", "decimal", "date", "uri", "double",
    ])
    let name = fresh("key")
    var json = property(name, type, path: path(name), isOptional: false)
    if type == "integer64", random.chance(25), dialect == .groot {
      var info = json["userInfo"]?.objectValue ?? [:]
      info["JSONTransformerName"] = "Digits"
      json["userInfo"] = .object(info)
    }
    entities[index].attributes.append((name, json))
    entities[index].identity.append(name)
  }

  /// A to-one that is a part of the identity; it leads to an entity that was identified before, or back.
  private mutating func addOwner(_ index: Int, isAlone: Bool) {
    let owners = entities[...index].filter {
      $0.parent == nil && $0.isIdentified && (!isAlone || $0.name != entities[index].name)
    }
    guard !owners.isEmpty else {
      if entities[index].identity.isEmpty { addKey(index) }
      return
    }
    let owner = random.pick(Array(owners))
    let ownerIndex = entities.firstIndex { $0.name == owner.name } ?? index
    let number = fresh("")
    let name = "owner" + number
    let isClosed =
      random.chance(20) && owner.name != entities[index].name && !entities[index].isClosed
    var json = relation(to: owner.name, isToMany: false, path: isClosed ? nil : path(name))
    // Without inverse no object is reached from its owner.
    if isClosed || isAlone || random.chance(75) {
      let back = (isAlone ? "only" : "parts") + number
      json["inverse"] = .string(back)
      var inverse = relation(to: entities[index].name, isToMany: !isAlone, path: path(back))
      inverse["inverse"] = .string(name)
      entities[ownerIndex].relationships.append((back, inverse))
    }
    if isClosed { entities[index].isClosed = true }
    entities[index].relationships.append((name, json))
    entities[index].identity.append(name)
  }

  // MARK: Relationships

  private mutating func relation(to: String, isToMany: Bool, path: String?) -> JSONObject {
    var json: JSONObject = [
      "destination": .string(to), "toMany": .boolean(isToMany), "optional": true,
    ]
    if isToMany && random.chance(50) { json["ordered"] = true }
    var info: JSONObject = [:]
    if dialect != .hyper, let path {
      info["JSONKeyPath"] = .string(path)
      if random.chance(20) { info["groot.export"] = "identifier" }
      if isToMany && random.chance(10) {
        info["groot.assignment"] = .string(random.pick(["union", "deleteMissing"]))
      }
      if random.chance(8) { info["groot.null"] = "keep" }
    }
    if dialect == .hyper {
      if random.chance(8) { info["sync.nonExportable"] = "" }
      if random.chance(6) { info["sync.remoteKey"] = .string(fresh("remote")) }
    }
    json["userInfo"] = .object(info)
    return json
  }

  private mutating func addRelationship() {
    let from = random.below(entities.count)
    let open = entities.filter { !$0.isClosed || $0.parent != nil }
      .filter { entity in !entities.contains { $0.isClosed && entity.name.hasPrefix($0.name) } }
    guard !open.isEmpty else { return }
    let to = random.pick(open)
    guard let target = entities.firstIndex(where: { $0.name == to.name }) else { return }
    let root = entities.first { $0.parent == nil && to.name.hasPrefix($0.name) }
    let name = fresh("to"), back = fresh("of")
    let isOwned = root?.isIdentified == false
    let kind = isOwned ? random.pick([0, 2]) : random.below(7)
    // What has no identity is reached along one relationship only, and not back.
    let isClosed = entities.contains { $0.isClosed && entities[from].name.hasPrefix($0.name) }
    let backPath = isOwned || isClosed || random.chance(50) ? nil : path(back)
    var json = relation(
      to: to.name, isToMany: kind != 1 && kind != 2 && kind != 5, path: path(name))
    var inverse = relation(
      to: entities[from].name, isToMany: kind == 1 || kind == 3, path: backPath)
    if isOwned && dialect == .hyper { inverse["userInfo"] = ["sync.nonExportable": ""] }
    switch kind {
    case 0...3:
      json["inverse"] = .string(back)
      inverse["inverse"] = .string(name)
      entities[target].relationships.append((back, inverse))
    case 4 where to.name == entities[from].name: json["inverse"] = .string(name)
    default: break
    }
    entities[from].relationships.append((name, json))
    addMergedPath(from, name)
  }

  /// By conventions an attribute's path may go through the key of a relationship.
  private mutating func addMergedPath(_ index: Int, _ relationship: String) {
    guard dialect == .hyper, random.chance(25) else { return }
    let name = fresh("within")
    entities[index].attributes.append(
      (name, property(name, "string", path: "\(relationship).\(random.pick(["", "deep."]))\(name)"))
    )
  }
}
