/// Compiles Groot's annotations.
///
/// | annotation | on | meaning |
/// |---|---|---|
/// | `JSONKeyPath` | property | where it stands in JSON; without it the property is left alone |
/// | `JSONTransformerName` | attribute | a registered value transformer |
/// | `identityAttributes` | entity | attributes that identify an object, with those of ancestors |
/// | `identityAttribute` | entity | the older name, read where the newer is absent |
/// | `entityMapperName` | entity | a registered entity mapper |
/// | `JSONDictionaryTransformerName` | entity | a registered dictionary transformer |
struct GrootDialect {
  let model: ManagedObjectModel
  let registry: TransformerRegistry
  private(set) var issues: [Issue] = []

  init(model: ManagedObjectModel, registry: TransformerRegistry) {
    self.model = model
    self.registry = registry
  }

  /// One mapping for each entity of the model; every fault is an issue.
  mutating func compile() -> [EntityMapping] {
    model.entities.indices.map { compile($0) }
  }

  private mutating func fault(
    _ status: Status, _ message: String, _ entity: String, _ property: String = ""
  ) {
    // An inherited property is compiled once for each descendant; its faults are said once.
    let issue = Issue(status, message, entity: entity, property: property)
    if !issues.contains(issue) { issues.append(issue) }
  }

  private mutating func compile(_ index: Int) -> EntityMapping {
    let entity = model.entities[index]
    let resolved = model.resolved[index]
    let properties = model.hierarchies[resolved.hierarchy].properties
    var mapping = EntityMapping(entity: index)
    mapping.properties = (resolved.attributes + resolved.relationships).compactMap {
      compile(properties[$0])
    }
    mapping.identity = identity(index)
    for number in mapping.identity
    where !mapping.properties.contains(where: { $0.property.number == number }) {
      fault(
        .invalidMapping, "an identity attribute needs a JSONKeyPath",
        model.entities[properties[number].entity].name, properties[number].name)
    }
    if let name = entity.userInfo["entityMapperName"] {
      mapping.entityMapperName = name
      switch registry.entries[name] {
      case .entityMapper(let mapper): mapping.entityMapper = mapper
      case let other: unusable(name, "an entity mapper", other, entity.name)
      }
    }
    if let name = entity.userInfo["JSONDictionaryTransformerName"] {
      mapping.dictionaryTransformerName = name
      switch registry.entries[name] {
      case .dictionary(let transform): mapping.dictionaryTransformer = transform
      case let other: unusable(name, "a dictionary transformer", other, entity.name)
      }
    }
    checkOutputs(mapping, entity.name)
    return mapping
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

  private mutating func compile(_ property: Property) -> PropertyMapping? {
    guard let text = property.userInfo["JSONKeyPath"] else { return nil }
    let entity = model.entities[property.entity].name
    let path = JSONKeyPath(text)
    guard path.isUsable else {
      fault(.invalidMapping, "the JSONKeyPath '\(text)' has an empty key", entity, property.name)
      return nil
    }
    var mapping = PropertyMapping(property: property, inputs: [path], output: path)
    if let relationship = property.relationship {
      mapping.destination = (try? model.index(of: relationship.destination)) ?? -1
      return mapping
    }
    guard let attribute = property.attribute, let name = property.userInfo["JSONTransformerName"]
    else { return mapping }
    mapping.transformerName = name
    switch registry.entries[name] {
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
    return mapping
  }

  /// The identity attributes of an entity and its ancestors, those of the root first.
  private mutating func identity(_ index: Int) -> [Int] {
    var numbers: [Int] = []
    var chain = [index]
    while let parent = chain.last.flatMap({ model.resolved[$0].parent }) { chain.append(parent) }
    for ancestor in chain.reversed() {
      let entity = model.entities[ancestor]
      guard
        let text = entity.userInfo["identityAttributes"] ?? entity.userInfo["identityAttribute"]
      else { continue }
      for name in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init) {
        guard let number = model.resolved[ancestor].numberByName[name],
          model.hierarchies[model.resolved[ancestor].hierarchy].properties[number].attribute != nil
        else {
          fault(
            .invalidMapping, "identityAttributes names '\(name)', which is no attribute",
            entity.name)
          continue
        }
        if !numbers.contains(number) { numbers.append(number) }
      }
    }
    return numbers
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
}
