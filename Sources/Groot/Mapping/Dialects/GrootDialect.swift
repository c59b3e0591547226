/// Compiles Groot's annotations.
///
/// | annotation | on | meaning |
/// |---|---|---|
/// | `JSONKeyPath` | property | where it stands in JSON; without it the property is left alone |
/// | `JSONTransformerName` | attribute | a registered value transformer |
/// | `identityAttributes` | entity | what identifies an object, with that of its ancestors |
/// | `identityAttribute` | entity | the older name, read where the newer is absent |
/// | `entityMapperName` | entity | a registered entity mapper |
/// | `JSONDictionaryTransformerName` | entity | a registered dictionary transformer |
/// | `groot.implicit` | entity | `true`: a property without JSONKeyPath stands under its own name |
/// | `groot.alternatives` | property | further key paths, read where JSONKeyPath leads nowhere |
/// | `groot.direction` | property | `both`, `import` or `export` |
/// | `groot.export` | relationship | `object`, or `identifier`: members are written as identifiers |
/// | `groot.null` and so on | property | a policy, see ``Policies`` |
struct GrootDialect {
  let model: ManagedObjectModel
  let registry: TransformerRegistry
  /// Whether properties without a key path stand under their own names, in all entities.
  let isImplicit: Bool
  private(set) var issues: [Issue] = []
  private(set) var warnings: [Issue] = []
  private var usedNames: Set<String> = []

  init(model: ManagedObjectModel, registry: TransformerRegistry, isImplicit: Bool) {
    self.model = model
    self.registry = registry
    self.isImplicit = isImplicit
  }

  /// One mapping for each entity of the model; every fault is an issue.
  mutating func compile() -> [EntityMapping] {
    let mappings = model.entities.indices.map { compile($0) }
    for entity in model.entities { lint(entity) }
    for name in registry.names where !usedNames.contains(name) {
      warnings.append(
        Issue(
          .unknownTransformer, "'\(name)' is registered, but no annotation names it",
          severity: .warning))
    }
    return mappings
  }

  private mutating func fault(
    _ status: Status, _ message: String, _ entity: String, _ property: String = ""
  ) {
    // An inherited property is compiled once for each descendant; its faults are said once.
    let issue = Issue(status, message, entity: entity, property: property)
    if !issues.contains(issue) { issues.append(issue) }
  }

  private mutating func warn(_ message: String, _ entity: String, _ property: String = "") {
    let issue = Issue(
      .invalidMapping, message, severity: .warning, entity: entity, property: property)
    if !warnings.contains(issue) { warnings.append(issue) }
  }

  // MARK: Entities

  private mutating func compile(_ index: Int) -> EntityMapping {
    let entity = model.entities[index]
    let resolved = model.resolved[index]
    let properties = model.hierarchies[resolved.hierarchy].properties
    var mapping = EntityMapping(entity: index)
    mapping.properties = (resolved.attributes + resolved.relationships).compactMap {
      compile(properties[$0])
    }
    mapping.identity = identity(index)
    for number in mapping.identity where properties[number].attribute == nil {
      // A relationship that scopes an identity needs no key path: the parent is known from where
      // the object stands.
      if !mapping.properties.contains(where: { $0.property.number == number }) {
        var scope = PropertyMapping(property: properties[number], inputs: [], output: nil)
        let destination = properties[number].relationship?.destination ?? ""
        scope.destination = (try? model.index(of: destination)) ?? -1
        mapping.properties.append(scope)
      }
    }
    for number in mapping.identity where properties[number].attribute != nil {
      let readers = mapping.properties.filter { $0.property.number == number && !$0.inputs.isEmpty }
      if readers.isEmpty {
        fault(
          .invalidMapping, "an identity attribute needs a JSONKeyPath",
          model.entities[properties[number].entity].name, properties[number].name)
      }
    }
    if let name = entity.userInfo["entityMapperName"] {
      mapping.entityMapperName = name
      switch entry(name) {
      case .entityMapper(let mapper): mapping.entityMapper = mapper
      case let other: unusable(name, "an entity mapper", other, entity.name)
      }
    }
    if let name = entity.userInfo["JSONDictionaryTransformerName"] {
      mapping.dictionaryTransformerName = name
      switch entry(name) {
      case .dictionary(let transform): mapping.dictionaryTransformer = transform
      case let other: unusable(name, "a dictionary transformer", other, entity.name)
      }
    }
    checkOutputs(mapping, entity.name)
    return mapping
  }

  private mutating func entry(_ name: String) -> TransformerRegistry.Entry? {
    usedNames.insert(name)
    return registry.entries[name]
  }

  private mutating func unusable(
    _ name: String, _ wanted: String, _ entry: TransformerRegistry.Entry?, _ entity: String,
    _ property: String = ""
  ) {
    if let entry {
      fault(.invalidMapping, "'\(name)' is \(entry.kindName), not \(wanted)", entity, property)
    } else {
      fault(
        .unknownTransformer,
        "\(wanted) '\(name)' is not registered; registered are \(listed(registry.names))", entity,
        property)
    }
  }

  /// What identifies an object of an entity: its ancestors' part first, that of the root before all.
  private mutating func identity(_ index: Int) -> [Int] {
    var numbers: [Int] = []
    var chain = [index]
    while let parent = chain.last.flatMap({ model.resolved[$0].parent }) { chain.append(parent) }
    for ancestor in chain.reversed() {
      let entity = model.entities[ancestor]
      guard
        let text = entity.userInfo["identityAttributes"] ?? entity.userInfo["identityAttribute"]
      else { continue }
      let properties = model.hierarchies[model.resolved[ancestor].hierarchy].properties
      for name in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init) {
        guard let number = model.resolved[ancestor].numberByName[name],
          !properties[number].field.isToMany
        else {
          fault(
            .invalidMapping,
            "identityAttributes names '\(name)', which is neither an attribute nor a to-one "
              + "relationship", entity.name)
          continue
        }
        if !numbers.contains(number) { numbers.append(number) }
      }
    }
    return numbers
  }

  // MARK: Properties

  private mutating func compile(_ property: Property) -> PropertyMapping? {
    let entity = model.entities[property.entity].name
    let isImplicit =
      isImplicit || model.entities[property.entity].userInfo["groot.implicit"] == "true"
    guard
      let text = property.userInfo["JSONKeyPath"]
        ?? (isImplicit ? JSONKeyPath.text(property.name) : nil)
    else { return nil }
    let texts = [text] + (property.userInfo["groot.alternatives"].map(Self.list) ?? [])
    let paths = texts.map { JSONKeyPath($0) }
    guard paths.allSatisfy(\.isUsable) else {
      fault(
        .invalidMapping,
        "the JSONKeyPath '\(text.prefix(60))' has an empty key, or more than "
          + "\(JSONKeyPath.maximumLength) keys", entity, property.name)
      return nil
    }
    var mapping = PropertyMapping(property: property, inputs: paths, output: paths[0])
    chooseDirection(&mapping, entity)
    choosePolicies(&mapping, entity)
    if let relationship = property.relationship {
      mapping.destination = (try? model.index(of: relationship.destination)) ?? -1
      switch property.userInfo["groot.export"] {
      case nil, "object": break
      case "identifier": mapping.writesIdentifiers = true
      case let other?:
        fault(
          .invalidMapping, "groot.export is 'object' or 'identifier', not '\(other)'", entity,
          property.name)
      }
      return mapping
    }
    chooseTransformer(&mapping, entity)
    return mapping
  }

  private static func list(_ text: String) -> [String] {
    text.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init)
  }

  private mutating func chooseDirection(_ mapping: inout PropertyMapping, _ entity: String) {
    switch mapping.property.userInfo["groot.direction"] {
    case nil, "both": break
    case "import": mapping.output = nil
    case "export": mapping.inputs = []
    case let other?:
      fault(
        .invalidMapping, "groot.direction is 'both', 'import' or 'export', not '\(other)'", entity,
        mapping.property.name)
    }
  }

  private mutating func choosePolicies(_ mapping: inout PropertyMapping, _ entity: String) {
    for name in Policies.names {
      guard let value = mapping.property.userInfo["groot." + name] else { continue }
      do {
        try mapping.policies.set(name, value)
      } catch {
        let message = (error as? GrootError)?.issues.first?.message ?? ""
        fault(.invalidMapping, message, entity, mapping.property.name)
      }
    }
  }

  private mutating func chooseTransformer(_ mapping: inout PropertyMapping, _ entity: String) {
    let property = mapping.property
    guard let attribute = property.attribute, let name = property.userInfo["JSONTransformerName"]
    else { return }
    mapping.transformerName = name
    switch entry(name) {
    case .builtin(let builtin):
      mapping.conversion = builtin.conversion
      if !builtin.types.contains(attribute.type) {
        fault(
          .invalidMapping,
          "the built-in transformer '\(builtin.rawValue)' does not serve the type "
            + attribute.type.rawValue, entity, property.name)
      }
    case .value(let forward, let reverse):
      mapping.conversion = .function
      mapping.forward = forward
      mapping.reverse = reverse
    case let other: unusable(name, "a value transformer", other, entity, property.name)
    }
  }

  /// Two properties must not write the same place, nor one inside the value of the other.
  private mutating func checkOutputs(_ mapping: EntityMapping, _ entity: String) {
    let outputs = mapping.properties.compactMap { property in
      property.output.map { (property.property.name, $0) }
    }
    for (position, (name, path)) in outputs.enumerated() {
      for (other, earlier) in outputs[..<position] where path.conflicts(with: earlier) {
        fault(
          .invalidMapping,
          "its JSONKeyPath '\(path)' and that of '\(other)', '\(earlier)', cannot both be written",
          entity, name)
      }
    }
  }

  // MARK: Warnings

  /// Notes what looks wrong in the annotations of an entity.
  private mutating func lint(_ entity: EntityDescription) {
    for name in entity.userInfo.keys.sorted() {
      if let message = AnnotationNames.suspicion(name, known: AnnotationNames.entity) {
        warn(message, entity.name)
      }
    }
    let identity = Set(
      (entity.userInfo["identityAttributes"] ?? entity.userInfo["identityAttribute"])
        .map(Self.list) ?? [])
    for attribute in entity.attributes {
      for name in attribute.userInfo.keys.sorted() {
        if let message = AnnotationNames.suspicion(name, known: AnnotationNames.attribute) {
          warn(message, entity.name, attribute.name)
        }
      }
      guard identity.contains(attribute.name) else { continue }
      if attribute.isOptional {
        warn(
          "it identifies objects but is optional: an object without it is never found again",
          entity.name, attribute.name)
      }
      if attribute.isTransient {
        warn(
          "it identifies objects but is transient: a store does not keep it", entity.name,
          attribute.name)
      }
    }
    for relationship in entity.relationships {
      for name in relationship.userInfo.keys.sorted() {
        if let message = AnnotationNames.suspicion(name, known: AnnotationNames.relationship) {
          warn(message, entity.name, relationship.name)
        }
      }
    }
  }
}
