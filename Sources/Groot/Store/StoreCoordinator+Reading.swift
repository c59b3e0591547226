// Reading objects and lists when they are needed.

extension StoreCoordinator {
  // MARK: Objects

  /// Reads an object that a program asks for; its neighbours with it when it goes through them.
  @inline(__always)
  func read(_ table: TableIndex, _ row: Row) throws {
    if graph.isFault(table, row) { try readNear(table, row) }
  }

  @inline(never)
  private func readNear(_ table: TableIndex, _ row: Row) throws {
    let count = faultWindows[table].size(at: row)
    var rows = [row]
    var next = row.advanced(by: 1)
    let end = min(graph.tables[table].count, row.advanced(by: 1024))
    while rows.count < count, next < end {
      if graph.tables[table].isLive(next) && graph.isFault(table, next) { rows.append(next) }
      next = next.advanced(by: 1)
    }
    faultWindows[table].advance(to: rows[rows.count - 1])
    try read(table, rows)
  }

  /// Reads those of some objects that are living and not read yet.
  func read(_ objects: some Sequence<ObjectID>) throws {
    var rows: [[Row]] = Array(repeating: [], count: keys.count)
    for object in objects where graph.isLive(object) { rows[object.table].append(object.row) }
    for table in graph.tableIndices { try read(table, rows[table]) }
  }

  /// Reads those of some objects that are not read yet; a query for a few hundred of them.
  ///
  /// - Throws: ``Status/storeConflict`` when one is not in the store any more, which others wrote to.
  func read(_ table: TableIndex, _ rows: [Row]) throws {
    let faults = rows.filter {
      graph.tables[table].isLive($0) && graph.isFault(table, $0)
    }
    guard !faults.isEmpty else { return }
    try materializing {
      try store.readRows(table, keys: faults.map { keys[table][$0].key }) {
        try materialize($0, table)
      }
    }
    if let lost = faults.first(where: { graph.isFault(table, $0) }) {
      guard isStale else {
        throw damaged(
          "a relationship leads to the object \(keys[table][lost].key) of "
            + "'\(schema.tables[table].name)', which is not there")
      }
      throw GrootError(
        .storeConflict,
        "the object \(keys[table][lost].key) of '\(schema.tables[table].name)' was deleted in the "
          + "store; refresh shows what is there")
    }
  }

  /// Reads all objects of a hierarchy.
  func readAll(_ table: TableIndex) throws {
    guard !isAllRead[table] else { return }
    if try hasRows(table) {
      try materializing { try store.readRows(table) { try materialize($0, table) } }
    }
    isAllRead[table] = true
  }

  // MARK: Lists

  /// Completes a list that a program asks for; those of its neighbours with it when it goes through
  /// them.
  @inline(__always)
  func complete(_ table: TableIndex, _ row: Row, _ field: Field) throws {
    if graph.isIncomplete(table, row, field) { try completeNear(table, row, field) }
  }

  @inline(never)
  private func completeNear(_ table: TableIndex, _ row: Row, _ field: Field) throws {
    let window = field.link.offset * 2 + Int(field.side.rawValue)
    let count = listWindows[window].size(at: row)
    var rows = [row]
    var next = row.advanced(by: 1)
    let end = min(graph.tables[table].count, row.advanced(by: 1024))
    while rows.count < count, next < end {
      if isCompletable(table, next, field) { rows.append(next) }
      next = next.advanced(by: 1)
    }
    listWindows[window].advance(to: rows[rows.count - 1])
    try complete(table, rows, field)
  }

  func isCompletable(_ table: TableIndex, _ row: Row, _ field: Field) -> Bool {
    graph.tables[table].isLive(row)
      && field.belongs(to: graph.tables[table].header(row).pointee.entity)
      && graph.isIncomplete(table, row, field)
  }

  /// Completes those of some lists that are not complete.
  func complete(_ table: TableIndex, _ rows: [Row], _ field: Field) throws {
    var seen: Set<Row> = []
    let owners = rows.filter { isCompletable(table, $0, field) && seen.insert($0).inserted }
    guard !owners.isEmpty else { return }
    if let column = referenceOfLink[field.link] {
      try completeMembers(table, owners, field, column)
    } else if let join = joinOfLink[field.link] {
      try completeNodes(table, owners, field, join)
    }
  }

  private func completeMembers(
    _ table: TableIndex, _ owners: [Row], _ field: Field, _ column: ReferenceColumn
  ) throws {
    var lists: [Row: [ListEntry]] = [:]
    try materializing {
      try store.readMembers(
        column.table, column: column.position, of: owners.map { keys[table][$0].key }
      ) { stored in
        guard let member = try materialize(stored, column.table),
          let owner = keys[table].row(stored.values[column.position].integer)
        else { return }
        lists[owner, default: []].append(ListEntry(member))
      }
    }
    try complete(field.link, field.side, owners, lists)
  }

  private func completeNodes(
    _ table: TableIndex, _ owners: [Row], _ field: Field, _ join: Int
  ) throws {
    let number = field.link
    let link = graph.links[number]
    let other = link.table(field.side.inverse)
    var found: [(owner: Int64, member: Int64)] = []
    var lists: [Row: [ListEntry]] = [:]
    try materializing {
      try store.readLinks(join, side: field.side, of: owners.map { keys[table][$0].key }) {
        found.append(field.side == .first ? ($0.source, $0.target) : ($0.target, $0.source))
      }
      try addFaults(other, found.map(\.member))
      // In a damaged tree a search may find what is not looked for.
      let asked = Set(owners.map { keys[table][$0].key })
      for stored in found {
        guard asked.contains(stored.owner) else {
          throw damaged("the links of '\(schema.tables[table].name)' are in no order")
        }
        guard let owner = keys[table].row(stored.owner),
          let member = try row(stored.member, of: link, side: field.side.inverse),
          let node = try node(number, field.side, owner, member)
        else { continue }
        lists[owner, default: []].append(ListEntry(node))
      }
    }
    try complete(number, field.side, owners, lists)
  }

  /// Completes lists with what the store has.
  private func complete(
    _ number: LinkIndex, _ side: LinkSide, _ owners: [Row], _ lists: [Row: [ListEntry]]
  ) throws {
    for owner in owners where !graph.complete(number, side, owner, lists[owner] ?? []) {
      let table = graph.links[number].table(side)
      throw damaged(
        "the object \(keys[table][owner].key) of '\(schema.tables[table].name)' has a member twice")
    }
  }

  /// The node of a link that the store has; nil when the link was ended here.
  private func node(
    _ number: LinkIndex, _ side: LinkSide, _ owner: Row, _ member: Row
  ) throws -> NodeIndex? {
    let link = graph.links[number]
    let (left, right) = side == .first ? (owner, member) : (member, owner)
    if let node = graph.findNode(number, left, right) { return node }
    let far = link.isSymmetric ? .first : side.inverse
    if !graph.isIncomplete(link.table(far), member, link.field(far)) {
      // The other direction is known and does not have it: an unsaved change has ended it.
      let isEnded = !link.isSymmetric || graph.findNode(number, member, owner) == nil
      if isEnded { return nil }
    }
    return try graph.addStoredNode(number, left, right)
  }

  /// Completes the lists of all objects that are in memory.
  func completeAll(_ table: TableIndex, _ field: Field) throws {
    let rows = (graph.tables[table].rows).filter { isCompletable(table, $0, field) }
    try complete(table, rows, field)
  }
}
