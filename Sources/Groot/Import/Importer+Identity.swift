// The identity of a record: its attributes, and the owners that are parts of it.

extension Importer {
  /// Reads the identity of an object into `key`, and returns whether it is complete.
  ///
  /// A missing part gets its default, and a null part gets no value.
  @inline(__always)
  func readKey(
    _ entity: PlanPart<EntityPlan>, base: Int, object: TokenIndex, scope: Scope
  ) throws -> Bool {
    var isComplete = true
    for position in 0..<Int(entity.identityCount) {
      var step = steps + Int(plan.identities[Int(entity.firstIdentity) &+ position])
      var token = try slot(step, base: base)
      while token.isNone && step.options.contains(.hasSuccessor) {
        step = step + 1
        token = try slot(step, base: base)
      }
      if !step.destination.isNone {
        if try !readOwner(step, token: token, part: &key[position], scope: scope) {
          isComplete = false
        }
      } else if token.isNone {
        let table = entity.table
        let template = graph.tables[table].template(entity.localIndex)
        key[position] = StoredValue(
          template, field: step.field, table: graph.tables + table)
        isComplete = false
      } else if tape.tokens[token].rawKind == JSONKind.null.rawValue {
        key[position] = .none
        isComplete = false
      } else if try read(step, token: token, entity: planIndex(entity), into: &key[position])
        != .value
      {
        key[position] = .none
        isComplete = false
      }
    }
    return isComplete
  }

  /// Reads a to-one in an identity: the object's parent, or the object that the record names.
  private func readOwner(
    _ step: PlanPart<StepPlan>, token: TokenIndex, part: inout StoredValue,
    scope: Scope
  ) throws -> Bool {
    let field = step.field
    if scope.link == field.link && (scope.side != field.side || isSymmetric(field)) {
      part = StoredValue(word: scope.row.word)
      return true
    }
    guard !token.isNone else {
      part = .none
      return false
    }
    guard ownerDepth < Self.maximumOwnerDepth else {
      throw failure(
        .limitExceeded,
        "more than \(Self.maximumOwnerDepth) objects are identified within one another",
        token: token)
    }
    ownerDepth += 1
    defer { ownerDepth -= 1 }
    // The owner's identity is read into the same buffer.
    let saved = (0..<keyLength).map { key[$0] }
    let standing = place
    place = Place()
    let inside = Scope(step.policies.unknownIdentifier, operations: targetOperations)
    let owner =
      try step.options.contains(.readsPlace)
      ? resolvePlaced(token, step: step, scope: inside)
      : resolve(token, entity: step.destination, scope: inside)
    for (index, value) in saved.enumerated() { key[index] = value }
    place = standing
    part = owner.isNone ? .none : StoredValue(word: owner.word)
    return !owner.isNone
  }

  private func isSymmetric(_ field: Field) -> Bool { graph.links[field.link].isSymmetric }

  /// Checks the identity of a new object against the limits of its attributes.
  @inline(__always)
  func validateKey(_ record: MatchedRecord) throws {
    let entity = plan.entities + record.plan
    for position in 0..<Int(entity.identityCount) {
      let step = steps + Int(plan.identities[Int(entity.firstIdentity) &+ position])
      guard step.checksLimits else { continue }
      let token = try slot(step, base: record.slots)
      if !token.isNone {
        try validate(key[position], step: step, token: token, entity: record.plan)
      }
    }
  }
}
