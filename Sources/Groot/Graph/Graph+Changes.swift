// Changes since the last save, and their reversal.

// The changes since the last save.

/// The numbers of objects changed since the last save.
public struct ChangeCounts: Hashable, Sendable {
  /// The number of inserted objects that still exist.
  public var inserted = 0
  /// The number of objects that existed before and have a changed property.
  public var updated = 0
  /// The number of objects that existed before and are deleted.
  public var deleted = 0

  /// Makes counts.
  ///
  /// - Parameters:
  ///   - inserted: The number of inserted objects.
  ///   - updated: The number of changed objects.
  ///   - deleted: The number of deleted objects.
  public init(inserted: Int = 0, updated: Int = 0, deleted: Int = 0) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
  }
}

extension Graph {
  /// Whether there may be changes since the last save; the time depends on the model only.
  var mayHaveChanges: Bool {
    guard log.pointee.count == 0, let saved = savepoints.first else { return true }
    return (tableIndices).contains { tables[$0].count > saved.rowCounts[$0] }
      || (linkIndices).contains { linkTables[$0].count > saved.nodeCounts[$0] }
  }

  /// Throws without memory for a ``GraphDifference`` of the log from an entry on.
  func requireRoomForDifference(since logCount: Int) throws {
    try memory.expect(96 * max(log.pointee.count - logCount, 0))
  }

  /// The numbers of changes, in time linear in the changes.
  var changes: ChangeCounts {
    guard let first = savepoints.first else { return ChangeCounts() }
    let difference = GraphDifference(self, since: first)
    var counts = ChangeCounts(
      updated: difference.updated.count, deleted: difference.deleted.count)
    difference.forEachInserted { _, _ in counts.inserted += 1 }
    return counts
  }

  /// Calls `body` with the table and row of each object that is new since the last save.
  ///
  /// The time is linear in the new objects and in the log.
  func forEachInserted(_ body: (TableIndex, Row) -> Void) {
    guard let saved = savepoints.first else { return }
    for table in tableIndices {
      let first = saved.rowCounts[table]
      for row in first..<max(first, tables[table].count) where tables[table].isLive(row) {
        body(table, row)
      }
    }
    for index in 0..<log.pointee.count {
      let entry = log.pointee.entries[index]
      if entry.operation == .inserted, tables[entry.table].isLive(entry.row) {
        body(entry.table, entry.row)
      }
    }
  }

  /// Accepts all changes: freed rows and nodes may be used again.
  ///
  /// The time is linear in the changes, and in the text of all objects when much of it is garbage.
  func save() {
    guard savepoints.count == 1, let first = savepoints.first else { return }
    for table in tableIndices {
      for row in first.rowCounts[table]..<max(first.rowCounts[table], tables[table].count) {
        tables[table].header(row).pointee.state &= ~RecordState.inserted
      }
    }
    for index in 0..<log.pointee.count { accept(log.pointee.entries[index]) }
    log.pointee.removeLast(to: 0)
    compactText()
    savepoints = [savepoint()]
    for number in tableIndices { tables[number].boundary = tables[number].count }
    for number in linkIndices {
      linkTables[number].boundary = linkTables[number].count
      unsavedNodes[number] = NodeMarks()
      gains[number] = false
    }
  }

  private func accept(_ entry: UndoEntry) {
    let table = entry.table
    switch entry.operation {
    case .inserted: tables[table].header(entry.row).pointee.state &= ~RecordState.inserted
    case .changed:
      guard tables[table].isLive(entry.row) else { return }
      tables[table].header(entry.row).pointee.state &= ~RecordState.updated
      tables[table].clearChanged(tables[table].record(entry.row))
    case .deleted, .dropped: tables[table].release(entry.row)
    case .nodeRemoved, .nodeDropped:
      linkTables[entry.link].release(NodeIndex(word: entry.word0))
    case .value, .single, .member, .nodeAdded, .order, .completed, .brought, .refined: break
    }
  }

  /// Copies living text into a new arena when more than half of the old one is garbage.
  private func compactText() {
    guard text.pointee.garbage > 1 << 20, text.pointee.garbage * 2 > text.pointee.used else {
      return
    }
    var compact = TextArena(memory)
    // The whole size is reserved first: without memory for it the garbage stays.
    guard compact.reserve(livingTextSize) else {
      memory.forgive()
      return
    }
    var old = text.pointee
    text.pointee = compact
    var moved: [UInt: UnsafeMutableRawPointer] = [:]
    forEachText { slot in
      let bytes = TextSlot.bytes(slot)
      guard let start = bytes.baseAddress else { return }
      let address = UInt(bitPattern: start)
      if sharesText, let copy = moved[address] {
        return TextSlot.write(copyOf: start, count: bytes.count, at: copy, to: slot)
      }
      TextSlot.write(start, count: bytes.count, to: slot, arena: text)
      if sharesText, let copy = TextSlot.bytes(slot).baseAddress {
        moved[address] = UnsafeMutableRawPointer(mutating: copy)
      }
    }
    old.removeAll()
  }

  /// The number of bytes of all texts in the arena.
  private var livingTextSize: Int {
    var size = 0
    var seen: Set<UInt> = []
    forEachText { slot in
      let bytes = TextSlot.bytes(slot)
      if sharesText, !seen.insert(UInt(bitPattern: bytes.baseAddress)).inserted { return }
      size += bytes.count
    }
    return size
  }

  /// Calls `body` with the slot of each text in the arena.
  private func forEachText(_ body: (UnsafeMutableRawPointer) -> Void) {
    for table in tableIndices {
      for row in tables[table].rows where isIndexed(row, in: table) {
        let record = tables[table].record(row)
        for number in model.resolved[entity(record, in: table)].attributes
        where fields[table][number].storage == .text {
          let field = fields[table][number]
          guard tables[table].has(field, in: record) else { continue }
          let slot = record + Int(field.offset)
          if TextSlot.length(slot) > TextSlot.inlineCapacity { body(slot) }
        }
      }
    }
  }
}

// Savepoints, and the exact restoration of an earlier state.

extension Graph {
  func savepoint() -> Savepoint {
    Savepoint(
      logCount: log.pointee.count, rowCounts: tableIndices.map { tables[$0].count },
      nodeCounts: (linkIndices).map { linkTables[$0].count }, text: text.pointee.mark())
  }

  /// Opens a savepoint, from which old values are logged when they change.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``; no savepoint is opened then.
  func begin() throws {
    memory.forgive()
    if isPersistent { try seal() }
    let point = savepoint()
    savepoints.append(point)
    setBoundaries(point)
  }

  /// Closes the innermost savepoint and keeps the later changes.
  func commit() {
    guard savepoints.count > 1 else { return }
    savepoints.removeLast()
    if let outer = savepoints.last { setBoundaries(outer) }
  }

  /// Closes the innermost savepoint and undoes the later changes.
  func rollBack() {
    guard savepoints.count > 1 else { return }
    let point = savepoints.removeLast()
    restore(point)
    if let outer = savepoints.last { setBoundaries(outer) }
    memory.forgive()
  }

  /// Undoes all changes since the last save.
  func rollBackAll() {
    guard let first = savepoints.first else { return }
    savepoints = [first]
    restore(first)
    setBoundaries(first)
    memory.forgive()
  }

  func setBoundaries(_ point: Savepoint) {
    for number in tableIndices { tables[number].boundary = point.rowCounts[number] }
    for number in linkIndices { linkTables[number].boundary = point.nodeCounts[number] }
  }

  /// Removes the rows newer than a savepoint, then undoes the log for the others, newest first.
  ///
  /// Log entries about newer rows are skipped. No memory is needed: the indexes have reserved it
  /// for the rows, and the index of links is dropped without it.
  private func restore(_ point: Savepoint) {
    dropNodes(point)
    dropRows(point)
    while log.pointee.count > point.logCount {
      let entry = log.pointee.entries[log.pointee.count - 1]
      undo(entry, point: point)
      log.pointee.removeLast(to: log.pointee.count - 1)
    }
    for number in tableIndices { tables[number].removeRows(from: point.rowCounts[number]) }
    text.pointee.reset(to: point.text)
  }

  private func dropNodes(_ point: Savepoint) {
    for number in linkIndices where links[number].kind == .manyToMany {
      let first = point.nodeCounts[number]
      for node in (first..<max(first, linkTables[number].count)).reversed()
      where linkTables[number].node(node).pointee.isThreaded {
        unthreadNode(number, node: node)
      }
      linkTables[number].removeNodes(from: first)
    }
  }

  private func dropRows(_ point: Savepoint) {
    for table in tableIndices {
      let first = point.rowCounts[table]
      for row in (first..<max(first, tables[table].count)).reversed()
      where tables[table].isLive(row) {
        forEachIndex(row, in: table) { $0.remove(row) }
        unthreadOwners(row, in: table)
        tables[table].liveCount -= 1
        tables[table].header(row).pointee.state = 0
      }
    }
  }

  /// Unthreads a row from the lists of its owners.
  private func unthreadOwners(_ row: Row, in table: TableIndex) {
    for field in relationshipFields(row, in: table) where field.storage == .toOne {
      let link = links[field.link]
      unthread(link, row: row, member: memberSlot(link, row: row))
    }
  }

  /// Returns the relationships of a row's entity, including hidden ones.
  func relationshipFields(_ row: Row, in table: TableIndex) -> [Field] {
    let entity = tables[table].header(row).pointee.entity
    return model.hierarchies[table].properties.map(\.field).filter {
      $0.isRelationship && $0.belongs(to: entity)
    }
  }

  private func undo(_ entry: UndoEntry, point: Savepoint) {
    switch entry.operation {
    case .nodeAdded, .nodeRemoved, .nodeDropped: undoNode(entry, point: point)
    case .order: restoreOrder(entry, point: point)
    default: if entry.row < point.rowCounts[entry.table] { undoRow(entry) }
    }
  }

  private func undoNode(_ entry: UndoEntry, point: Savepoint) {
    switch entry.operation {
    case .nodeAdded:
      let node = NodeIndex(word: entry.word0)
      let number = entry.link
      if linkTables[number].node(node).pointee.isThreaded { unthreadNode(number, node: node) }
      unsavedNodes[number].remove(node)
      linkTables[number].release(node)
    case .nodeRemoved:
      if NodeIndex(word: entry.word0) < point.nodeCounts[entry.link] {
        restoreNode(entry)
      }
    case .nodeDropped:
      let node = NodeIndex(word: entry.word0)
      if node < point.nodeCounts[entry.link] {
        linkTables[entry.link].release(node)
      }
    default: break
    }
  }

  /// Undoes a change of a row that is older than the savepoint.
  private func undoRow(_ entry: UndoEntry) {
    let table = entry.table
    switch entry.operation {
    case .value: restoreValue(entry)
    case .inserted:
      forEachIndex(entry.row, in: table) { $0.remove(entry.row) }
      unthreadOwners(entry.row, in: table)
      tables[table].release(entry.row)
      tables[table].liveCount -= 1
    case .dropped: tables[table].release(entry.row)
    case .deleted:
      tables[table].header(entry.row).pointee.state = UInt8(truncatingIfNeeded: entry.word0)
      tables[table].liveCount += 1
      forEachIndex(entry.row, in: table) { $0.insert(entry.row) }
    case .changed:
      _ = tables[table].setChanged(entry.field, in: tables[table].record(entry.row), to: false)
      if entry.flag { tables[table].header(entry.row).pointee.state &= ~RecordState.updated }
    case .single:
      let link = links[entry.link]
      putPartner(
        link, side: entry.side, row: entry.row,
        to: OptionalRow(word: entry.word0))
    case .member: restoreMember(entry)
    case .refined: restoreEntity(entry)
    case .brought: tables[table].header(entry.row).pointee.state |= RecordState.placeholder
    case .completed:
      let field = links[entry.link].field(entry.side)
      tables[table].setPresence(field, in: tables[table].record(entry.row), to: true)
    case .order, .nodeAdded, .nodeRemoved, .nodeDropped: break
    }
  }

  private func restoreOrder(_ entry: UndoEntry, point: Savepoint) {
    let number = entry.link
    let side = entry.side
    guard let order = log.pointee.orders.popLast(), entry.row < point.rowCounts[entry.table]
    else { return }
    // Rows newer than the savepoint no longer exist, and rows read later are not in the old order.
    let current = Set(entries(number, side: side, row: entry.row))
    let known = Set(order)
    rethread(
      number, side: side, row: entry.row,
      entries: order.filter(current.contains)
        + entries(number, side: side, row: entry.row).filter { !known.contains($0) })
  }
}
