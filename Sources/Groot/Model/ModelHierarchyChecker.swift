/// Finds mistakes between entities and their ancestors.
///
/// Each hierarchy is walked once from its root down. While the walk is below an ancestor, the
/// ancestor's content is known.
struct ModelHierarchyChecker {
  private struct Owner {
    let entity: EntityIndex
    let isAttribute: Bool
  }

  private let entities: [EntityDescription]
  private let indexByName: NameMap<EntityIndex>
  private(set) var found: [(entity: EntityIndex, issue: GrootIssue)] = []
  /// By entity, the root of its hierarchy.
  private var rootOf: [EntityIndex]
  private var owners: NameMap<Owner> = [:]
  /// The entities from the root to the current one.
  private var path: [EntityIndex] = []
  /// The number of properties of each of them, including inherited ones.
  private var counts: [Int] = []
  private var allProperties = 0

  init(entities: [EntityDescription], indexByName: NameMap<EntityIndex>) {
    self.entities = entities
    self.indexByName = indexByName
    rootOf = Array(EntityIndex(0)..<EntityIndex(entities.count))
  }

  mutating func check() {
    var childrenOf: [[EntityIndex]] = Array(repeating: [], count: entities.count)
    var roots: [EntityIndex] = []
    for (index, entity) in entities.numbered(by: EntityIndex.self) {
      if let parent = entity.parent.flatMap({ indexByName[$0] }) {
        childrenOf[parent].append(index)
      } else {
        roots.append(index)
      }
    }
    // An entity is on the stack twice: for entering and for leaving it.
    var stack: [(entity: EntityIndex, isLeft: Bool)] = roots.reversed().map { ($0, false) }
    while let (index, isLeft) = stack.popLast() {
      if isLeft {
        leave(index)
        continue
      }
      enter(index)
      stack.append((index, true))
      guard path.count < ModelLimits.inheritanceDepth || childrenOf[index].isEmpty else {
        limit("entities inherit over at most \(ModelLimits.inheritanceDepth) levels", index: index)
        continue
      }
      stack.append(contentsOf: childrenOf[index].reversed().map { ($0, false) })
    }
    if allProperties > ModelLimits.allProperties {
      limit(
        "the entities have more than \(ModelLimits.allProperties) properties, with those that they "
          + "inherit counted for each", index: nil)
    }
    checkTrees()
  }

  private mutating func report(_ message: String, index: EntityIndex, property: String = "") {
    let issue = GrootIssue(.invalidModel, message, entity: entities[index].name, property: property)
    found.append((index, issue))
  }

  private mutating func limit(_ message: String, index: EntityIndex?) {
    let entity = index.map { entities[$0].name } ?? ""
    found.append((index ?? EntityIndex(0), GrootIssue(.limitExceeded, message, entity: entity)))
  }

  private mutating func enter(_ index: EntityIndex) {
    let entity = entities[index]
    rootOf[index] = path.first ?? index
    path.append(index)
    counts.append((counts.last ?? 0) + entity.attributes.count + entity.relationships.count)
    allProperties += counts.last ?? 0
    for attribute in entity.attributes { add(attribute.name, isAttribute: true, index: index) }
    for relationship in entity.relationships {
      add(relationship.name, isAttribute: false, index: index)
    }
    for constraint in entity.uniquenessConstraints {
      if constraint.isEmpty { report("a uniqueness constraint names no attribute", index: index) }
      for name in constraint where owners[name]?.isAttribute != true {
        report(
          "a uniqueness constraint names '\(name.shortened)', which is not an attribute",
          index: index)
      }
    }
  }

  private mutating func add(_ name: String, isAttribute: Bool, index: EntityIndex) {
    if name.isEmpty { report("a property has no name", index: index) }
    guard let other = owners[name]?.entity else {
      owners[name] = Owner(entity: index, isAttribute: isAttribute)
      return
    }
    let holder = other == index ? "the entity has" : "its ancestor '\(entities[other].name)' has"
    report("\(holder) another property of this name", index: index, property: name)
  }

  private mutating func leave(_ index: EntityIndex) {
    path.removeLast()
    counts.removeLast()
    let entity = entities[index]
    for attribute in entity.attributes { remove(attribute.name, index: index) }
    for relationship in entity.relationships { remove(relationship.name, index: index) }
  }

  private mutating func remove(_ name: String, index: EntityIndex) {
    if owners[name]?.entity == index { owners[name] = nil }
  }

  /// Checks that the number of properties of each hierarchy fits its records.
  private mutating func checkTrees() {
    var counts = Array(repeating: 0, count: entities.count)
    for (index, entity) in entities.numbered(by: EntityIndex.self) {
      counts[rootOf[index]] += entity.attributes.count + entity.relationships.count
      for relationship in entity.relationships where relationship.inverse == nil {
        guard let destination = indexByName[relationship.destination] else { continue }
        counts[rootOf[destination]] += 1
      }
    }
    for (root, count) in counts.numbered(by: EntityIndex.self)
    where count > ModelLimits.treeProperties {
      limit(
        "it and the entities below it have more than \(ModelLimits.treeProperties) properties, with "
          + "one more for each relationship that leads to them and has no inverse", index: root)
    }
  }
}
