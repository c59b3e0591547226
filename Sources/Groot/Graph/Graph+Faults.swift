// Objects of a store: faults, which are rows before their values are read, and incomplete lists.
//
// A row that is read counts as older than every savepoint, so that an undo never removes it. Before
// rows are read, the log therefore gets the rows that are newer than the innermost savepoint.
// Afterwards all boundaries move behind the rows that were read.

extension Graph {
  /// Returns whether the values of a row have not been read.
  @inline(__always)
  func isFault(_ row: Row, in table: TableIndex) -> Bool {
    tables[table].header(row).pointee.state & RecordState.fault != 0
  }

  /// Sets whether the values of an object are still in the store only.
  @inline(__always)
  func setFault(_ row: Row, in table: TableIndex, to isFault: Bool) {
    let header = tables[table].header(row)
    if isFault {
      header.pointee.state |= RecordState.fault
    } else {
      header.pointee.state &= ~RecordState.fault
    }
  }

  /// Returns whether a to-many list may lack members that the store has.
  @inline(__always)
  func isIncomplete(_ row: Row, in table: TableIndex, field: Field) -> Bool {
    tables[table].has(field, in: tables[table].record(row))
  }

  /// Returns whether a row has its values and is in the identity indexes.
  @inline(__always)
  func isIndexed(_ row: Row, in table: TableIndex) -> Bool {
    tables[table].header(row).pointee.state & (RecordState.live | RecordState.fault)
      == RecordState.live
  }

  /// Logs the rows and nodes that are newer than the innermost savepoint.
  ///
  /// They then count as older, as if each had been taken from the free ones. The time is linear in
  /// the newer rows and nodes.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``; the log is then unchanged.
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
      logNodes(of: number)
    }
    if isSealing { raiseBoundaries() }
  }

  /// Logs the nodes of a relationship that are newer than the innermost savepoint; the log has room.
  private func logNodes(of number: LinkIndex) {
    for node in linkTables[number].boundary..<linkTables[number].count
    where linkTables[number].node(node).pointee.isThreaded {
      log.pointee.append(
        .nodeAdded, table: .none, row: .none, link: number, node.word)
      unsavedNodes[number].insert(node)
    }
  }

  /// Runs `body`, which adds nodes of one relationship for links of a store.
  ///
  /// It is faster than ``reading(_:)``, because only these nodes come to count as older.
  func readingLinks(of number: LinkIndex, _ body: () throws -> Void) throws {
    let newer = linkTables[number].boundary.distance(to: linkTables[number].count)
    if newer > 0 {
      try memory.expect(16 * newer)
      guard log.pointee.reserve(newer) else { throw memory.failure }
      logNodes(of: number)
    }
    defer {
      let count = linkTables[number].count
      for index in savepoints.indices { savepoints[index].raiseCount(of: number, to: count) }
      linkTables[number].boundary = count
    }
    try body()
  }

  @discardableResult
  private func raiseBoundaries() -> Savepoint {
    let now = savepoint()
    for index in savepoints.indices { savepoints[index].raiseCounts(to: now) }
    setBoundaries(now)
    return now
  }

  /// Runs `body`, which adds rows and links of a store.
  func reading<Result>(_ body: () throws -> Result) throws -> Result {
    try seal()
    defer { finishReading() }
    return try body()
  }

  /// Makes the added rows and nodes count as older than every savepoint.
  func finishReading() {
    let now = raiseBoundaries()
    for index in savepoints.indices { savepoints[index].raiseText(to: now) }
  }

  /// Adds a row for an object of a store, without its values.
  func insertFault(_ entity: UInt16, in table: TableIndex) throws -> Row {
    guard let (row, _) = tables[table].insert(entity) else {
      throw noRoom("a hierarchy has no room for more than 2^32 objects")
    }
    resetToFault(row, in: table)
    return row
  }

  /// Makes a row with the record of its template a fault with incomplete lists.
  func resetToFault(_ row: Row, in table: TableIndex) {
    let record = tables[table].record(row)
    let header = record.assumingMemoryBound(to: RecordHeader.self)
    header.pointee.state = RecordState.live | RecordState.fault
    for field in lists[table] where field.belongs(to: header.pointee.entity) {
      tables[table].setPresence(field, in: record, to: true)
    }
  }

  // MARK: Stored links

  /// Sets a to-one of a row that is being read.
  ///
  /// - Returns: False if another row of the store has the target, and only one may.
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
    // An object that already has a partner got it by an unsaved change.
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

  /// Returns whether a to-one of a row differs from the store.
  private func isUnsaved(_ link: Link, row: Row) -> Bool {
    let record = tables[link.table(.first)].record(row)
    let state = record.assumingMemoryBound(to: RecordHeader.self).pointee.state
    return state & RecordState.inserted != 0
      || tables[link.table(.first)].isChanged(link.fields.0.number, in: record)
  }

  /// Adds a link of a store at the front of both lists.
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

  /// Notes that a list is complete; `stored` are the entries in the store, in its order.
  ///
  /// Unsaved entries stay after the stored ones.
  ///
  /// - Returns: False, without a change, for a repeated entry, which would make the list endless.
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

  /// Notes that a list is complete and in order.
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

  /// Returns whether an entry is in a list both in memory and in the store.
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

  /// Returns the entries of a list, in order.
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

// Forgetting the values of a store, so that they are read again.

extension Graph {
  /// Forgets all values and links of a graph without unsaved changes, except transient values.
  ///
  /// Rows and their ids stay, except those that `forget` removes. The time is linear in the rows.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``; the graph is then unchanged.
  func turnIntoFaults(forget: () -> Void = {}) throws {
    var texts = TextArena(memory)
    let kept = try transientValues(&texts)
    forget()
    for list in indexes { for index in list { index.pointee.removeAll() } }
    for number in linkIndices {
      linkTables[number].deallocate()
      linkTables[number] = LinkTable(memory)
    }
    text.pointee.removeAll()
    text.pointee = texts
    for table in tableIndices {
      for row in tables[table].rows where tables[table].isLive(row) {
        tables[table].resetToTemplate(row)
        resetToFault(row, in: table)
      }
    }
    for value in kept where tables[value.table].isLive(value.row) { put(value) }
    log.pointee.removeLast(to: 0)
    savepoints = [savepoint()]
    if let only = savepoints.first { setBoundaries(only) }
  }

  /// A transient value of a row in the form of the record.
  private struct TransientValue {
    let table: TableIndex
    let row: Row
    let field: Field
    let isPresent: Bool
    var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
  }

  /// Returns all transient values, and copies their texts into another arena.
  private func transientValues(_ texts: inout TextArena) throws -> [TransientValue] {
    var found: [TransientValue] = []
    for table in tableIndices {
      let fields = model.hierarchies[table].properties.filter { $0.attribute?.isTransient == true }
        .map(\.field)
      guard !fields.isEmpty else { continue }
      for row in tables[table].rows where tables[table].isLive(row) {
        for field in fields where field.belongs(to: tables[table].header(row).pointee.entity) {
          found.append(transientValue(row, in: table, field: field, &texts))
        }
      }
    }
    if memory.shortage != nil {
      texts.removeAll()
      throw memory.failure
    }
    return found
  }

  private func transientValue(
    _ row: Row, in table: TableIndex, field: Field, _ texts: inout TextArena
  ) -> TransientValue {
    let record = tables[table].record(row)
    let address = record + Int(field.offset)
    var value = TransientValue(
      table: table, row: row, field: field, isPresent: tables[table].has(field, in: record))
    withUnsafeMutableBytes(of: &value.words) { words in
      guard let slot = words.baseAddress else { return }
      slot.copyMemory(from: address, byteCount: field.storage.width)
      let text = StoredValue(record, field: field, table: tables + table)
      if field.storage == .text, let start = text.start {
        withUnsafeMutablePointer(to: &texts) {
          TextSlot.write(start, count: text.count, to: slot, arena: $0)
        }
      }
    }
    return value
  }

  private func put(_ kept: TransientValue) {
    let record = tables[kept.table].record(kept.row)
    tables[kept.table].setPresence(kept.field, in: record, to: kept.isPresent)
    withUnsafeBytes(of: kept.words) { words in
      guard let start = words.baseAddress else { return }
      (record + Int(kept.field.offset)).copyMemory(
        from: start, byteCount: kept.field.storage.width)
    }
  }

  /// Forgets a row whose object the store no longer has; its ids answer "deleted".
  func forget(_ row: Row, in table: TableIndex) {
    tables[table].release(row)
    tables[table].liveCount -= 1
  }
}
