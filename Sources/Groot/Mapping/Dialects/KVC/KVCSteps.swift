/// The steps that the rules of one entity compile to.
struct KVCSteps {
  /// A step that an export writes.
  struct Written {
    let position: Int
    let key: KVCExternalKey
    let kind: Kind
  }

  enum Kind {
    case attribute
    case toOneKey
    case toManyKeys
    case subobject
  }

  var properties: [PropertyMapping] = []
  /// The first rule of each external key, except rules that cannot be reversed.
  var written: [Written] = []
  var isPositional = false

  /// Returns the outputs of a variant.
  func outputs(_ variant: ExportVariant) -> [OutputMapping] {
    var outputs: [OutputMapping] = []
    // Only rules with combined keys give way to others.
    let isContested = written.contains { $0.key.isCombined }
    var tree = KeyConflicts()
    for step in written.sortedFew(by: { !$0.key.isCombined && $1.key.isCombined }) {
      switch step.kind {
      case .attribute: break
      case .toOneKey: if variant.relationships == .none { continue }
      case .toManyKeys: if variant.relationships == .none || !variant.writesToMany { continue }
      case .subobject:
        if variant.relationships == .none || !variant.writesSubobjects { continue }
      }
      for (part, path) in step.key.paths.enumerated() where step.key.isCombined || part == 0 {
        if step.key.isCombined && tree.conflict(with: path) != nil { continue }
        if isContested { tree.insert(path, number: outputs.count) }
        outputs.append(
          OutputMapping(
            position: step.position, path: path, part: step.key.isCombined ? part : nil))
      }
    }
    return outputs.sortedFew { ($0.position, $0.part ?? 0) < ($1.position, $1.part ?? 0) }
  }
}

extension KVCDialect {
  /// Compiles the rules of a group one by one.
  mutating func steps(
    _ group: KVCGroup, compilation: inout MappingCompilation
  ) -> KVCSteps {
    var steps = KVCSteps()
    let entity = model.resolved[group.entity].name
    guard group.depth < KVCGroup.maximumDepth else {
      compilation.report(
        .limitExceeded, "rules nest at most \(KVCGroup.maximumDepth) deep", entity: entity,
        path: group.path
      )
      return steps
    }
    for (text, value) in group.rules.members where !compilation.isOverLimit {
      let path = group.path + MessagePath.member(text.shortened)
      let key = KVCExternalKey(text)
      guard key.isUsable else {
        compilation.report(
          .invalidMapping,
          "the external key '\(text.shortened)' has an empty part, or more than "
            + "\(JSONKeyPath.maximumLength) keys or \(JSONKeyPath.maximumSize) bytes, or takes more "
            + "than \(KVCExternalKey.maximumCount) keys together", entity: entity, path: path)
        continue
      }
      if !key.isCombined && key.paths[0].firstPosition != nil { steps.isPositional = true }
      addRules(value, key: key, at: path, to: &steps, group: group, compilation: &compilation)
    }
    checkOutputs(steps, group: group, compilation: &compilation)
    return steps
  }

  /// Adds the rule, or the list of rules, of an external key.
  private mutating func addRules(
    _ value: JSONValue, key: KVCExternalKey, at path: String, to steps: inout KVCSteps,
    group: KVCGroup, compilation: inout MappingCompilation
  ) {
    var isFirst = true
    for raw in value.arrayValue ?? [value] where !compilation.isOverLimit {
      compilation.count(steps: 1)
      do throws(KVCRule.SyntaxError) {
        let rule = try KVCRule.read(raw)
        try add(
          rule, key: key, at: path, isFirst: isFirst, to: &steps, group: group,
          compilation: &compilation)
      } catch {
        compilation.report(
          .invalidMapping, error.text, entity: model.resolved[group.entity].name, path: path)
      }
      isFirst = false
    }
  }

  private mutating func add(
    _ rule: KVCRule, key: KVCExternalKey, at path: String, isFirst: Bool,
    to steps: inout KVCSteps, group: KVCGroup, compilation: inout MappingCompilation
  ) throws(KVCRule.SyntaxError) {
    let entity = group.entity
    let name = model.resolved[entity].name
    guard let property = try? model.property(named: rule.name, of: entity) else {
      throw KVCRule.SyntaxError(
        "'\(name)' has no property '\(rule.name.shortened)'; it has "
          + listed(model.resolved[entity].propertyNames))
    }
    var mapping = PropertyMapping(property: property, inputs: key.paths)
    mapping.policies = Self.policies
    if key.isCombined { mapping.options.insert(.combines) }
    var kind = KVCSteps.Kind.attribute
    if property.attribute != nil {
      guard rule.key == nil, rule.rules == nil else {
        throw KVCRule.SyntaxError("'\(rule.name)' is an attribute and leads to no objects")
      }
      guard !key.isCombined || rule.transformer != nil else {
        throw KVCRule.SyntaxError(
          "several keys for one attribute need a transformer that combines them")
      }
      if let transformer = rule.transformer {
        compilation.setTransformer(transformer, of: &mapping, entity: name, path: path)
      } else {
        setDateForms(of: &mapping, compilation: &compilation)
      }
    } else {
      kind = try relate(
        &mapping, rule: rule, key: key, at: path, depth: group.depth, compilation: &compilation
      )
    }
    steps.properties.append(mapping)
    let isOneWay = mapping.conversion == .function && mapping.reverse == nil
    let hasOneWayKey = isOneWay || (rule.rules == nil && hasOneWayKey(mapping))
    if isFirst && !hasOneWayKey {
      steps.written.append(
        KVCSteps.Written(position: steps.properties.count - 1, key: key, kind: kind))
    }
  }

  /// Returns whether the foreign key of a relationship has a transformer without a reverse
  /// function.
  private func hasOneWayKey(_ mapping: PropertyMapping) -> Bool {
    guard mapping.destination != .none, let key = mappings[mapping.destination].properties.first
    else {
      return false
    }
    return key.conversion == .function && key.reverse == nil
  }

  /// Compiles a rule of a relationship: a foreign key, or nested objects.
  private mutating func relate(
    _ mapping: inout PropertyMapping, rule: KVCRule, key: KVCExternalKey, at path: String,
    depth: Int, compilation: inout MappingCompilation
  ) throws(KVCRule.SyntaxError) -> KVCSteps.Kind {
    let property = mapping.property
    guard !key.isCombined else {
      throw KVCRule.SyntaxError("several keys cannot lead to one relationship")
    }
    guard let destination = try? model.index(of: property.relationship?.destination ?? "") else {
      throw KVCRule.SyntaxError("'\(rule.name)' leads nowhere")
    }
    mapping.policies.shape = .box
    mapping.options.insert(.isExplicit)
    if let rules = rule.rules {
      mapping.options.insert(rule.key == nil ? .alwaysInserts : .skipsUnidentified)
      mapping.destination = subobject(
        KVCGroup(
          entity: destination, primaryKey: rule.key, rules: rules,
          path: path + MessagePath.member(rule.name + (rule.key.map { "." + $0.shortened } ?? "")),
          depth: depth + 1),
        compilation: &compilation)
      return .subobject
    }
    let attribute = try foreignKey(rule, of: destination)
    mapping.destination = addForeignKey(
      attribute, of: destination, transformer: rule.transformer, at: path,
      compilation: &compilation)
    mapping.writesIdentifiers = true
    return property.field.isToMany ? .toManyKeys : .toOneKey
  }

  /// Returns the attribute that a rule of a relationship names.
  private func foreignKey(
    _ rule: KVCRule, of destination: EntityIndex
  ) throws(KVCRule.SyntaxError) -> Property {
    guard let foreignKey = rule.key else {
      throw KVCRule.SyntaxError(
        "'\(rule.name)' is a relationship; a rule names the attribute that identifies its objects: "
          + "'\(rule.name).key'")
    }
    guard let attribute = try? model.property(named: foreignKey, of: destination),
      attribute.attribute != nil
    else {
      throw KVCRule.SyntaxError(
        "'\(foreignKey.shortened)' is not an attribute of '\(model.resolved[destination].name)', where "
          + "'\(rule.name)' leads")
    }
    return attribute
  }

  /// Adds the mapping of objects that are named only by the value of an attribute.
  private mutating func addForeignKey(
    _ attribute: Property, of destination: EntityIndex, transformer: String?, at path: String,
    compilation: inout MappingCompilation
  ) -> PlanIndex {
    var keyMapping = PropertyMapping(property: attribute, inputs: [])
    keyMapping.policies = Self.policies
    if let transformer {
      compilation.setTransformer(
        transformer, of: &keyMapping, entity: model.resolved[destination].name,
        path: path)
    } else {
      setDateForms(of: &keyMapping, compilation: &compilation)
    }
    var entity = EntityMapping(entity: destination)
    entity.isFixed = true
    entity.takesIdentifiersOnly = true
    entity.identity = [attribute.number]
    entity.properties = [keyMapping]
    entity.outputs = Mapping.variants(.kvc).map { _ in [] }
    mappings.append(entity)
    return PlanIndex(mappings.count - 1)
  }

  /// Sets the date formats from the annotation of an attribute whose rule has no transformer.
  private func setDateForms(
    of mapping: inout PropertyMapping, compilation: inout MappingCompilation
  ) {
    compilation.setDateForms(
      of: &mapping, isRead: true, entity: model.entities[mapping.property.entity].name)
  }

  /// The policies of rules for differences between JSON and model.
  private static var policies: Policies {
    var policies = Policies()
    policies.conversion = .coercing
    policies.invalid = .keep
    policies.validation = .save
    return policies
  }

  /// Reports keys that cannot both be written, because one is inside the value of the other.
  private func checkOutputs(
    _ steps: KVCSteps, group: KVCGroup, compilation: inout MappingCompilation
  ) {
    let paths = steps.written.filter { !$0.key.isCombined }.map { $0.key.paths[0] }
    var tree = KeyConflicts()
    for (index, path) in paths.enumerated() {
      guard let earlier = tree.conflict(with: path).map({ paths[$0] }) else {
        tree.insert(path, number: index)
        continue
      }
      compilation.report(
        .invalidMapping,
        "the external keys '\(path.description.shortened)' and "
          + "'\(earlier.description.shortened)' cannot both be written",
        entity: model.resolved[group.entity].name, path: group.path)
    }
  }
}
