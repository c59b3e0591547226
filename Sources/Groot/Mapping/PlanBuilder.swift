/// Gathers the parts of a ``Plan`` in arrays.
struct PlanBuilder {
  struct Node {
    var offset = 0
    var length = 0
    var firstChild = 0
    var childCount = 0
    var firstSlot = 0
    var slotCount = 0
    var innerSlot: Int32 = -1
    var hasInnerChildren = false
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
  }

  let model: ManagedObjectModel
  var entities: [EntityPlan] = []
  var steps: [StepPlan] = []
  private(set) var nodes: [Node] = []
  private(set) var slots: [Int32] = []
  private(set) var identities: [Int32] = []
  var outputs: [Output] = []
  var outputRanges: [OutputRange] = []
  private(set) var positions: [Int32] = []
  /// To-ones into whose objects attributes are written, and which of them a step is.
  var merges: [Merge] = []
  var mergeOf: [MergeKey: Int] = [:]
  var mergeOfContent: [MergeContent: Int] = [:]
  /// What a merge, and the number of the object's entity in its hierarchy, add up to in
  /// ``mergedRanges``.
  var mergeStarts: [Int32] = []
  var mergedRanges: [Int32] = []
  var mergedPairs: [[MergedPair]] = []
  var bytes: [UInt8] = []
  private(set) var functions: [TransformerRegistry.TapeTransform] = []
  private(set) var functionNames: [String] = []

  /// Where the bytes of keys are, as they are and as they are written.
  private var offsetOfKey: [Name: Int] = [:]
  var offsetOfOutput: [Name: (offset: Int, length: Int)] = [:]

  /// How many keys, positions and pieces of output a plan has at most.
  static let maximumSize = 8_000_000

  init(model: ManagedObjectModel) { self.model = model }

  /// Adds the plan of a mapping.
  ///
  /// - Throws: ``Status/limitExceeded``.
  mutating func add(_ mapping: EntityMapping) throws {
    let identity = Set(mapping.identity)
    let resolved = model.resolved[mapping.entity]
    let firstStep = steps.count
    var slotCount: Int32 = 0
    var paths: [(path: JSONKeyPath, slot: Int32)] = []
    var attributeSlots: Int32 = 0
    for property in mapping.properties {
      let step = step(property, identity: identity, firstSlot: slotCount)
      for (position, path) in property.inputs.enumerated() {
        paths.append((path, slotCount + Int32(position)))
      }
      slotCount += step.slotCount
      if step.destination == .none { attributeSlots = slotCount }
      steps.append(step)
    }
    let firstIdentity = identities.count
    let isScoped = addIdentity(mapping, firstStep: firstStep)
    let root = nodes.count
    nodes.append(Node())
    addChildren(of: root, paths.map { ($0.path.segments[...], $0.slot) }, slotCount: &slotCount)
    let firstPosition = positions.count
    if mapping.isPositional { addPositions(root) }
    try checkSize()
    let firstRange = outputRanges.count
    try addVariants(mapping, firstStep: firstStep)
    let mapper = add(mapping.entityMapper, name: mapping.entityMapperName)
    let transformer = add(mapping.dictionaryTransformer, name: mapping.dictionaryTransformerName)
    entities.append(
      EntityPlan(
        entity: mapping.entity, isFixed: mapping.isFixed,
        takesIdentifiersOnly: mapping.takesIdentifiersOnly, isForeignKey: mapping.isForeignKey,
        attributeSlots: attributeSlots,
        clearsMissingLeaves: mapping.clearsMissingLeaves,
        keepsInvalid: mapping.properties.contains { $0.policies.invalid != .fail },
        hasSpellings: mapping.spelling != nil, notesUnidentified: mapping.notesUnidentified,
        table: resolved.hierarchy, localIndex: resolved.localIndex,
        lastLocalIndex: resolved.subtree.upperBound, isAbstract: resolved.isAbstract,
        hasRelationships: mapping.properties.contains { $0.property.field.isRelationship },
        isScoped: isScoped, isRecursive: false, root: Int32(root), slotCount: slotCount,
        firstStep: Int32(firstStep),
        stepCount: Int32(mapping.properties.count), firstIdentity: Int32(firstIdentity),
        identityCount: Int32(identities.count - firstIdentity), entityMapper: mapper,
        dictionaryTransformer: transformer, firstRange: Int32(firstRange),
        firstPosition: Int32(firstPosition), positionCount: Int32(positions.count - firstPosition)))
  }

  /// Adds the first step of each property that identifies objects; answers whether a relationship
  /// is among them.
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

  /// Adds what the variants write; equal ones share their outputs.
  private mutating func addVariants(_ mapping: EntityMapping, firstStep: Int) throws {
    let firstRange = outputRanges.count
    for (position, variant) in mapping.outputs.enumerated() {
      let same = mapping.outputs[..<position].firstIndex { $0.elementsEqual(variant, by: ==) }
      // What is merged depends on what the variant writes of other entities.
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
    return StepPlan(
      field: property.field, conversion: mapping.conversion,
      isIdentity: identity.contains(property.number), options: mapping.options,
      hasSpecialSlots: mapping.options.contains(.combines) || mapping.identifierCount > 0,
      isRecursive: false,
      hasConstraints: property.hasLimits,
      fastFill: fastFill(mapping, identity: identity),
      writesIdentifiers: mapping.writesIdentifiers, policies: mapping.policies,
      firstSlot: firstSlot,
      slotCount: Int32(mapping.inputs.count) + (mapping.options.contains(.hasSpellings) ? 1 : 0),
      identifierSlots: Int16(clamping: mapping.identifierCount),
      objectSlots: Int16(clamping: mapping.objectCount),
      forward: add(mapping.forward, name: mapping.transformerName),
      reverse: add(mapping.reverse, name: mapping.transformerName),
      destination: mapping.destination,
      minimumCount: Int32(clamping: property.relationship?.minimumCount ?? 0),
      maximumCount: Int32(clamping: property.relationship?.maximumCount ?? 0),
      link: property.field.link)
  }

  /// How the values of a property get into records when nothing special is asked of them.
  private func fastFill(_ mapping: PropertyMapping, identity: Set<Int>) -> FastFill {
    let property = mapping.property
    guard mapping.conversion == .plain, mapping.reverse == nil, mapping.inputs.count == 1,
      mapping.identifierCount == 0,
      mapping.options.isDisjoint(with: [.special, .combines, .hasSpellings]),
      !property.hasLimits, !identity.contains(property.number)
    else { return .none }
    switch property.attribute?.type {
    case .string: return .text
    case .integer64: return .integer
    case .double: return .real
    case .boolean: return .boolean
    default: return .none
    }
  }

  private mutating func add(_ function: TransformerRegistry.TapeTransform?, name: String?)
    -> Int32
  {
    guard let function else { return -1 }
    functions.append(function)
    functionNames.append(name ?? "")
    return Int32(functions.count - 1)
  }

  /// Adds the nodes below a node, siblings side by side.
  ///
  /// Recursion is bounded by the paths' length.
  private mutating func addChildren(
    of node: Int, _ paths: [(segments: ArraySlice<String>, slot: Int32)], slotCount: inout Int32
  ) {
    var below: [Name: [(segments: ArraySlice<String>, slot: Int32)]] = [:]
    for path in paths {
      guard let key = path.segments.first else { continue }
      below[Name(key), default: []].append((path.segments.dropFirst(), path.slot))
    }
    let keys = below.keys.sorted { left, right in
      let (one, other) = (left.text.utf8.count, right.text.utf8.count)
      return one != other ? one < other : left < right
    }
    nodes[node].firstChild = nodes.count
    nodes[node].childCount = keys.count
    let first = nodes.count
    for key in keys {
      let own = (below[key] ?? []).filter { $0.segments.isEmpty }.map(\.slot)
      nodes.append(
        Node(
          offset: offset(of: key), length: key.text.utf8.count, firstSlot: slots.count,
          slotCount: own.count))
      slots.append(contentsOf: own)
    }
    for (position, key) in keys.enumerated() {
      let deeper = (below[key] ?? []).filter { !$0.segments.isEmpty }
      if deeper.isEmpty { continue }
      nodes[first + position].innerSlot = slotCount
      nodes[node].hasInnerChildren = true
      slotCount += 1
      addChildren(of: first + position, deeper, slotCount: &slotCount)
    }
  }

  private mutating func offset(of key: Name) -> Int {
    if let offset = offsetOfKey[key] { return offset }
    let offset = bytes.count
    bytes.append(contentsOf: key.text.utf8)
    offsetOfKey[key] = offset
    return offset
  }

  func checkSize() throws {
    let size =
      nodes.count + slots.count + positions.count + outputs.count + mergedRanges.count
    guard size > Self.maximumSize else { return }
    throw GrootError(
      .limitExceeded,
      "the mapping has more than \(Self.maximumSize) keys, positions and pieces of output, with "
        + "inherited ones counted for each entity")
  }

  /// Notes the nodes of the keys that are positions, in their order.
  private mutating func addPositions(_ root: Int) {
    var nodeOf: [Int: Int32] = [:]
    for child in nodes[root].firstChild..<nodes[root].firstChild + nodes[root].childCount {
      let node = nodes[child]
      let key = String(decoding: bytes[node.offset..<node.offset + node.length], as: UTF8.self)
      if let position = JSONKeyPath.position(key) { nodeOf[position] = Int32(child) }
    }
    guard let last = nodeOf.keys.max() else { return }
    for position in 0...last { positions.append(nodeOf[position] ?? -1) }
  }
}
