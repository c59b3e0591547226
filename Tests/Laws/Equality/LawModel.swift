@testable import Groot

/// A model at random: inheritance, every kind of relationship, identity and attribute.
struct LawModel {
  let document: JSONValue
  let mapping: Mapping
  /// By entity, the named properties that it has or inherits.
  private let properties: [[Property]]

  init(seed: UInt64) throws {
    var generator = Generator(random: SeededGenerator(seed: seed))
    document = generator.document()
    let model = try ManagedObjectModel(document: document)
    mapping = try Mapping(model: model)
    properties = model.entityIndices.map(model.namedProperties)
  }

  var model: ManagedObjectModel { mapping.model }

  /// The names of the entities without parent, each of which has a table.
  var roots: [String] { model.resolved.filter { $0.parent == nil }.map(\.name) }

  /// The named properties that an entity has or inherits.
  func properties(of entity: EntityIndex) -> [Property] { properties[entity] }

  func attributes(of entity: EntityIndex) -> [Property] {
    properties(of: entity).filter { $0.attribute != nil }
  }

  func relationships(of entity: EntityIndex) -> [Property] {
    properties(of: entity).filter { $0.relationship != nil }
  }
}

/// Writes the document of a model.
private struct Generator {
  var random: SeededGenerator
  private var parents: [(name: String, parent: String?)] = []
  private var attributes: [String: JSONObject] = [:]
  private var relationships: [String: JSONObject] = [:]
  private var identities: [String: String] = [:]
  private var abstract: Set<String> = []
  private var count = 0

  init(random: SeededGenerator) { self.random = random }

  mutating func document() -> JSONValue {
    for root in ["Ape", "Bee", "Cat"].prefix(random.number(in: 1...3)) {
      addTree(root)
    }
    for _ in 0..<random.number(in: 2...7) { addRelationship() }
    var entities = JSONObject()
    for (name, parent) in parents {
      var entity = JSONObject()
      if let parent { entity["parent"] = .string(parent) }
      if abstract.contains(name) { entity["abstract"] = true }
      entity["attributes"] = .object(attributes[name] ?? [:])
      entity["relationships"] = .object(relationships[name] ?? [:])
      if let identity = identities[name] {
        entity["userInfo"] = ["identityAttributes": .string(identity)]
      }
      entities[name] = .object(entity)
    }
    return ["entities": .object(entities)]
  }

  private mutating func addTree(_ root: String) {
    add(root, nil)
    var names = [root]
    for number in 0..<(random.chance(55) ? random.number(in: 1...3) : 0) {
      let name = root + "\(number)"
      add(name, random.pick(names))
      names.append(name)
    }
    if names.count > 1, random.chance(20) { abstract.insert(root) }
    // The identity of a tree, or one for each entity below the root.
    let identified = random.chance(85) ? [root] : Array(names.dropFirst())
    for name in identified where random.chance(85) { identities[name] = addIdentity(name) }
  }

  private mutating func add(_ name: String, _ parent: String?) {
    parents.append((name, parent))
    attributes[name] = [:]
    relationships[name] = [:]
    for _ in 0..<random.number(in: 1...3) {
      let type = random.pick(AttributeType.allCases)
      addAttribute(name, type)
    }
  }

  @discardableResult
  private mutating func addAttribute(_ entity: String, _ type: AttributeType) -> String {
    count += 1
    let name = "\(type.rawValue.prefix(4))\(count)"
    let path = random.chance(80) ? name : random.chance(50) ? "in.\(name)" : "in.side.\(name)"
    var attribute: JSONObject = [
      "type": .string(type.rawValue), "userInfo": ["JSONKeyPath": .string(path)],
    ]
    if type == .composite {
      attribute["elements"] = [
        "one": ["type": "integer64", "optional": true],
        "two": ["type": "string", "optional": true],
      ]
    }
    attribute["optional"] = true
    if type != .composite && type != .transformable && random.chance(25) {
      attribute["default"] = random.value(of: type).json
      if attribute["default"]?.isNull == false {
        attribute["optional"] = .boolean(random.chance(50))
      }
    }
    attributes[entity]?[name] = .object(attribute)
    return name
  }

  private mutating func addIdentity(_ entity: String) -> String {
    let types: [AttributeType] = [
      .integer16, .integer64, .integer64, .string, .string, .uuid, .decimal, .date, .day, .uri,
      .boolean,
      .double,
    ]
    var names = [addAttribute(entity, random.pick(types))]
    if random.chance(25) {
      names.append(addAttribute(entity, random.pick([.integer32, .string, .date, .day])))
    }
    if random.chance(15) {
      // Identified within a parent.
      let parent = random.pick(parents.map(\.name))
      count += 1
      let name = "owner\(count)"
      put(entity, name, side(to: parent, isToMany: false, inverse: "parts\(count)"))
      put(
        parent, "parts\(count)",
        side(to: entity, isToMany: true, inverse: name, path: "parts\(count)"))
      names.insert(name, at: 0)
    }
    return names.joined(separator: ", ")
  }

  private mutating func put(_ entity: String, _ name: String, _ side: JSONValue) {
    relationships[entity]?[name] = side
  }

  private mutating func side(
    to destination: String, isToMany: Bool, inverse: String?, path: String? = nil
  ) -> JSONValue {
    var side: JSONObject = [
      "destination": .string(destination), "toMany": .boolean(isToMany),
      "optional": .boolean(!random.chance(3)),
    ]
    if let inverse { side["inverse"] = .string(inverse) }
    if isToMany && random.chance(50) { side["ordered"] = true }
    if isToMany && random.chance(4) { side["maxCount"] = 3 }
    side["deleteRule"] = .string(
      random.chance(65) ? "nullify" : random.pick(["cascade", "cascade", "deny", "noAction"]))
    if let path {
      var info: JSONObject = ["JSONKeyPath": .string(path)]
      if random.chance(10) {
        info["groot.unknownIdentifier"] = random.pick(
          isToMany ? ["skip", "error"] : ["skip", "keep"])
      }
      if isToMany && random.chance(15) {
        info["groot.assignment"] = random.pick(["union", "deleteMissing"])
      }
      side["userInfo"] = .object(info)
    }
    return .object(side)
  }

  private mutating func addRelationship() {
    count += 1
    let (from, to) = (random.pick(parents.map(\.name)), random.pick(parents.map(\.name)))
    let (name, back) = ("to\(count)", "of\(count)")
    // The way back is in JSON now and then.
    let path = random.chance(50) ? back : nil
    switch random.below(12) {
    case 0...2: addPair(from, name, false, to, back, true, path)
    case 3...4: addPair(from, name, true, to, back, true, path)
    case 5...6: addPair(from, name, false, to, back, false, path)
    case 7: addPair(from, name, true, from, name, true, nil)
    case 8: addPair(from, name, false, from, name, false, nil)
    case 9: put(from, name, side(to: to, isToMany: true, inverse: nil, path: name))
    default: put(from, name, side(to: to, isToMany: false, inverse: nil, path: name))
    }
  }

  private mutating func addPair(
    _ from: String, _ name: String, _ isToMany: Bool, _ to: String, _ back: String,
    _ isBackToMany: Bool, _ path: String?
  ) {
    put(from, name, side(to: to, isToMany: isToMany, inverse: back, path: name))
    if from == to && name == back { return }
    put(to, back, side(to: from, isToMany: isBackToMany, inverse: name, path: path))
  }
}

extension LawModel {
  func randomEntity(using random: inout SeededGenerator) -> EntityIndex {
    EntityIndex(random.below(model.resolved.count))
  }
}
