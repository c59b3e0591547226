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
      unsavedNodes[number] = []
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
