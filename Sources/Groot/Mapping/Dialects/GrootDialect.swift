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
  /// Whether properties without a key path stand under their own names, in all entities.
  let isImplicit: Bool

  /// One mapping for each entity of the model; every fault is noted.
  func compile(_ names: inout RegistryNames, _ faults: inout MappingFaults) -> [EntityMapping] {
    let mappings = model.entities.indices.map { compile($0, &names, &faults) }
    for entity in model.entities { lint(entity, &faults) }
    return mappings
  }

  // MARK: Entities

  private func compile(
    _ index: Int, _ names: inout RegistryNames, _ faults: inout MappingFaults
  ) -> EntityMapping {
    let entity = model.entities[index]
    let resolved = model.resolved[index]
    let properties = model.hierarchies[resolved.hierarchy].properties
    var mapping = EntityMapping(entity: index)
    mapping.properties = (resolved.attributes + resolved.relationships).compactMap {
      compile(properties[$0], &names, &faults)
    }
    mapping.identity = identity(index, &faults)
    for number in mapping.identity where properties[number].attribute == nil {
      // A relationship that scopes an identity needs no key path: the parent is known from where
      // the object stands.
      if !mapping.properties.contains(where: { $0.property.number == number }) {
        var scope = PropertyMapping(property: properties[number], inputs: [])
        let destination = properties[number].relationship?.destination ?? ""
        scope.destination = (try? model.index(of: destination)) ?? -1
        mapping.properties.append(scope)
      }
    }
    for number in mapping.identity where properties[number].attribute != nil {
      let readers = mapping.properties.filter { $0.property.number == number && !$0.inputs.isEmpty }
      if readers.isEmpty {
        faults.fault(
          .invalidMapping, "an identity attribute needs a JSONKeyPath",
          model.entities[properties[number].entity].name, properties[number].name)
      }
    }
    names.setFunctions(
      of: &mapping, entity, mapper: "entityMapperName",
      transformer: "JSONDictionaryTransformerName", &faults)
    let outputs = self.outputs(mapping)
    checkOutputs(mapping, outputs, entity.name, &faults)
    mapping.outputs = Mapping.variants(.groot).map { variant in
      outputs.filter { output in
        let isRelationship = mapping.properties[output.position].property.field.isRelationship
        return !isRelationship || variant.relationships != .none
      }
    }
    return mapping
  }

  /// What identifies an object of an entity: its ancestors' part first, that of the root before all.
  private func identity(_ index: Int, _ faults: inout MappingFaults) -> [Int] {
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
          faults.fault(
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

  private func compile(
    _ property: Property, _ names: inout RegistryNames, _ faults: inout MappingFaults
  ) -> PropertyMapping? {
    let entity = model.entities[property.entity].name
    guard let text = keyPath(property) else { return nil }
    let texts = [text] + (property.userInfo["groot.alternatives"].map(Self.list) ?? [])
    let paths = texts.map { JSONKeyPath($0) }
    guard paths.allSatisfy(\.isUsable) else {
      faults.fault(
        .invalidMapping,
        "the JSONKeyPath '\(text.prefix(60))' has an empty key, or more than "
          + "\(JSONKeyPath.maximumLength) keys", entity, property.name)
      return nil
    }
    var mapping = PropertyMapping(property: property, inputs: paths)
    checkDirection(&mapping, entity, &faults)
    faults.choosePolicies(of: &mapping, entity)
    if let relationship = property.relationship {
      mapping.manner = .skipsWayBack
      mapping.destination = (try? model.index(of: relationship.destination)) ?? -1
      switch property.userInfo["groot.export"] {
      case nil, "object": break
      case "identifier": mapping.writesIdentifiers = true
      case let other?:
        faults.fault(
          .invalidMapping, "groot.export is 'object' or 'identifier', not '\(other)'", entity,
          property.name)
      }
      return mapping
    }
    if let name = property.userInfo["JSONTransformerName"] {
      names.setTransformer(name, of: &mapping, &faults, entity)
    }
    return mapping
  }

  private static func list(_ text: String) -> [String] {
    text.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init)
  }

  private func checkDirection(
    _ mapping: inout PropertyMapping, _ entity: String, _ faults: inout MappingFaults
  ) {
    switch mapping.property.userInfo["groot.direction"] {
    case nil, "both", "import": break
    case "export": mapping.inputs = []
    case let other?:
      faults.fault(
        .invalidMapping, "groot.direction is 'both', 'import' or 'export', not '\(other)'", entity,
        mapping.property.name)
    }
  }

  /// What an export writes: each property with a key path, unless it is for imports only.
  private func outputs(_ mapping: EntityMapping) -> [OutputMapping] {
    mapping.properties.indices.compactMap { position in
      let property = mapping.properties[position].property
      guard property.userInfo["groot.direction"] != "import",
        let path = keyPath(property).map({ JSONKeyPath($0) }), path.isUsable
      else { return nil }
      return OutputMapping(position: position, path: path)
    }
  }

  /// The text of a property's key path; nil when it has none.
  private func keyPath(_ property: Property) -> String? {
    let isImplicit =
      isImplicit || model.entities[property.entity].userInfo["groot.implicit"] == "true"
    return property.userInfo["JSONKeyPath"]
      ?? (isImplicit ? JSONKeyPath.text(property.name) : nil)
  }

  /// Two properties must not write the same place, nor one inside the value of the other.
  private func checkOutputs(
    _ mapping: EntityMapping, _ outputs: [OutputMapping], _ entity: String,
    _ faults: inout MappingFaults
  ) {
    for (index, output) in outputs.enumerated() {
      for earlier in outputs[..<index] where output.path.conflicts(with: earlier.path) {
        let other = mapping.properties[earlier.position].property.name
        faults.fault(
          .invalidMapping,
          "its JSONKeyPath '\(output.path)' and that of '\(other)', '\(earlier.path)', cannot both be written",
          entity, mapping.properties[output.position].property.name)
      }
    }
  }

  // MARK: Warnings

  /// Notes what looks wrong in the annotations of an entity.
  private func lint(_ entity: EntityDescription, _ faults: inout MappingFaults) {
    for name in entity.userInfo.keys.sorted() {
      if let message = AnnotationNames.suspicion(name, known: AnnotationNames.entity) {
        faults.warn(message, entity.name)
      }
    }
    let identity = Set(
      (entity.userInfo["identityAttributes"] ?? entity.userInfo["identityAttribute"])
        .map(Self.list) ?? [])
    for attribute in entity.attributes {
      for name in attribute.userInfo.keys.sorted() {
        if let message = AnnotationNames.suspicion(name, known: AnnotationNames.attribute) {
          faults.warn(message, entity.name, attribute.name)
        }
      }
      guard identity.contains(attribute.name) else { continue }
      if attribute.isOptional {
        faults.warn(
          "it identifies objects but is optional: an object without it is never found again",
          entity.name, attribute.name)
      }
      if attribute.isTransient {
        faults.warn(
          "it identifies objects but is transient: a store does not keep it", entity.name,
          attribute.name)
      }
    }
    for relationship in entity.relationships {
      for name in relationship.userInfo.keys.sorted() {
        if let message = AnnotationNames.suspicion(name, known: AnnotationNames.relationship) {
          faults.warn(message, entity.name, relationship.name)
        }
      }
    }
  }
}
