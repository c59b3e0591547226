// The shapes of records and lists in a plan.

extension PlanBuilder {
  /// The properties with which partial objects of a relationship are written.
  struct Partial {
    let destination: PlanIndex
    let numbers: Set<Int>
  }

  mutating func addPartial(_ mapping: PropertyMapping) -> Int32 {
    if mapping.exportProperties.isEmpty { return -1 }
    partials.append(Partial(destination: mapping.destination, numbers: mapping.exportProperties))
    return Int32(partials.count - 1)
  }

  /// Adds the outputs of partial objects; all entities must be added before.
  ///
  /// - Throws: ``Status/limitExceeded``.
  mutating func partialPlans(_ mappings: [EntityMapping]) throws -> [PartialPlan] {
    try partials.map { partial in
      var ranges: [Int32] = []
      var isNested = false
      for kind in kinds(of: partial.destination) {
        let mapping = mappings[kind]
        var written = (mapping.outputs.first ?? []).filter { output in
          output.constant != nil
            || output.position >= 0
              && partial.numbers.contains(mapping.properties[output.position].property.number)
        }
        // Listed properties are written even if exports omit them elsewhere.
        let known = Set(written.compactMap { $0.position < 0 ? nil : $0.position })
        for (position, property) in mapping.properties.enumerated()
        where !known.contains(position) && partial.numbers.contains(property.property.number) {
          guard let path = property.inputs.first(where: { $0.origin == .object }) else { continue }
          written.append(OutputMapping(position: position, path: path))
        }
        restStep = entities[kind].restStep
        if restStep >= 0, !partial.numbers.contains(Int(steps[Int(restStep)].field.number)) {
          restStep = -1
        }
        isNested =
          isNested || restStep >= 0
          || written.contains {
            $0.position >= 0 && mapping.properties[$0.position].property.relationship != nil
          }
        let isPositional = isPositional(written, of: mapping)
        if !isPositional { written.removeAll(where: \.path.beginsAtPosition) }
        ranges.append(Int32(outputRanges.count))
        try addRange(
          outputDrafts(written, variant: 0, firstStep: Int(entities[kind].firstStep)),
          identity: IdentityOutputs(), isPositional: isPositional)
      }
      return PartialPlan(
        numbers: partial.numbers, isNested: isNested,
        first: entities[partial.destination].localIndex, ranges: ranges)
    }
  }

  /// Marks relationships whose members are not plain objects in list order; all entities must be
  /// added before.
  mutating func markShapes() {
    var known: [PlanIndex: (hasValues: Bool, hasIndexes: Bool, readsParent: Bool)] = [:]
    let needsKeys = outputRanges.contains(where: \.needsKey)
    for position in steps.indices where !steps[position].destination.isNone {
      let destination = steps[position].destination
      if known[destination] == nil {
        let kinds = kinds(of: destination).map { entities[$0] }
        known[destination] = (
          kinds.contains { $0.valueStep >= 0 }, kinds.contains { $0.indexStep >= 0 },
          kinds.contains(where: \.readsParent)
        )
      }
      let (hasValues, hasIndexes, readsParent) = known[destination] ?? (false, false, false)
      steps[position].readsAround = readsParent && steps[position].isDeep
      steps[position].isShaped = steps[position].partial >= 0 || hasValues
      steps[position].hasIndexes = hasIndexes
      steps[position].isDirect =
        !needsKeys && !steps[position].isShaped && !steps[position].writesIdentifiers
        && steps[position].form == .array && !steps[position].options.contains(.omitsEmpty)
      steps[position].isArranged =
        steps[position].field.isToMany && (steps[position].form != .array || hasIndexes)
    }
  }

  /// Adds the attributes that are written around each member of a list, in a wrapping object.
  mutating func addArounds(_ mapping: EntityMapping, firstStep: Int) {
    for (position, property) in mapping.properties.enumerated() {
      guard property.property.attribute != nil, let path = property.inputs.first,
        path.origin == .parent, path.segments.count == 1, let key = path.firstKey,
        property.property.userInfo["groot.direction"] != "import"
      else { continue }
      arounds.append((Int32(firstStep + position), add(key: key)))
    }
  }

  /// Returns the first step that reads a property from an origin; -1 without one.
  func step(
    reading origin: JSONKeyPath.Origin, _ mapping: EntityMapping, _ firstStep: Int
  ) -> Int32 {
    let position = mapping.properties.firstIndex { property in
      property.inputs.contains { $0.origin == origin }
    }
    return position.map { Int32(firstStep + $0) } ?? -1
  }

  /// Returns the step of the key in a keyed collection: the step that reads it, or the only
  /// identifying attribute; -1 without one.
  func keyStep(_ mapping: EntityMapping, _ firstStep: Int) -> Int32 {
    let step = step(reading: .key, mapping, firstStep)
    if step >= 0 { return step }
    let identity = mapping.properties.indices.filter {
      mapping.identity.contains(mapping.properties[$0].property.number)
    }
    guard identity.count == 1, mapping.properties[identity[0]].property.attribute != nil else {
      return -1
    }
    return Int32(firstStep + identity[0])
  }

  /// Returns whether the text of an attribute is that of the stored value.
  func isWrittenAsStored(_ mapping: PropertyMapping) -> Bool {
    guard mapping.reverse == nil, let type = mapping.property.attribute?.type else { return false }
    switch mapping.conversion {
    case .plain: return type == .string || type == .uri || type.isInteger
    case .lowercase, .uppercase, .trim: return type == .string
    default: return false
    }
  }

  /// Returns the slot of the first attribute that is not part of the identity or the place; -1
  /// without one.
  func contentSlot(from firstStep: Int) -> Int32 {
    let step = steps[firstStep...].first {
      $0.destination.isNone && !$0.isIdentity && !$0.options.contains(.saysNothing)
        && $0.slotCount > 0
    }
    return step?.firstSlot ?? -1
  }

  /// Returns the slot that a path `@key` fills; -1 without one.
  func keySlot(_ mapping: EntityMapping, _ paths: [SlotUse]) -> Int32 {
    paths.first { $0.path.origin == .key }?.slot ?? -1
  }

  func keyIsText(_ mapping: EntityMapping) -> Bool {
    let step = keyStep(mapping, 0)
    return step < 0 || takesText(mapping.properties[Int(step)])
  }

  /// Returns whether the identity is only the key in a keyed collection.
  func identifiesByKey(_ mapping: EntityMapping) -> Bool {
    mapping.identity.count == 1
      && mapping.properties.contains { property in
        property.property.number == mapping.identity[0]
          && property.inputs.contains { $0.origin == .key }
      }
  }

  /// Adds the path of the discriminator beside an identifier; returns -1 without one.
  mutating func addKindPath(_ mapping: PropertyMapping) -> Int32 {
    guard let path = mapping.kindPath else { return -1 }
    kindPaths.append((TapeSteps(path), path.location))
    return Int32(kindPaths.count - 1)
  }

  mutating func addDiscriminator(_ mapping: EntityMapping) -> Int32 {
    guard let base = mapping.discriminatorBase, let discriminator = mapping.discriminator else {
      return -1
    }
    if let known = discriminatorOf[base] { return known }
    discriminatorOf[base] = Int32(discriminators.count)
    discriminators.append(Discriminator(discriminator))
    return Int32(discriminators.count - 1)
  }

  mutating func addTombstone(_ mapping: EntityMapping) -> Int32 {
    guard let tombstone = mapping.tombstone else { return -1 }
    tombstones.append(Tombstone(tombstone))
    return Int32(tombstones.count - 1)
  }

  /// Returns the step of the attribute with the unmapped keys; -1 without one.
  func stepOfRest(_ mapping: EntityMapping, _ firstStep: Int) -> Int32 {
    let position = mapping.properties.firstIndex { $0.options.contains(.isRest) }
    return position.map { Int32(firstStep + $0) } ?? -1
  }

  /// Returns the step that reads a property; -1 without one.
  func step(of number: Int?, _ mapping: EntityMapping, _ firstStep: Int) -> Int32 {
    let position = mapping.properties.firstIndex {
      $0.property.number == number && !$0.inputs.isEmpty
    }
    return position.map { Int32(firstStep + $0) } ?? -1
  }

  /// Returns whether an attribute is read from text rather than from a number or a truth value.
  func takesText(_ mapping: PropertyMapping) -> Bool {
    switch mapping.conversion {
    case .integerText, .doubleText, .decimalText, .booleanText: return true
    case .unixSeconds, .unixMilliseconds: return false
    case .dateForms: return mapping.dateForms?.hasNumber != true
    default: break
    }
    switch mapping.property.attribute?.type {
    case .integer16, .integer32, .integer64, .double, .float, .decimal, .boolean: return false
    default: return true
    }
  }

  /// Returns whether an array can be an object: its elements have positions, or it is the value
  /// itself.
  func takesArrays(_ mapping: EntityMapping) -> Bool {
    mapping.isPositional
      || mapping.properties.contains { property in
        property.property.attribute?.type == .transformable
          && property.inputs.contains { $0.origin == .value }
      }
  }
}
