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
