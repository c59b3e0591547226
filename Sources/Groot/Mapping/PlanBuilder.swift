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
    var part: Int16 = -1
    var step: Int32 = -1
    var keyOffset = 0
    var keyLength = 0
  }

  private let model: ManagedObjectModel
  private(set) var entities: [EntityPlan] = []
  private(set) var steps: [StepPlan] = []
  private(set) var nodes: [Node] = []
  private(set) var slots: [Int32] = []
  private(set) var identities: [Int32] = []
  private(set) var outputs: [Output] = []
  private(set) var outputRanges: [OutputRange] = []
  private(set) var positions: [Int32] = []
  private(set) var bytes: [UInt8] = []
  private(set) var functions: [TransformerRegistry.TapeTransform] = []
  private(set) var functionNames: [String] = []

  /// Where the bytes of keys stand, as they are and as they are written.
  private var offsetOfKey: [Name: Int] = [:]
  private var offsetOfOutput: [Name: (offset: Int, length: Int)] = [:]

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
      let step = step(property, identity, firstSlot: slotCount)
      for (position, path) in property.inputs.enumerated() {
        paths.append((path, slotCount + Int32(position)))
      }
      slotCount += step.slotCount
      if step.destination < 0 { attributeSlots = slotCount }
      steps.append(step)
    }
    let firstIdentity = identities.count
    var firstOf: [Int: Int] = [:]
    for (position, property) in mapping.properties.enumerated()
    where identity.contains(property.property.number) && firstOf[property.property.number] == nil {
      firstOf[property.property.number] = position
    }
    for number in mapping.identity {
      if let position = firstOf[number] { identities.append(Int32(firstStep + position)) }
    }
    let root = nodes.count
    nodes.append(Node())
    addChildren(of: root, paths.map { ($0.path.segments[...], $0.slot) }, &slotCount)
    let firstPosition = positions.count
    if mapping.isPositional { addPositions(root) }
    try checkSize()
    let firstRange = outputRanges.count
    for (position, variant) in mapping.outputs.enumerated() {
      let same = mapping.outputs[..<position].firstIndex { $0.elementsEqual(variant, by: ==) }
      if let same {
        outputRanges.append(outputRanges[firstRange + same])
      } else {
        try add(variant, mapping, firstStep)
      }
    }
    let mapper = add(mapping.entityMapper, mapping.entityMapperName)
    let transformer = add(mapping.dictionaryTransformer, mapping.dictionaryTransformerName)
    entities.append(
      EntityPlan(
        entity: Int32(mapping.entity), isFixed: mapping.isFixed,
        takesIdentifiersOnly: mapping.takesIdentifiersOnly, isForeignKey: mapping.isForeignKey,
        attributeSlots: attributeSlots,
        clearsMissingLeaves: mapping.clearsMissingLeaves,
        keepsInvalid: mapping.properties.contains { $0.policies.invalid != .fail },
        hasSpellings: mapping.spelling != nil, notesUnidentified: mapping.notesUnidentified,
        table: Int32(resolved.hierarchy), localIndex: resolved.localIndex,
        lastLocalIndex: resolved.subtree.upperBound, isAbstract: resolved.isAbstract,
        hasRelationships: mapping.properties.contains { $0.property.field.isRelationship },
        isScoped: firstOf.values.contains {
          mapping.properties[$0].property.field.isRelationship
        }, isRecursive: false, root: Int32(root), slotCount: slotCount, firstStep: Int32(firstStep),
        stepCount: Int32(mapping.properties.count), firstIdentity: Int32(firstIdentity),
        identityCount: Int32(identities.count - firstIdentity), entityMapper: mapper,
        dictionaryTransformer: transformer, firstRange: Int32(firstRange),
        firstPosition: Int32(firstPosition), positionCount: Int32(positions.count - firstPosition)))
  }

  /// Finds the relationships that can lead to themselves again; all entities must be added.
  ///
  /// A relationship leads to a plan and those of its sub-entities. With a node for each such group
  /// there are no more edges than steps and entities.
  mutating func markRecursion() {
    let groups = model.entities.count
    var edges: [[Int]] = Array(repeating: [], count: entities.count + groups)
    for index in 0..<groups {
      edges[entities.count + index].append(index)
      if let parent = model.resolved[index].parent {
        edges[entities.count + parent].append(entities.count + index)
      }
    }
    for index in entities.indices {
      for step in steps(of: index) where steps[step].destination >= 0 {
        edges[index].append(node(of: Int(steps[step].destination)))
      }
    }
    let components = StrongComponents(edges)
    for index in entities.indices {
      for step in steps(of: index) where steps[step].destination >= 0 {
        guard components.areTogether(index, node(of: Int(steps[step].destination))) else { continue }
        steps[step].isRecursive = true
        entities[index].isRecursive = true
      }
    }
  }

  private func steps(of entity: Int) -> Range<Int> {
    let first = Int(entities[entity].firstStep)
    return first..<first + Int(entities[entity].stepCount)
  }

  /// What a relationship to a plan leads to: the plan alone, or the group of its entity.
  private func node(of plan: Int) -> Int {
    entities[plan].isFixed ? plan : entities.count + Int(entities[plan].entity)
  }

  private mutating func step(
    _ mapping: PropertyMapping, _ identity: Set<Int>, firstSlot: Int32
  ) -> StepPlan {
    let property = mapping.property
    return StepPlan(
      field: property.field, conversion: mapping.conversion,
      isIdentity: identity.contains(property.number), manner: mapping.manner,
      hasSpecialSlots: mapping.manner.contains(.combines) || mapping.identifierCount > 0,
      isRecursive: false,
      hasConstraints: property.hasLimits,
      quickFill: quickFill(mapping, identity),
      writesIdentifiers: mapping.writesIdentifiers, policies: mapping.policies,
      firstSlot: firstSlot,
      slotCount: Int32(mapping.inputs.count) + (mapping.manner.contains(.hasSpellings) ? 1 : 0),
      identifierSlots: Int16(clamping: mapping.identifierCount),
      objectSlots: Int16(clamping: mapping.objectCount),
      forward: add(mapping.forward, mapping.transformerName),
      reverse: add(mapping.reverse, mapping.transformerName),
      destination: Int32(mapping.destination),
      minimumCount: Int32(clamping: property.relationship?.minimumCount ?? 0),
      maximumCount: Int32(clamping: property.relationship?.maximumCount ?? 0),
      link: property.field.link)
  }

  /// How the values of a property get into records when nothing special is asked of them.
  private func quickFill(_ mapping: PropertyMapping, _ identity: Set<Int>) -> QuickFill {
    let property = mapping.property
    guard mapping.conversion == .plain, mapping.reverse == nil, mapping.inputs.count == 1,
      mapping.identifierCount == 0,
      mapping.manner.isDisjoint(with: [.special, .combines, .hasSpellings]),
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

  private mutating func add(_ function: TransformerRegistry.TapeTransform?, _ name: String?)
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
    of node: Int, _ paths: [(segments: ArraySlice<String>, slot: Int32)], _ slotCount: inout Int32
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
      addChildren(of: first + position, deeper, &slotCount)
    }
  }

  private mutating func offset(of key: Name) -> Int {
    if let offset = offsetOfKey[key] { return offset }
    let offset = bytes.count
    bytes.append(contentsOf: key.text.utf8)
    offsetOfKey[key] = offset
    return offset
  }

  private func checkSize() throws {
    guard nodes.count + slots.count + positions.count + outputs.count > Self.maximumSize else {
      return
    }
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

  /// Adds what one variant writes.
  private mutating func add(
    _ variant: [OutputMapping], _ mapping: EntityMapping, _ firstStep: Int
  ) throws {
    let keys = variant.map { JSONKeyPath.position($0.path.segments.first ?? "") }
    let isPositional = mapping.isPositional && !keys.isEmpty && !keys.contains(nil)
    let (first, count) = add(variant, isPositional, firstStep)
    let identity = IdentityOutputs(mapping, variant, isPositional: isPositional)
    let (firstOfIdentity, identityCount) = add(identity.outputs, isPositional, firstStep)
    outputRanges.append(
      OutputRange(
        first: first, count: count, isPositional: isPositional, firstOfIdentity: firstOfIdentity,
        identityCount: identityCount, tellsIdentity: identity.isComplete))
    try checkSize()
  }

  /// Adds the writing of an object, or of an array where keys are positions; its range.
  private mutating func add(
    _ written: [OutputMapping], _ isPositional: Bool, _ firstStep: Int
  ) -> (first: Int32, count: Int32) {
    let first = outputs.count
    if isPositional {
      let keys = written.map { JSONKeyPath.position($0.path.segments.first ?? "") }
      let byPosition = Dictionary(grouping: zip(keys, written)) { $0.0 ?? 0 }
      for position in 0..<(keys.compactMap { $0 }.max() ?? -1) + 1 {
        let here = byPosition[position] ?? []
        if here.isEmpty { outputs.append(Output(kind: .gap)) }
        addOutputs(here.map { ($0.1.path.segments[...], $0.1) }, firstStep, hasKeys: false)
      }
    } else {
      addOutputs(written.map { ($0.path.segments[...], $0) }, firstStep)
    }
    return (Int32(first), Int32(outputs.count - first))
  }

  /// Adds the writing of properties; those that share a beginning share an object, which stands
  /// where the first of them does.
  ///
  /// Recursion is bounded by the paths' length.
  private mutating func addOutputs(
    _ paths: [(segments: ArraySlice<String>, output: OutputMapping)], _ firstStep: Int,
    hasKeys: Bool = true
  ) {
    var order: [Name] = []
    var groups: [Name: [(segments: ArraySlice<String>, output: OutputMapping)]] = [:]
    for path in paths {
      guard let key = path.segments.first.map(Name.init) else { continue }
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append((path.segments.dropFirst(), path.output))
    }
    for key in order {
      guard let group = groups[key], let first = group.first else { continue }
      let (offset, length) = hasKeys ? add(key: key) : (0, 0)
      if first.segments.isEmpty {
        outputs.append(
          Output(
            kind: .value, isIndexed: first.output.isIndexed,
            part: Int16(clamping: first.output.part ?? -1),
            step: Int32(firstStep + first.output.position), keyOffset: offset, keyLength: length))
      } else {
        outputs.append(Output(kind: .open, keyOffset: offset, keyLength: length))
        addOutputs(group, firstStep)
        outputs.append(Output(kind: .close, keyOffset: offset, keyLength: 0))
      }
    }
  }

  private mutating func add(key: Name) -> (offset: Int, length: Int) {
    if let place = offsetOfOutput[key] { return place }
    let offset = bytes.count
    bytes.append(contentsOf: JSONValue.string(key.text).description.utf8)
    bytes.append(UInt8(ascii: ":"))
    offsetOfOutput[key] = (offset, bytes.count - offset)
    return (offset, bytes.count - offset)
  }
}
