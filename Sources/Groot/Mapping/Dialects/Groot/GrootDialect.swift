/// Compiles Groot's annotations.
///
/// | annotation | on | meaning |
/// |---|---|---|
/// | `JSONKeyPath` | property | its path in JSON; without it the property is not mapped |
/// | `JSONTransformerName` | attribute | a registered value transformer |
/// | `identityAttributes` | entity | the identifying properties, besides those of its ancestors |
/// | `identityAttribute` | entity | the older name, read if the newer is missing |
/// | `entityMapperName` | entity | a registered entity mapper |
/// | `JSONDictionaryTransformerName` | entity | a registered dictionary transformer |
/// | `groot.implicit` | entity | `true`: a property without JSONKeyPath is read under its own name |
/// | `groot.alternatives` | property | more key paths, read if JSONKeyPath leads nowhere |
/// | `groot.direction` | property | `both`, `import` or `export` |
/// | `groot.dateFormat` | date, day | its formats in JSON |
/// | `groot.export` | relationship | `object`, or `identifier`: members are written as identifiers |
/// | `groot.exportProperties` | relationship | the properties that members are written with |
/// | `groot.exportNull` | property | `write`, or `omit`: the key is omitted without a value |
/// | `groot.form` | to-many | `array`, `keyed` or `grouped`, see ``CollectionForm`` |
/// | `groot.unknownKeys` | entity | see ``UnknownKeys`` |
/// | `groot.discriminator` and related ones | entity | the value that chooses a sub-entity |
/// | `groot.discriminator` | to-one | the value that chooses the entity of an identifier's object |
/// | `groot.version`, `groot.versionRule` | entity | the test for outdated records |
/// | `groot.tombstone`, `groot.deletionMark` | entity | the mark of a deletion |
/// | `groot.null` and others | property | a policy, see ``Policies`` |
///
/// A property means the same in all entities that inherit it, and is compiled once.
struct GrootDialect {
  /// The greatest number of properties of an identity.
  static let maximumIdentity = 64

  let model: ManagedObjectModel
  /// Whether properties without a key path are read under their own names, in all entities.
  let isImplicit: Bool
  /// By hierarchy and number, the properties that are read or written.
  var compiled: [[PropertyMapping?]] = []
  /// By hierarchy and number, the paths of properties in exports.
  var written: [[JSONKeyPath?]] = []
  private var identities: [[Int]?]
  /// By the entity that has the annotation, its discriminator; nil if it is invalid.
  var discriminators: [EntityIndex: DiscriminatorMapping?] = [:]

  init(model: ManagedObjectModel, isImplicit: Bool) {
    self.model = model
    self.isImplicit = isImplicit
    identities = Array(repeating: nil, count: model.entities.count)
  }

  /// Compiles one mapping for each entity of the model; all issues are collected.
  mutating func compile(
    _ compilation: inout MappingCompilation
  ) -> [EntityMapping] {
    for hierarchy in model.hierarchies {
      compiled.append(hierarchy.properties.map { compile($0, compilation: &compilation) })
      written.append(hierarchy.properties.map(writtenPath))
    }
    var mappings = model.entityIndices.map { compile($0, compilation: &compilation) }
    giveKeys(to: &mappings, compilation: &compilation)
    giveKinds(to: &mappings, compilation: &compilation)
    checkSharedObjects(mappings, compilation: &compilation)
    checkValueCycles(mappings, compilation: &compilation)
    addMemberValues(to: &mappings, compilation: &compilation)
    for index in model.entityIndices {
      Self.lint(model.entities[index], compilation: &compilation)
      checkCompanions(index, compilation: &compilation)
    }
    return mappings
  }

  // MARK: Entities

  private mutating func compile(
    _ index: EntityIndex, compilation: inout MappingCompilation
  ) -> EntityMapping {
    let entity = model.entities[index]
    let resolved = model.resolved[index]
    let properties = model.hierarchies[resolved.hierarchy].properties
    var mapping = EntityMapping(entity: index)
    mapping.properties = (resolved.attributes + resolved.relationships).compactMap {
      compiled[resolved.hierarchy][$0]
    }
    mapping.identity = identity(index, compilation: &compilation)
    mapping.isPositional = mapping.properties.contains { property in
      property.inputs.contains { path in
        if case .position = path.segments.first { path.origin == .object } else { false }
      }
    }
    for number in mapping.identity {
      let reader = compiled[resolved.hierarchy][number]
      if properties[number].attribute == nil {
        // A relationship in an identity needs no key path: the parent is known from the place of
        // the object.
        if reader != nil { continue }
        var scope = PropertyMapping(property: properties[number], inputs: [])
        let destination = properties[number].relationship?.destination ?? ""
        scope.destination = (try? model.index(of: destination)).map(PlanIndex.init(of:)) ?? .none
        mapping.properties.append(scope)
      } else if reader?.inputs.isEmpty != false {
        compilation.report(
          .invalidMapping, "an identity attribute needs a JSONKeyPath",
          entity: model.entities[properties[number].entity].name, property: properties[number].name)
      }
    }
    compilation.count(steps: mapping.properties.count)
    compilation.setFunctions(
      of: &mapping, entity, mapper: "entityMapperName",
      transformer: "JSONDictionaryTransformerName")
    compileShapes(&mapping, entity, compilation: &compilation)
    let outputs = self.outputs(mapping, hierarchy: resolved.hierarchy)
    checkOutputs(mapping, outputs: outputs, entity: entity.name, compilation: &compilation)
    mapping.outputs = Mapping.variants(.groot).map { variant in
      variant.relationships != .none
        ? outputs
        : outputs.filter {
          $0.position < 0 || !mapping.properties[$0.position].property.field.isRelationship
        }
    }
    return mapping
  }

  /// Returns the identity of an entity's objects: the parts of its ancestors first, from the root
  /// down.
  private mutating func identity(_ index: EntityIndex, compilation: inout MappingCompilation)
    -> [Int]
  {
    var chain: [EntityIndex] = []
    var next: EntityIndex? = index
    while let entity = next, identities[entity] == nil {
      chain.append(entity)
      next = model.resolved[entity].parent
    }
    var numbers = next.flatMap { identities[$0] } ?? []
    for entity in chain.reversed() {
      addIdentity(of: entity, to: &numbers, &compilation)
      identities[entity] = numbers
    }
    return numbers
  }

  private func addIdentity(
    of index: EntityIndex, to numbers: inout [Int], _ compilation: inout MappingCompilation
  ) {
    let entity = model.entities[index]
    let resolved = model.resolved[index]
    for name in Self.identityNames(entity) {
      guard let number = resolved.numberByName[name],
        !model.hierarchies[resolved.hierarchy].properties[number].field.isToMany
      else {
        compilation.report(
          .invalidMapping,
          "identityAttributes names '\(name.shortened)', which is neither an attribute nor a to-one "
            + "relationship", entity: entity.name)
        continue
      }
      if numbers.contains(number) { continue }
      guard numbers.count < Self.maximumIdentity else {
        compilation.report(
          .limitExceeded, "an identity has at most \(Self.maximumIdentity) properties",
          entity: entity.name)
        return
      }
      numbers.append(number)
    }
  }

  static func identityNames(_ entity: EntityDescription) -> [String] {
    let text = entity.userInfo["identityAttributes"] ?? entity.userInfo["identityAttribute"]
    return text?.listedNames ?? []
  }
}
