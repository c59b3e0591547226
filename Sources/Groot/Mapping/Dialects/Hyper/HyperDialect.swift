/// Compiles naming conventions and the annotations of NSManagedObject-HYPPropertyMapper and Sync.
///
/// | annotation | on | meaning |
/// |---|---|---|
/// | `sync.remoteKey` | property | its JSON key; dots lead into nested objects |
/// | `sync.nonExportable` | property | exports omit it; any value counts |
/// | `sync.isPrimaryKey` | attribute | `YES` or `true`: the attribute identifies objects |
/// | `sync.valueTransformer` | attribute | a registered value transformer |
/// | `groot.dictionaryTransformer`, `groot.entityMapper` | entity | as in Groot's dialect |
/// | `groot.null` and others | property | a policy, see ``Policies`` |
///
/// An annotation with the prefix `hyper.` is read if the one with `sync.` is missing.
struct HyperDialect {
  let model: ManagedObjectModel
  /// By hierarchy and number, the spellings of properties.
  private let spellings: [[HyperName]]
  /// By hierarchy and number, the mappings of relationships.
  private var relationships: [[PropertyMapping?]] = []
  /// By hierarchy and number, the mappings of attributes, without their inputs.
  private var attributes: [[PropertyMapping?]] = []

  init(model: ManagedObjectModel) {
    self.model = model
    spellings = model.hierarchies.map { $0.properties.map { HyperName($0) } }
  }

  /// Compiles one mapping for each entity of the model; all issues are collected.
  mutating func compile(
    _ compilation: inout MappingCompilation
  ) -> [EntityMapping] {
    for (number, hierarchy) in model.hierarchies.enumerated() {
      attributes.append(
        hierarchy.properties.map { property in
          property.attribute == nil ? nil : attribute(property, compilation: &compilation)
        })
      relationships.append(
        hierarchy.properties.map { property in
          property.relationship == nil
            ? nil
            : relationship(
              property, spelling: spellings[number][property.number], compilation: &compilation)
        })
    }
    let mappings = model.entityIndices.map { compile($0, compilation: &compilation) }
    for entity in model.entities { HyperAnnotations.lint(entity, compilation: &compilation) }
    return mappings
  }

  private func compile(
    _ index: EntityIndex, compilation: inout MappingCompilation
  ) -> EntityMapping {
    let resolved = model.resolved[index]
    let properties = model.hierarchies[resolved.hierarchy].properties
    let spellings = spellings[resolved.hierarchy]
    let attributes = resolved.attributes.map { properties[$0] }
    var mapping = EntityMapping(entity: index)
    mapping.clearsMissingLeaves = true
    mapping.entersArrays = false
    let keys = HyperKeys(
      attributes, names: resolved.attributes.map { spellings[$0] }, lineage: lineage(index),
      entity: resolved.name,
      compilation: &compilation)
    mapping.spelling = keys.spelling
    for (position, number) in resolved.attributes.enumerated() {
      guard var attribute = self.attributes[resolved.hierarchy][number] else { continue }
      attribute.inputs = keys.inputs[position]
      mapping.properties.append(attribute)
    }
    mapping.properties += resolved.relationships.compactMap {
      relationships[resolved.hierarchy][$0]
    }
    compilation.count(steps: mapping.properties.count)
    if let key = primaryKey(attributes, entity: resolved.name, compilation: &compilation) {
      mapping.identity = [key.number]
    }
    mapping.deletionMark = compilation.deletionMark(of: index, in: model)
    compilation.setFunctions(
      of: &mapping, model.entities[index], mapper: "groot.entityMapper",
      transformer: "groot.dictionaryTransformer")
    let outputs = HyperOutputs(mapping, keys: keys, names: spellings, entity: resolved.name)
    mapping.outputs = Mapping.variants(.hyper).map {
      outputs.outputs($0, compilation: &compilation)
    }
    return mapping
  }

  /// Returns the canonical names of an entity and its ancestors, each with the distance of the
  /// nearest entity of that name.
  private func lineage(_ index: EntityIndex) -> (nearest: NameMap<Int>, count: Int) {
    var nearest: NameMap<Int> = [:]
    var distance = 0
    var next: EntityIndex? = index
    while let entity = next {
      if let name = Inflection.canonical(model.resolved[entity].name), nearest[name] == nil {
        nearest[name] = distance
      }
      distance += 1
      next = model.resolved[entity].parent
    }
    return (nearest, distance)
  }

  /// Returns the attribute that identifies objects: the annotated one, else `id`, else `remoteID`.
  private func primaryKey(
    _ attributes: [Property], entity: String, compilation: inout MappingCompilation
  ) -> Property? {
    let annotated = attributes.filter(HyperAnnotations.isPrimaryKey)
    if annotated.count > 1 {
      let names = listed(annotated.lazy.map(\.name))
      compilation.report(
        .invalidMapping, "more than one attribute is annotated as the primary key: \(names)",
        entity: entity,
        property: annotated[1].name)
    }
    return annotated.first ?? attributes.first { $0.name == "id" }
      ?? attributes.first { $0.name == "remoteID" }
  }

  // MARK: Attributes

  private func attribute(
    _ property: Property, compilation: inout MappingCompilation
  ) -> PropertyMapping {
    let entity = model.entities[property.entity].name
    var mapping = PropertyMapping(property: property, inputs: [])
    mapping.options = .hasSpellings
    mapping.policies = Self.policies
    compilation.choosePolicies(of: &mapping, entity)
    let transformer = HyperAnnotations.transformer(property)
    switch property.attribute?.type {
    case .date: mapping.conversion = .anyDate
    case .day: mapping.conversion = .anyDay
    case .uuid: mapping.conversion = .uppercaseUUID
    case .binary where mapping.policies.conversion == .generous: mapping.conversion = .jsonBytes
    case .transformable:
      mapping.conversion = .jsonContainer
      if transformer == nil { mapping.options.insert(.omitsNull) }
    default: break
    }
    if let transformer {
      compilation.setTransformer(transformer, of: &mapping, entity: entity)
    }
    return mapping
  }

  /// The policies of the conventions for differences between JSON and model.
  private static var policies: Policies {
    var policies = Policies()
    policies.conversion = .generous
    policies.invalid = .keep
    policies.validation = .save
    return policies
  }

  // MARK: Relationships

  /// Returns the mapping of a relationship, whose members are objects, or identifiers under a key
  /// such as `company_id`.
  private func relationship(
    _ property: Property, spelling: HyperName, compilation: inout MappingCompilation
  ) -> PropertyMapping {
    let name = property.name
    let isToMany = property.field.isToMany
    var mapping = PropertyMapping(property: property, inputs: [])
    if let key = spelling.remoteKey {
      mapping.inputs = HyperKeys.paths(spelling, key: key)
    } else {
      let snake = Inflection.snake(name)
      let endings = isToMany ? ["Ids", "IDs"] : ["Id", "ID"]
      let identifiers = Self.distinct(
        [snake + (isToMany ? "_ids" : "_id")] + endings.map { name + $0 })
      let objects = Self.distinct([snake, name])
      mapping.inputs = (identifiers + objects).map { JSONKeyPath(key: $0) }
      mapping.identifierCount = identifiers.count
      mapping.objectCount = objects.count
    }
    let destination = property.relationship?.destination ?? ""
    mapping.destination = (try? model.index(of: destination)).map(PlanIndex.init(of:)) ?? .none
    mapping.policies = Self.policies
    if isToMany {
      mapping.options = [
        .ignoresInverse, .skipsUnidentified, .omitsEmpty, .refusesMixedLists,
      ]
      mapping.policies.unknownIdentifier = .skip
      if isOneToMany(property) { mapping.policies.assignment = .deleteMissingObjects }
    } else {
      mapping.options = [.ignoresInverse, .reusesUnidentified, .omitsEmpty, .skipsWayBack]
      mapping.policies.unknownIdentifier = .keep
    }
    compilation.choosePolicies(of: &mapping, model.entities[property.entity].name)
    return mapping
  }

  private static func distinct(_ keys: [String]) -> [String] {
    var seen: Set<Name> = []
    return keys.filter { seen.insert(Name($0)).inserted }
  }

  /// Returns whether each member can have only one owner.
  private func isOneToMany(_ property: Property) -> Bool {
    guard let relationship = property.relationship, let inverse = relationship.inverse,
      let destination = try? model.index(of: relationship.destination),
      let other = try? model.property(named: inverse, of: destination)
    else { return false }
    return !other.field.isToMany
  }
}
