/// Objects that identifiers named before they were there.
///
/// Where unknown identifiers are to be left out, the order of records must not matter: a provisional
/// row stands in until the import ends. A record that describes it makes it an object; what is still
/// provisional at the end goes.
struct ExpectedObjects {
  /// A to-one that gets its object if that comes.
  struct Target {
    let object: ObjectID
    let field: Field
    let target: ObjectID
    /// What the report notes if it does not come; nil is nothing.
    let issue: Issue?
  }

  var rows: [ObjectID] = []
  var targets: [Target] = []

  /// How much there is, to come back to.
  var counts: (rows: Int, targets: Int) { (rows.count, targets.count) }

  mutating func removeLast(to counts: (rows: Int, targets: Int)) {
    rows.removeSubrange(counts.rows...)
    targets.removeSubrange(counts.targets...)
  }
}

extension Importer {
  /// Makes a provisional row with the identity at hand; its row + 1.
  func expect(_ number: Int32, _ entity: UnsafeMutablePointer<EntityPlan>) throws -> UInt32 {
    let before = counts.inserted
    let row = try insert(number, entity, isProvisional: true)
    counts.inserted = before
    let table = Int(entity.pointee.table)
    graph.tables[table].header(row).pointee.marks = ImportMark.provisional
    expected.rows.append(graph.tables[table].id(row))
    return row &+ 1
  }

  func isProvisional(_ table: Int, _ row: UInt32) -> Bool {
    let header = graph.tables[table].header(row)
    return header.pointee.epoch == graph.epoch && header.pointee.marks == ImportMark.provisional
  }

  /// Makes a provisional row an object.
  func claim(_ table: Int, _ row: UInt32) {
    graph.tables[table].header(row).pointee.marks = ImportMark.inserted
    counts.inserted &+= 1
    changes?.insert(table, row)
  }

  /// Links what came, and removes what did not, now that everything was read.
  func settleExpected() {
    for waiting in expected.targets {
      guard graph.isLive(waiting.object), graph.isLive(waiting.target) else { continue }
      if isProvisional(waiting.target.table, waiting.target.row) {
        if let issue = waiting.issue { notes.append([issue]) }
        continue
      }
      let isChanged = graph.setTarget(
        Int(waiting.field.link), waiting.field.side, waiting.object.row, waiting.target.row &+ 1)
      if isChanged { noteUpdate(waiting.object.table, waiting.object.row) }
    }
    expected.targets = []
    for object in expected.rows where graph.isLive(object) {
      if isProvisional(object.table, object.row) { graph.discard(object) }
    }
    expected.rows = []
  }

  /// Counts an object that was met before as changed.
  func noteUpdate(_ table: Int, _ row: UInt32) {
    let header = graph.tables[table].header(row)
    guard header.pointee.epoch == graph.epoch, header.pointee.marks == 0 else { return }
    header.pointee.marks = ImportMark.updated
    counts.updated &+= 1
  }
}
