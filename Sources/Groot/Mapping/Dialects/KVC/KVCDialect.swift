/// Compiles mapping rules that are separate from the model, as in KVCMapping.
///
/// ```json
/// {"user, users": {"User.identifier": {"id": "identifier", "first_name": "firstName"}}}
/// ```
///
/// External names lead to an entity and the attribute that identifies its objects. The rules of the
/// entity lead from external keys to properties, see ``KVCRule``. Annotations of Groot's dialect
/// apply where there is no rule.
struct KVCDialect {
  let model: ManagedObjectModel
  /// One mapping for each entity, then the mappings of rules for single relationships.
  var mappings: [EntityMapping]
  /// The mapping of each external name.
  private(set) var mappingOfName: NameMap<PlanIndex> = [:]
  /// The rules of the entities that have their own.
  private var ruled: [EntityIndex: KVCGroup] = [:]

  init(model: ManagedObjectModel, base: [EntityMapping]) {
    self.model = model
    mappings = base.map { mapping in
      var mapping = mapping
      // Variants of mappings by annotations differ only in relationships.
      let outputs = mapping.outputs
      mapping.outputs = Mapping.variants(.kvc).map { variant in
        let position = variant.relationships == .none ? 1 : 0
        return position < outputs.count ? outputs[position] : []
      }
      return mapping
    }
  }

  /// Compiles all mappings; each issue names the path of its rule.
  mutating func compile(
    _ rules: JSONValue, compilation: inout MappingCompilation
  ) -> [EntityMapping] {
    let base = mappings
    for group in KVCGroup.groups(rules, in: model, compilation: &compilation)
    where !compilation.isOverLimit {
      var position = PlanIndex(of: group.entity)
      if let first = ruled[group.entity] {
        // A second group of rules for an entity applies only to its external names.
        if first.rules == group.rules && first.primaryKey == group.primaryKey {
          register(group, position: position, compilation: &compilation)
          continue
        }
        position = PlanIndex(mappings.count)
        mappings.append(base[group.entity])
      } else {
        ruled[group.entity] = group
      }
      let mapping = compile(group, over: base[group.entity], compilation: &compilation)
      mappings[position] = mapping
      register(group, position: position, compilation: &compilation)
    }
    // An error in inherited rules is reported once.
    for entity in model.entityIndices
    where ruled[entity] == nil && compilation.issues.isEmpty && !compilation.isOverLimit {
      guard let group = inherited(entity) else { continue }
      mappings[entity] = compile(group, over: base[entity], compilation: &compilation)
    }
    for position in mappings.indices where mappings[position].takesIdentifiersOnly {
      let entity = mappings[mappings[position].entity]
      mappings[position].isForeignKey = mappings[position].identity != entity.identity
    }
    return mappings
  }

  private mutating func register(
    _ group: KVCGroup, position: PlanIndex, compilation: inout MappingCompilation
  ) {
    for name in group.externalNames {
      if name.isEmpty {
        compilation.report(
          .invalidMapping, "an external name is empty", entity: model.resolved[group.entity].name,
          path: group.path)
      }
      if mappingOfName[name] != nil {
        compilation.report(
          .invalidMapping, "the external name '\(name.shortened)' is in two groups of rules",
          entity: model.resolved[group.entity].name, path: group.path)
      }
      mappingOfName[name] = position
    }
  }

  /// Returns the rules of the nearest ancestor that has some, for an entity without rules.
  private func inherited(_ entity: EntityIndex) -> KVCGroup? {
    var next = model.resolved[entity].parent
    while let ancestor = next {
      if var group = ruled[ancestor] {
        group.entity = entity
        return group
      }
      next = model.resolved[ancestor].parent
    }
    return nil
  }

  // MARK: Entities

  private mutating func compile(
    _ group: KVCGroup, over base: EntityMapping, compilation: inout MappingCompilation
  ) -> EntityMapping {
    var steps = self.steps(group, compilation: &compilation)
    let own = Set(steps.properties.map(\.property.number))
    var kept: [Int: Int] = [:]
    for (position, property) in base.properties.enumerated()
    where !own.contains(property.property.number) {
      kept[position] = steps.properties.count
      steps.properties.append(property)
    }
    compilation.count(steps: kept.count)
    var mapping = base
    mapping.isPositional = steps.isPositional
    mapping.notesUnidentified = true
    if let key = group.primaryKey {
      mapping.identity = identity(
        key, group: group, properties: steps.properties, compilation: &compilation)
    }
    let variants = Mapping.variants(.kvc)
    mapping.outputs = variants.indices.map { index in
      let ruled = steps.outputs(variants[index])
      if kept.isEmpty { return ruled }
      var tree = KeyConflicts()
      for (number, output) in ruled.enumerated() { tree.insert(output.path, number: number) }
      let annotated = base.outputs[index].compactMap { output -> OutputMapping? in
        guard let position = kept[output.position], tree.conflict(with: output.path) == nil
        else { return nil }
        return OutputMapping(position: position, path: output.path)
      }
      return ruled + annotated
    }
    mapping.properties = steps.properties
    sortSteps(&mapping)
    return mapping
  }

  /// Adds the mapping of the objects of one relationship, by nested rules.
  mutating func subobject(
    _ group: KVCGroup, compilation: inout MappingCompilation
  ) -> PlanIndex {
    let steps = self.steps(group, compilation: &compilation)
    var mapping = EntityMapping(entity: group.entity)
    mapping.isFixed = true
    mapping.isPositional = steps.isPositional
    if let key = group.primaryKey {
      mapping.identity = identity(
        key, group: group, properties: steps.properties, compilation: &compilation)
    }
    mapping.outputs = Mapping.variants(.kvc).map { steps.outputs($0) }
    mapping.properties = steps.properties
    sortSteps(&mapping)
    mappings.append(mapping)
    return PlanIndex(mappings.count - 1)
  }

  private func identity(
    _ key: String, group: KVCGroup, properties: [PropertyMapping],
    compilation: inout MappingCompilation
  ) -> [Int] {
    let entity = model.resolved[group.entity].name
    guard let property = try? model.property(named: key, of: group.entity),
      property.attribute != nil
    else {
      compilation.report(
        .invalidMapping, "the primary key '\(key.shortened)' is not an attribute of '\(entity)'",
        entity: entity,
        path: group.path)
      return []
    }
    if !properties.contains(where: { $0.property.number == property.number && !$0.inputs.isEmpty })
    {
      compilation.report(
        .invalidMapping, "no rule leads to the primary key '\(key)'", entity: entity, property: key,
        path: group.path)
    }
    return [property.number]
  }

  /// Sorts attributes first, and the steps of one property together in the order of the rules.
  private func sortSteps(_ mapping: inout EntityMapping) {
    let steps = mapping.properties
    var numbers: [Int] = []
    var positionsOf: [Int: [Int]] = [:]
    for (position, step) in steps.enumerated() {
      if positionsOf[step.property.number] == nil { numbers.append(step.property.number) }
      positionsOf[step.property.number, default: []].append(position)
    }
    let groups = numbers.compactMap { positionsOf[$0] }
    let order = [false, true].flatMap { isRelationship in
      groups.filter { steps[$0[0]].property.field.isRelationship == isRelationship }.joined()
    }
    var newPosition: [Int: Int] = [:]
    for (new, old) in order.enumerated() { newPosition[old] = new }
    mapping.properties = order.map { steps[$0] }
    for position in mapping.properties.indices.dropFirst()
    where mapping.properties[position].property.number
      == mapping.properties[position - 1].property.number
    {
      mapping.properties[position].options.insert(.isSuccessor)
      mapping.properties[position - 1].options.insert(.hasSuccessor)
    }
    mapping.outputs = mapping.outputs.map { outputs in
      outputs.map { output in
        OutputMapping(
          position: newPosition[output.position] ?? 0, path: output.path,
          isIndexed: output.isIndexed,
          part: output.part)
      }
    }
  }
}
