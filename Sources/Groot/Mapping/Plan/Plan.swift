/// A mapping in the form that the engine executes: flat structs behind pointers, owned by one
/// class.
///
/// With classes and enums with payloads, an import would spend half its time counting references;
/// here it copies plain words. A plan is immutable after `init`, hence safe to share.
final class Plan: @unchecked Sendable {
  let entityCount: Int
  let entities: PlanPart<EntityPlan>
  let steps: PlanPart<StepPlan>
  let stepCount: Int
  let nodes: PlanPart<KeyNode>
  let nodeCount: Int
  /// The slots that the nodes fill.
  let slots: UnsafeMutablePointer<Int32>
  /// The positions of identity attributes among the steps.
  let identities: UnsafeMutablePointer<Int32>
  let outputs: PlanPart<OutputOperation>
  /// The keys of the objects around members of lists.
  let wraps: UnsafeMutablePointer<OutputKey>
  /// The outputs of each entity in each variant; those of one entity are adjacent.
  let outputRanges: UnsafeMutablePointer<OutputRange>
  /// The number of variants.
  let variantCount: Int
  /// For each merge, by the entity of its object: the range of outputs with the owner's attributes,
  /// or -1.
  let mergedRanges: UnsafeMutablePointer<Int32>
  /// The steps that write the same key path in merged outputs, by the same numbers.
  let mergedPairs: [[PlanBuilder.MergedPair]]
  private let mergeStarts: [Int32]
  /// The nodes of array positions, -1 for positions without a path.
  let positions: UnsafeMutablePointer<Int32>
  /// Whether some objects are named by foreign keys that are not their identity.
  let hasForeignKeys: Bool
  /// The discriminators of records, and the marks of deletion.
  let discriminators: [Discriminator]
  /// The part of each discriminator that is used for every record.
  let choices: UnsafeMutablePointer<EntityChoice>
  let tombstones: [Tombstone]
  /// The outputs of partial objects.
  let partials: [PartialPlan]
  /// The objects in which unmapped keys are written, with their mapped keys.
  let restLevels: [RestLevel]
  /// For each value of members, the steps of relationships and the numbers of attributes.
  let memberValues: [[(step: Int32, number: Int)]]
  /// Whether some paths begin at the whole document.
  let readsDocument: Bool
  /// The attributes that are written around members of lists, with their keys.
  let arounds: [(step: Int32, key: OutputKey)]
  /// The paths of the discriminators beside identifiers, and their text for messages.
  let kindPaths: [(path: TapeSteps, location: String)]
  /// By plan, the JSON of its discriminator, with a comma; empty without one.
  let kindTexts: [[UInt8]]
  /// Whether an entity keeps unmapped keys.
  let hasRest: Bool
  /// Whether entities have versions, deletion marks or tombstones.
  let hasHistory: Bool
  /// The paths of outputs in the whole object, for entities that keep unmapped keys.
  let restPaths: [RestPath]
  /// Whether some paths do not begin at the object.
  let hasPlaces: Bool
  /// The relationships whose members are deleted when the JSON no longer lists them.
  let watchedLinks: WatchedLinks?
  /// Whether some objects are identified only by their keys in a keyed collection.
  let needsKeys: Bool
  /// Whether an annotation sets the treatment of unmapped keys.
  let looksForUnknownKeys: Bool
  /// The functions that find the properties of unmapped keys, by entity.
  let spellings: [KeySpelling?]
  /// The bytes of keys.
  private let bytes: UnsafeMutablePointer<UInt8>
  /// The number of bytes after each key that may be read, so that short keys are copied whole.
  static let keyPadding = JSONWriter.padding
  /// The functions that steps and entities call, by number.
  let functions: [TransformerRegistry.TapeTransform]
  /// The names of those functions, for messages.
  let functionNames: [String]
  /// The functions that get many values.
  let batches: [BatchPlan]
  /// For each of ``functions``, its position in ``batches``; -1 for one that gets a value at a time.
  let batchNumbers: [Int32]
  /// By number, those of ``functions`` for exports that get many values.
  let reverseBatches: [Int32: BatchFunction]
  /// The date formats of steps, by number.
  let dateForms: [DateForms]
  /// The identity attributes of each entity, as property numbers.
  let identityNumbers: [[Int]]
  /// The number of parts of the longest identity, and at least 1.
  let longestIdentity: Int

  /// - Throws: ``Status/limitExceeded``.
  init(
    model: ManagedObjectModel, entities: [EntityMapping], variantCount: Int, nulls: NullStyle
  ) throws {
    var builder = PlanBuilder(model: model, nulls: nulls)
    for mapping in entities { try builder.add(mapping) }
    try builder.addMerges(entities)
    partials = try builder.partialPlans(entities)
    builder.markRecursion()
    builder.markShapes()
    entityCount = builder.entities.count
    self.entities = PlanPart(Self.copy(builder.entities))
    steps = PlanPart(Self.copy(builder.steps))
    stepCount = builder.steps.count
    watchedLinks = WatchedLinks(
      steps, count: stepCount, of: self.entities, tableCount: model.hierarchies.count)
    nodeCount = builder.nodes.count
    slots = Self.copy(builder.slots)
    identities = Self.copy(builder.identities)
    functions = builder.functions
    functionNames = builder.functionNames
    batches = builder.batches
    batchNumbers = builder.batchNumbers
    reverseBatches = builder.reverseBatches
    dateForms = builder.dateForms
    identityNumbers = entities.map(\.identity)
    longestIdentity = max(identityNumbers.map(\.count).max() ?? 0, 1)
    spellings = entities.map(\.spelling)
    hasForeignKeys = entities.contains(where: \.isForeignKey)
    discriminators = builder.discriminators
    choices = Self.copy(discriminators.map(\.choice))
    tombstones = builder.tombstones
    restLevels = builder.restLevels
    memberValues = builder.memberValues
    readsDocument = entities.contains { entity in
      entity.discriminator?.path.origin == .root
        || entity.properties.contains { $0.inputs.contains { $0.origin == .root } }
    }
    hasRest = builder.entities.contains(where: \.hasRest)
    hasHistory = builder.entities.contains { $0.hasHistory || $0.tombstone >= 0 }
    restPaths = builder.restPaths
    kindPaths = builder.kindPaths
    kindTexts = entities.map { mapping in
      mapping.discriminatorValue.map { Array((JSONValue.string($0).description + ",").utf8) } ?? []
    }
    hasPlaces =
      builder.entities.contains { $0.places >= 0 }
      || builder.discriminators.contains { $0.path.origin != .object }
    looksForUnknownKeys = builder.entities.contains { $0.unknownKeys ?? .ignore != .ignore }
    self.variantCount = variantCount
    needsKeys = builder.outputRanges.contains(where: \.needsKey)
    outputRanges = Self.copy(builder.outputRanges)
    mergedRanges = Self.copy(builder.mergedRanges)
    mergedPairs = builder.mergedPairs
    mergeStarts = builder.mergeStarts
    positions = Self.copy(builder.positions)
    bytes = Self.copy(builder.bytes + [UInt8](repeating: 0, count: Self.keyPadding))
    let start = UnsafePointer(bytes)
    wraps = Self.copy(
      builder.wraps.map {
        OutputKey(start: start + $0.offset, length: Int32(truncatingIfNeeded: $0.length))
      })
    arounds = builder.arounds.map {
      ($0.step, OutputKey(start: start + $0.key.offset, length: Int32(clamping: $0.key.length)))
    }
    nodes = PlanPart(.allocate(capacity: max(nodeCount, 1)))
    for (index, draft) in builder.nodes.enumerated() {
      (nodes + index).pointer.initialize(to: KeyNode(draft, start: bytes, slots: builder.slots))
    }
    outputs = PlanPart(.allocate(capacity: max(builder.outputs.count, 1)))
    for (index, draft) in builder.outputs.enumerated() {
      let step = draft.step < 0 ? nil : builder.steps[Int(draft.step)]
      (outputs + index).pointer.initialize(
        to: OutputOperation(
          kind: draft.kind,
          direct: DirectOutput(draft.kind, step: step, wrapCount: draft.wrapCount),
          missing: MissingOutput(step, isElement: draft.keyLength == 0),
          number: step?.field.number ?? 0, offset: step?.field.offset ?? 0,
          isIndexed: draft.isIndexed, isFlat: draft.isFlat, part: draft.part,
          step: draft.step, merge: draft.merge, mergedCount: draft.mergedCount,
          key: UnsafePointer(bytes + draft.keyOffset),
          keyLength: Int32(truncatingIfNeeded: draft.keyLength),
          constant: UnsafePointer(bytes + draft.constantOffset),
          constantLength: Int32(truncatingIfNeeded: draft.constantLength),
          firstWrap: draft.firstWrap, wrapCount: draft.wrapCount, isKey: draft.isKey,
          level: draft.level, restPath: draft.restPath))
    }
    for (index, range) in builder.outputRanges.enumerated() where !range.isPositional {
      outputRanges[index].isDirect = (range.first..<range.first + range.count).allSatisfy {
        outputs[Int($0)].direct != .none
      }
    }
  }

  deinit {
    entities.deallocate()
    steps.deallocate()
    nodes.deallocate()
    slots.deallocate()
    identities.deallocate()
    outputs.deallocate()
    wraps.deallocate()
    outputRanges.deallocate()
    mergedRanges.deallocate()
    positions.deallocate()
    choices.deallocate()
    bytes.deallocate()
  }

  /// Returns the position in ``mergedRanges`` of a merge and the plan of its object.
  func mergedIndex(_ merge: Int32, number: PlanIndex) -> Int {
    Int(mergeStarts[Int(merge)]) &+ Int(entities[number].localIndex)
  }

  private static func copy<Element>(_ array: [Element]) -> UnsafeMutablePointer<Element> {
    let pointer = UnsafeMutablePointer<Element>.allocate(capacity: max(array.count, 1))
    pointer.initialize(from: array, count: array.count)
    return pointer
  }
}
