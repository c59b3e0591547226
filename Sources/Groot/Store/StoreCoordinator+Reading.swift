// Reading objects and lists when they are needed.

extension StoreCoordinator {
  // MARK: Objects

  /// Reads an object that a program asks for; its neighbours with it when it goes through them.
  @inline(__always)
  func read(_ table: Int, _ row: UInt32) throws {
    if graph.isFault(table, row) { try readNear(table, row) }
  }

  @inline(never)
  private func readNear(_ table: Int, _ row: UInt32) throws {
    let count = faultWindows[table].size(at: row)
    var rows = [row]
    var next = row + 1
    let end = min(graph.tables[table].count, row + 1024)
    while rows.count < count, next < end {
      if graph.tables[table].isLive(next) && graph.isFault(table, next) { rows.append(next) }
      next += 1
    }
    faultWindows[table].advance(to: rows[rows.count - 1])
    try read(table, rows)
  }

  /// Reads those of some objects that are living and not read yet.
  func read(_ objects: some Sequence<ObjectID>) throws {
    var rows: [[UInt32]] = Array(repeating: [], count: keys.count)
    for object in objects where graph.isLive(object) { rows[object.table].append(object.row) }
    for table in rows.indices { try read(table, rows[table]) }
  }

  /// Reads those of some objects that are not read yet; a query for a few hundred of them.
  ///
  /// - Throws: ``Status/storeConflict`` when one is not in the store any more, which others wrote to.
  func read(_ table: Int, _ rows: [UInt32]) throws {
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
  func readAll(_ table: Int) throws {
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
  func complete(_ table: Int, _ row: UInt32, _ field: Field) throws {
    if graph.isIncomplete(table, row, field) { try completeNear(table, row, field) }
  }

  @inline(never)
  private func completeNear(_ table: Int, _ row: UInt32, _ field: Field) throws {
    let place = Int(field.link) * 2 + Int(field.side)
    let count = listWindows[place].size(at: row)
    var rows = [row]
    var next = row + 1
    let end = min(graph.tables[table].count, row + 1024)
    while rows.count < count, next < end {
      if isCompletable(table, next, field) { rows.append(next) }
      next += 1
    }
    listWindows[place].advance(to: rows[rows.count - 1])
    try complete(table, rows, field)
  }

  func isCompletable(_ table: Int, _ row: UInt32, _ field: Field) -> Bool {
    graph.tables[table].isLive(row)
      && field.belongs(to: graph.tables[table].header(row).pointee.entity)
      && graph.isIncomplete(table, row, field)
  }

  /// Completes those of some lists that are not complete.
  func complete(_ table: Int, _ rows: [UInt32], _ field: Field) throws {
    var seen: Set<UInt32> = []
    let owners = rows.filter { isCompletable(table, $0, field) && seen.insert($0).inserted }
    guard !owners.isEmpty else { return }
    if let column = referenceOfLink[Int(field.link)] {
      try completeMembers(table, owners, field, column)
    } else if let join = joinOfLink[Int(field.link)] {
      try completeNodes(table, owners, field, join)
    }
  }

  private func completeMembers(
    _ table: Int, _ owners: [UInt32], _ field: Field, _ column: ReferenceColumn
  ) throws {
    var lists: [UInt32: [UInt32]] = [:]
    try materializing {
      try store.readMembers(
        column.table, column: column.position, of: owners.map { keys[table][$0].key }
      ) { stored in
        guard let member = try materialize(stored, column.table),
          let owner = keys[table].row(stored.values[column.position].integer)
        else { return }
        lists[owner, default: []].append(member)
      }
    }
    try complete(Int(field.link), field.side, owners, lists)
  }

  private func completeNodes(
    _ table: Int, _ owners: [UInt32], _ field: Field, _ join: Int
  ) throws {
    let number = Int(field.link)
    let link = graph.links[number]
    let other = link.table(1 - field.side)
    var found: [(owner: Int64, member: Int64)] = []
    var lists: [UInt32: [UInt32]] = [:]
    try materializing {
      try store.readLinks(join, side: field.side, of: owners.map { keys[table][$0].key }) {
        found.append(field.side == 0 ? ($0.source, $0.target) : ($0.target, $0.source))
      }
      try addFaults(other, found.map(\.member))
      // In a damaged tree a search may find what is not looked for.
      let asked = Set(owners.map { keys[table][$0].key })
      for stored in found {
        guard asked.contains(stored.owner) else {
          throw damaged("the links of '\(schema.tables[table].name)' are in no order")
        }
        guard let owner = keys[table].row(stored.owner),
          let member = try row(stored.member, of: link, side: 1 - field.side),
          let node = try node(number, field.side, owner, member)
        else { continue }
        lists[owner, default: []].append(node)
      }
    }
    try complete(number, field.side, owners, lists)
  }

  /// Completes lists with what the store has.
  private func complete(
    _ number: Int, _ side: UInt8, _ owners: [UInt32], _ lists: [UInt32: [UInt32]]
  ) throws {
    for owner in owners where !graph.complete(number, side, owner, lists[owner] ?? []) {
      let table = graph.links[number].table(side)
      throw damaged(
        "the object \(keys[table][owner].key) of '\(schema.tables[table].name)' has a member twice")
    }
  }

  /// The node of a link that the store has; nil when the link was ended here.
  private func node(
    _ number: Int, _ side: UInt8, _ owner: UInt32, _ member: UInt32
  ) throws -> UInt32? {
    let link = graph.links[number]
    let (left, right) = side == 0 ? (owner, member) : (member, owner)
    if let node = graph.findNode(number, left, right) { return node }
    let far: UInt8 = link.isSymmetric ? 0 : 1 - side
    if !graph.isIncomplete(link.table(far), member, link.field(far)) {
      // The other direction is known and does not have it: an unsaved change has ended it.
      let isEnded = !link.isSymmetric || graph.findNode(number, member, owner) == nil
      if isEnded { return nil }
    }
    return try graph.addStoredNode(number, left, right)
  }

  /// Completes the lists of all objects that are in memory.
  func completeAll(_ table: Int, _ field: Field) throws {
    let rows = (0..<graph.tables[table].count).filter { isCompletable(table, $0, field) }
    try complete(table, rows, field)
  }
}
