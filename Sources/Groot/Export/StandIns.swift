/// Stand-ins: the identities that replace objects that are not written in full.
///
/// The part may touch the text, which it restores where there is no stand-in, and keeps the roots
/// of the current document. It reads which objects are open.
final class StandIns {
  /// The number of owners in a stand-in, which is also the limit of imports.
  static let maximumOwners = 64

  private let rules: ExportRules
  private let graph: Graph
  private let plan: Plan
  private let text: ExportText
  private let writer: JSONWriter
  private let values: ExportValues
  private let frames: ExportFrames
  /// Whether an entity has a root in the current document, by plan; empty without a document.
  private var rooted: [Bool] = []
  /// Whether there is a document, whose objects at roots are written as their identities elsewhere.
  @exclusivity(unchecked) private(set) var hasRoots = false
  /// Whether the object is written as an identifier, whatever the form of the relationship.
  private var isNamedOnly = false
  /// The number of owners that the current stand-in may still have.
  private var ownersLeft = 0

  init(_ rules: ExportRules, text: ExportText, values: ExportValues, frames: ExportFrames) {
    self.rules = rules
    graph = rules.graph
    plan = rules.plan
    self.text = text
    writer = text.writer
    self.values = values
    self.frames = frames
  }

  /// Begins a document with the given entities at roots, by plan; ends it if there are none.
  func setRoots(_ rooted: [Bool]) {
    self.rooted = rooted
    hasRoots = !rooted.isEmpty
  }

  /// Writes the stand-in of a relationship's object: all parts of its identity.
  ///
  /// It returns false, and writes nothing, if an import could not find the object by the stand-in.
  func write(
    _ object: ObjectKey, step: PlanPart<StepPlan>, key output: PlanPart<OutputOperation>? = nil,
    merge: Int32 = -1
  ) throws -> Bool {
    let (before, open) = (writer.position, text.depth)
    if let output { text.key(output) }
    ownersLeft = Self.maximumOwners
    if try writeIdentity(object, step: step, merge: merge, arrivedBy: step.direction) {
      return true
    }
    text.rewind(to: before, depth: open)
    return false
  }

  /// Returns whether an object has a stand-in.
  func exists(for object: ObjectKey, step: PlanPart<StepPlan>) throws -> Bool {
    let before = writer.position
    defer { writer.truncate(to: before) }
    return try write(object, step: step)
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
    let number = rules.planNumber(object, step: step)
    let entity = plan.entities + number
    // A record is found by the identity of the relationship's entity, unless a value beside the
    // relationship names another.
    let destination = step.kind < 0 ? plan.entities + step.destination : entity
    guard destination.identityCount > 0 else { return false }
    let first = plan.steps + Int(plan.identities[Int(destination.firstIdentity)])
    if destination.takesIdentifiersOnly {
      try values.write(first, record: record, table: table, part: -1)
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
      entity, range: rules.outputRange(number, merge: merge).pointee, object: object, step: step,
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
    try values.write(step, record: record, table: table, part: part)
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
    text.begin(isPositional: range.isPositional)
    for position in range.firstOfIdentity..<range.firstOfIdentity + range.identityCount {
      let output = plan.outputs + Int(position)
      switch output.kind {
      case .gap: writer.null()
      case .open:
        text.key(output)
        text.beginObject()
      case .close: text.endObject()
      case .openArray:
        text.key(output)
        text.beginArray()
      case .closeArray: text.endArray()
      case .constant: text.constant(output)
      case .kind: values.writeKind(output, of: object)
      case .rest, .restElement, .restTail, .membersValue: break
      case .ownersValue:
        if let owner = frames.current { try writeOwnersValue(output, owner: owner) }
      case .value:
        let step = plan.steps + Int(output.step)
        if step.destination.isNone {
          if isKeyed && output.isKey { continue }
          text.key(output)
          guard try writePart(step, record: record, table: table, part: output.part) else {
            return false
          }
        } else if !rules.isImplied(step, by: arrival) {
          text.key(output)
          guard try writeOwner(step, row: row) else { return false }
        }
      }
    }
    text.end(isPositional: range.isPositional)
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
      if step.destination.isNone || rules.isImplied(step, by: arrival) { continue }
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

  /// Writes the owner in an identity, or null without one.
  private func writeOwner(_ step: PlanPart<StepPlan>, row: Row) throws -> Bool {
    let link = graph.links[step.link]
    let side = step.field.side
    guard let owner = graph.target(link, side: side, row: row).index else {
      writer.null()
      return true
    }
    guard ownersLeft > 0, text.hasRoom else { return false }
    ownersLeft -= 1
    // An import looks for an owner as for a top-level object.
    return try writeIdentity(
      ObjectKey(table: link.table(side.inverse), row: owner), step: step, merge: -1,
      arrivedBy: .none)
  }

  /// Writes an attribute of an object's owner.
  @inline(never)
  func writeOwnersValue(_ output: PlanPart<OutputOperation>, owner: ObjectKey) throws {
    let step = plan.steps + Int(output.step)
    let record = graph.tables[owner.table].record(owner.row)
    let hasValue = graph.tables[owner.table].has(step.field, in: record)
    if step.options.contains(.omitsNull) && !hasValue { return }
    text.key(output)
    try values.write(step, record: record, table: owner.table, part: output.part)
  }

  // MARK: Exceptions

  /// Writes the stand-in of an object that is written elsewhere or is of unknown kind.
  ///
  /// It returns false for other objects, and for one of unknown kind without a stand-in.
  ///
  /// - Parameters:
  ///   - object: The object of the relationship.
  ///   - step: The step of the relationship.
  ///   - output: The output with the key; nil for a member of a list.
  ///   - merge: The number of the merge of attributes of the owner; -1 without one.
  /// - Throws: ``Status/invalidArgument`` for an object at a root without an identity.
  @inline(never)
  func writeException(
    _ object: ObjectKey, step: PlanPart<StepPlan>, key output: PlanPart<OutputOperation>?,
    merge: Int32
  ) throws -> Bool {
    let number = rules.planNumber(object, step: step)
    let isElsewhere = isWrittenElsewhere(object, number: number)
    guard isElsewhere || isOfUnknownKind(object, number: number) else { return false }
    // An import would otherwise take an object that was only named for a record.
    isNamedOnly =
      graph.isPlaceholder(object.row, in: object.table) && step.form == .array
      && !step.options.contains(.refusesMixedLists)
    defer { isNamedOnly = false }
    if try write(object, step: step, key: output, merge: merge) { return true }
    if isElsewhere { throw unnameable(number) }
    return false
  }

  /// Returns whether an object in a document is written as its identity.
  ///
  /// Such an object is written in full at a root, or was only named.
  private func isWrittenElsewhere(_ object: ObjectKey, number: PlanIndex) -> Bool {
    guard hasRoots else { return false }
    return rooted.indices.contains(number.offset) && rooted[number.offset]
      || graph.isPlaceholder(object.row, in: object.table)
  }

  /// Returns the error for an object without an identity that has both a root and a relationship.
  private func unnameable(_ number: PlanIndex) -> GrootError {
    let name = graph.model.resolved[plan.entities[number].entity].name
    return GrootError(
      .invalidArgument,
      "an object of '\(name)' has a root, a relationship to it, and no identity, so it would be "
        + "written twice; give the entity an identity, or use a mapping without that root",
      entity: name)
  }

  /// Returns whether an object was only named, as an object of an abstract entity.
  ///
  /// An import would reject a record of that entity.
  private func isOfUnknownKind(_ object: ObjectKey, number: PlanIndex) -> Bool {
    let entity = plan.entities + number
    return graph.isPlaceholder(object.row, in: object.table) && entity.isAbstract
      && entity.identityCount == 1 && !entity.isScoped
  }

  /// Writes an object of unknown kind as its identifier; returns false for any other object.
  func writeOfUnknownKind(_ object: ObjectKey, number: PlanIndex) throws -> Bool {
    guard isOfUnknownKind(object, number: number) else { return false }
    let entity = plan.entities + number
    let step = plan.steps + Int(plan.identities[Int(entity.firstIdentity)])
    guard hasPart(step, table: object.table, row: object.row) else { return false }
    return try writePart(
      step, record: graph.tables[object.table].record(object.row), table: object.table, part: -1)
  }
}
