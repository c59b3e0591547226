/// What is wrong with annotations or rules, and what only looks wrong.
struct MappingFaults {
  /// How many steps the entities and rules of a mapping have together at most.
  static let maximumSteps = 500_000
  /// How many faults, and how many warnings, are listed at most.
  static let maximumIssues = 10_000

  private(set) var issues: [Issue] = []
  private(set) var warnings: [Issue] = []
  /// What was noted, as text that is different for different issues.
  private var noted: Set<Name> = []
  private var stepCount = 0

  /// Whether there are more steps than a mapping may have; then there is no use in going on.
  var isOverLimit: Bool { stepCount > Self.maximumSteps }

  /// Counts steps that were compiled.
  mutating func count(steps: Int) { stepCount += steps }

  private mutating func isNew(_ issue: Issue) -> Bool {
    let parts = [issue.entity, issue.property, issue.path, issue.message]
    return noted.insert(Name(parts.joined(separator: "\0"))).inserted
  }

  /// Notes a fault; an inherited property is compiled once for each descendant, but its faults are
  /// said once.
  mutating func fault(
    _ status: Status, _ message: String, entity: String, property: String = "",
    path: String = ""
  ) {
    let issue = Issue(status, message, path: path, entity: entity, property: property)
    if issues.count < Self.maximumIssues && isNew(issue) { issues.append(issue) }
  }

  mutating func warn(
    _ message: String, entity: String, property: String = "",
    status: Status = .invalidMapping
  ) {
    let issue = Issue(
      status, message, severity: .warning, entity: entity, property: property)
    if warnings.count < Self.maximumIssues && isNew(issue) { warnings.append(issue) }
  }

  /// Gives a property the policies that its annotations choose.
  mutating func choosePolicies(of mapping: inout PropertyMapping, _ entity: String) {
    for name in Policies.names {
      guard let value = mapping.property.userInfo["groot." + name] else { continue }
      do {
        try mapping.policies.set(name, to: value)
      } catch {
        let message = (error as? GrootError)?.issues.first?.message ?? ""
        fault(.invalidMapping, message, entity: entity, property: mapping.property.name)
      }
    }
  }

  /// Throws what was found, if anything was.
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
}

/// Looks names up in a registry and remembers which were used.
struct RegistryNames {
  private let registry: TransformerRegistry
  private let registered: [String]
  private var used: Set<Name> = []

  init(_ registry: TransformerRegistry) {
    self.registry = registry
    registered = registry.names
  }

  /// What a name stands for.
  mutating func entry(_ name: String) -> TransformerRegistry.Entry? {
    used.insert(Name(name))
    return registry.entries[name]
  }

  /// Notes a name that does not stand for what is wanted.
  func noteUnusable(
    _ name: String, wanted: String, entry: TransformerRegistry.Entry?,
    faults: inout MappingFaults, entity: String, property: String = "", path: String = ""
  ) {
    if let entry {
      faults.fault(
        .invalidMapping, "'\(name.shortened)' is \(entry.kindName), not \(wanted)", entity: entity,
        property: property,
        path: path)
    } else {
      faults.fault(
        .unknownTransformer,
        "\(wanted) '\(name.shortened)' is not registered; registered are \(listed(registered))",
        entity: entity,
        property: property, path: path)
    }
  }

  /// Gives a property the value transformer of a name.
  mutating func setTransformer(
    _ name: String, of mapping: inout PropertyMapping, faults: inout MappingFaults,
    entity: String, path: String = ""
  ) {
    let property = mapping.property
    guard let attribute = property.attribute else { return }
    mapping.transformerName = name
    switch entry(name) {
    case .builtin(let builtin):
      mapping.conversion = builtin.conversion
      if !builtin.types.contains(attribute.type) {
        faults.fault(
          .invalidMapping,
          "the built-in transformer '\(builtin.rawValue)' does not serve the type "
            + attribute.type.rawValue, entity: entity, property: property.name, path: path)
      }
    case .value(let forward, let reverse):
      mapping.conversion = .function
      mapping.forward = forward
      mapping.reverse = reverse
    case let other:
      noteUnusable(
        name, wanted: "a value transformer", entry: other, faults: &faults, entity: entity,
        property: property.name, path: path)
    }
  }

  /// Gives an entity the functions that its annotations of these names choose.
  mutating func setFunctions(
    of mapping: inout EntityMapping, _ entity: EntityDescription, mapper: String,
    transformer: String, faults: inout MappingFaults
  ) {
    if let name = entity.userInfo[mapper] {
      mapping.entityMapperName = name
      switch entry(name) {
      case .entityMapper(let mapper): mapping.entityMapper = mapper
      case let other:
        noteUnusable(
          name, wanted: "an entity mapper", entry: other, faults: &faults, entity: entity.name)
      }
    }
    if let name = entity.userInfo[transformer] {
      mapping.dictionaryTransformerName = name
      switch entry(name) {
      case .dictionary(let transform): mapping.dictionaryTransformer = transform
      case let other:
        noteUnusable(
          name, wanted: "a dictionary transformer", entry: other, faults: &faults,
          entity: entity.name)
      }
    }
  }

  func warnOfUnused(_ faults: inout MappingFaults) {
    for name in registered where !used.contains(Name(name)) {
      faults.warn(
        "'\(name)' is registered, but no annotation names it", entity: "",
        status: .unknownTransformer)
    }
  }
}
