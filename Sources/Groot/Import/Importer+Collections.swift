// The members of a to-many in each form: an array, an object of keys, or an object of groups.

extension Importer {
  /// Finds or makes the objects that a value lists, and appends their rows to ``members``.
  @inline(__always)
  func resolveMembers(
    _ token: TokenIndex, of frame: ImportFrame, step: PlanPart<StepPlan>, scope: Scope
  ) throws {
    guard step.form == .array else {
      return try resolveKeyed(token, of: frame, step: step, scope: scope)
    }
    guard step.readsAround else {
      if hasPlaces { place = Place(parent: frame.token) }
      return try resolveElements(token, step: step, scope: scope)
    }
    let around = around(token, of: frame, step: step)
    place = Place(parent: around[0])
    try resolveElements(token, step: step, scope: scope, around: around)
  }

  /// Does the same for the elements of an array.
  @inline(__always)
  private func resolveElements(
    _ array: TokenIndex, step: PlanPart<StepPlan>, scope: Scope, around: [TokenIndex] = []
  ) throws {
    let count = Int(truncatingIfNeeded: tape.tokens[array].payload)
    let standing = place
    var element = array.next
    for position in 0..<count {
      let end = tape.tokens[element].end(at: element)
      if hasPlaces {
        place = standing
        place.index = position
        if around.count > 1, position < around.count { place.parent = around[position] }
      }
      try resolveMember(element, step: step, scope: scope)
      element = end
    }
  }

  @inline(__always)
  private func resolveMember(
    _ token: TokenIndex, step: PlanPart<StepPlan>, scope: Scope
  ) throws {
    if step.policies.shape == .ignore && isStrayScalar(token, step: step) { return }
    do {
      let member = try resolve(token, entity: step.destination, scope: scope)
      if let member = member.index { try members.append(member) }
    } catch {
      try leaveOutMember(error, step: step)
    }
  }

  /// Handles an invalid member by the policy of its property.
  private func leaveOutMember(_ error: any Error, step: PlanPart<StepPlan>) throws {
    guard noteInvalid(error, step: step) else { return try gather(error) }
    hasUnidentified = true
  }

  /// Does the same for the members of an object, in the order of their keys.
  private func resolveKeyed(
    _ object: TokenIndex, of frame: ImportFrame, step: PlanPart<StepPlan>, scope: Scope
  ) throws {
    let parent = parent(of: object, frame, step)
    for (position, key) in try keys(of: object).enumerated() {
      let value = tape.resolved(key.next)
      place = Place(key: key, index: position, parent: parent)
      switch (step.form, tape.tokens[value].kind) {
      case (.keyed, .null):
        // The member is known only by its key.
        do {
          let member = try resolveObject(value, requested: step.destination, scope: scope)
          if let member = member.index { try members.append(member) }
        } catch {
          try leaveOutMember(error, step: step)
        }
      case (.grouped, .array): try resolveElements(value, step: step, scope: scope)
      case (.grouped, .null): break
      case (.grouped, _) where step.policies.shape == .ignore: break
      case (.grouped, _) where step.policies.shape != .box:
        let error = failure(
          .wrongShape, "there is \(shown(value)) where a group needs an array of its members",
          token: value, entity: frame.plan, property: step.field)
        try leaveOutMember(error, step: step)
      default:
        if step.form == .grouped { place.index = 0 }
        try resolveMember(value, step: step, scope: scope)
      }
    }
  }

  /// Returns whether a value is a scalar where only an object is valid.
  func isStrayScalar(_ token: TokenIndex, step: PlanPart<StepPlan>) -> Bool {
    switch tape.tokens[tape.resolved(token)].kind {
    case .object, .array, .null, .alias: return false
    case .false, .true, .integer, .real, .largeNumber, .string:
      let entity = plan.entities + step.destination
      return !entity.takesScalars && (entity.identityCount != 1 || entity.isScoped)
    }
  }

  /// Returns the keys of an object; the last of several equal keys counts.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  func keys(of object: TokenIndex) throws -> [TokenIndex] {
    var keys: [TokenIndex] = []
    let count = Int(clamping: tape.tokens[object].payload)
    keys.reserveCapacity(count)
    try keyTable.reset(for: count)
    var key = object.next
    var mayRepeat = false
    for _ in 0..<count {
      keys.append(key)
      let bytes = tape.tokens[key].bytes
      let hash = Hash.ofProcess.bytes(bytes.baseAddress, count: bytes.count)
      if try !keyTable.insert(hash, isEqual: { _ in true }) { mayRepeat = true }
      key = tape.end(of: key.next)
    }
    guard mayRepeat else { return keys }
    keys.removeAll(keepingCapacity: true)
    tape.distinctKeys(ofObject: object, sorted: false, into: &keys)
    return keys
  }
}
