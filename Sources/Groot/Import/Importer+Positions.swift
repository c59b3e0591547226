// Positions of members, and lists that a program has reordered.

extension Importer {
  /// Counts an object whose position changed.
  @inline(never)
  func noteMove(_ frame: ImportFrame, table: TableIndex) throws {
    let step = steps + Int(plan.entities[frame.plan].indexStep)
    let token = try slot(step, base: Int(frame.slots))
    guard !token.isNone else { return }
    let record = graph.tables[table].record(frame.row)
    let old = StoredValue(record, field: step.field, table: graph.tables + table)
    if !old.isPresent || old.word0 != tape.tokens[token].payload { moveCount &+= 1 }
  }

  /// Returns whether the members are those listed, with positions in the listed order.
  ///
  /// A list that a program has reordered against the positions is then left unchanged.
  func isInPlace(
    _ listed: UnsafeBufferPointer<Row>, of row: Row, step: PlanPart<StepPlan>
  ) -> Bool {
    guard Int(graph.memberCount(of: row, field: step.field)) == listed.count else { return false }
    let table = graph.destination(step.field)
    var last = Int64.min
    for member in listed {
      guard graph.contains(member, in: step.field, of: row) else { return false }
      let record = graph.tables[table].record(member)
      let entity = plan.entities + planNumber(of: member, plan.entities + step.destination)
      guard entity.indexStep >= 0 else { return false }
      let field = plan.steps[Int(entity.indexStep)].field
      let place = StoredValue(record, field: field, table: graph.tables + table)
      guard place.isPresent, place.integer > last else { return false }
      last = place.integer
    }
    return true
  }
}
