// Reading objects and lists on demand.

extension StoreCoordinator {
  // MARK: Objects

  /// Reads an object, together with its neighbours if the program reads them in order.
  @inline(__always)
  func read(_ row: Row, in table: TableIndex) throws {
    if graph.isFault(row, in: table) { try readNear(row, in: table) }
  }

  @inline(never)
  private func readNear(_ row: Row, in table: TableIndex) throws {
    let rows = neighbours(of: row, in: table, count: faultWindows[table].size(at: row)) {
      graph.tables[table].isLive($0) && graph.isFault($0, in: table)
    }
    faultWindows[table].advance(to: rows[rows.count - 1])
    try read(rows, in: table)
  }

  /// Returns up to `count` rows: a row, and the wanted rows after it.
  private func neighbours(
    of row: Row, in table: TableIndex, count: Int, isWanted: (Row) -> Bool
  ) -> [Row] {
    var rows = [row]
    var next = row.advanced(by: 1)
    let end = min(graph.tables[table].count, row.advanced(by: 1024))
    while next < end {
      if rows.count >= count { break }
      if isWanted(next) { rows.append(next) }
      next = next.advanced(by: 1)
    }
    return rows
  }

  /// Reads the living faults among some objects.
  func read(_ objects: some Sequence<ObjectID>) throws {
    var rows: [[Row]] = Array(repeating: [], count: keys.count)
    for object in objects where graph.isLive(object) { rows[object.table].append(object.row) }
    for table in graph.tableIndices { try read(rows[table], in: table) }
  }

  /// Reads the faults among some objects, a few hundred per query.
  ///
  /// - Throws: ``Status/storeConflict`` when others have deleted one of them from the store.
  func read(_ rows: [Row], in table: TableIndex) throws {
    let faults = rows.filter {
      graph.tables[table].isLive($0) && graph.isFault($0, in: table)
    }
    guard !faults.isEmpty else { return }
    try materializing {
      try store.readRows(table, keys: faults.map { keys[table][$0].key }) {
        try materialize($0, table: table)
      }
    }
    if let lost = faults.first(where: { graph.isFault($0, in: table) }) {
      guard isStale else {
        let issues = dangling(to: lost, in: table).prefix(100)
        if let first = issues.first { throw GrootError(first.status, Array(issues)) }
        throw damaged(
          "a relationship leads to the object \(keys[table][lost].key) of "
            + "'\(schema.tables[table].name)', which is missing")
      }
      throw GrootError(
        .storeConflict,
        "the object \(keys[table][lost].key) of '\(schema.tables[table].name)' was deleted in the "
          + "store; refresh shows the current objects")
    }
  }

  /// Reads all objects of a hierarchy.
  func readAll(_ table: TableIndex) throws {
    guard !isAllRead[table] else { return }
    if try hasRows(table) {
      try materializing {
        try store.readRows(table) { [self] in try materialize($0, table: table) }
      }
    }
    isAllRead[table] = true
  }

  // MARK: Lists

  /// Completes a list, together with its neighbours' lists if the program reads them in order.
  @inline(__always)
  func complete(_ row: Row, in table: TableIndex, field: Field) throws {
    if graph.isIncomplete(row, in: table, field: field) {
      try completeNear(row, in: table, field: field)
    }
  }

  @inline(never)
  private func completeNear(_ row: Row, in table: TableIndex, field: Field) throws {
    if try completeStored(row, in: table, field: field) { return }
    let window = field.link.offset * 2 + Int(field.side.rawValue)
    let rows = neighbours(of: row, in: table, count: listWindows[window].size(at: row)) {
      isCompletable($0, in: table, field: field)
    }
    listWindows[window].advance(to: rows[rows.count - 1])
    try complete(rows, in: table, field: field)
  }

  func isCompletable(_ row: Row, in table: TableIndex, field: Field) -> Bool {
    graph.tables[table].isLive(row)
      && field.belongs(to: graph.tables[table].header(row).pointee.entity)
      && graph.isIncomplete(row, in: table, field: field)
  }

  /// Completes the incomplete lists of some objects.
  func complete(_ rows: [Row], in table: TableIndex, field: Field) throws {
    var seen: Set<Row> = []
    let owners = try rows.filter {
      try isCompletable($0, in: table, field: field) && seen.insert($0).inserted
        && !completeStored($0, in: table, field: field)
    }
    guard !owners.isEmpty else { return }
    if let column = referenceOfLink[field.link] {
      try completeMembers(owners, in: table, field: field, column: column)
    } else if let join = joinOfLink[field.link] {
      try completeNodes(owners, in: table, field: field, join: join)
    }
  }

  private func completeMembers(
    _ owners: [Row], in table: TableIndex, field: Field, column: ReferenceColumn
  ) throws {
    var lists: [Row: [ListEntry]] = [:]
    try materializing {
      try store.readMembers(
        column.table, column: column.position, of: owners.map { keys[table][$0].key }
      ) { stored in
        guard let member = try materialize(stored, table: column.table),
          let owner = keys[table].row(stored.values[column.position].integer)
        else { return }
        lists[owner, default: []].append(ListEntry(member))
      }
    }
    try complete(field.link, side: field.side, owners: owners, lists: lists)
  }

  private func completeNodes(
    _ owners: [Row], in table: TableIndex, field: Field, join: Int
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
      try addFaults(found.map(\.member), in: other)
      // With a damaged index, a search may find other objects.
      let asked = Set(owners.map { keys[table][$0].key })
      for stored in found {
        guard asked.contains(stored.owner) else {
          throw damaged("the links of '\(schema.tables[table].name)' are in no order")
        }
        guard let owner = keys[table].row(stored.owner),
          let member = try row(stored.member, of: link, side: field.side.inverse),
          let node = try node(number, side: field.side, owner: owner, member: member)
        else { continue }
        lists[owner, default: []].append(ListEntry(node))
      }
    }
    try complete(number, side: field.side, owners: owners, lists: lists)
  }

  /// Completes a list that no unsaved change touches from its members at hand.
  ///
  /// - Returns: False, without a change, for any other list.
  private func completeStored(_ row: Row, in table: TableIndex, field: Field) throws -> Bool {
    let link = graph.links[field.link]
    guard let members = storedMembers(of: row, in: table, field: field),
      graph.listHead(link, side: field.side, row: row).pointee.count == 0
    else { return false }
    let far = end(link, field.side.inverse)
    // All members are in memory, so that no row is added.
    guard members.allSatisfy({ keys[far.table].row($0) != nil }) else { return false }
    try graph.readingLinks(of: field.link) {
      // Each link becomes the first, so the last link is added first.
      for key in members.reversed() {
        if let member = try self.row(key, at: far) {
          let (left, right) = field.side == .first ? (row, member) : (member, row)
          _ = try graph.addStoredNode(field.link, left: left, right: right)
        }
      }
    }
    graph.noteComplete(field.link, side: field.side, row: row)
    try graph.memory.check()
    return true
  }

  /// Completes lists with the entries in the store.
  private func complete(
    _ number: LinkIndex, side: LinkSide, owners: [Row], lists: [Row: [ListEntry]]
  ) throws {
    for owner in owners
    where !graph.complete(number, side: side, row: owner, stored: lists[owner] ?? []) {
      let table = graph.links[number].table(side)
      throw damaged(
        "the object \(keys[table][owner].key) of '\(schema.tables[table].name)' has a member twice")
    }
    try graph.memory.check()
  }

  /// Returns the node of a link in the store; nil when the link was ended here.
  private func node(
    _ number: LinkIndex, side: LinkSide, owner: Row, member: Row
  ) throws -> NodeIndex? {
    let link = graph.links[number]
    let (left, right) = side == .first ? (owner, member) : (member, owner)
    if let node = graph.findNode(number, left: left, right: right) { return node }
    let far = link.isSymmetric ? .first : side.inverse
    if !graph.isIncomplete(member, in: link.table(far), field: link.field(far)) {
      // If the complete inverse lacks the link, an unsaved change has ended it.
      let isEnded = !link.isSymmetric || graph.findNode(number, left: member, right: owner) == nil
      if isEnded { return nil }
    }
    return try graph.addStoredNode(number, left: left, right: right)
  }

  /// Completes the lists of all objects in memory.
  func completeAll(_ table: TableIndex, field: Field) throws {
    let rows = (graph.tables[table].rows).filter { isCompletable($0, in: table, field: field) }
    try complete(rows, in: table, field: field)
  }
}
