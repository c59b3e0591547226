// Records that only name their object, with few or no properties besides its identity.

extension RecordMatcher {
  /// Returns whether the current record has only an identity, and could be of several entities.
  ///
  /// Such a record names an object, as an identifier does, and may also link it.
  @inline(__always)
  func isIdentityOnly(_ entity: PlanPart<EntityPlan>, base: Int, scope: Scope) -> Bool {
    guard entity.hasKinds, entity.identityCount > 0 else { return false }
    // The entity is known if it has no descendants and the call names it, or by a discriminator.
    if entity.localIndex == entity.lastLocalIndex
      && (scope.link == .none || entity.discriminator >= 0)
    {
      return false
    }
    return hasNothingElse(entity, base: base, countsLinks: false)
  }

  /// Returns whether a relationship's record only names its object.
  ///
  /// It then has only the properties that exports write there, or the identity and the
  /// discriminator.
  @inline(__always)
  func isPartial(_ record: MatchedRecord, scope: Scope) -> Bool {
    let entity = plan.entities + record.plan
    guard scope.partial >= 0 || entity.discriminator >= 0 && scope.link != .none,
      entity.identityCount > 0
    else { return false }
    return hasNothingElse(entity, base: record.slots, partial: scope.partial)
  }

  @inline(__always)
  private func hasNothingElse(
    _ entity: PlanPart<EntityPlan>, base: Int, partial: Int32 = -1, countsLinks: Bool = true
  ) -> Bool {
    if partial < 0, entity.contentSlot >= 0, isFilled(entity.contentSlot, base: base) {
      return false
    }
    return !hasContent(entity, base: base, partial: partial, countsLinks: countsLinks)
  }

  @inline(__always)
  private func isFilled(_ slot: Int32, base: Int) -> Bool {
    let token = slots.start[base + Int(slot)]
    return !token.isNone && token != missingLeaf
  }

  @inline(never)
  private func hasContent(
    _ entity: PlanPart<EntityPlan>, base: Int, partial: Int32, countsLinks: Bool
  ) -> Bool {
    for position in 0..<Int(entity.stepCount) {
      let step = steps + (Int(entity.firstStep) + position)
      guard !step.isIdentity, !step.options.contains(.saysNothing),
        countsLinks || step.destination.isNone,
        partial < 0 || !plan.partials[Int(partial)].numbers.contains(Int(step.field.number))
      else { continue }
      for slot in step.firstSlot..<step.firstSlot + step.slotCount
      where isFilled(slot, base: base) {
        return true
      }
    }
    return false
  }
}
