/// The values of the records being read, by the key paths of their entities.
///
/// Each record has slots, one for each of its entity's paths. It reads the tape, notes tokens in
/// slots, and touches neither rows nor links.
final class RecordMatcher {
  let plan: Plan
  let steps: PlanPart<StepPlan>
  let tape: JSONTape
  let current: CurrentElement
  let log: IssueLog
  let values: ValueReader
  /// The reader of unmapped keys; nil if no entity keeps them.
  let rests: RestReader?
  /// The matcher of keys, which other parts borrow.
  private let keyMatcher: KeyMatcher
  /// Whether the positions or keys of objects are needed.
  let hasPlaces: Bool
  /// The values at places that many objects of the element have in common.
  lazy var shared = SharedValues()
  /// The place of the object being resolved, as far as paths need it.
  @exclusivity(unchecked) var place = Place()
  /// The enclosing object of the current records, if it is on the tape.
  @exclusivity(unchecked) private(set) var aroundRecords = TokenIndex.none
  /// The whole document if it is on the tape; otherwise none.
  @exclusivity(unchecked) private(set) var document = TokenIndex.none
  /// The token at each key path of the current objects, or -1.
  @exclusivity(unchecked) var slots: Buffer<TokenIndex>
  /// The greatest number of slots: frames store slot numbers in 31 bits.
  @exclusivity(unchecked) var maximumSlots = Int(Int32.max)
  /// The known spellings of unmapped keys.
  @exclusivity(unchecked) private var spelled = SpelledKeys()
  /// A null for missing keys inside an existing object; -1 if the element has none.
  @exclusivity(unchecked) var missingLeaf = TokenIndex.none
  /// The keys of the current collection.
  private lazy var keyTable = KeyTable(log.graph.memory)

  init(
    _ values: ValueReader, log: IssueLog, steps: PlanPart<StepPlan>, rests: RestReader?,
    keyMatcher: KeyMatcher, hasPlaces: Bool
  ) {
    self.values = values
    self.log = log
    (plan, current, tape) = (log.plan, log.current, log.current.tape)
    self.steps = steps
    self.rests = rests
    self.keyMatcher = keyMatcher
    self.hasPlaces = hasPlaces
    slots = Buffer(log.graph.memory, capacity: 256)
  }

  deinit {
    slots.deallocate()
    keyMatcher.deallocate()
  }

  /// Forgets the previous element.
  func begin() {
    missingLeaf = .none
    rests?.begin()
    if hasPlaces {
      shared.removeAll()
      beginStanding()
    }
  }

  /// Notes the place of the element on the tape.
  func beginStanding() {
    place = Place(index: current.index)
    aroundRecords = .none
    document = current.isWholeDocument ? .first : .none
  }

  /// Notes that the next records are at a root of the document on the tape.
  func standAtRoot(around: TokenIndex) {
    document = .first
    aroundRecords = around
    place = Place(parent: around)
  }

  /// Notes the position of the next record in its list.
  func stand(at position: Int) { place = Place(index: position, parent: aroundRecords) }

  /// Notes the value of each key path of an entity in an object.
  @inline(__always)
  func match(
    _ object: TokenIndex, entity: PlanPart<EntityPlan>, base: Int
  ) throws {
    let count = Int(entity.slotCount)
    guard slots.count &+ count <= maximumSlots else { throw tooManySlots(object) }
    _ = try slots.reserve(count)
    (slots.start + base).update(repeating: .none, count: count)
    let kind = tape.tokens[object].rawKind
    if kind == JSONKind.object.rawValue {
      if entity.takesArrays { try requireKeys(object, entity: entity) }
      try match(object, under: entity.root, base: base, entity: entity)
    } else if kind == JSONKind.array.rawValue {
      try matchPositions(object, under: entity.root, base: base, entity: entity)
    }
    if entity.places >= 0 { try matchPlaces(object, entity: entity, base: base) }
    if !place.key.isNone { try matchKey(object, entity: entity, base: base) }
  }

  /// Throws for an object if an entity reads only positions in an array.
  private func requireKeys(_ object: TokenIndex, entity: PlanPart<EntityPlan>) throws {
    let root = plan.nodes + Int(entity.root)
    guard root.keyCount == 0 && root.positionCount > 0 else { return }
    throw log.failure(
      .wrongShape, "there is an object where '\(log.name(plan.number(of: entity)))' is an array",
      token: object, entity: plan.number(of: entity))
  }

  @inline(never)
  private func tooManySlots(_ object: TokenIndex) -> GrootError {
    log.failure(
      .limitExceeded,
      "the objects that one record nests have more than \(maximumSlots) properties in all",
      token: object)
  }

  /// Notes the values of the paths below a node in an array, by position.
  func matchPositions(
    _ array: TokenIndex, under parent: Int32, base: Int, entity: PlanPart<EntityPlan>
  ) throws {
    var element = array.next
    let above = plan.nodes + Int(parent)
    let count = min(Int(clamping: tape.tokens[array].payload), Int(above.positionCount))
    for position in 0..<count {
      let node = plan.positions[Int(above.firstPosition) + position]
      if node >= 0 {
        let value = tape.resolved(element)
        note(value, at: plan.nodes + Int(node), base: base)
        if plan.nodes[Int(node)].innerSlot >= 0 {
          try descend(value, node: node, base: base, entity: entity)
        }
      }
      element = tape.end(of: element)
    }
  }

  /// Notes the values of the paths below a node in an object.
  ///
  /// The last of several equal keys counts. Paths that continue below a value are therefore
  /// followed after all members are known. The depth of recursion is limited by the length of the
  /// longest key path.
  func match(
    _ object: TokenIndex, under parent: Int32, base: Int, entity: PlanPart<EntityPlan>
  ) throws {
    if entity.hasRest, parent == entity.root, let rests {
      let left = try rests.roomForLeft(of: object)
      let count = matchMembers(of: object, under: parent, base: base, entity: entity, left: left)
      if left != nil { rests.endLeft(of: object, count: count) }
    } else {
      _ = matchMembers(of: object, under: parent, base: base, entity: entity, left: nil)
    }
    let above = plan.nodes + Int(parent)
    guard above.hasInnerChildren else { return }
    for child in above.firstChild..<above.firstChild + above.childCount {
      let inner = plan.nodes[Int(child)].innerSlot
      guard inner >= 0 else { continue }
      let value = slots.start[base &+ Int(inner)]
      if !value.isNone { try descend(value, node: child, base: base, entity: entity) }
    }
  }

  /// Notes the values of an object's members for the paths of their nodes.
  ///
  /// - Parameter left: Room for the members that the object's rest may have; nil if nothing needs
  ///   them.
  /// - Returns: The number of these members.
  @inline(__always)
  private func matchMembers(
    of object: TokenIndex, under parent: Int32, base: Int, entity: PlanPart<EntityPlan>,
    left: UnsafeMutablePointer<RestReader.LeftMember>?
  ) -> Int {
    var leftCount = 0
    let tokens = tape.tokens
    let hasAliases = tape.hasAliases
    var index = object.next
    let keyMatcher = keyMatcher
    let (nodes, found) = (plan.nodes, slots.start + base)
    var place = keyMatcher.beginning(of: parent)
    for _ in 0..<Int(truncatingIfNeeded: tokens[object].payload) {
      let number = keyMatcher.find(parent, at: place, key: tokens[index])
      let value = index.next
      if number >= 0 {
        place = keyMatcher.end(of: number)
        let node = nodes + Int(number)
        let value = hasAliases ? tape.resolved(value) : value
        if node.onlySlot >= 0 {
          found[Int(node.onlySlot)] = value
        } else {
          note(value, at: node, base: base)
        }
        if let left, rests?.isSurelyTaken(value, at: node) == false {
          left[leftCount] = RestReader.LeftMember(key: index, node: number)
          leftCount &+= 1
        }
      } else {
        if let left {
          left[leftCount] = RestReader.LeftMember(key: index, node: -1)
          leftCount &+= 1
        }
        if entity.hasSpellings && parent == entity.root {
          noteSpelled(index, value: tape.resolved(value), entity: entity, base: base)
        }
      }
      index = tokens[value].end(at: value)
    }
    return leftCount
  }

  /// Notes a value for the paths of a node.
  @inline(__always)
  func note(_ value: TokenIndex, at node: PlanPart<KeyNode>, base: Int) {
    for position in 0..<Int(node.slotCount) {
      let slot = plan.slots[Int(node.firstSlot) &+ position]
      slots.start[base &+ Int(slot)] = value
    }
    if node.innerSlot >= 0 {
      slots.start[base &+ Int(node.innerSlot)] = value
    }
  }

  /// Notes a value whose key is an alternative spelling of a property's key.
  private func noteSpelled(
    _ key: TokenIndex, value: TokenIndex, entity: PlanPart<EntityPlan>, base: Int
  ) {
    let number = plan.number(of: entity)
    guard let spelling = plan.spellings[number],
      let position = spelled.position(of: tape.tokens[key].bytes, in: number, spelling)
    else { return }
    let step = steps + (Int(entity.firstStep) + position)
    guard step.options.contains(.hasSpellings) else { return }
    let slot = base + Int(step.firstSlot) + Int(step.slotCount) - 1
    slots.start[slot] = value
  }

  /// Releases the slots of an object that is not filled.
  ///
  /// The slots stay if a waiting owner, which is part of the identity, has slots after them.
  @inline(__always)
  func releaseSlots(of record: MatchedRecord) {
    if slots.count == record.slots + Int(plan.entities[record.plan].slotCount) {
      slots.removeLast(to: record.slots)
    }
  }

  /// The number of slots in use.
  var slotCount: Int { slots.count }

  /// Removes the slots of all records.
  func removeSlots() { slots.removeLast(to: 0) }

  /// Removes the slots from a position on.
  @inline(__always)
  func removeSlots(from first: Int32) { slots.removeLast(to: Int(first)) }

  // MARK: Slots

  /// Returns the token of a step, from its first existing key path; -1 without one.
  @inline(__always)
  func slot(_ step: PlanPart<StepPlan>, base: Int) throws -> TokenIndex {
    if step.hasSpecialSlots { return try specialSlot(step, base: base) }
    let first = base &+ Int(step.firstSlot)
    for position in 0..<Int(step.slotCount) where !slots.start[first &+ position].isNone {
      return slots.start[first &+ position]
    }
    return .none
  }

  @inline(never)
  private func specialSlot(_ step: PlanPart<StepPlan>, base: Int) throws -> TokenIndex {
    let first = base + Int(step.firstSlot)
    if step.options.contains(.combines) { return try combinedSlot(step, first: first) }
    for position in 0..<Int(step.slotCount) {
      let token = slots.start[first + position]
      guard !token.isNone else { continue }
      if position >= step.identifierSlots || isIdentifiers(token, step: step) {
        return step.policies.emptyText == .null ? try nullForEmpty(token, step) : token
      }
    }
    return .none
  }

  /// Returns the list of the values of all paths of a step; -1 if all values are missing.
  ///
  /// A single missing value is null in the list.
  private func combinedSlot(_ step: PlanPart<StepPlan>, first: Int) throws -> TokenIndex {
    let count = Int(step.slotCount)
    let known = (0..<count).map { slots.start[first + $0] }.filter { !$0.isNone }
    guard let origin = known.first else { return .none }
    // Exports write null for a missing value, and the transformer is not called for nulls.
    if known.allSatisfy({ tape.tokens[$0].kind == .null }) { return origin }
    let list = try tape.append(JSONToken(kind: .array, payload: UInt64(count)))
    for position in 0..<count {
      let token = slots.start[first + position]
      if token.isNone {
        try tape.append(JSONToken(kind: .null))
      } else {
        try tape.appendCopy(of: token)
      }
    }
    tape.tokens[list] = JSONToken(
      kind: .array, size: UInt32(truncatingIfNeeded: tape.count), payload: UInt64(count))
    try current.addSynthesized(list, origin: origin)
    return list
  }

  /// Returns the token of a value, or of a null for empty text.
  func nullForEmpty(_ token: TokenIndex, _ step: PlanPart<StepPlan>) throws -> TokenIndex {
    guard current.isEmptyText(token) else { return token }
    rests?.leaveAlone(token, step)
    return try current.appendNull(for: token)
  }

  // MARK: The form of a value

  /// Returns whether a value is valid under a key for identifiers only.
  func isIdentifiers(_ token: TokenIndex, step: PlanPart<StepPlan>) -> Bool {
    switch tape.tokens[token].kind {
    case .null: return true
    case .array: return step.field.isToMany && !holdsObjects(token)
    case .string, .integer, .real, .largeNumber: return !step.field.isToMany
    case .object, .true, .false, .alias: return false
    }
  }

  /// Returns whether an array has elements other than identifiers.
  func holdsObjects(_ array: TokenIndex) -> Bool {
    var element = array.next
    for _ in 0..<Int(clamping: tape.tokens[array].payload) {
      switch tape.tokens[element].kind {
      case .string, .integer, .real, .largeNumber: element = tape.end(of: element)
      default: return true
      }
    }
    return false
  }

  /// Returns whether a to-many's members are given as objects, according to the key or its value.
  func isGivenAsObjects(
    _ token: TokenIndex, step: PlanPart<StepPlan>, base: Int
  ) -> Bool {
    if step.form != .array { return true }
    if tape.tokens[token].kind == .array, tape.tokens[token].payload > 0 {
      return holdsObjects(token)
    }
    let first = base + Int(step.firstSlot)
    let keys = Int(step.identifierSlots)
    for position in keys..<keys + Int(step.objectSlots)
    where slots.start[first + position] == token {
      return true
    }
    return false
  }

  /// Returns the position of a step in the plan.
  func number(_ step: PlanPart<StepPlan>) -> Int32 {
    Int32(truncatingIfNeeded: step - steps)
  }

  /// Returns the keys of an object; the last of several equal keys counts.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  func keys(of object: TokenIndex) throws -> [TokenIndex] {
    var keys: [TokenIndex] = []
    let count = Int(clamping: tape.tokens[object].payload)
    keys.reserveCapacity(count)
    var key = object.next
    for _ in 0..<count {
      keys.append(key)
      key = tape.end(of: key.next)
    }
    guard try mayRepeat(keys) else { return keys }
    return try tape.distinctKeys(ofObject: object)
  }

  /// The number of keys up to which each is compared with the others; more are hashed.
  private static let fewKeys = 8

  /// Returns false if all keys differ; it may return true for keys that do.
  private func mayRepeat(_ keys: [TokenIndex]) throws -> Bool {
    let tokens = tape.tokens
    guard keys.count <= Self.fewKeys else {
      try keyTable.reset(for: keys.count)
      for key in keys {
        let bytes = tokens[key].bytes
        let hash = Hash.ofProcess.bytes(bytes.baseAddress, count: bytes.count)
        if try !keyTable.insert(hash, isEqual: { _ in true }) { return true }
      }
      return false
    }
    for (position, key) in keys.enumerated() {
      for other in keys[..<position] where tokens[other].size == tokens[key].size {
        guard let left = tokens[key].bytes.baseAddress, let right = tokens[other].bytes.baseAddress,
          !ByteComparison.areEqual(left, right, count: Int(tokens[key].size))
        else { return true }
      }
    }
    return false
  }
}
