// Members that a list under `deleteMissing` no longer has.

extension Importer {
  /// Deletes the members that are missing under `deleteMissing`.
  ///
  /// It is called after all records that may have the members are read: those of one record, or of
  /// the whole import. An object is not missing if a top-level record or another part of the import
  /// brought it, or if another object still has it as a member.
  ///
  /// - Parameter brought: The objects of the top-level records so far.
  func deleteMissing(_ brought: [ObjectID]) throws {
    defer { missingMembers.removeLast(to: 0) }
    // Another object with the same member may be in the store only.
    if let store { try store.prefetchDeletion(livingMissingMembers) }
    var missing: [ObjectID] = []
    for index in 0..<missingMembers.count {
      let member = missingMembers.start[index]
      let table = graph.links[member.link].table(member.side.inverse)
      if isMissing(member, table: table, brought: brought) {
        missing.append(graph.tables[table].id(member.row))
      }
    }
    if missing.isEmpty { return }
    if withholdsDeletions && hasUnidentified { return withhold(missing) }
    for object in missing where graph.isLive(object) {
      do {
        try delete(object)
      } catch {
        try gather(error)
      }
    }
  }

  private var livingMissingMembers: [ObjectID] {
    (0..<missingMembers.count).compactMap { index in
      let member = missingMembers.start[index]
      let table = graph.tables[graph.links[member.link].table(member.side.inverse)]
      return table.isLive(member.row) ? table.id(member.row) : nil
    }
  }

  private func isMissing(
    _ member: MissingMember, table: TableIndex, brought: [ObjectID]
  ) -> Bool {
    let header = graph.tables[table].header(member.row)
    guard header.pointee.state & RecordState.live != 0,
      graph.isAlone(graph.links[member.link], side: member.side.inverse, row: member.row)
    else { return false }
    // An identifier does not bring an object.
    if header.pointee.epoch != graph.epoch { return true }
    return !linkedElsewhere.contains(ObjectKey(table: table, row: member.row))
      && !given.contains(graph.tables[table].id(member.row), among: brought)
  }

  /// Notes objects that are kept because an entry could not be identified.
  func withhold(_ objects: [ObjectID]) {
    let known = Set(withheld)
    withheld += objects.filter { !known.contains($0) }
  }

  // MARK: Named members

  /// Notes the objects that a record names, and sets nothing.
  func nameMembers(_ frame: ImportFrame) throws {
    let entity = plan.entities + frame.plan
    guard entity.hasRelationships else { return }
    for position in 0..<Int(entity.stepCount) {
      let step = steps + (Int(entity.firstStep) + position)
      guard !step.destination.isNone, !step.options.contains(.readsPlace) else { continue }
      let count = members.count
      defer { members.removeLast(to: count) }
      do {
        try nameMembers(of: step, frame: frame)
      } catch let error as GrootError where Self.isAboutValue(error) {
        // The record is left out, but the object that it means may be among the others.
        hasUnidentified = true
      }
    }
  }

  private func nameMembers(of step: PlanPart<StepPlan>, frame: ImportFrame) throws {
    let token = try slot(step, base: Int(frame.slots))
    guard !token.isNone, tape.tokens[token].kind != .null else { return }
    var scope = Scope(
      step.value, row: frame.row,
      operations: ImportOperations(
        inserts: false, updates: false, insertsUnidentified: false, names: true))
    // This applies even where each object makes a new member.
    scope.operations.insertsUnidentified = false
    scope.unknownIdentifier = .skip
    if step.field.isToMany, tape.tokens[token].kind == (step.form == .array ? .array : .object) {
      try resolveMembers(token, of: frame, step: step, scope: scope)
    } else {
      if hasPlaces { place = Place(parent: parent(of: token, frame, step)) }
      let destination = try destination(of: token, step, record: frame.token)
      if destination.isNone { return }
      _ = try resolve(token, entity: destination, scope: scope)
    }
  }
}
