// Objects that a store keeps: rows that stand for them before their values are read (faults), and
// lists of which only a part is in memory.
//
// A row that is read is older than every savepoint: going back never undoes it. So before rows are
// read, those that are newer than the innermost savepoint are written into the log, and all
// boundaries go after what was read.

extension Graph {
  /// Whether the values of a row are not read yet.
  @inline(__always)
  func isFault(_ row: Row, in table: TableIndex) -> Bool {
    tables[table].header(row).pointee.state & RecordState.fault != 0
  }

  /// Whether a to-many list may lack members that the store has.
  @inline(__always)
  func isIncomplete(_ row: Row, in table: TableIndex, field: Field) -> Bool {
    tables[table].has(field, in: tables[table].record(row))
  }

  /// Whether a row has its values and is in the identity indexes.
  @inline(__always)
  func isIndexed(_ row: Row, in table: TableIndex) -> Bool {
    tables[table].header(row).pointee.state & (RecordState.live | RecordState.fault)
      == RecordState.live
  }

  /// Writes rows and nodes that are newer than the innermost savepoint into the log.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``; nothing is written then.
  ///
  /// From then on they count as older, as if each had been taken from the free ones. Linear in what
  /// is newer.
  func seal() throws {
    var isSealing = false
    let rows = tableIndices.reduce(0) {
      $0 + max(tables[$1].boundary.distance(to: tables[$1].count), 0)
    }
    let nodes = linkIndices.reduce(0) {
      $0 + max(linkTables[$1].boundary.distance(to: linkTables[$1].count), 0)
    }
    try memory.expect(16 * nodes)
    guard log.pointee.reserve(rows + nodes) else { throw memory.failure }
    for table in tableIndices where tables[table].count > tables[table].boundary {
      isSealing = true
      for row in tables[table].boundary..<tables[table].count where tables[table].isLive(row) {
        log.pointee.append(.inserted, table: table, row: row)
      }
    }
    for number in linkIndices where linkTables[number].count > linkTables[number].boundary {
      isSealing = true
      for node in linkTables[number].boundary..<linkTables[number].count
      where linkTables[number].node(node).pointee.isThreaded {
        log.pointee.append(
          .nodeAdded, table: .none, row: .none, link: number, node.word)
        unsavedNodes[number].insert(node)
      }
    }
    if isSealing { raiseBoundaries() }
  }

  private func raiseBoundaries() {
    let now = savepoint()
    for index in savepoints.indices { savepoints[index].raiseCounts(to: now) }
    setBoundaries(now)
  }

  /// Runs `body`, which adds what a store has.
  func reading<Result>(_ body: () throws -> Result) throws -> Result {
    try seal()
    defer { finishReading() }
    return try body()
  }

  /// Makes what was added count as older than every savepoint.
  func finishReading() {
    raiseBoundaries()
    let now = savepoint()
    for index in savepoints.indices { savepoints[index].raiseText(to: now) }
  }

  /// Adds a row for an object of a store; all that it has is unknown yet.
  func insertFault(_ entity: UInt16, in table: TableIndex) throws -> Row {
    guard let (row, _) = tables[table].insert(entity) else {
      throw noRoom("a hierarchy has no room for more than 2^32 objects")
    }
    resetToFault(row, in: table)
    return row
  }

  /// Makes a row whose record is that of the template a fault again, with lists that lack members.
  func resetToFault(_ row: Row, in table: TableIndex) {
    let record = tables[table].record(row)
    let header = record.assumingMemoryBound(to: RecordHeader.self)
    header.pointee.state = RecordState.live | RecordState.fault
    for field in lists[table] where field.belongs(to: header.pointee.entity) {
      tables[table].setPresence(field, in: record, to: true)
    }
  }

  // MARK: Links of a store

  /// Sets a to-one of a row that is being read to another row.
  ///
  /// - Returns: false when another row of the store leads there, where only one may.
  func linkStored(_ number: LinkIndex, row: Row, target: Row) -> Bool {
    let link = links[number]
    if link.kind == .oneToMany {
      guard memberSlot(link, row: row).pointee.owner.isNone else { return true }
      thread(
        link, row: row, owner: OptionalRow(target), after: .none,
        in: listHead(link, side: .second, row: target))
      return true
    }
    let other: LinkSide = link.isSymmetric ? .first : .second
    let (partner, rival) = (
      slot(link, side: .first, row: row).pointee, slot(link, side: other, row: target).pointee
    )
    // An object that has a partner now got it by a change that is not saved.
    if let rival = rival.index {
      return link.isSymmetric || rival == row || !partner.isNone || isUnsaved(link, row: rival)
    }
    guard partner.isNone else { return true }
    putPartner(link, side: .first, row: row, to: OptionalRow(target))
    if target != row || other != .first {
      putPartner(link, side: other, row: target, to: OptionalRow(row))
    }
    return true
  }

  /// Whether a to-one of a row is not as the store has it.
  private func isUnsaved(_ link: Link, row: Row) -> Bool {
    let record = tables[link.table(.first)].record(row)
    let state = record.assumingMemoryBound(to: RecordHeader.self).pointee.state
    return state & RecordState.inserted != 0
      || tables[link.table(.first)].isChanged(link.fields.0.number, in: record)
  }

  /// Adds a link that a store has, in front of both lists.
  func addStoredNode(_ number: LinkIndex, left: Row, right: Row) throws -> NodeIndex {
    guard let (node, _) = linkTables[number].insert(left, right) else {
      throw noRoom("a relationship has no room for more than 2^32 links")
    }
    let link = links[number]
    linkTables[number].thread(
      node, side: .first, after: .none, in: listHead(link, side: .first, row: left))
    if !link.isSymmetric {
      linkTables[number].thread(
        node, side: .second, after: .none, in: listHead(link, side: .second, row: right))
    }
    linkTables[number].index(node)
    return node
  }

  /// Notes that a list has all members; `stored` are those of the store, in its order.
  ///
  /// Entries that are linked and not saved stay after them.
  ///
  /// - Returns: false, and nothing is done, when an entry repeats: the list would never end.
  func complete(_ number: LinkIndex, side: LinkSide, row: Row, stored: [ListEntry]) -> Bool {
    let kept = stored.filter { isStored($0, number: number, side: side, row: row) }
    let current = entries(number, side: side, row: row)
    if current != kept {
      let known = Set(kept)
      guard known.count == kept.count else { return false }
      rethread(number, side: side, row: row, entries: kept + current.filter { !known.contains($0) })
    }
    noteComplete(number, side: side, row: row)
    return true
  }

  /// Notes that a list has all members, in their order.
  func noteComplete(_ number: LinkIndex, side: LinkSide, row: Row) {
    let (table, field) = (links[number].table(side), links[number].field(side))
    guard log.pointee.reserve(1) else { return }
    tables[table].setPresence(field, in: tables[table].record(row), to: false)
    if log.pointee.count > 0 {
      log.pointee.append(
        .completed, table: table, row: row, field: UInt16(side.rawValue),
        link: number)
    }
  }

  /// Whether an entry is in a list as the store has it.
  private func isStored(_ entry: ListEntry, number: LinkIndex, side: LinkSide, row: Row) -> Bool {
    let link = links[number]
    if link.kind == .oneToMany {
      let table = link.table(.first)
      return memberSlot(link, row: entry.row).pointee.owner.index == row
        && !tables[table].isChanged(link.fields.0.number, in: tables[table].record(entry.row))
    }
    return !unsavedNodes[number].contains(entry.node)
      && entry.node < linkTables[number].boundary
  }

  /// The entries of a list, in order.
  func entries(_ number: LinkIndex, side: LinkSide, row: Row) -> [ListEntry] {
    let link = links[number]
    let head = listHead(link, side: side, row: row).pointee
    var entries: [ListEntry] = []
    entries.reserveCapacity(Int(head.count))
    var next = head.first
    while let entry = next.index {
      entries.append(entry)
      next =
        link.kind == .oneToMany
        ? OptionalEntry(memberSlot(link, row: entry.row).pointee.next)
        : OptionalEntry(linkTables[number].node(entry.node).pointee.next(side))
    }
    return entries
  }
}
