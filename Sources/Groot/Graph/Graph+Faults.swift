// Objects that a store keeps: rows that stand for them before their values are read (faults), and
// lists of which only a part is in memory.
//
// What is read is older than every savepoint: going back never undoes it. So before rows are read,
// those that are newer than the innermost savepoint are written into the log, and all boundaries go
// behind what was read.

extension Graph {
  /// Whether the values of a row are not read yet.
  @inline(__always)
  func isFault(_ table: Int, _ row: UInt32) -> Bool {
    tables[table].header(row).pointee.state & RecordState.fault != 0
  }

  /// Whether a to-many list may lack members that the store has.
  @inline(__always)
  func isIncomplete(_ table: Int, _ row: UInt32, _ field: Field) -> Bool {
    tables[table].has(field, tables[table].record(row))
  }

  /// Whether a row has its values and stands in the identity indexes.
  @inline(__always)
  func isIndexed(_ table: Int, _ row: UInt32) -> Bool {
    tables[table].header(row).pointee.state & (RecordState.live | RecordState.fault)
      == RecordState.live
  }

  /// Writes rows and nodes that are newer than the innermost savepoint into the log.
  ///
  /// From then on they count as older, as if each had been taken from the free ones. Linear in what is
  /// newer.
  func seal() {
    var isSealing = false
    for table in 0..<tableCount where tables[table].count > tables[table].boundary {
      isSealing = true
      for row in tables[table].boundary..<tables[table].count where tables[table].isLive(row) {
        log.pointee.append(.inserted, table: table, row: row)
      }
    }
    for number in 0..<linkCount where linkTables[number].count > linkTables[number].boundary {
      isSealing = true
      for node in linkTables[number].boundary..<linkTables[number].count
      where linkTables[number].node(node).pointee.isThreaded {
        log.pointee.append(
          .nodeAdded, table: 0, row: 0, link: Int32(truncatingIfNeeded: number), UInt64(node))
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
  func reading<Result>(_ body: () throws -> Result) rethrows -> Result {
    seal()
    defer { finishReading() }
    return try body()
  }

  /// Has what was added count as older than every savepoint.
  func finishReading() {
    raiseBoundaries()
    let now = savepoint()
    for index in savepoints.indices { savepoints[index].raiseText(to: now) }
  }

  /// Adds a row for an object of a store; all that it has is unknown yet.
  func insertFault(_ table: Int, _ entity: UInt16) throws -> UInt32 {
    guard let (row, _) = tables[table].insert(entity) else {
      throw GrootError(.limitExceeded, "a hierarchy has no room for more than 2^32 objects")
    }
    resetToFault(table, row)
    return row
  }

  private func resetToFault(_ table: Int, _ row: UInt32) {
    let record = tables[table].record(row)
    let header = record.assumingMemoryBound(to: RecordHeader.self)
    header.pointee.state = RecordState.live | RecordState.fault
    for field in lists[table] where field.belongs(to: header.pointee.entity) {
      tables[table].setPresence(field, record, true)
    }
  }

  // MARK: Links of a store

  /// Has a to-one of a row that is being read lead to another row.
  ///
  /// - Returns: false when another row of the store leads there, where only one may.
  func joinStored(_ number: Int, _ row: UInt32, _ target: UInt32) -> Bool {
    let link = links[number]
    if link.kind == .oneToMany {
      guard memberSlot(link, row).pointee.owner == 0 else { return true }
      thread(link, row, target + 1, after: 0, listHead(link, 1, target))
      return true
    }
    let other: UInt8 = link.isSymmetric ? 0 : 1
    let (partner, rival) = (slot(link, 0, row).pointee, slot(link, other, target).pointee)
    // What has a partner by now got it by a change that is not saved.
    guard partner == 0, rival == 0 else {
      return link.isSymmetric || rival == 0 || rival == row + 1 || partner != 0
        || isUnsaved(link, rival - 1)
    }
    putPartner(link, 0, row, target + 1)
    if target != row || other != 0 { putPartner(link, other, target, row + 1) }
    return true
  }

  /// Whether a to-one of a row is not as the store has it.
  private func isUnsaved(_ link: Link, _ row: UInt32) -> Bool {
    let record = tables[link.table(0)].record(row)
    let state = record.assumingMemoryBound(to: RecordHeader.self).pointee.state
    return state & RecordState.inserted != 0
      || tables[link.table(0)].isChanged(link.fields.0.number, record)
  }

  /// Adds a link that a store has, in front of both lists.
  func addStoredNode(_ number: Int, _ left: UInt32, _ right: UInt32) throws -> UInt32 {
    guard let (node, _) = linkTables[number].insert(left, right) else {
      throw GrootError(.limitExceeded, "a relationship has no room for more than 2^32 links")
    }
    let link = links[number]
    linkTables[number].thread(node, 0, after: 0, listHead(link, 0, left))
    if !link.isSymmetric { linkTables[number].thread(node, 1, after: 0, listHead(link, 1, right)) }
    if linkTables[number].pairs != nil {
      linkTables[number].pairs?.insert(node, in: linkTables[number])
    }
    return node
  }

  /// Notes that a list has all members; `stored` are those of the store, in its order.
  ///
  /// Entries are members' rows, or nodes. What is linked and not saved stays behind them.
  ///
  /// - Returns: false, and nothing is done, when an entry comes twice: the list would never end.
  func complete(_ number: Int, _ side: UInt8, _ row: UInt32, _ stored: [UInt32]) -> Bool {
    let kept = stored.filter { isStored($0, number, side, row) }
    let current = entries(number, side, row)
    if current != kept {
      let known = Set(kept)
      guard known.count == kept.count else { return false }
      rethread(number, side, row, kept + current.filter { !known.contains($0) })
    }
    noteComplete(number, side, row)
    return true
  }

  /// Notes that a list has all members, in their order.
  func noteComplete(_ number: Int, _ side: UInt8, _ row: UInt32) {
    let (table, field) = (links[number].table(side), links[number].field(side))
    tables[table].setPresence(field, tables[table].record(row), false)
    if log.pointee.count > 0 {
      log.pointee.append(
        .completed, table: table, row: row, field: UInt16(side),
        link: Int32(truncatingIfNeeded: number))
    }
  }

  /// Whether an entry stands in a list as the store has it.
  private func isStored(_ entry: UInt32, _ number: Int, _ side: UInt8, _ row: UInt32) -> Bool {
    let link = links[number]
    if link.kind == .oneToMany {
      let table = link.table(0)
      return memberSlot(link, entry).pointee.owner == row + 1
        && !tables[table].isChanged(link.fields.0.number, tables[table].record(entry))
    }
    return !unsavedNodes[number].contains(entry)
      && entry < linkTables[number].boundary
  }

  /// The members' rows of a list, or its nodes, in order.
  func entries(_ number: Int, _ side: UInt8, _ row: UInt32) -> [UInt32] {
    let link = links[number]
    let head = listHead(link, side, row).pointee
    var entries: [UInt32] = []
    entries.reserveCapacity(Int(head.count))
    var next = head.first
    while next != 0 {
      entries.append(next &- 1)
      next =
        link.kind == .oneToMany
        ? memberSlot(link, next &- 1).pointee.next
        : linkTables[number].node(next &- 1).pointee.next(side)
    }
    return entries
  }

  // MARK: Forgetting

  /// Forgets all values and links of a graph without unsaved changes, but for values that no store
  /// keeps; rows and their ids stay.
  ///
  /// Linear in the rows.
  func turnIntoFaults() {
    let kept = transientValues()
    for list in indexes { for index in list { index.pointee.removeAll() } }
    for number in 0..<linkCount {
      linkTables[number].deallocate()
      linkTables[number] = LinkTable()
    }
    text.pointee.removeAll()
    fillTemplates()
    for table in 0..<tableCount {
      for row in 0..<tables[table].count where tables[table].isLive(row) {
        tables[table].resetToTemplate(row)
        resetToFault(table, row)
      }
    }
    for value in kept { put(value) }
    log.pointee.removeLast(to: 0)
    savepoints = [savepoint()]
    if let only = savepoints.first { setBoundaries(only) }
  }

  /// A value of a row that is in memory only; the text is a copy.
  private struct TransientValue {
    let table: Int
    let row: UInt32
    let field: Field
    let value: StoredValue
    let text: [UInt8]
  }

  private func transientValues() -> [TransientValue] {
    var found: [TransientValue] = []
    for (table, hierarchy) in model.hierarchies.enumerated() {
      let fields = hierarchy.properties.filter { $0.attribute?.isTransient == true }.map(\.field)
      guard !fields.isEmpty else { continue }
      for row in 0..<tables[table].count where tables[table].isLive(row) {
        let record = tables[table].record(row)
        for field in fields where field.belongs(to: tables[table].header(row).pointee.entity) {
          let value = StoredValue(record, field, tables + table)
          found.append(
            TransientValue(
              table: table, row: row, field: field, value: value, text: Array(value.bytes)))
        }
      }
    }
    return found
  }

  private func put(_ kept: TransientValue) {
    let record = tables[kept.table].record(kept.row)
    kept.text.withUnsafeBufferPointer { text in
      var value = kept.value
      if value.start != nil { (value.start, value.count) = (text.baseAddress, text.count) }
      value.write(to: record, kept.field, tables + kept.table, self.text)
    }
  }

  /// Forgets a row whose object is not in the store any more; its ids answer "deleted".
  func forget(_ table: Int, _ row: UInt32) {
    tables[table].release(row)
    tables[table].liveCount -= 1
  }
}
