/// Finds every fault of a list of entities.
struct ModelChecker {
  /// More would not fit the numbers that records and object ids are made of.
  static let maximumCount = 60_000

  let entities: [EntityDescription]
  private(set) var issues: [Issue] = []
  private var indexByName: [String: Int] = [:]

  init(entities: [EntityDescription]) { self.entities = entities }

  mutating func check() {
    checkNames()
    // What follows walks up the tree, which has no end where there is a cycle.
    guard checkParents() else { return }
    for index in entities.indices {
      checkPropertyNames(index)
      for attribute in entities[index].attributes { checkAttribute(attribute, entities[index]) }
      for relationship in entities[index].relationships { checkRelationship(relationship, index) }
      checkUniqueness(index)
    }
  }

  private mutating func fault(_ message: String, _ entity: String, _ property: String = "") {
    issues.append(Issue(.invalidModel, message, entity: entity, property: property))
  }

  private mutating func checkNames() {
    if entities.count > Self.maximumCount { fault("the model has more than 60,000 entities", "") }
    for (index, entity) in entities.enumerated() {
      if entity.name.isEmpty { fault("entity \(index) has no name", "") }
      if indexByName.updateValue(index, forKey: entity.name) != nil {
        fault("two entities have this name", entity.name)
      }
      if entity.attributes.count + entity.relationships.count > Self.maximumCount / 10 {
        fault("the entity has more than 6,000 properties", entity.name)
      }
    }
  }

  /// Whether no entity inherits from itself.
  private mutating func checkParents() -> Bool {
    var isTree = true
    for entity in entities {
      guard let parent = entity.parent else { continue }
      if indexByName[parent] == nil {
        fault("its parent '\(parent)' is no entity of the model", entity.name)
      } else if isInCycle(entity) {
        fault("it inherits from itself, through '\(parent)'", entity.name)
        isTree = false
      }
    }
    return isTree
  }

  private func isInCycle(_ entity: EntityDescription) -> Bool {
    var name = entity.parent
    var steps = 0
    while let next = name, next != entity.name, steps < entities.count {
      name = indexByName[next].flatMap { entities[$0].parent }
      steps += 1
    }
    return name == entity.name
  }

  private func parent(_ index: Int) -> Int? {
    entities[index].parent.flatMap { indexByName[$0] }
  }

  /// The entity itself, its parent, and so on to the root.
  private func chain(_ index: Int) -> [Int] {
    var result = [index]
    while let next = result.last.flatMap(parent) { result.append(next) }
    return result
  }

  private mutating func checkPropertyNames(_ index: Int) {
    let entity = entities[index]
    var owner: [String: String] = [:]
    for ancestor in chain(index).dropFirst().reversed() {
      for name in names(ancestor) where owner[name] == nil { owner[name] = entities[ancestor].name }
    }
    for name in names(index) {
      if name.isEmpty { fault("a property has no name", entity.name) }
      if let other = owner.updateValue(entity.name, forKey: name) {
        let place = other == entity.name ? "the entity has" : "its ancestor '\(other)' has"
        fault("\(place) another property of this name", entity.name, name)
      }
    }
  }

  private func names(_ index: Int) -> [String] {
    entities[index].attributes.map(\.name) + entities[index].relationships.map(\.name)
  }

  private mutating func checkAttribute(
    _ attribute: AttributeDescription, _ entity: EntityDescription
  ) {
    for (role, value) in [
      ("default", attribute.defaultValue), ("min", attribute.constraints.minimum),
      ("max", attribute.constraints.maximum),
    ] {
      if let misfit = value.misfit(of: attribute.type) {
        fault("its \(role) \(misfit)", entity.name, attribute.name)
      }
    }
    let constraints = attribute.constraints
    if !(constraints.minimum.isNull && constraints.maximum.isNull) && !attribute.type.isOrderable {
      fault(
        "min and max go with numbers and dates, not with \(attribute.type.rawValue)", entity.name,
        attribute.name)
    } else if Value.precedes(constraints.maximum, constraints.minimum) {
      fault("its min is greater than its max", entity.name, attribute.name)
    }
    let lengths = [constraints.minimumLength, constraints.maximumLength].compactMap { $0 }
    if lengths.contains(where: { $0 < 0 }) || (lengths.count == 2 && lengths[0] > lengths[1]) {
      fault("its minLength and maxLength contradict each other", entity.name, attribute.name)
    }
    if !lengths.isEmpty && ![.string, .uri, .binary].contains(attribute.type) {
      fault("minLength and maxLength go with text and bytes", entity.name, attribute.name)
    }
    if let pattern = constraints.pattern {
      if ![.string, .uri].contains(attribute.type) {
        fault("a pattern goes with text", entity.name, attribute.name)
      } else {
        checkPattern(pattern, entity, attribute)
      }
    }
    if Value.precedes(attribute.defaultValue, constraints.minimum)
      || Value.precedes(constraints.maximum, attribute.defaultValue)
    {
      fault("its default is not between its min and its max", entity.name, attribute.name)
    }
    checkElements(attribute, entity)
  }

  private mutating func checkPattern(
    _ pattern: String, _ entity: EntityDescription, _ attribute: AttributeDescription
  ) {
    do throws(Pattern.Fault) {
      _ = try Pattern(pattern)
    } catch {
      issues.append(
        Issue(error.status, error.message, entity: entity.name, property: attribute.name))
    }
  }

  private mutating func checkElements(
    _ attribute: AttributeDescription, _ entity: EntityDescription
  ) {
    if attribute.type != .composite && !attribute.elements.isEmpty {
      fault("only a composite attribute has elements", entity.name, attribute.name)
    }
    var seen: Set<String> = []
    for element in attribute.elements where !seen.insert(element.name).inserted {
      fault("two elements are called '\(element.name)'", entity.name, attribute.name)
    }
  }

  private mutating func checkRelationship(_ relationship: RelationshipDescription, _ index: Int) {
    let (entity, name) = (entities[index].name, relationship.name)
    let (minimum, maximum) = (relationship.minimumCount, relationship.maximumCount)
    if minimum < 0 || maximum < 0 || (maximum > 0 && minimum > maximum) {
      fault("its minCount and maxCount contradict each other", entity, name)
    }
    if relationship.isOrdered && !relationship.isToMany {
      fault("only a to-many relationship is ordered", entity, name)
    }
    guard let destination = indexByName[relationship.destination] else {
      fault("its destination '\(relationship.destination)' is no entity of the model", entity, name)
      return
    }
    guard let inverseName = relationship.inverse else { return }
    let inverse = entities[destination].relationships.first { $0.name == inverseName }
    guard let inverse else {
      fault(
        "its inverse '\(inverseName)' is no relationship that '\(relationship.destination)' itself "
          + "declares", entity, name)
      return
    }
    if inverse.inverse != name || inverse.destination != entity {
      fault(
        "its inverse '\(relationship.destination).\(inverseName)' does not point back to it",
        entity,
        name)
    }
  }

  private mutating func checkUniqueness(_ index: Int) {
    let known = Set(chain(index).flatMap { entities[$0].attributes.map(\.name) })
    for constraint in entities[index].uniquenessConstraints {
      if constraint.isEmpty {
        fault("a uniqueness constraint names no attribute", entities[index].name)
      }
      for name in constraint where !known.contains(name) {
        fault(
          "a uniqueness constraint names '\(name)', which is no attribute", entities[index].name)
      }
    }
  }
}
