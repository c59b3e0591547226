/// A mapping in the form the engine executes: flat structs that pointers lead to and one class
/// owns.
///
/// With classes and enums that hold values the import loop spends half its time counting
/// references; here it copies plain words. Immutable after `init`, hence safe to share.
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
  /// The outputs of each entity in each variant: those of an entity side by side.
  let outputRanges: UnsafeMutablePointer<OutputRange>
  /// The number of variants.
  let variantCount: Int
  /// For each merging to-one, by the entity of its object: the range of outputs of both, or -1.
  let mergedRanges: UnsafeMutablePointer<Int32>
  /// The steps that write one key path in these, by the same numbers.
  let mergedPairs: [[PlanBuilder.MergedPair]]
  private let mergeStarts: [Int32]
  /// The nodes of positions in arrays, for entities that have them.
  let positions: UnsafeMutablePointer<Int32>
  /// Whether objects are named by keys that are not their identity.
  let hasForeignKeys: Bool
  /// What finds the properties of keys that no path names, by entity.
  let spellings: [KeySpelling?]
  /// The bytes of keys.
  private let bytes: UnsafeMutablePointer<UInt8>
  /// The functions that steps and entities call, by number.
  let functions: [TransformerRegistry.TapeTransform]
  /// The names of those functions, for messages.
  let functionNames: [String]
  /// The identity attributes of each entity, as property numbers.
  let identityNumbers: [[Int]]

  /// - Throws: ``Status/limitExceeded``.
  init(model: ManagedObjectModel, entities: [EntityMapping], variantCount: Int) throws {
    var builder = PlanBuilder(model: model)
    for mapping in entities { try builder.add(mapping) }
    try builder.addMerges(entities)
    builder.markRecursion()
    entityCount = builder.entities.count
    self.entities = PlanPart(Self.copy(builder.entities))
    steps = PlanPart(Self.copy(builder.steps))
    stepCount = builder.steps.count
    nodeCount = builder.nodes.count
    slots = Self.copy(builder.slots)
    identities = Self.copy(builder.identities)
    functions = builder.functions
    functionNames = builder.functionNames
    identityNumbers = entities.map(\.identity)
    spellings = entities.map(\.spelling)
    hasForeignKeys = entities.contains(where: \.isForeignKey)
    self.variantCount = variantCount
    outputRanges = Self.copy(builder.outputRanges)
    mergedRanges = Self.copy(builder.mergedRanges)
    mergedPairs = builder.mergedPairs
    mergeStarts = builder.mergeStarts
    positions = Self.copy(builder.positions)
    bytes = Self.copy(builder.bytes)
    nodes = PlanPart(.allocate(capacity: max(nodeCount, 1)))
    for (index, draft) in builder.nodes.enumerated() {
      (nodes + index).pointer.initialize(to: KeyNode(draft, start: bytes))
    }
    outputs = PlanPart(.allocate(capacity: max(builder.outputs.count, 1)))
    for (index, draft) in builder.outputs.enumerated() {
      (outputs + index).pointer.initialize(
        to: OutputOperation(
          kind: draft.kind, isIndexed: draft.isIndexed, isFlat: draft.isFlat, part: draft.part,
          step: draft.step, merge: draft.merge, mergedCount: draft.mergedCount,
          key: UnsafePointer(bytes + draft.keyOffset),
          keyLength: Int32(truncatingIfNeeded: draft.keyLength)))
    }
  }

  deinit {
    entities.deallocate()
    steps.deallocate()
    nodes.deallocate()
    slots.deallocate()
    identities.deallocate()
    outputs.deallocate()
    outputRanges.deallocate()
    mergedRanges.deallocate()
    positions.deallocate()
    bytes.deallocate()
  }

  /// The number in ``mergedRanges`` of a merging to-one and the plan of its object.
  func mergedIndex(_ merge: Int32, number: PlanIndex) -> Int {
    Int(mergeStarts[Int(merge)]) &+ Int(entities[number].localIndex)
  }

  private static func copy<Element>(_ array: [Element]) -> UnsafeMutablePointer<Element> {
    let pointer = UnsafeMutablePointer<Element>.allocate(capacity: max(array.count, 1))
    pointer.initialize(from: array, count: array.count)
    return pointer
  }
}

/// The plan of one entity.
struct EntityPlan {
  /// The entity, as a position in the model.
  var entity: EntityIndex
  /// Whether objects of its sub-entities use this plan too.
  var isFixed: Bool
  /// Whether only identifiers stand for its objects.
  var takesIdentifiersOnly: Bool
  /// Whether its identity is a key that other objects use, and not what records are found by.
  var isForeignKey: Bool
  /// How many of its slots belong to attributes; they come first.
  var attributeSlots: Int32
  /// Whether what is missing inside an object that is there counts as null.
  var clearsMissingLeaves: Bool
  /// Whether values that cannot be converted are left out, not errors.
  var keepsInvalid: Bool
  /// Whether keys that no path names may be other spellings of some.
  var hasSpellings: Bool
  /// Whether a record without identity is left out, which the report notes.
  var notesUnidentified: Bool
  var table: TableIndex
  var localIndex: UInt16
  /// The local index of the last entity of its subtree.
  var lastLocalIndex: UInt16
  var isAbstract: Bool
  /// Whether objects nested in one of this entity need work of their own.
  var hasRelationships: Bool
  /// Whether a relationship is a part of its identity.
  var isScoped: Bool
  /// Whether its relationships can lead back to one of its objects.
  var isRecursive: Bool
  /// The node under which the keys of an object hang.
  var root: Int32
  var slotCount: Int32
  /// Its steps: attributes first.
  var firstStep: Int32
  var stepCount: Int32
  var firstIdentity: Int32
  var identityCount: Int32
  /// Functions, or -1.
  var entityMapper: Int32
  var dictionaryTransformer: Int32
  /// Where its ranges of outputs begin, one for each variant.
  var firstRange: Int32
  /// The nodes of positions, when its JSON may be an array.
  var firstPosition: Int32
  var positionCount: Int32
}

/// The outputs of an entity in one variant.
struct OutputRange {
  var first: Int32
  var count: Int32
  /// Whether an array is written, of values in the order of the outputs.
  var isPositional: Bool
  /// The outputs of an object that is written as its identity.
  var firstOfIdentity: Int32
  var identityCount: Int32
  /// Whether these have all attributes of the identity, so that an import can find it.
  var hasWholeIdentity: Bool
}

/// What one property takes.
struct StepPlan {
  var field: Field
  var conversion: Conversion
  var isIdentity: Bool
  var options: PropertyOptions
  /// Whether its token is not simply the first slot that is filled.
  var hasSpecialSlots: Bool
  /// Whether the relationship can lead to itself again.
  var isRecursive: Bool
  var hasConstraints: Bool
  var fastFill: FastFill
  /// Whether an export writes members as their identifiers.
  var writesIdentifiers: Bool
  var policies: Policies
  /// The slots of its key paths; the first that is filled counts.
  var firstSlot: Int32
  var slotCount: Int32
  /// How many of them hold identifiers only, and how many after these hold objects only.
  var identifierSlots: Int16
  var objectSlots: Int16
  /// Functions, or -1.
  var forward: Int32
  var reverse: Int32
  /// The plan of the entity a relationship leads to; -1 for attributes.
  var destination: PlanIndex
  var minimumCount: Int32
  var maximumCount: Int32
  /// The side of the link it leads to, for leaving out the inverse of what is being followed.
  var link: LinkIndex

  /// The direction of the relationship.
  var direction: LinkDirection {
    @inline(__always) get { LinkDirection(link: link, side: field.side) }
  }

  /// Whether an import checks values against the limits of the attribute.
  var checksLimits: Bool {
    @inline(__always) get { hasConstraints && policies.validation == .import }
  }
}

/// The kinds of steps whose values go from the tape to records, and from there to text, with
/// nothing in between.
enum FastFill: UInt8 {
  case none, text, integer, real, boolean
}

/// A key that some path of an entity goes through, or the root above all keys.
///
/// The children of a node are side by side, sorted by length and bytes.
struct KeyNode {
  let bytes: UnsafePointer<UInt8>
  let length: UInt32
  let firstChild: Int32
  let childCount: Int32
  /// The slots that the key's value fills, in ``Plan/slots``.
  let firstSlot: Int32
  let slotCount: Int32
  /// Where the key's value is noted when paths go on below it; -1 when none does.
  let innerSlot: Int32
  /// Whether paths go on below any of the node's children.
  let hasInnerChildren: Bool

  init(_ draft: PlanBuilder.Node, start: UnsafeMutablePointer<UInt8>) {
    bytes = UnsafePointer(start + draft.offset)
    length = UInt32(truncatingIfNeeded: draft.length)
    firstChild = Int32(truncatingIfNeeded: draft.firstChild)
    childCount = Int32(truncatingIfNeeded: draft.childCount)
    firstSlot = Int32(truncatingIfNeeded: draft.firstSlot)
    slotCount = Int32(truncatingIfNeeded: draft.slotCount)
    innerSlot = draft.innerSlot
    hasInnerChildren = draft.hasInnerChildren
  }
}

/// One piece of the writing of an object.
struct OutputOperation {
  enum Kind: UInt8 {
    /// A property's value.
    case value
    /// A value of the object that led here.
    case ownersValue
    /// A nested object begins.
    case open
    /// It ends.
    case close
    /// A position in an array that nothing is for.
    case gap
  }

  let kind: Kind
  /// Whether members are written in an object with the keys `0`, `1` and so on.
  let isIndexed: Bool
  /// Whether the key is a path.
  let isFlat: Bool
  /// Which element of what a reverse function gives is written; -1 is all of it.
  let part: Int16
  let step: Int32
  /// Which of the merging to-ones it is, or -1, and how many outputs follow that are merged with
  /// it.
  let merge: Int32
  let mergedCount: Int32
  /// The key in quotes with its colon, ready to be copied.
  let key: UnsafePointer<UInt8>
  let keyLength: Int32
}
