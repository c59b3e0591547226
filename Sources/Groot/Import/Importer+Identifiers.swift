// Identifiers in the place of objects: the objects that they name, placeholders for missing
// objects, and the notes of the report.

extension Importer {
  /// Finds the object that an identifier names, or makes one with only that identity.
  func resolveIdentifier(_ token: TokenIndex, number: PlanIndex, scope: Scope) throws -> OptionalRow
  {
    let entity = plan.entities + number
    guard entity.identityCount == 1, !entity.isScoped else {
      throw failure(
        .wrongShape,
        "there is an identifier where an object of '\(name(number))' belongs; only an entity with one "
          + "identity attribute takes identifiers", token: token, entity: number)
    }
    let step = steps + Int(plan.identities[Int(entity.firstIdentity)])
    guard try read(step, token: token, entity: number, into: &key[0]) == .value else {
      throw failure(
        .missingValue, "the identifier \(shown(token)) has no value", token: token,
        entity: number,
        property: step.field)
    }
    let index = try identityIndex(number)
    let table = entity.table
    if let row = try find(number, index: index) {
      return try name(row, token: token, number: number, scope: scope)
    }
    if graph.hasPlaceholders[table], let row = try findPlaceholder(named: number) {
      try refine(row, table: table, to: entity.localIndex)
      return try name(row, token: token, number: number, scope: scope)
    }
    if step.checksLimits { try validate(key[0], step: step, token: token, entity: number) }
    switch scope.unknownIdentifier {
    case .placeholder:
      // A later record is found by its own identity, not by this key.
      if entity.isForeignKey {
        let row = try expect(number, entity: entity, isPlaceholder: true)
        if let row = row.index { try noteNamed(row, token: token, number: number) }
        return row
      }
      let row = try insert(number, entity: entity)
      graph.setPlaceholder(row, in: table)
      try noteNamed(row, token: token, number: number)
      return OptionalRow(row)
    case .skip, .keep: return try expect(number, entity: entity)
    case .error:
      throw failure(
        .unknownIdentifier, "no object of '\(name(number))' has the identity \(shown(token))",
        token: token, entity: number)
    }
  }

  /// Notes that an identifier names an existing object, and returns its row.
  func name(_ row: Row, token: TokenIndex, number: PlanIndex, scope: Scope) throws -> OptionalRow {
    let entity = plan.entities + number
    let table = entity.table
    if named != nil { named?.insert(row, in: table) }
    if hasForwardReferences, scope.unknownIdentifier == .placeholder, !entity.isForeignKey,
      isStub(row, in: table)
    {
      try resolveStub(row, in: table)
      try noteNamed(row, token: token, number: number)
    }
    if listsAccess { noteAccess(row, in: table) }
    return OptionalRow(row)
  }

  /// Notes a placeholder of this import if its record may determine another entity.
  func noteNamed(_ row: Row, token: TokenIndex, number: PlanIndex) throws {
    let table = plan.entities[number].table
    guard graph.model.hierarchies[table].entities.count > 1 else { return }
    if forward.placeholders.count < ForwardReferences.maximumLocationCount {
      forward.locations.append(
        issue(.unknownIdentifier, "", token: token, entity: number, property: nil))
    }
    try forward.placeholders.append(
      ForwardReferences.Placeholder(id: graph.tables[table].id(row), plan: number),
      within: graph.memory)
  }

  /// Returns whether a record may still determine the entity of an object.
  private func isOpen(_ row: Row, table: TableIndex) -> Bool {
    let entity = plan.entities[
      PlanIndex(of: graph.entity(graph.tables[table].record(row), in: table))]
    return entity.isAbstract || entity.localIndex < entity.lastLocalIndex
  }

  /// Reports this import's placeholders that no record brought, after all records are read.
  ///
  /// A placeholder of an abstract entity stays too, since a later import may determine its entity.
  func reportPlaceholders() {
    var reported = Set(forward.given)
    for (position, placeholder) in forward.placeholders.enumerated() {
      let id = placeholder.id
      guard graph.isLive(id), graph.isPlaceholder(id.row, in: id.table),
        isOpen(id.row, table: id.table),
        reported.insert(id).inserted
      else { continue }
      guard unbrought.count < ImportNotes.maximumCount else { break }
      var issue =
        position < forward.locations.count
        ? forward.locations[position] : GrootIssue(.unknownIdentifier, "")
      issue.severity = .warning
      issue.entity = graph.entityName(graph.tables[id.table].record(id.row), in: id.table)
      issue.message =
        "the object with the identity \(identity(of: placeholder)) is a placeholder of "
        + "'\(issue.entity)', and no record has chosen its sub-entity"
      unbrought.append((id, issue))
    }
    forward.placeholders = []
    forward.locations = []
    forward.given = []
  }

  private func identity(of placeholder: ForwardReferences.Placeholder) -> String {
    let table = placeholder.id.table
    let record = graph.tables[table].record(placeholder.id.row)
    return plan.identityNumbers[placeholder.plan].map { number in
      let field = graph.fields[table][number]
      return Value(StoredValue(record, field: field, table: graph.tables + table), as: field.type)
        .json.description
    }.joined(separator: ", ")
  }

  // MARK: The form of a value

  /// Returns whether a value is valid under a key for identifiers only.
  func isIdentifiers(_ token: TokenIndex, step: PlanPart<StepPlan>) -> Bool {
    switch tape.tokens[token].kind {
    case .null: return true
    case .array: return step.field.isToMany && !holdsObjects(token)
    case .string, .integer, .real, .largeNumber: return !step.field.isToMany
    case .object, .true, .false, .alias: return false
    }
  }

  /// Returns whether an array has elements other than identifiers.
  func holdsObjects(_ array: TokenIndex) -> Bool {
    var element = array.next
    for _ in 0..<Int(clamping: tape.tokens[array].payload) {
      switch tape.tokens[element].kind {
      case .string, .integer, .real, .largeNumber: element = tape.end(of: element)
      default: return true
      }
    }
    return false
  }

  /// Returns whether a to-many's members are given as objects, according to the key or its value.
  func isGivenAsObjects(
    _ token: TokenIndex, step: PlanPart<StepPlan>, base: Int
  ) -> Bool {
    if step.form != .array { return true }
    if tape.tokens[token].kind == .array, tape.tokens[token].payload > 0 {
      return holdsObjects(token)
    }
    let first = base + Int(step.firstSlot)
    let keys = Int(step.identifierSlots)
    for position in keys..<keys + Int(step.objectSlots)
    where slots.start[first + position] == token {
      return true
    }
    return false
  }
}
