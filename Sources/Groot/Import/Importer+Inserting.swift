// New objects, with the identity that was read.

extension Importer {
  /// Makes an object with the current identity.
  @inline(__always)
  func insert(
    _ number: PlanIndex, entity: PlanPart<EntityPlan>, isStub: Bool = false
  ) throws -> Row {
    let table = entity.table
    let row = try graph.insertRow(entity.localIndex, in: table)
    let record = graph.tables[table].record(row)
    record.assumingMemoryBound(to: RecordHeader.self).pointee.epoch = graph.epoch
    record.assumingMemoryBound(to: RecordHeader.self).pointee.marks = ImportMark.inserted
    for position in 0..<Int(entity.identityCount) {
      let step = steps + Int(plan.identities[Int(entity.firstIdentity) &+ position])
      guard step.destination.isNone else { continue }
      if key[position].count > PlacedValues.minimumLength && step.options.contains(.readsPlace) {
        writeKept(key[position], step.field, to: record, table: table)
        continue
      }
      key[position].write(
        to: record, step.field, table: graph.tables + table, arena: graph.text)
    }
    // An index finds a row by its stored values; without memory these may differ from the key.
    try graph.checkMemory()
    counts.inserted &+= 1
    if entity.isScoped {
      try insertScoped(row, entity: entity)
    } else if let index = indexes[number], graph.indexCounts[table] == 1 {
      if let hash = index.pointee.hash(key) { index.pointee.insert(row, key: key, hash: hash) }
    } else {
      graph.forEachIndex(row, in: table) { $0.insert(row) }
    }
    if !isStub && listsAccess { noteAccess(row, in: table) }
    return row
  }

  /// Indexes an object that is identified within its owner, and links it to the owner.
  private func insertScoped(
    _ row: Row, entity: PlanPart<EntityPlan>
  ) throws {
    graph.forEachIndex(row, in: entity.table) { $0.insert(row) }
    for position in 0..<Int(entity.identityCount) {
      let step = steps + Int(plan.identities[Int(entity.firstIdentity) + position])
      guard !step.destination.isNone else { continue }
      let field = step.field
      let owner = OptionalRow(word: key[position].isPresent ? key[position].word0 : 0)
      try store?.prefetchTarget(field, row: row, target: owner)
      graph.setTarget(field.link, side: field.side, row: row, to: owner)
    }
  }

  func noteAccess(_ row: Row, in table: TableIndex) {
    accessed?.insert(graph.tables[table].id(row))
  }
}
