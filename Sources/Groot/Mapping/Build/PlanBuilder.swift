/// Collects the parts of a ``Plan`` in arrays.
struct PlanBuilder {
  struct Node {
    var offset = 0
    var length = 0
    var position = KeyNode.isKey
    var firstChild = 0
    var keyCount = 0
    var childCount = 0
    var firstPosition = 0
    var positionCount = 0
    var elements: Int32 = -1
    var firstSlot = 0
    var slotCount = 0
    var innerSlot: Int32 = -1
    var hasInnerChildren = false
    var isKnown = false
    var leavings: KeyNode.Leavings = []
  }

  struct Output {
    var kind: OutputOperation.Kind
    var isIndexed = false
    var isFlat = false
    var part: Int16 = -1
    var step: Int32 = -1
    var merge: Int32 = -1
    var mergedCount: Int32 = 0
    var keyOffset = 0
    var keyLength = 0
    var constantOffset = 0
    var constantLength = 0
    var firstWrap: Int32 = 0
    var wrapCount: Int32 = 0
    var isKey = false
    var level: Int32 = -1
    var restPath: Int32 = -1
  }

  let model: ManagedObjectModel
  var entities: [EntityPlan] = []
  var steps: [StepPlan] = []
  var nodes: [Node] = []
  var slots: [Int32] = []
  private(set) var identities: [Int32] = []
  var outputs: [Output] = []
  var wraps: [(offset: Int, length: Int)] = []
  var outputRanges: [OutputRange] = []
  var positions: [Int32] = []
  /// The merges, and the merge of each step.
  var merges: [Merge] = []
  var mergeOf: [MergeKey: Int] = [:]
  var mergeOfContent: [MergeContent: Int] = [:]
  /// By merge, the offset that gives the position in ``mergedRanges`` when the local index of the
  /// object's entity is added.
  var mergeStarts: [Int32] = []
  var mergedRanges: [Int32] = []
  var mergedPairs: [[MergedPair]] = []
  var bytes: [UInt8] = []
  private(set) var functions: [TransformerRegistry.TapeTransform] = []
  private(set) var functionNames: [String] = []
  /// The functions that get many values, and for each of ``functions`` the position of its own there.
  private(set) var batches: [BatchPlan] = []
  private(set) var batchNumbers: [Int32] = []
  private(set) var reverseBatches: [Int32: BatchFunction] = [:]
  var partials: [Partial] = []
  var restLevels: [RestLevel] = []
  /// For each value of members, the steps of relationships and the numbers of attributes.
  var memberValues: [[(step: Int32, number: Int)]] = []
  /// The step of unmapped keys, while outputs are added; -1 without one.
  var restStep: Int32 = -1
  /// The path in the object to which outputs are added.
  var restPath: [JSONKeyPath.Segment] = []
  var discriminators: [Discriminator] = []
  var tombstones: [Tombstone] = []
  /// By the entity that has the annotation, the number of its discriminator.
  var discriminatorOf: [EntityIndex: Int32] = [:]
  private(set) var dateForms: [DateForms] = []

  /// The offsets of keys: their plain bytes, and their quoted form.
  private var offsetOfKey: [Name: Int] = [:]
  var offsetOfOutput: [Name: (offset: Int, length: Int)] = [:]

  /// The slot of a known path that does not belong to a property.
  static let knownSlot: Int32 = -1
  /// The greatest number of keys, of positions and of outputs of a plan.
  static let maximumSize = 8_000_000

  /// The output of properties without a value, if no annotation sets it.
  let nulls: NullStyle
  /// By slot of the added entity, the values that exports omit.
  var leavingsOfSlot: [Int32: KeyNode.Leavings] = [:]
  var restPaths: [RestPath] = []
  var kindPaths: [(path: TapeSteps, location: String)] = []
  /// The attributes that are written around members of lists, with their keys.
  var arounds: [(step: Int32, key: (offset: Int, length: Int))] = []

  init(model: ManagedObjectModel, nulls: NullStyle = .write) {
    self.model = model
    self.nulls = nulls
  }

  /// Adds the plan of a mapping.
  ///
  /// - Throws: ``Status/limitExceeded``.
  mutating func add(_ mapping: EntityMapping) throws {
    let identity = Set(mapping.identity)
    let resolved = model.resolved[mapping.entity]
    let firstStep = steps.count
    var slotCount: Int32 = 0
    var paths: [SlotUse] = []
    var attributeSlots: Int32 = 0
    let restStep = stepOfRest(mapping, firstStep)
    let hasRest = restStep >= 0
    leavingsOfSlot = [:]
    for property in mapping.properties {
      let step = step(property, identity: identity, firstSlot: slotCount)
      if hasRest { noteLeavings(property, slots: slotCount..<slotCount + step.slotCount) }
      for (position, path) in property.inputs.enumerated() {
        paths.append(
          SlotUse(
            path: path, slot: slotCount + Int32(position), takesText: takesText(property)))
      }
      slotCount += step.slotCount
      if step.destination == .none { attributeSlots = slotCount }
      steps.append(step)
    }
    if let path = mapping.discriminator?.path, path.origin == .object {
      // The discriminator's key is a known key.
      paths.append(SlotUse(path: path, slot: slotCount, takesText: true))
      if hasRest { leavingsOfSlot[slotCount] = .kind }
      slotCount += 1
    }
    let firstIdentity = identities.count
    let isScoped = addIdentity(mapping, firstStep: firstStep)
    let root = nodes.count
    nodes.append(Node())
    let own = paths.filter { $0.path.origin == .object }
    let known = mapping.knownPaths.filter { $0.beginsAtPosition == mapping.isPositional }
    addChildren(
      of: root,
      own.map { ($0.path.segments[...], $0.slot) }
        + known.map { ($0.segments[...], Self.knownSlot) }, slotCount: &slotCount)
    if mapping.isPositional { addPositions(of: root) }
    let places = addPlaces(paths, slotCount: &slotCount)
    try checkSize()
    let firstAround = arounds.count
    addArounds(mapping, firstStep: firstStep)
    let firstRange = outputRanges.count
    try addVariants(mapping, firstStep: firstStep)
    let mapper = add(mapping.entityMapper, name: mapping.entityMapperName)
    let transformer = add(mapping.dictionaryTransformer, name: mapping.dictionaryTransformerName)
    entities.append(
      EntityPlan(
        entity: mapping.entity, isFixed: mapping.isFixed,
        takesIdentifiersOnly: mapping.takesIdentifiersOnly, isForeignKey: mapping.isForeignKey,
        attributeSlots: attributeSlots,
        hasKinds: hasKinds(mapping), clearsMissingLeaves: mapping.clearsMissingLeaves,
        entersArrays: mapping.entersArrays,
        hasSpellings: mapping.spelling != nil, notesUnidentified: mapping.notesUnidentified,
        table: resolved.hierarchy, localIndex: resolved.localIndex,
        lastLocalIndex: resolved.subtree.upperBound, isAbstract: resolved.isAbstract,
        hasRelationships: mapping.properties.contains { $0.property.field.isRelationship },
        isScoped: isScoped, isRecursive: false, root: Int32(root), places: places,
        usedPlaces: usedPlaces(paths),
        takesScalars: paths.contains { $0.path.origin == .value },
        takesArrays: takesArrays(mapping), discriminator: addDiscriminator(mapping),
        tombstone: addTombstone(mapping), version: step(of: mapping.version, mapping, firstStep),
        takesEqualVersion: mapping.takesEqualVersion,
        deletionMark: mapping.deletionMark.map {
          model.hierarchies[resolved.hierarchy].properties[$0].field
        },
        unknownKeys: mapping.unknownKeys,
        valueStep: step(reading: .value, mapping, firstStep),
        keyStep: keyStep(mapping, firstStep), indexStep: step(reading: .index, mapping, firstStep),
        keySlot: keySlot(mapping, paths), keyIsText: keyIsText(mapping),
        identifiesByKey: identifiesByKey(mapping),
        readsParent: paths.contains { $0.path.origin == .parent }
          || mapping.discriminator?.path.origin == .parent,
        firstAround: Int32(firstAround), aroundCount: Int32(arounds.count - firstAround),
        restStep: restStep,
        writesKind: mapping.discriminatorValue != nil,
        slotCount: slotCount, contentSlot: contentSlot(from: firstStep),
        firstStep: Int32(firstStep),
        stepCount: Int32(mapping.properties.count),
        attributeCount: Int32(mapping.properties.count { !$0.property.field.isRelationship }),
        firstIdentity: Int32(firstIdentity),
        identityCount: Int32(identities.count - firstIdentity), entityMapper: mapper,
        dictionaryTransformer: transformer, firstRange: Int32(firstRange)))
    entities[entities.count - 1].isRepeatable = isRepeatable(entities[entities.count - 1])
    entities[entities.count - 1].hasPlainRest = hasRest && isPlainRest(steps[Int(restStep)], paths)
  }

  /// Returns whether a step stores unmapped keys as they are, and is the only one that reads them.
  private func isPlainRest(_ step: StepPlan, _ paths: [SlotUse]) -> Bool {
    step.slotCount == 1 && step.conversion == .plain && step.field.type == .transformable
      && !step.isIdentity && !step.hasConstraints
      && step.options.isDisjoint(with: [.combines, .readsPlace])
      && paths.count { $0.path.origin == .rest } == 1
  }

  /// Returns whether all of an object is in its text, and only attributes are read from it.
  private func isRepeatable(_ entity: EntityPlan) -> Bool {
    entity.identityCount > 0 && !entity.isScoped && !entity.hasRelationships && !entity.hasHistory
      && !entity.hasRest && entity.discriminator < 0 && entity.tombstone < 0 && entity.places < 0
      && entity.indexStep < 0 && entity.entityMapper < 0 && entity.dictionaryTransformer < 0
      && steps[Int(entity.firstStep)...].allSatisfy { $0.conversion != .function }
  }

  /// Adds the first step of each identifying property; returns whether one is a relationship.
  private mutating func addIdentity(_ mapping: EntityMapping, firstStep: Int) -> Bool {
    let identity = Set(mapping.identity)
    var firstOf: [Int: Int] = [:]
    for (position, property) in mapping.properties.enumerated()
    where identity.contains(property.property.number) && firstOf[property.property.number] == nil {
      firstOf[property.property.number] = position
    }
    for number in mapping.identity {
      if let position = firstOf[number] { identities.append(Int32(firstStep + position)) }
    }
    return firstOf.values.contains { mapping.properties[$0].property.field.isRelationship }
  }

  /// Adds the outputs of the variants; equal variants share them.
  private mutating func addVariants(_ mapping: EntityMapping, firstStep: Int) throws {
    let firstRange = outputRanges.count
    for (position, variant) in mapping.outputs.enumerated() {
      let same = mapping.outputs[..<position].firstIndex { $0.elementsEqual(variant, by: ==) }
      // Merged outputs depend on the outputs of other entities in the variant.
      if let same, variant.allSatisfy(\.merged.isEmpty) {
        outputRanges.append(outputRanges[firstRange + same])
      } else {
        try add(position, mapping: mapping, firstStep: firstStep)
      }
    }
  }

  private mutating func step(
    _ mapping: PropertyMapping, identity: Set<Int>, firstSlot: Int32
  ) -> StepPlan {
    let property = mapping.property
    var options = mapping.options
    if mapping.inputs.contains(where: \.origin.isShared) { options.insert(.readsPlace) }
    return StepPlan(
      field: property.field, conversion: mapping.conversion,
      isIdentity: identity.contains(property.number), options: options,
      hasSpecialSlots: mapping.options.contains(.combines) || mapping.identifierCount > 0
        || mapping.policies.emptyText == .null,
      isRecursive: false,
      hasConstraints: property.hasLimits,
      fastFill: fastFill(mapping, identity: identity),
      isWrittenAsStored: isWrittenAsStored(mapping),
      writesIdentifiers: mapping.writesIdentifiers, policies: mapping.policies,
      kind: addKindPath(mapping), form: mapping.form,
      isOrdered: property.relationship?.isOrdered == true,
      isDeep: mapping.inputs.contains { $0.segments.count > 1 },
      partial: addPartial(mapping), firstSlot: firstSlot,
      slotCount: Int32(mapping.inputs.count) + (mapping.options.contains(.hasSpellings) ? 1 : 0),
      identifierSlots: Int16(clamping: mapping.identifierCount),
      objectSlots: Int16(clamping: mapping.objectCount),
      forward: addForward(mapping),
      reverse: addReverse(mapping),
      destination: mapping.destination,
      minimumCount: Int32(clamping: property.relationship?.minimumCount ?? 0),
      maximumCount: Int32(clamping: property.relationship?.maximumCount ?? 0),
      dateForms: add(mapping.dateForms), link: property.field.link)
  }

  private mutating func add(_ forms: DateForms?) -> Int32 {
    guard let forms else { return -1 }
    dateForms.append(forms)
    return Int32(dateForms.count - 1)
  }

  /// Returns the fast way of filling records for a property without special features.
  private func fastFill(_ mapping: PropertyMapping, identity: Set<Int>) -> FastFill {
    let property = mapping.property
    guard mapping.conversion == .plain, mapping.reverse == nil, mapping.inputs.count == 1,
      mapping.policies.emptyText == .value,
      mapping.identifierCount == 0,
      mapping.options.isDisjoint(with: [.special, .combines, .hasSpellings]),
      !mapping.inputs[0].origin.isShared,
      !property.hasLimits, !identity.contains(property.number)
    else { return .none }
    switch property.attribute?.type {
    case .string: return .text
    case .integer16: return .integer16
    case .integer32: return .integer32
    case .integer64: return .integer64
    case .double: return .real
    case .boolean: return .boolean
    case .date: return .date
    default: return .none
    }
  }

  private mutating func add(_ function: TransformerRegistry.TapeTransform?, name: String?)
    -> Int32
  {
    guard let function else { return -1 }
    functions.append(function)
    functionNames.append(name ?? "")
    batchNumbers.append(-1)
    return Int32(functions.count - 1)
  }

  /// Adds the function of a property for imports; properties share one that gets many values.
  private mutating func addForward(_ mapping: PropertyMapping) -> Int32 {
    let number = add(mapping.forward, name: mapping.transformerName)
    guard number >= 0, let batch = mapping.batch else { return number }
    let name = functionNames[Int(number)]
    let known = batches.firstIndex { $0.name == name }
    if known == nil {
      batches.append(
        BatchPlan(
          name: name, function: batch, entity: PlanIndex(entities.count),
          property: mapping.property.name))
    }
    batchNumbers[Int(number)] = Int32(known ?? batches.count - 1)
    return number
  }

  /// Adds the function of a property for exports.
  private mutating func addReverse(_ mapping: PropertyMapping) -> Int32 {
    let number = add(mapping.reverse, name: mapping.transformerName)
    if number >= 0, let batch = mapping.reverseBatch { reverseBatches[number] = batch }
    return number
  }

  mutating func offset(of key: Name) -> Int {
    if let offset = offsetOfKey[key] { return offset }
    let offset = bytes.count
    bytes.append(contentsOf: key.text.utf8)
    offsetOfKey[key] = offset
    return offset
  }

  func checkSize() throws {
    let size =
      nodes.count + slots.count + positions.count + outputs.count + wraps.count
      + mergedRanges.count
    guard size > Self.maximumSize else { return }
    throw GrootError(
      .limitExceeded,
      "the mapping has more than \(Self.maximumSize) keys, positions and pieces of output, with "
        + "inherited ones counted for each entity")
  }
}
