// Unmapped keys, and values that only members have from their parent object.

extension Exporter {
  // MARK: Values of members

  /// Writes a value of an object that its members have, if all members have the same value.
  ///
  /// It returns false if the value is not written.
  func writeMembersValue(
    _ output: PlanPart<OutputOperation>, object: ObjectKey
  ) throws -> Bool {
    var found: (value: StoredValue, step: PlanPart<StepPlan>, object: ObjectKey)?
    for source in plan.memberValues[Int(output.level)] {
      let relationship = plan.steps + Int(source.step)
      let table = graph.links[relationship.link].table(relationship.field.side.inverse)
      let field = graph.fields[table][source.number]
      for row in members(of: object, along: relationship) {
        let record = graph.tables[table].record(row)
        let value = StoredValue(record, field: field, table: graph.tables + table)
        let member = ObjectKey(table: table, row: row)
        let isOther = found.map { $0.value.order(value, as: field.type) != 0 } ?? false
        if isOther || !value.isPresent { return false }
        if found == nil,
          let step = step(of: source.number, in: planNumber(member, step: relationship))
        {
          found = (value, step, member)
        }
      }
    }
    guard let found else { return false }
    key(output)
    try writeAttribute(
      found.step, record: graph.tables[found.object.table].record(found.object.row),
      table: found.object.table, part: -1)
    return true
  }

  /// Returns whether there are members that can have a value of their parent object.
  func hasMembers(_ output: PlanPart<OutputOperation>, object: ObjectKey) -> Bool {
    plan.memberValues[Int(output.level)].contains {
      !members(of: object, along: plan.steps + Int($0.step)).isEmpty
    }
  }

  /// Returns whether a member has the value.
  func hasMembersValue(_ output: PlanPart<OutputOperation>, object: ObjectKey) -> Bool {
    plan.memberValues[Int(output.level)].contains { source in
      let step = plan.steps + Int(source.step)
      let table = graph.links[step.link].table(step.field.side.inverse)
      let field = graph.fields[table][source.number]
      return members(of: object, along: step).contains {
        graph.tables[table].has(field, in: graph.tables[table].record($0))
      }
    }
  }

  private func members(of object: ObjectKey, along step: PlanPart<StepPlan>) -> [Row] {
    guard !step.field.isToMany else { return graph.members(of: object.row, field: step.field) }
    let link = graph.links[step.link]
    return graph.target(link, side: step.field.side, row: object.row).index.map { [$0] } ?? []
  }

  /// Returns the step of an entity that reads a property; nil without one.
  private func step(of number: Int, in plan: PlanIndex) -> PlanPart<StepPlan>? {
    let entity = self.plan.entities[plan]
    let position = (0..<Int(entity.stepCount)).first {
      Int(self.plan.steps[Int(entity.firstStep) + $0].field.number) == number
    }
    return position.map { self.plan.steps + (Int(entity.firstStep) + $0) }
  }

  // MARK: Unmapped keys

  /// Writes the unmapped members, or elements, of an object.
  func writeRest(
    _ output: PlanPart<OutputOperation>, record: UnsafeMutableRawPointer, table: TableIndex
  ) throws {
    let step = plan.steps + Int(output.step)
    let value = StoredValue(record, field: step.field, table: graph.tables + table)
    let position = Int(output.part)
    guard let start = value.start, value.count > 0 else {
      if output.kind == .restElement { writer.null() }
      return
    }
    func requireRoom(_ levels: Int) throws {
      try self.requireRoom(
        forLevels: levels, property: Int(step.field.number), record: record, table: table)
    }
    let level = plan.restLevels[Int(output.level)]
    let rest = try loadRest(UnsafeBufferPointer(start: start, count: value.count))
    let found = level.path.value(from: .first, on: rest)
    switch output.kind {
    case .restElement:
      if let element = found.flatMap({ rest.element(at: position, inArray: $0) }) {
        try requireRoom(writer.value(rest, index: element, keepsReals: true))
      } else {
        writer.null()
      }
    case .restTail:
      guard let found, rest.tokens[found].kind == .array else { return }
      guard var element = rest.element(at: position, inArray: found) else { return }
      for _ in position..<max(Int(clamping: rest.tokens[found].payload), position) {
        try requireRoom(writer.value(rest, index: element, keepsReals: true))
        element = rest.end(of: element)
      }
    default:
      guard let found, rest.tokens[found].kind == .object else { return }
      var keys: [TokenIndex] = []
      rest.distinctKeys(ofObject: found, sorted: false, into: &keys)
      for key in keys {
        let name = String(decoding: rest.tokens[key].bytes, as: UTF8.self)
        if level.named.contains(Name(name)) { continue }
        writer.key(rest.tokens[key].bytes)
        try requireRoom(writer.value(rest, index: key.next, keepsReals: true))
      }
    }
  }

  /// Loads the unmapped keys of an object onto the tape of values.
  ///
  /// Text that is already on the tape is not loaded again.
  func loadRest(_ text: UnsafeBufferPointer<UInt8>) throws -> JSONTape {
    if loadedRest == text.baseAddress, loadedRest != nil { return valueTape }
    valueTape.reset()
    loadedRest = nil
    try valueTape.load(text)
    loadedRest = text.baseAddress
    return valueTape
  }
}
