// The stand-in for an object that is not written in full.

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

  /// How many objects may be named by what stands for one, as deep as imports look for owners.
  static let maximumOwners = 64

  /// Writes what stands for an object that a relationship leads to: all parts of its identity.
  ///
  /// False when an import could not find the object by it; then nothing is written, no key either.
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

  /// Whether something can stand for an object.
  func canStandIn(_ object: ObjectKey, step: PlanPart<StepPlan>) throws -> Bool {
    let before = writer.position
    defer { writer.truncate(to: before) }
    return try writeStandIn(object, step: step)
  }

  /// Writes the identity of an object; an object that is a part of it is written as its identity.
  ///
  /// Recursion is bounded by ``ownersLeft``.
  private func writeIdentity(
    _ object: ObjectKey, step: PlanPart<StepPlan>, merge: Int32,
    arrivedBy arrival: LinkDirection
  ) throws -> Bool {
    let (table, row) = (object.table, object.row)
    let record = graph.tables[table].record(row)
    let number = planNumber(object, step: step)
    let entity = plan.entities + number
    // A record is looked for by the identity of the entity that the relationship leads to, unless a value
    // beside it says of which it is.
    let destination = step.kind < 0 ? plan.entities + step.destination : entity
    guard destination.identityCount > 0 else { return false }
    let first = plan.steps + Int(plan.identities[Int(destination.firstIdentity)])
    if destination.takesIdentifiersOnly {
      try writeAttribute(first, record: record, table: table, part: -1)
      return true
    }
    // Where no value is all there is to an identity, it identifies nothing.
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

  /// Writes a part of an identity that is an attribute; false when a function made nothing of it.
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

  /// Whether each object that is a part of an identity is written, or known from where it is.
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

  /// Whether a part of an identity is the object that another is reached from.
  private func isImplied(
    _ step: PlanPart<StepPlan>, by arrival: LinkDirection
  ) -> Bool {
    arrival.link == step.link
      && (step.field.side != arrival.side || graph.links[arrival.link].isSymmetric)
  }

  /// Writes the object that is a part of an identity; null where there is none.
  private func writeOwner(_ step: PlanPart<StepPlan>, row: Row) throws -> Bool {
    let link = graph.links[step.link]
    let side = step.field.side
    guard let owner = graph.target(link, side: side, row: row).index else {
      writer.null()
      return true
    }
    guard ownersLeft > 0, depth < JanssonBridge.maxDepth - 32 else { return false }
    ownersLeft -= 1
    // An import looks for an owner as if it were at the top.
    return try writeIdentity(
      ObjectKey(table: link.table(side.inverse), row: owner), step: step, merge: -1,
      arrivedBy: .none)
  }

  // MARK: Objects that were only named

  /// Whether nothing but links and its identity is known of an object that was only named, so that a
  /// record may still say of which entity it is.
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

  /// The end of the nested object or array that begins with an output, and whether anything but
  /// attributes without identity is in it.
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

  /// Whether a nested object or array is left out of an object that was only named.
  func namesNothing(at first: Int32) -> Bool { !nested(at: first).hasName }

  /// Whether an object was only named, and a record of its entity would be refused, since that is abstract.
  func isOfUnknownKind(_ object: ObjectKey, number: PlanIndex) -> Bool {
    let entity = plan.entities + number
    return graph.isPlaceholder(object.row, in: object.table) && entity.isAbstract
      && entity.identityCount == 1 && !entity.isScoped
  }

  /// Writes such an object as its identifier; false when it is another, or stands under a key.
  func writeOfUnknownKind(_ object: ObjectKey, number: PlanIndex) throws -> Bool {
    guard isOfUnknownKind(object, number: number), form == .array else { return false }
    let entity = plan.entities + number
    let step = plan.steps + Int(plan.identities[Int(entity.firstIdentity)])
    guard hasPart(step, table: object.table, row: object.row) else { return false }
    return try writePart(
      step, record: graph.tables[object.table].record(object.row), table: object.table, part: -1)
  }
}
