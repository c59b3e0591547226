// Values outside the object's mapped members: its place, its key, and the objects around it.

extension RecordMatcher {
  /// Notes the values of the paths that do not begin at the object's members.
  @inline(never)
  func matchPlaces(
    _ object: TokenIndex, entity: PlanPart<EntityPlan>, base: Int
  ) throws {
    func node(_ part: Place.Part) -> Int32 { entity.places + part.rawValue }
    let used = entity.usedPlaces
    func isUsed(_ part: Place.Part) -> Bool { used & part.bit != 0 }
    func fill(_ part: Place.Part, _ token: TokenIndex) {
      note(token, at: plan.nodes + Int(node(part)), base: base)
    }
    if isUsed(.index), place.index >= 0 {
      let token = try tape.append(
        JSONToken(kind: .integer, payload: UInt64(truncatingIfNeeded: place.index)))
      try current.addSynthesized(token, origin: object)
      fill(.index, token)
    }
    if !place.key.isNone {
      if isUsed(.key) { fill(.key, place.key) }
      if isUsed(.typedKey) { fill(.typedKey, try current.typedKey(place.key)) }
    }
    let kind = tape.tokens[object].kind
    if isUsed(.value), kind != .object, kind != .null || !place.key.isNone {
      fill(.value, object)
    }
    if isUsed(.rest), let rests, rests.hasRest(object, entity: entity),
      let rest = try rests.matchedRest(of: object, entity: entity)
    {
      fill(.rest, rest)
    }
    if isUsed(.parent), !place.parent.isNone {
      try matchPlace(place.parent, under: node(.parent), entity: entity, base: base)
    }
    if isUsed(.root), !document.isNone {
      try matchPlace(document, under: node(.root), entity: entity, base: base)
    }
  }

  /// Notes the values of the paths that begin at an enclosing object or at the document.
  func matchPlace(
    _ start: TokenIndex, under node: Int32, entity: PlanPart<EntityPlan>, base: Int
  ) throws {
    let below = shared.slots(below: node, of: entity, in: plan)
    let isShort =
      below.isPlain
      && start.distance(to: tape.end(of: start)) <= SharedValues.minimumTokenCount
    if isShort { return try descend(start, node: node, base: base, entity: entity) }
    let source = SharedValues.Source(token: start, number: node)
    if let walk = shared.walk(source, below) {
      for (slot, token) in zip(below.numbers, walk) { slots.start[base + Int(slot)] = token }
      return
    }
    try descend(start, node: node, base: base, entity: entity)
    shared.keep(walk: source, below.numbers.lazy.map { self.slots.start[base + Int($0)] })
  }

  // MARK: The key of an object

  /// Sets the attribute of `@key` to the key of an object.
  ///
  /// If the object has its own value for the attribute, both must be equal, since one would be
  /// lost.
  ///
  /// - Throws: ``Status/identityConflict``.
  @inline(never)
  func matchKey(
    _ object: TokenIndex, entity: PlanPart<EntityPlan>, base: Int
  ) throws {
    guard entity.keyStep >= 0 else { return }
    let first = steps + Int(entity.keyStep)
    if first.options.contains(.combines) { return }
    var key = TokenIndex.none
    var step = first
    while true {
      for slot in step.firstSlot..<step.firstSlot + step.slotCount where slot != entity.keySlot {
        let token = slots.start[base + Int(slot)]
        if token.isNone { continue }
        if tape.tokens[token].kind == .null {
          slots.start[base + Int(slot)] = .none
          continue
        }
        key = try keyToken(entity, base: base)
        try requireSame(token, as: key, object: object, step: step, number: plan.number(of: entity))
      }
      guard step.options.contains(.hasSuccessor) else { break }
      step = step + 1
    }
    if key.isNone, entity.keySlot < 0, first.slotCount > 0 {
      slots.start[base + Int(first.firstSlot)] = try keyToken(entity, base: base)
    }
  }

  private func keyToken(_ entity: PlanPart<EntityPlan>, base: Int) throws -> TokenIndex {
    if entity.keySlot >= 0 { return slots.start[base + Int(entity.keySlot)] }
    return entity.keyIsText ? place.key : try current.typedKey(place.key)
  }

  private func requireSame(
    _ own: TokenIndex, as key: TokenIndex, object: TokenIndex, step: PlanPart<StepPlan>,
    number: PlanIndex
  ) throws {
    var given = StoredValue.none
    guard try values.read(step, token: own, entity: number, into: &given) == .value else { return }
    var named = StoredValue.none
    guard try values.read(step, token: key, entity: number, into: &named) == .value else { return }
    if given.order(named, as: step.field.type) == 0 { return }
    throw log.failure(
      .identityConflict,
      "the record has \(current.shown(own)), but its key is \(current.shown(place.key)); both are the same "
        + "property", token: own, entity: number, property: step.field)
  }

  // MARK: The objects around members

  /// Returns the enclosing object of a relationship's value.
  @inline(__always)
  func parent(
    of token: TokenIndex, _ frame: ImportFrame, _ step: PlanPart<StepPlan>
  ) -> TokenIndex {
    step.readsAround ? around(token, of: frame, step: step)[0] : frame.token
  }

  /// Returns the enclosing objects of a relationship's value: one, or one for each list element.
  @inline(never)
  func around(
    _ token: TokenIndex, of frame: ImportFrame, step: PlanPart<StepPlan>
  ) -> [TokenIndex] {
    let base = Int(frame.slots) + Int(step.firstSlot)
    let position = (0..<Int(step.slotCount)).first { slots.start[base + $0] == token }
    let properties = log.mapping.entities[frame.plan].properties
    let number = (step - steps) - Int(plan.entities[frame.plan].firstStep)
    guard let position, properties.indices.contains(number),
      properties[number].inputs.indices.contains(position),
      properties[number].inputs[position].origin == .object
    else { return [frame.token] }
    let path = properties[number].inputs[position].segments[...]
    var found: [TokenIndex] = []
    findAround(
      frame.token, inside: frame.token, path.last == .elements ? path.dropLast() : path, &found)
    return found.isEmpty ? [frame.token] : found
  }

  /// Recurses at most as deep as the path is long and arrays are nested.
  private func findAround(
    _ value: TokenIndex, inside holder: TokenIndex, _ path: ArraySlice<JSONKeyPath.Segment>,
    _ found: inout [TokenIndex]
  ) {
    guard let segment = path.first else { return found.append(holder) }
    let value = tape.resolved(value)
    let next: TokenIndex?
    switch (segment, tape.tokens[value].kind) {
    case (.key(let key), .object):
      var text = key.text
      next = text.withUTF8 { tape.value(forKey: $0, inObject: value) }
    case (.position(let position), .array): next = tape.element(at: position, inArray: value)
    case (.key, .array), (.elements, .array):
      let inner = segment == .elements ? path.dropFirst() : path
      var element = value.next
      for _ in 0..<Int(clamping: tape.tokens[value].payload) {
        findAround(element, inside: holder, inner, &found)
        element = tape.end(of: element)
      }
      return
    default: next = nil
    }
    guard let next else { return found.append(.none) }
    findAround(next, inside: value, path.dropFirst(), &found)
  }
}
