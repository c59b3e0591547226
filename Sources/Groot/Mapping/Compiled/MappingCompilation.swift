/// The state of compiling annotations or rules: errors, warnings, and the registered functions.
struct MappingCompilation {
  /// The greatest number of steps of a mapping, over all entities and rules.
  static let maximumSteps = 500_000
  /// The greatest number of listed issues, and of listed warnings.
  static let maximumIssues = 10_000

  private let registry: TransformerRegistry
  /// The names in the registry.
  let registered: [String]
  private var used: Set<Name> = []
  private(set) var issues: [GrootIssue] = []
  private(set) var warnings: [GrootIssue] = []
  /// The keys of reported issues, by which duplicates are found.
  private var noted: Set<Name> = []
  private var stepCount = 0

  init(_ registry: TransformerRegistry) {
    self.registry = registry
    registered = registry.names
  }

  /// Whether the mapping has too many steps, so that compiling further is useless.
  var isOverLimit: Bool { stepCount > Self.maximumSteps }

  /// Adds to the number of compiled steps.
  mutating func count(steps: Int) { stepCount += steps }

  private mutating func isNew(_ issue: GrootIssue) -> Bool {
    let parts = [issue.entity, issue.property, issue.path, issue.message]
    return noted.insert(Name(parts.joined(separator: "\0"))).inserted
  }

  /// Reports a mistake; one in an inherited property is found for each descendant, but reported
  /// once.
  mutating func report(
    _ status: Status, _ message: String, entity: String, property: String = "",
    path: String = ""
  ) {
    let issue = GrootIssue(status, message, path: path, entity: entity, property: property)
    if issues.count < Self.maximumIssues && isNew(issue) { issues.append(issue) }
  }

  mutating func warn(
    _ message: String, entity: String, property: String = "",
    status: Status = .invalidMapping
  ) {
    let issue = GrootIssue(
      status, message, severity: .warning, entity: entity, property: property)
    if warnings.count < Self.maximumIssues && isNew(issue) { warnings.append(issue) }
  }

  /// Sets the policies of a property from its annotations.
  mutating func choosePolicies(of mapping: inout PropertyMapping, _ entity: String) {
    for name in Policies.names {
      guard let value = mapping.property.userInfo["groot." + name] else { continue }
      do {
        try mapping.policies.set(name, to: value)
      } catch {
        let message = (error as? GrootError)?.issues.first?.message ?? ""
        report(.invalidMapping, message, entity: entity, property: mapping.property.name)
      }
    }
  }

  /// Throws an error with the reported issues, if there are any.
  func check() throws {
    if isOverLimit {
      throw GrootError(
        .limitExceeded,
        "the mapping has more than \(Self.maximumSteps) steps: properties of entities, inherited ones "
          + "counted for each, and rules, counted for each entity that they hold for")
    }
    guard let first = issues.first else { return }
    let isOneKind = issues.allSatisfy { $0.status == first.status }
    throw GrootError(isOneKind ? first.status : .invalidMapping, issues)
  }

  // MARK: The registry

  /// Returns the function with a name.
  mutating func entry(_ name: String) -> TransformerRegistry.Entry? {
    used.insert(Name(name))
    return registry.entries[name]
  }

  /// Warns of registered functions that are not named by any annotation.
  mutating func warnOfUnused() {
    for name in registered where !used.contains(Name(name)) {
      warn(
        "'\(name)' is registered, but no annotation names it", entity: "",
        status: .unknownTransformer)
    }
  }
}

// Warnings about objects that every import inserts again.

extension MappingCompilation {
  /// Warns of relationships from objects with an identity to objects without one: each import
  /// inserts new objects, and those of earlier imports remain.
  mutating func warnOfChildren(_ mappings: [EntityMapping], in model: ManagedObjectModel) {
    for mapping in mappings where !mapping.identity.isEmpty {
      let hierarchy = model.hierarchies[model.resolved[mapping.entity].hierarchy]
      for link in mapping.properties where pilesUp(link, mappings: mappings, in: model) {
        let owner = hierarchy.entities[Int(link.property.field.firstEntity)]
        let name = model.resolved[mappings[link.destination].entity].name
        let cure =
          link.property.field.isToMany
          ? ", such as the to-one to the owner with a position ('@index'), or the policy 'assignment' "
            + "with 'deleteMissing'," : ""
        warn(
          "nothing identifies the objects of '\(name)' here: each import makes new ones, and "
            + "earlier ones stay; an identity\(cure) prevents that",
          entity: model.resolved[owner].name, property: link.property.name)
      }
    }
  }

  private func pilesUp(
    _ link: PropertyMapping, mappings: [EntityMapping], in model: ManagedObjectModel
  ) -> Bool {
    guard mappings.indices.contains(link.destination.offset),
      link.identifierCount < link.inputs.count,
      !link.options.contains(.reusesUnidentified)
    else { return false }
    if link.property.field.isToMany {
      switch link.policies.assignment {
      case .deleteMissing, .deleteMissingObjects: return false
      case .replace, .union: break
      }
    }
    let destination = mappings[link.destination]
    if destination.takesIdentifiersOnly { return false }
    if link.options.contains(.alwaysInserts) { return true }
    guard destination.identity.isEmpty else { return false }
    // The records of an abstract entity are of its sub-entities, which may all have an identity.
    if model.resolved[destination.entity].isAbstract,
      model.kinds(of: destination.entity).allSatisfy({ kind in
        model.resolved[kind].isAbstract || !mappings[PlanIndex(of: kind)].identity.isEmpty
      })
    {
      return false
    }
    // A mapper may choose a descendant that has an identity.
    let resolved = model.resolved[destination.entity]
    return destination.entityMapper == nil
      || !mappings.contains { other in
        let entity = model.resolved[other.entity]
        return !other.identity.isEmpty && entity.hierarchy == resolved.hierarchy
          && resolved.subtree.contains(entity.localIndex)
      }
  }
}

// The annotation for the formats of dates.

extension MappingCompilation {
  /// The name of the annotation.
  static let dateFormat = "groot.dateFormat"

  /// Sets the date formats of a property from its annotation.
  ///
  /// - Parameters:
  ///   - mapping: The mapping of the property.
  ///   - isRead: Whether imports read it: a format for exports only may omit parts of a date.
  ///   - entity: The entity, for messages.
  mutating func setDateForms(
    of mapping: inout PropertyMapping, isRead: Bool, entity: String
  ) {
    let property = mapping.property
    guard let text = property.userInfo[Self.dateFormat] else { return }
    guard let type = property.attribute?.type, type == .date || type == .day else {
      let found = property.attribute?.type.rawValue ?? "a relationship"
      report(
        .invalidMapping, "\(Self.dateFormat) is for dates and days, not for \(found)",
        entity: entity, property: property.name)
      return
    }
    if property.userInfo["JSONTransformerName"] != nil {
      report(
        .invalidMapping,
        "JSONTransformerName and \(Self.dateFormat) cannot both say how it is read and written",
        entity: entity, property: property.name)
    }
    do {
      mapping.dateForms = try DateForms(text, of: type, isRead: isRead)
      mapping.conversion = .dateForms
    } catch {
      let message = (error as? GrootError)?.issues.first?.message ?? ""
      report(
        .invalidMapping, "\(Self.dateFormat): \(message)", entity: entity,
        property: property.name)
    }
  }
}

// Annotations of entities that name an attribute, the same in all dialects.

extension ManagedObjectModel {
  /// Returns the value of an annotation on an entity or its nearest ancestor that has it, and that
  /// entity.
  func nearest(
    _ annotation: String, from index: EntityIndex
  ) -> (entity: EntityIndex, value: String)? {
    var next: EntityIndex? = index
    while let entity = next {
      if let value = entities[entity].userInfo[annotation] { return (entity, value) }
      next = resolved[entity].parent
    }
    return nil
  }
}

extension MappingCompilation {
  /// Returns the number of the attribute that `groot.deletionMark` names.
  mutating func deletionMark(of index: EntityIndex, in model: ManagedObjectModel) -> Int? {
    attribute("groot.deletionMark", of: index, in: model) { $0 == .boolean || $0 == .date }
  }

  /// Returns the number of the attribute that an annotation names; nil without one that fits.
  mutating func attribute(
    _ annotation: String, of index: EntityIndex, in model: ManagedObjectModel,
    where fits: (AttributeType) -> Bool
  ) -> Int? {
    guard let (entity, name) = model.nearest(annotation, from: index) else { return nil }
    let resolved = model.resolved[entity]
    if let number = resolved.numberByName[name],
      let type = model.hierarchies[resolved.hierarchy].properties[number].attribute?.type,
      fits(type)
    {
      return number
    }
    let types = AttributeType.allCases.filter(fits).map(\.rawValue)
    report(
      .invalidMapping,
      "\(annotation) names '\(name.shortened)', which is not an attribute of one of the types "
        + "\(listed(types))", entity: model.entities[entity].name)
    return nil
  }
}

// The registered functions that annotations name.

extension MappingCompilation {
  /// Reports a name that is missing, or registered for another kind of function.
  mutating func reportUnusable(
    _ name: String, wanted: String, entry: TransformerRegistry.Entry?, entity: String,
    property: String = "", path: String = ""
  ) {
    if let entry {
      report(
        .invalidMapping, "'\(name.shortened)' is \(entry.kindName), not \(wanted)", entity: entity,
        property: property,
        path: path)
    } else {
      report(
        .unknownTransformer,
        "\(wanted) '\(name.shortened)' is not registered; registered are \(listed(registered))",
        entity: entity,
        property: property, path: path)
    }
  }

  /// Sets the value transformer of a property by its name.
  mutating func setTransformer(
    _ name: String, of mapping: inout PropertyMapping,
    entity: String, path: String = ""
  ) {
    let property = mapping.property
    guard let attribute = property.attribute else { return }
    mapping.transformerName = name
    switch entry(name) {
    case .builtin(let builtin):
      mapping.conversion = builtin.conversion
      if !builtin.types.contains(attribute.type) {
        report(
          .invalidMapping,
          "the built-in transformer '\(builtin.rawValue)' does not serve the type "
            + attribute.type.rawValue, entity: entity, property: property.name, path: path)
      }
    case .value(let forward, let reverse):
      mapping.conversion = .function
      mapping.forward = forward
      mapping.reverse = reverse
    case .batch(let forward, let reverse):
      mapping.conversion = .function
      mapping.forward = forward.single
      mapping.reverse = reverse?.single
      mapping.batch = forward
      mapping.reverseBatch = reverse
    case let other:
      reportUnusable(
        name, wanted: "a value transformer", entry: other, entity: entity,
        property: property.name, path: path)
    }
  }

  /// Sets the functions of an entity from the annotations of these names.
  mutating func setFunctions(
    of mapping: inout EntityMapping, _ entity: EntityDescription, mapper: String,
    transformer: String
  ) {
    if let name = entity.userInfo[mapper] {
      mapping.entityMapperName = name
      switch entry(name) {
      case .entityMapper(let mapper): mapping.entityMapper = mapper
      case let other:
        reportUnusable(
          name, wanted: "an entity mapper", entry: other, entity: entity.name)
      }
    }
    if let name = entity.userInfo[transformer] {
      mapping.dictionaryTransformerName = name
      switch entry(name) {
      case .dictionary(let transform): mapping.dictionaryTransformer = transform
      case let other:
        reportUnusable(
          name, wanted: "a dictionary transformer", entry: other,
          entity: entity.name)
      }
    }
  }
}

// Warnings about entities without mapped properties, and relationships that are written from both
// sides.

extension MappingCompilation {
  /// Warns of relationships to entities without mapped properties, and of a mapping without any.
  mutating func warnOfUnread(_ mappings: [EntityMapping], in model: ManagedObjectModel) {
    let read = Set(
      mappings.lazy.filter { mapping in mapping.properties.contains { !$0.inputs.isEmpty } }
        .map(\.entity))
    let cure = "give properties a JSONKeyPath, or the entity groot.implicit 'true'"
    let hasProperties = model.hierarchies.contains { !$0.properties.isEmpty }
    if hasProperties && read.isEmpty {
      warn("an import reads nothing: no property of the model has a key path; \(cure)", entity: "")
      return
    }
    var known: [EntityIndex: Bool] = [:]
    for mapping in mappings {
      for link in mapping.properties where !link.inputs.isEmpty {
        guard mappings.indices.contains(link.destination.offset) else { continue }
        let destination = mappings[link.destination].entity
        let isRead =
          known[destination] ?? model.kinds(of: destination).contains(where: read.contains)
        known[destination] = isRead
        if isRead { continue }
        warn(
          "an import reads nothing of the objects of '\(model.resolved[destination].name)': none of "
            + "their properties has a key path; \(cure)",
          entity: model.entities[link.property.entity].name, property: link.property.name)
      }
    }
  }

  /// Warns of two inverse relationships that are both written because names are key paths.
  ///
  /// Exports then nest the objects of each in the other, and some lists shrink to identities.
  mutating func warnOfBothSides(_ mappings: [EntityMapping], in model: ManagedObjectModel) {
    for property in model.hierarchies.lazy.flatMap(\.properties) {
      guard let relationship = property.relationship, let inverse = relationship.inverse,
        let destination = try? model.index(of: relationship.destination),
        let other = try? model.property(named: inverse, of: destination),
        (property.entity, property.name) < (other.entity, other.name),
        isWrittenByName(property, by: mappings), isWrittenByName(other, by: mappings)
      else { continue }
      warn(
        "it is written, and also its inverse '\(model.entities[other.entity].name).\(inverse)', "
          + "since their names are key paths: exports nest each in the other; groot.direction "
          + "'import' on one of them prevents that",
        entity: model.entities[property.entity].name, property: property.name)
    }
  }

  private func isWrittenByName(_ property: Property, by mappings: [EntityMapping]) -> Bool {
    guard property.userInfo["JSONKeyPath"] == nil, mappings.indices.contains(property.entity.offset)
    else { return false }
    let mapping = mappings[property.entity.offset]
    return mapping.outputs.first?.contains { output in
      output.position >= 0
        && mapping.properties[output.position].property.number == property.number
    } == true
  }
}
