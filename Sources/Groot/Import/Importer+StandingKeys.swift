// The key of an object in its parent, and the object's own value for the same attribute.

extension Importer {
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
        try requireSame(token, as: key, object: object, step: step, number: planIndex(entity))
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
    return entity.keyIsText ? place.key : try typedKey(place.key)
  }

  private func requireSame(
    _ own: TokenIndex, as key: TokenIndex, object: TokenIndex, step: PlanPart<StepPlan>,
    number: PlanIndex
  ) throws {
    var given = StoredValue.none
    guard try read(step, token: own, entity: number, into: &given) == .value else { return }
    var named = StoredValue.none
    guard try read(step, token: key, entity: number, into: &named) == .value else { return }
    if given.order(named, as: step.field.type) == 0 { return }
    throw failure(
      .identityConflict,
      "the record has \(shown(own)), but its key is \(shown(place.key)); both are the same "
        + "property", token: own, entity: number, property: step.field)
  }
}
