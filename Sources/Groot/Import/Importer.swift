/// Executes a plan: reads elements from a tape and finds, makes, fills and links objects.
///
/// One importer serves one import. An object is first *resolved* (found by its identity, or made)
/// and later *filled*: objects that lead to others wait on a stack of frames, so that nesting in the
/// JSON needs no recursion here. Frames are taken in document order, each before what follows it.
package final class Importer {
  let graph: Graph
  let mapping: Mapping
  let plan: Plan
  let tape: JSONTape

  private let matcher: KeyMatcher
  /// For each key path of the objects at hand, the token it led to, or -1.
  private var slots = Buffer<Int32>(capacity: 256)
  private var frames = Buffer<ImportFrame>()
  private var members = Buffer<UInt32>()
  /// The identity of the object being resolved.
  private let key: UnsafeMutablePointer<StoredValue>
  /// The identity index of each plan's entity, once it was needed.
  private let indexes: UnsafeMutablePointer<UnsafeMutablePointer<IdentityIndex>?>
  /// What callbacks put on the tape in the place of other values.
  var grafts: [Graft] = []
  /// The text the elements come from; nil when they do not come from a text.
  var reader: JSONReader?
  /// Where the element stands in its source, for paths: `$` or `$[3]`.
  var elementPath = "$"
  private(set) var insertedCount = 0
  private(set) var updatedCount = 0

  init(graph: Graph, mapping: Mapping, tape: JSONTape) {
    self.graph = graph
    self.mapping = mapping
    self.plan = mapping.plan
    self.tape = tape
    matcher = KeyMatcher(plan)
    let longest = plan.identityNumbers.map(\.count).max() ?? 0
    key = .allocate(capacity: max(longest, 1))
    key.initialize(repeating: .none, count: max(longest, 1))
    indexes = .allocate(capacity: max(plan.entityCount, 1))
    indexes.initialize(repeating: nil, count: plan.entityCount)
  }

  deinit {
    matcher.deallocate()
    slots.deallocate()
    frames.deallocate()
    members.deallocate()
    key.deallocate()
    indexes.deallocate()
  }

  /// Imports the element at the start of the tape; nil when it is null.
  func importElement(into entity: Int) throws -> ObjectID? {
    grafts.removeAll(keepingCapacity: true)
    slots.removeLast(to: 0)
    frames.removeLast(to: 0)
    let row = try resolve(0, Int32(truncatingIfNeeded: entity))
    while frames.count > 0 {
      let frame = frames.start[frames.count &- 1]
      frames.removeLast(to: frames.count &- 1)
      let waiting = frames.count
      try fill(frame)
      frames.reverse(from: waiting)
    }
    guard row != 0 else { return nil }
    return graph.tables[Int(plan.entities[entity].table)].id(row &- 1)
  }

  // MARK: Resolving

  /// Finds or makes the object that a value stands for; its row + 1, or 0 for none.
  @inline(__always)
  private func resolve(_ token: Int, _ entity: Int32) throws -> UInt32 {
    switch tape.tokens[token].kind {
    case .object: return try resolveObject(token, entity)
    case .null: return 0
    case .array:
      throw failure(
        .wrongShape, "an array stands where an object of '\(name(entity))' belongs", token,
        entity: entity)
    default: return try resolveIdentifier(token, entity)
    }
  }

  private func resolveObject(_ object: Int, _ requested: Int32) throws -> UInt32 {
    var token = object
    var number = requested
    var entity = plan.entities + Int(requested)
    if entity.pointee.dictionaryTransformer >= 0 {
      token = try transformObject(entity.pointee.dictionaryTransformer, token, requested)
    }
    let base = slots.count
    try match(token, entity, base)
    var hasIdentity = false
    var found: UInt32?
    if entity.pointee.identityCount > 0 {
      let index = try identityIndex(requested)
      hasIdentity = try readKey(entity, base, token)
      if let hash = index.pointee.hash(key) {
        found = index.pointee.find(
          key, hash: hash, entity.pointee.localIndex, entity.pointee.lastLocalIndex)
      }
    }
    if let row = found {
      let actual = planNumber(of: row, entity)
      if actual != requested {
        token = try rematch(token, object, requested, actual, base)
        number = actual
        hasIdentity = false
      }
      try wait(
        ImportFrame(
          token: Int32(truncatingIfNeeded: token), plan: number, row: row,
          slots: Int32(truncatingIfNeeded: base), isNew: false, hasIdentity: hasIdentity))
      return row &+ 1
    }
    if entity.pointee.entityMapper >= 0 {
      let chosen = try mapEntity(entity.pointee.entityMapper, token, requested)
      if chosen != requested {
        token = try rematch(token, object, requested, chosen, base)
        number = chosen
        entity = plan.entities + Int(chosen)
        if entity.pointee.identityCount > 0 {
          // The chosen entity may have identity attributes of its own, and another transformer.
          let index = try identityIndex(chosen)
          hasIdentity = try readKey(entity, base, token)
          if let hash = index.pointee.hash(key),
            let row = index.pointee.find(
              key, hash: hash, entity.pointee.localIndex, entity.pointee.lastLocalIndex)
          {
            try wait(
              ImportFrame(
                token: Int32(truncatingIfNeeded: token), plan: chosen, row: row,
                slots: Int32(truncatingIfNeeded: base), isNew: false, hasIdentity: false))
            return row &+ 1
          }
        }
      }
    }
    if entity.pointee.isAbstract { throw abstractFailure(object, number) }
    let row = try insert(number, entity)
    try wait(
      ImportFrame(
        token: Int32(truncatingIfNeeded: token), plan: number, row: row,
        slots: Int32(truncatingIfNeeded: base), isNew: true, hasIdentity: hasIdentity))
    return row &+ 1
  }

  /// Fills an object now when it leads to no others; else it waits.
  @inline(__always)
  private func wait(_ frame: ImportFrame) throws {
    if plan.entities[Int(frame.plan)].hasRelationships {
      frames.append(frame)
    } else {
      try fill(frame)
      slots.removeLast(to: Int(frame.slots))
    }
  }

  /// Makes an object with the identity at hand.
  @inline(__always)
  private func insert(_ number: Int32, _ entity: UnsafeMutablePointer<EntityPlan>) throws -> UInt32 {
    let table = Int(entity.pointee.table)
    let row = try graph.insertRow(table, entity.pointee.localIndex)
    let record = graph.tables[table].record(row)
    for position in 0..<Int(entity.pointee.identityCount) {
      let step = plan.steps + Int(plan.identities[Int(entity.pointee.firstIdentity) &+ position])
      key[position].write(to: record, step.pointee.field, graph.tables + table, graph.text)
    }
    insertedCount &+= 1
    if let index = indexes[Int(number)], graph.indexes[table].count == 1 {
      if let hash = index.pointee.hash(key) { index.pointee.insert(row, key, hash) }
    } else {
      graph.forEachIndex(table, row) { $0.insert(row) }
    }
    return row
  }

  /// An identifier in the place of an object: finds the object, or makes one that has just its
  /// identity.
  private func resolveIdentifier(_ token: Int, _ number: Int32) throws -> UInt32 {
    let entity = plan.entities + Int(number)
    guard entity.pointee.identityCount == 1 else {
      throw failure(
        .wrongShape,
        "an identifier stands where an object of '\(name(number))' belongs; only an entity with one "
          + "identity attribute takes identifiers", token, entity: number)
    }
    let step = plan.steps + Int(plan.identities[Int(entity.pointee.firstIdentity)])
    guard try read(step, token, number, &key[0]) else {
      throw failure(
        .missingValue, "the identifier \(shown(token)) gives no identity", token, entity: number,
        property: step.pointee.field)
    }
    let index = try identityIndex(number)
    if let hash = index.pointee.hash(key),
      let row = index.pointee.find(
        key, hash: hash, entity.pointee.localIndex, entity.pointee.lastLocalIndex)
    {
      return row &+ 1
    }
    switch step.pointee.policies.unknownIdentifier {
    case .placeholder: break
    case .skip: return 0
    case .error:
      throw failure(
        .unknownIdentifier, "no object of '\(name(number))' has the identity \(shown(token))", token,
        entity: number)
    }
    if entity.pointee.isAbstract {
      throw failure(
        .abstractEntity,
        "an identifier that is not known cannot make an object of the abstract entity "
          + "'\(name(number))'", token, entity: number)
    }
    return try insert(number, entity) &+ 1
  }

  /// The index over an entity's identity.
  @inline(__always)
  private func identityIndex(_ number: Int32) throws -> UnsafeMutablePointer<IdentityIndex> {
    if let index = indexes[Int(number)] { return index }
    let table = Int(plan.entities[Int(number)].table)
    let position = try graph.identityIndex(table: table, plan.identityNumbers[Int(number)])
    let index = graph.indexes[table][position]
    indexes[Int(number)] = index
    return index
  }

  /// Reads the identity of an object into `key`; whether all of it is there.
  ///
  /// A part that is missing has its default, one that is null has no value.
  @inline(__always)
  private func readKey(
    _ entity: UnsafeMutablePointer<EntityPlan>, _ base: Int, _ object: Int
  ) throws -> Bool {
    var isComplete = true
    for position in 0..<Int(entity.pointee.identityCount) {
      let step = plan.steps + Int(plan.identities[Int(entity.pointee.firstIdentity) &+ position])
      let token = slot(step, base)
      if token < 0 {
        let table = Int(entity.pointee.table)
        let template = graph.tables[table].template(entity.pointee.localIndex)
        key[position] = StoredValue(template, step.pointee.field, graph.tables + table)
        isComplete = false
      } else if tape.tokens[Int(token)].rawKind == JSONKind.null.rawValue {
        key[position] = .none
        isComplete = false
      } else if try !read(step, Int(token), planIndex(entity), &key[position]) {
        key[position] = .none
        isComplete = false
      }
    }
    return isComplete
  }

  @inline(__always)
  private func planIndex(_ entity: UnsafeMutablePointer<EntityPlan>) -> Int32 {
    Int32(truncatingIfNeeded: entity - plan.entities)
  }

  /// The plan of the entity that a row has.
  @inline(__always)
  private func planNumber(of row: UInt32, _ entity: UnsafeMutablePointer<EntityPlan>) -> Int32 {
    let table = Int(entity.pointee.table)
    let local = graph.tables[table].header(row).pointee.entity
    if local == entity.pointee.localIndex { return planIndex(entity) }
    return Int32(truncatingIfNeeded: graph.model.hierarchies[table].entities[Int(local)])
  }

  /// Reads an object anew by the plan of another entity, whose own dictionary transformer runs too.
  private func rematch(
    _ token: Int, _ object: Int, _ requested: Int32, _ chosen: Int32, _ base: Int
  ) throws -> Int {
    let entity = plan.entities + Int(chosen)
    var token = token
    let transformer = entity.pointee.dictionaryTransformer
    if transformer >= 0 {
      let before = plan.entities[Int(requested)].dictionaryTransformer
      let isSame =
        before >= 0 && plan.functionNames[Int(before)] == plan.functionNames[Int(transformer)]
      if !isSame { token = try transformObject(transformer, token, chosen) }
    }
    slots.removeLast(to: base)
    try match(token, entity, base)
    return token
  }

  // MARK: Matching

  /// Notes for each key path of an entity where it leads in an object.
  @inline(__always)
  private func match(
    _ object: Int, _ entity: UnsafeMutablePointer<EntityPlan>, _ base: Int
  ) throws {
    let count = Int(entity.pointee.slotCount)
    _ = slots.reserve(count)
    (slots.start + base).update(repeating: -1, count: count)
    try match(object, under: entity.pointee.root, base)
  }

  /// Recursion is bounded by the length of the longest key path.
  private func match(_ object: Int, under parent: Int32, _ base: Int) throws {
    let tokens = tape.tokens
    var index = object &+ 1
    var previous: Int32 = -1
    for _ in 0..<Int(truncatingIfNeeded: tokens[object].payload) {
      let node = matcher.find(parent, after: previous, tokens[index])
      let value = index &+ 1
      if node >= 0 {
        previous = node
        let found = plan.nodes + Int(node)
        for position in 0..<Int(found.pointee.slotCount) {
          let slot = plan.slots[Int(found.pointee.firstSlot) &+ position]
          slots.start[base &+ Int(slot)] = Int32(truncatingIfNeeded: value)
        }
        if found.pointee.childCount > 0 { try descend(value, node, base) }
      }
      index = tokens[value].end(at: value)
    }
  }

  private func descend(_ value: Int, _ node: Int32, _ base: Int) throws {
    switch tape.tokens[value].kind {
    case .object: try match(value, under: node, base)
    case .null: fillSlots(under: node, value, base)
    default:
      throw failure(
        .wrongShape, "\(shown(value)) stands where the model's key paths expect an object", value)
    }
  }

  /// A null on the way makes all that would be below it null.
  private func fillSlots(under node: Int32, _ token: Int, _ base: Int) {
    let parent = plan.nodes + Int(node)
    for child in parent.pointee.firstChild..<parent.pointee.firstChild + parent.pointee.childCount {
      let found = plan.nodes + Int(child)
      for position in 0..<Int(found.pointee.slotCount) {
        let slot = plan.slots[Int(found.pointee.firstSlot) + position]
        slots.start[base + Int(slot)] = Int32(truncatingIfNeeded: token)
      }
      fillSlots(under: child, token, base)
    }
  }

  /// The token of a step: that of its first key path which is there, or -1.
  @inline(__always)
  private func slot(_ step: UnsafeMutablePointer<StepPlan>, _ base: Int) -> Int32 {
    let first = base &+ Int(step.pointee.firstSlot)
    for position in 0..<Int(step.pointee.slotCount) where slots.start[first &+ position] >= 0 {
      return slots.start[first &+ position]
    }
    return -1
  }

  // MARK: Filling

  private func fill(_ frame: ImportFrame) throws {
    let entity = plan.entities + Int(frame.plan)
    let table = Int(entity.pointee.table)
    let changes = graph.log.pointee.count
    let first = plan.steps + Int(entity.pointee.firstStep)
    for position in 0..<Int(entity.pointee.stepCount) {
      let step = first + position
      if step.pointee.isIdentity && frame.hasIdentity { continue }
      let token = slot(step, Int(frame.slots))
      if step.pointee.destination < 0 {
        try fillAttribute(frame, table, step, token)
      } else if step.pointee.field.isToMany {
        try fillToMany(frame, table, step, token)
      } else {
        try fillToOne(frame, table, step, token)
      }
    }
    if !frame.isNew && graph.log.pointee.count != changes { updatedCount &+= 1 }
  }

  @inline(__always)
  private func fillAttribute(
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int32
  ) throws {
    let record = graph.tables[table].record(frame.row)
    let field = step.pointee.field
    var value = StoredValue.none
    if token >= 0 {
      if tape.tokens[Int(token)].rawKind != JSONKind.null.rawValue {
        if try read(step, Int(token), frame.plan, &value) {
          if step.pointee.hasConstraints {
            try validate(value, step, Int(token), frame.plan)
          }
          if frame.isNew && graph.identityMasks[table][Int(field.number)] == 0 {
            value.write(to: record, field, graph.tables + table, graph.text)
          } else {
            graph.set(table, frame.row, field, value)
          }
          return
        }
      } else if step.pointee.policies.null == .keep {
        try requireValue(frame, table, step, token)
        return
      }
      graph.set(table, frame.row, field, value)
    } else if step.pointee.policies.missing == .clear {
      graph.set(table, frame.row, field, value)
    }
    if !field.isOptional && !graph.tables[table].has(field, record) {
      throw missing(frame, step, token)
    }
  }

  private func requireValue(
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int32
  ) throws {
    let field = step.pointee.field
    if field.isOptional { return }
    let hasValue: Bool
    if field.isToMany {
      hasValue = graph.memberCount(table, frame.row, field) > 0
    } else if field.isRelationship {
      hasValue = graph.target(graph.links[Int(field.link)], field.side, frame.row) != 0
    } else {
      hasValue = graph.tables[table].has(field, graph.tables[table].record(frame.row))
    }
    if !hasValue { throw missing(frame, step, token) }
  }

  private func fillToOne(
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int32
  ) throws {
    let field = step.pointee.field
    if token >= 0 {
      let kind = tape.tokens[Int(token)].kind
      if kind == .array {
        throw failure(
          .wrongShape, "an array stands where the to-one relationship takes one object",
          Int(token), entity: frame.plan, property: field)
      }
      if kind != .null || step.pointee.policies.null == .clear {
        let target = try resolve(Int(token), step.pointee.destination)
        graph.setTarget(Int(field.link), field.side, frame.row, target)
      }
    } else if step.pointee.policies.missing == .clear {
      graph.setTarget(Int(field.link), field.side, frame.row, 0)
    }
    try requireValue(frame, table, step, token)
  }

  private func fillToMany(
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int32
  ) throws {
    let field = step.pointee.field
    let base = members.count
    defer { members.removeLast(to: base) }
    guard token >= 0 else {
      if step.pointee.policies.missing == .clear {
        graph.removeAllMembers(table, frame.row, field)
      }
      return try requireValue(frame, table, step, token)
    }
    let kind = tape.tokens[Int(token)].kind
    if kind == .array {
      let count = Int(truncatingIfNeeded: tape.tokens[Int(token)].payload)
      var element = Int(token) &+ 1
      for _ in 0..<count {
        let end = tape.tokens[element].end(at: element)
        let member = try resolve(element, step.pointee.destination)
        if member != 0 { members.append(member &- 1) }
        element = end
      }
    } else if kind == .null {
      if step.pointee.policies.null == .keep {
        return try requireValue(frame, table, step, token)
      }
    } else if step.pointee.policies.shape == .box {
      let member = try resolve(Int(token), step.pointee.destination)
      if member != 0 { members.append(member &- 1) }
    } else {
      throw failure(
        .wrongShape,
        "\(shown(Int(token))) stands where the to-many relationship takes an array", Int(token),
        entity: frame.plan, property: field)
    }
    let listed = UnsafeBufferPointer(start: members.start + base, count: members.count &- base)
    if step.pointee.policies.assignment == .union {
      for member in listed { try graph.add(table, frame.row, field, member) }
    } else {
      try graph.setMembers(table, frame.row, field, listed)
    }
    try checkCount(frame, table, step, Int(token))
  }

  @inline(__always)
  private func checkCount(
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int
  ) throws {
    let field = step.pointee.field
    if field.isOptional && step.pointee.minimumCount == 0 && step.pointee.maximumCount == 0 {
      return
    }
    let count = Int(graph.memberCount(table, frame.row, field))
    if count == 0 {
      if field.isOptional { return }
      throw missing(frame, step, Int32(truncatingIfNeeded: token))
    }
    if count < Int(step.pointee.minimumCount) {
      throw failure(
        .tooFew, "\(count) members; at least \(step.pointee.minimumCount) are required", token,
        entity: frame.plan, property: field)
    }
    if step.pointee.maximumCount > 0 && count > Int(step.pointee.maximumCount) {
      throw failure(
        .tooMany, "\(count) members; at most \(step.pointee.maximumCount) are allowed", token,
        entity: frame.plan, property: field)
    }
  }
}
