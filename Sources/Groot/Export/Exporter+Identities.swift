// Stand-ins: the identities that replace objects that are not written in full.

extension Exporter {
  func tooOften(_ entity: PlanIndex) -> GrootError {
    beyondLimit(
      entity,
      message:
        "the export would write objects again more than \(Self.maximumRepeats) times; give the "
        + "entity an identity, or limit the depth")
  }

  func tooDeep(_ entity: PlanIndex) -> GrootError {
    beyondLimit(
      entity,
      message:
        "the export would nest deeper than \(JanssonBridge.maxDepth) levels, and the object has no "
        + "identity to write instead")
  }

  private func beyondLimit(_ entity: PlanIndex, message: String) -> GrootError {
    GrootError(
      .limitExceeded, message,
      entity: graph.model.resolved[plan.entities[entity].entity].name)
  }

  /// The number of owners in a stand-in, which is also the limit of imports.
  static let maximumOwners = 64

  /// Writes the stand-in of a relationship's object: all parts of its identity.
  ///
  /// It returns false, and writes nothing, if an import could not find the object by the stand-in.
  func writeStandIn(
    _ object: ObjectKey, step: PlanPart<StepPlan>, key output: PlanPart<OutputOperation>? = nil,
    merge: Int32 = -1
  ) throws -> Bool {
    let (before, open) = (writer.position, depth)
    if let output { key(output) }
    ownersLeft = Self.maximumOwners
    if try writeIdentity(object, step: step, merge: merge, arrivedBy: step.direction) {
      return true
    }
    writer.truncate(to: before)
    depth = open
    return false
  }

  /// Returns whether an object has a stand-in.
  func canStandIn(_ object: ObjectKey, step: PlanPart<StepPlan>) throws -> Bool {
    let before = writer.position
    defer { writer.truncate(to: before) }
    return try writeStandIn(object, step: step)
  }

  /// Writes the identity of an object, with the identities of its owners.
  ///
  /// The depth of recursion is limited by ``ownersLeft``.
  private func writeIdentity(
    _ object: ObjectKey, step: PlanPart<StepPlan>, merge: Int32,
    arrivedBy arrival: LinkDirection
  ) throws -> Bool {
    let (table, row) = (object.table, object.row)
    let record = graph.tables[table].record(row)
    let number = planNumber(object, step: step)
    let entity = plan.entities + number
    // A record is found by the identity of the relationship's entity, unless a value beside the
    // relationship names another.
    let destination = step.kind < 0 ? plan.entities + step.destination : entity
    guard destination.identityCount > 0 else { return false }
    let first = plan.steps + Int(plan.identities[Int(destination.firstIdentity)])
    if destination.takesIdentifiersOnly {
      try writeAttribute(first, record: record, table: table, part: -1)
      return true
    }
    // An identity of a single missing value does not identify an object.
    if destination.identityCount == 1 && !hasPart(first, table: table, row: row) {
      return false
    }
    if (step.writesIdentifiers || isNamedOnly) && entity.identityCount == 1
      && !entity.isScoped
    {
      return try writePart(
        plan.steps + Int(plan.identities[Int(entity.firstIdentity)]), record: record,
        table: table, part: -1)
    }
    return try writeIdentityObject(
      entity, range: outputRange(number, merge: merge), object: object, step: step,
      arrivedBy: arrival)
  }

  private func hasPart(
    _ step: PlanPart<StepPlan>, table: TableIndex, row: Row
  ) -> Bool {
    let field = step.field
    guard field.isRelationship else {
      return graph.tables[table].has(field, in: graph.tables[table].record(row))
    }
    return !graph.target(graph.links[field.link], side: field.side, row: row).isNone
  }

  /// Writes an attribute of an identity; returns false if a function returned nothing for it.
  private func writePart(
    _ step: PlanPart<StepPlan>, record: UnsafeMutableRawPointer, table: TableIndex,
    part: Int16
  ) throws -> Bool {
    let start = writer.position
    try writeAttribute(step, record: record, table: table, part: part)
    guard step.reverse >= 0, graph.tables[table].has(step.field, in: record) else {
      return true
    }
    return !writer.isNull(from: start)
  }

  private func writeIdentityObject(
    _ entity: PlanPart<EntityPlan>, range: OutputRange, object: ObjectKey,
    step: PlanPart<StepPlan>, arrivedBy arrival: LinkDirection
  ) throws -> Bool {
    let (table, row) = (object.table, object.row)
    let record = graph.tables[table].record(row)
    guard range.hasWholeIdentity, !range.needsKey || step.form != .array,
      !range.needsIndex || step.field.isToMany
    else { return false }
    let isKeyed = step.form != .array
    if entity.isScoped, !namesOwners(entity, range: range, arrivedBy: arrival) {
      return false
    }
    if range.isPositional { beginArray() } else { beginObject() }
    for position in range.firstOfIdentity..<range.firstOfIdentity + range.identityCount {
      let output = plan.outputs + Int(position)
      switch output.kind {
      case .gap: writer.null()
      case .open:
        key(output)
        beginObject()
      case .close: endObject()
      case .openArray:
        key(output)
        beginArray()
      case .closeArray: endArray()
      case .constant: writeConstant(output)
      case .kind: writeKind(output, of: object)
      case .rest, .restElement, .restTail, .membersValue: break
      case .ownersValue: try writeOwnersValue(output, owner: frames.start + (frames.count &- 1))
      case .value:
        let step = plan.steps + Int(output.step)
        if step.destination.isNone {
          if isKeyed && output.isKey { continue }
          key(output)
          guard try writePart(step, record: record, table: table, part: output.part) else {
            return false
          }
        } else if !isImplied(step, by: arrival) {
          key(output)
          guard try writeOwner(step, row: row) else { return false }
        }
      }
    }
    if range.isPositional { endArray() } else { endObject() }
    return true
  }

  /// Returns whether each owner in an identity is written, or implied by the object's place.
  private func namesOwners(
    _ entity: PlanPart<EntityPlan>, range: OutputRange,
    arrivedBy arrival: LinkDirection
  ) -> Bool {
    for position in 0..<Int(entity.identityCount) {
      let part = plan.identities[Int(entity.firstIdentity) + position]
      let step = plan.steps + Int(part)
      if step.destination.isNone || isImplied(step, by: arrival) { continue }
      let outputs = range.firstOfIdentity..<range.firstOfIdentity + range.identityCount
      let isWritten = outputs.contains { index in
        let output = plan.outputs[Int(index)]
        return output.kind == .value
          && plan.steps[Int(output.step)].field.number == step.field.number
      }
      if !isWritten || step.slotCount == 0 { return false }
    }
    return true
  }

  /// Returns whether a part of an identity is the parent of the object.
  private func isImplied(
    _ step: PlanPart<StepPlan>, by arrival: LinkDirection
  ) -> Bool {
    arrival.link == step.link
      && (step.field.side != arrival.side || graph.links[arrival.link].isSymmetric)
  }

  /// Writes the owner in an identity, or null without one.
  private func writeOwner(_ step: PlanPart<StepPlan>, row: Row) throws -> Bool {
    let link = graph.links[step.link]
    let side = step.field.side
    guard let owner = graph.target(link, side: side, row: row).index else {
      writer.null()
      return true
    }
    guard ownersLeft > 0, depth < JanssonBridge.maxDepth - 32 else { return false }
    ownersLeft -= 1
    // An import looks for an owner as for a top-level object.
    return try writeIdentity(
      ObjectKey(table: link.table(side.inverse), row: owner), step: step, merge: -1,
      arrivedBy: .none)
  }

  // MARK: Placeholders

  /// Returns whether only the links and identity of an object are known.
  ///
  /// The object was only named, and a record may still determine its entity.
  func isOnlyNamed(_ object: ObjectKey, number: PlanIndex, range: OutputRange) -> Bool {
    let entity = plan.entities + number
    guard entity.hasKinds, entity.identityCount > 0, !range.isPositional else { return false }
    let table = graph.tables + object.table
    let record = table.pointee.record(object.row)
    let template = table.pointee.template(table.pointee.header(object.row).pointee.entity)
    // The end of the outermost nested object or array that is written.
    var writtenEnd = range.first
    for position in range.first..<range.first + range.count {
      let output = plan.outputs + Int(position)
      if output.kind == .open || output.kind == .openArray, position >= writtenEnd {
        let (end, hasName) = nested(at: position)
        if hasName { writtenEnd = end }
      }
      guard output.step >= 0 else { continue }
      let step = plan.steps + Int(output.step)
      let field = step.field
      if step.isIdentity || field.isRelationship { continue }
      let value = StoredValue(record, field: field, table: table)
      // A missing value inside an object counts as null there.
      let isCleared = entity.clearsMissingLeaves && position < writtenEnd
      let initial =
        isCleared ? StoredValue.none : StoredValue(template, field: field, table: table)
      if !value.equals(initial, storage: field.storage) { return false }
    }
    return true
  }

  /// Returns the end of the nested object or array at an output, and whether it has names.
  ///
  /// Anything but an attribute outside the identity counts as a name.
  private func nested(at first: Int32) -> (end: Int32, hasName: Bool) {
    var level = 0
    var hasName = false
    var position = first
    repeat {
      let output = plan.outputs + Int(position)
      switch output.kind {
      case .open, .openArray: level += 1
      case .close, .closeArray: level -= 1
      case .gap: break
      case .value:
        let step = plan.steps + Int(output.step)
        if step.isIdentity || step.field.isRelationship { hasName = true }
      default: hasName = true
      }
      position += 1
    } while level > 0
    return (position, hasName)
  }

  /// Returns whether an object that was only named leaves out a nested object or array.
  func namesNothing(at first: Int32) -> Bool { !nested(at: first).hasName }

  /// Returns whether an object was only named, as an object of an abstract entity.
  ///
  /// An import would reject a record of that entity.
  func isOfUnknownKind(_ object: ObjectKey, number: PlanIndex) -> Bool {
    let entity = plan.entities + number
    return graph.isPlaceholder(object.row, in: object.table) && entity.isAbstract
      && entity.identityCount == 1 && !entity.isScoped
  }

  /// Writes an object of unknown kind as its identifier.
  ///
  /// It returns false for any other object, and for objects under keys.
  func writeOfUnknownKind(_ object: ObjectKey, number: PlanIndex) throws -> Bool {
    guard isOfUnknownKind(object, number: number), form == .array else { return false }
    let entity = plan.entities + number
    let step = plan.steps + Int(plan.identities[Int(entity.firstIdentity)])
    guard hasPart(step, table: object.table, row: object.row) else { return false }
    return try writePart(
      step, record: graph.tables[object.table].record(object.row), table: object.table, part: -1)
  }
}
