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

  init(model: ManagedObjectModel) { self.model = model }

  mutating func add(_ mapping: EntityMapping) {
    let resolved = model.resolved[mapping.entity]
    let firstStep = steps.count
    var slotCount: Int32 = 0
    var paths: [(path: JSONKeyPath, slot: Int32)] = []
    var attributeSlots: Int32 = 0
    for property in mapping.properties {
      let step = step(property, mapping, firstSlot: slotCount)
      for (position, path) in property.inputs.enumerated() {
        paths.append((path, slotCount + Int32(position)))
      }
      slotCount += step.slotCount
      if step.destination < 0 { attributeSlots = slotCount }
      steps.append(step)
    }
    let firstIdentity = identities.count
    for number in mapping.identity {
      if let position = mapping.properties.firstIndex(where: { $0.property.number == number }) {
        identities.append(Int32(firstStep + position))
      }
    }
    let root = nodes.count
    nodes.append(Node())
    addChildren(of: root, paths.map { ($0.path.segments[...], $0.slot) }, &slotCount)
    let firstPosition = positions.count
    if mapping.isPositional { addPositions(root) }
    let firstRange = outputRanges.count
    for variant in mapping.outputs { add(variant, mapping, firstStep) }
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
        isScoped: mapping.identity.contains { number in
          mapping.properties.contains {
            $0.property.number == number && $0.property.field.isRelationship
          }
        }, isRecursive: false, root: Int32(root), slotCount: slotCount, firstStep: Int32(firstStep),
        stepCount: Int32(mapping.properties.count), firstIdentity: Int32(firstIdentity),
        identityCount: Int32(identities.count - firstIdentity), entityMapper: mapper,
        dictionaryTransformer: transformer, firstRange: Int32(firstRange),
        firstPosition: Int32(firstPosition), positionCount: Int32(positions.count - firstPosition)))
  }

  /// Finds the relationships that can lead to themselves again; all entities must be added.
  mutating func markRecursion() {
    let reach = entities.indices.map { reachable(from: $0) }
    for index in entities.indices {
      entities[index].isRecursive = reach[index].contains(index)
      for position in 0..<Int(entities[index].stepCount) {
        let step = Int(entities[index].firstStep) + position
        guard steps[step].destination >= 0 else { continue }
        steps[step].isRecursive = kinds(of: Int(steps[step].destination)).contains {
          reach[$0].contains(index)
        }
      }
    }
  }

  /// The plans of the objects that a relationship to a plan can lead to.
  private func kinds(of plan: Int) -> [Int] {
    if entities[plan].isFixed { return [plan] }
    let resolved = model.resolved[Int(entities[plan].entity)]
    return resolved.subtree.map { model.hierarchies[resolved.hierarchy].entities[Int($0)] }
  }

  private func reachable(from entity: Int) -> Set<Int> {
    var found: Set<Int> = []
    var waiting = [entity]
    while let next = waiting.popLast() {
      for position in 0..<Int(entities[next].stepCount) {
        let destination = Int(steps[Int(entities[next].firstStep) + position].destination)
        guard destination >= 0 else { continue }
        for kind in kinds(of: destination) where found.insert(kind).inserted {
          waiting.append(kind)
        }
      }
    }
    return found
  }

  private mutating func step(
    _ mapping: PropertyMapping, _ entity: EntityMapping, firstSlot: Int32
  ) -> StepPlan {
    let property = mapping.property
    return StepPlan(
      field: property.field, conversion: mapping.conversion,
      isIdentity: entity.identity.contains(property.number), manner: mapping.manner,
      hasSpecialSlots: mapping.manner.contains(.combines) || mapping.identifierCount > 0,
      isRecursive: false,
      hasConstraints: property.hasLimits,
      quickFill: quickFill(mapping, entity),
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
  private func quickFill(_ mapping: PropertyMapping, _ entity: EntityMapping) -> QuickFill {
    let property = mapping.property
    guard mapping.conversion == .plain, mapping.reverse == nil, mapping.inputs.count == 1,
      mapping.identifierCount == 0,
      mapping.manner.isDisjoint(with: [.special, .combines, .hasSpellings]),
      !property.hasLimits, !entity.identity.contains(property.number)
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
    var below: [[UInt8]: [(segments: ArraySlice<String>, slot: Int32)]] = [:]
    for path in paths {
      guard let key = path.segments.first else { continue }
      below[Array(key.utf8), default: []].append((path.segments.dropFirst(), path.slot))
    }
    let keys = below.keys.sorted { left, right in
      left.count != right.count ? left.count < right.count : left.lexicographicallyPrecedes(right)
    }
    nodes[node].firstChild = nodes.count
    nodes[node].childCount = keys.count
    let first = nodes.count
    for key in keys {
      let own = (below[key] ?? []).filter { $0.segments.isEmpty }.map(\.slot)
      nodes.append(
        Node(
          offset: bytes.count, length: key.count, firstSlot: slots.count, slotCount: own.count))
      slots.append(contentsOf: own)
      bytes.append(contentsOf: key)
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
  private mutating func add(_ variant: [OutputMapping], _ mapping: EntityMapping, _ firstStep: Int)
  {
    let keys = variant.map { JSONKeyPath.position($0.path.segments.first ?? "") }
    let isPositional = mapping.isPositional && !keys.isEmpty && !keys.contains(nil)
    let (first, count) = add(variant, isPositional, firstStep)
    let identity = IdentityOutputs(mapping, variant, isPositional: isPositional)
    let (firstOfIdentity, identityCount) = add(identity.outputs, isPositional, firstStep)
    outputRanges.append(
      OutputRange(
        first: first, count: count, isPositional: isPositional, firstOfIdentity: firstOfIdentity,
        identityCount: identityCount, tellsIdentity: identity.isComplete))
  }

  /// Adds the writing of an object, or of an array where keys are positions; its range.
  private mutating func add(
    _ written: [OutputMapping], _ isPositional: Bool, _ firstStep: Int
  ) -> (first: Int32, count: Int32) {
    let first = outputs.count
    if isPositional {
      let keys = written.map { JSONKeyPath.position($0.path.segments.first ?? "") }
      for position in 0..<(keys.compactMap { $0 }.max() ?? -1) + 1 {
        let here = zip(keys, written).filter { $0.0 == position }
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
    var order: [[UInt8]] = []
    var groups: [[UInt8]: [(segments: ArraySlice<String>, output: OutputMapping)]] = [:]
    for path in paths {
      guard let key = path.segments.first.map({ Array($0.utf8) }) else { continue }
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

  private mutating func add(key: [UInt8]) -> (offset: Int, length: Int) {
    let offset = bytes.count
    let text = JSONValue.string(String(decoding: key, as: UTF8.self))
    bytes.append(contentsOf: Array(text.description.utf8))
    bytes.append(UInt8(ascii: ":"))
    return (offset, bytes.count - offset)
  }
}
