/// Finds all mistakes in a list of entities, in time that is linear in its content.
struct ModelChecker {
  let entities: [EntityDescription]
  private var found: [(entity: EntityIndex, issue: GrootIssue)] = []
  private var indexByName: NameMap<EntityIndex> = [:]
  /// By entity, the names of its own relationships.
  private var relationshipByName: [NameMap<Int>] = []

  init(entities: [EntityDescription]) {
    self.entities = entities
    for (index, entity) in entities.numbered(by: EntityIndex.self) {
      indexByName[entity.name] = index
    }
  }

  /// The issues in the order of the entities.
  var issues: [GrootIssue] {
    found.enumerated().sortedFew {
      ($0.element.entity, $0.offset) < ($1.element.entity, $1.offset)
    }.map(\.element.issue)
  }

  mutating func check() {
    guard checkSizes() else { return }
    checkNames()
    // Later checks walk down the hierarchies, which a cycle is not part of.
    guard checkParents() else { return }
    var hierarchies = ModelHierarchyChecker(entities: entities, indexByName: indexByName)
    hierarchies.check()
    found += hierarchies.found
    relationshipByName = entities.map { entity in
      var names: NameMap<Int> = [:]
      for (position, relationship) in entity.relationships.enumerated()
      where names[relationship.name] == nil {
        names[relationship.name] = position
      }
      return names
    }
    for (index, entity) in entities.numbered(by: EntityIndex.self) {
      for attribute in entity.attributes { check(attribute, index: index) }
      for relationship in entity.relationships { check(relationship, index: index) }
    }
  }

  mutating func report(
    _ message: String, index: EntityIndex, property: String = "", status: Status = .invalidModel
  ) {
    let issue = GrootIssue(status, message, entity: entities[index].name, property: property)
    found.append((index, issue))
  }

  /// Returns whether counts and names are within the limits that all further checks rely on.
  private mutating func checkSizes() -> Bool {
    guard entities.count <= ModelLimits.entities else {
      found = [
        (
          EntityIndex(0),
          GrootIssue(.limitExceeded, "the model has more than \(ModelLimits.entities) entities")
        )
      ]
      return false
    }
    for (index, entity) in entities.numbered(by: EntityIndex.self) {
      if entity.attributes.count + entity.relationships.count > ModelLimits.ownProperties {
        report(
          "the entity has more than \(ModelLimits.ownProperties) properties of its own",
          index: index,
          status: .limitExceeded)
      }
      let names = entity.attributes.lazy.map(\.name)
      let more = entity.relationships.lazy.map(\.name)
      for name in [[entity.name], Array(names), Array(more)].joined()
      where name.utf8.count > ModelLimits.nameLength {
        found.append(
          (
            index,
            GrootIssue(
              .limitExceeded,
              "the name '\(name.shortened)' has more than \(ModelLimits.nameLength) bytes")
          ))
      }
    }
    return found.isEmpty
  }

  private mutating func checkNames() {
    for (index, entity) in entities.numbered(by: EntityIndex.self) {
      if entity.name.isEmpty { report("entity \(index) has no name", index: index) }
      if indexByName[entity.name] != index { report("two entities have this name", index: index) }
    }
  }

  /// Returns whether the parents form trees: an entity must not inherit from itself.
  private mutating func checkParents() -> Bool {
    let parents = entities.map { entity in entity.parent.flatMap { indexByName[$0] } }
    // By entity, the first walk that reached it; a walk that reaches itself has found a cycle.
    var walkOf: [EntityIndex?] = Array(repeating: nil, count: entities.count)
    var isTree = true
    for (index, entity) in entities.numbered(by: EntityIndex.self) {
      if let parent = entity.parent, parents[index] == nil {
        report("its parent '\(parent.shortened)' is not an entity of the model", index: index)
      }
      var next: EntityIndex? = index
      while let current = next, walkOf[current] == nil {
        walkOf[current] = index
        next = parents[current]
      }
      guard let first = next, walkOf[first] == index else { continue }
      isTree = false
      var member = first
      repeat {
        report("it inherits from itself, through '\(entities[member].parent ?? "")'", index: member)
        member = parents[member] ?? first
      } while member != first
    }
    return isTree
  }

  // MARK: Properties

  private mutating func check(_ attribute: AttributeDescription, index: EntityIndex) {
    for (role, value) in [
      ("default", attribute.defaultValue), ("min", attribute.constraints.minimum),
      ("max", attribute.constraints.maximum),
    ] {
      if let conversionFailure = value.conversionFailure(of: attribute.type) {
        report("its \(role) \(conversionFailure)", index: index, property: attribute.name)
      }
    }
    if case .json(let json) = attribute.defaultValue, json.isDeeper(than: Value.maximumLevels) {
      report(
        "its default nests more than \(Value.maximumLevels) levels deep", index: index,
        property: attribute.name, status: .limitExceeded)
    }
    let constraints = attribute.constraints
    if !(constraints.minimum.isNull && constraints.maximum.isNull) && !attribute.type.isOrderable {
      report(
        "min and max are for numbers and dates, not for \(attribute.type.rawValue)", index: index,
        property: attribute.name)
    } else if Value.precedes(constraints.maximum, constraints.minimum) {
      report("its min is greater than its max", index: index, property: attribute.name)
    }
    checkText(constraints, of: attribute, index: index)
    checkValues(constraints, of: attribute, index: index)
    if Value.precedes(attribute.defaultValue, constraints.minimum)
      || Value.precedes(constraints.maximum, attribute.defaultValue)
    {
      report(
        "its default is not between its min and its max", index: index, property: attribute.name)
    }
    var count = 0
    checkElements(of: attribute, attribute.name, index: index, depth: 1, count: &count)
  }

  /// Checks the lengths and the pattern.
  private mutating func checkText(
    _ constraints: AttributeDescription.Constraints, of attribute: AttributeDescription,
    index: EntityIndex
  ) {
    let lengths = [constraints.minimumLength, constraints.maximumLength].compactMap { $0 }
    if lengths.contains(where: { $0 < 0 }) || (lengths.count == 2 && lengths[0] > lengths[1]) {
      report(
        "its minLength and maxLength contradict each other", index: index, property: attribute.name)
    }
    if !lengths.isEmpty && ![.string, .uri, .binary].contains(attribute.type) {
      report(
        "minLength and maxLength are for text and bytes", index: index, property: attribute.name)
    }
    if let pattern = constraints.pattern {
      if ![.string, .uri].contains(attribute.type) {
        report("a pattern is for text", index: index, property: attribute.name)
      } else {
        check(pattern, index: index, attribute: attribute.name)
      }
    }
  }

  private mutating func check(_ pattern: String, index: EntityIndex, attribute: String) {
    do throws(Pattern.SyntaxError) {
      _ = try Pattern(pattern)
    } catch {
      report(error.message, index: index, property: attribute, status: error.status)
    }
  }

  /// Checks elements; recursion is bounded by the depth of composites.
  private mutating func checkElements(
    of attribute: AttributeDescription, _ property: String, index: EntityIndex, depth: Int,
    count: inout Int
  ) {
    if attribute.elements.isEmpty { return }
    if attribute.type != .composite {
      report("only a composite attribute has elements", index: index, property: property)
    }
    count += attribute.elements.count
    guard depth <= ModelLimits.compositeDepth, count <= ModelLimits.ownProperties else {
      report(
        "composite attributes nest at most \(ModelLimits.compositeDepth) deep, and have at most "
          + "\(ModelLimits.ownProperties) elements", index: index, property: property,
        status: .limitExceeded)
      return
    }
    var seen: Set<Name> = []
    for element in attribute.elements {
      if !seen.insert(Name(element.name)).inserted {
        report(
          "two elements are called '\(element.name.shortened)'", index: index, property: property)
      }
      checkElements(of: element, property, index: index, depth: depth + 1, count: &count)
    }
  }

  private mutating func check(_ relationship: RelationshipDescription, index: EntityIndex) {
    let name = relationship.name
    let (minimum, maximum) = (relationship.minimumCount, relationship.maximumCount)
    if minimum < 0 || maximum < 0 || (maximum > 0 && minimum > maximum) {
      report("its minCount and maxCount contradict each other", index: index, property: name)
    }
    if relationship.isOrdered && !relationship.isToMany {
      report("only a to-many relationship is ordered", index: index, property: name)
    }
    guard let destination = indexByName[relationship.destination] else {
      report(
        "its destination '\(relationship.destination.shortened)' is not an entity of the model",
        index: index,
        property: name)
      return
    }
    guard let inverseName = relationship.inverse else { return }
    guard let position = relationshipByName[destination][inverseName] else {
      report(
        "its inverse '\(inverseName.shortened)' is not a relationship that "
          + "'\(relationship.destination)' itself declares", index: index, property: name)
      return
    }
    let inverse = entities[destination].relationships[position]
    if inverse.inverse.map(Name.init) != Name(name) || indexByName[inverse.destination] != index {
      report(
        "its inverse '\(relationship.destination).\(inverseName)' does not point back to it",
        index: index,
        property: name)
    }
  }
}

// The checks of an attribute's allowed values.

extension ModelChecker {
  mutating func checkValues(
    _ constraints: AttributeDescription.Constraints, of attribute: AttributeDescription,
    index: EntityIndex
  ) {
    if constraints.values.isEmpty { return }
    func report(_ message: String) {
      self.report(message, index: index, property: attribute.name)
    }
    if ValueKind(attribute.type) == .json {
      report("values are not for the type \(attribute.type.rawValue)")
      return
    }
    var seen: Set<Value> = []
    for value in constraints.values {
      guard let fitted = value.fitted(to: attribute.type), !fitted.isNull else {
        let reason = value.conversionFailure(of: attribute.type) ?? "is null"
        report("one of its values \(reason)")
        continue
      }
      if !seen.insert(fitted).inserted {
        report("its values have the duplicate \(fitted.json.description.shortened)")
      }
      if Value.precedes(fitted, constraints.minimum) || Value.precedes(constraints.maximum, fitted)
      {
        report("its value \(fitted.json) is not between its min and its max")
      }
    }
    if let initial = attribute.defaultValue.fitted(to: attribute.type), !initial.isNull,
      !seen.contains(initial)
    {
      report("its default is not one of its values")
    }
  }
}
