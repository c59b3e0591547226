// Writing all changes of a graph to its store, or none.

extension StoreCoordinator {
  /// Writes the changes since the last save.
  ///
  /// Without a change to a kept value or a note, no transaction begins. On failure the store and the
  /// graph are unchanged.
  ///
  /// - Parameters:
  ///   - notes: The notes to write; nil removes one.
  ///   - name: The function that names an object in messages.
  /// - Returns: The conflicts that the store's policy resolved.
  func save(
    notes: NameMap<String?>, name: @escaping (ObjectID) -> String
  ) throws -> [GrootIssue] {
    try requireRoom()
    let changes = StoreChanges(graph)
    guard try hasWrites(changes, in: graph) || hasWrites(notes) else {
      forgetDeleted(changes)
      return []
    }
    endSnapshot()
    forgetStoredMembers(of: changes)
    var attempt = 0
    while true {
      do {
        let resolved = try write(changes, notes: notes, name: name)
        forgetDeleted(changes)
        if !resolved.isEmpty { forgetStoredMembers() }
        if !unreadable.isEmpty { forgetReplaced() }
        return resolved
      } catch {
        let isOwn = !transaction.isWriting
        if isOwn, store.isWorthRetrying(error, attempt: attempt) {
          attempt += 1
          continue
        }
        try? beginSnapshot()
        throw (error as? UniqueViolation)?.failure ?? error
      }
    }
  }

  /// Writes changes in a transaction; on failure the keys are as before.
  private func write(
    _ changes: StoreChanges, notes: NameMap<String?>, name: @escaping (ObjectID) -> String
  ) throws -> [GrootIssue] {
    var conflicts = StoreConflicts(self, graph: graph, policy: store.conflictPolicy, name: name)
    do {
      let writer = try transaction.writing(hint(changes, in: graph)) {
        try lock(changes)
        var resolved = changes
        try conflicts.resolve(&resolved)
        var writer = StoreWriter(self, graph: graph, changes: resolved)
        try writer.write(name) { try conflicts.clearReferences(resolved) }
        for (note, text) in notes { try store.setNote(note, to: text) }
        return writer
      }
      writer.finish()
      order(changes.inserted)
      conflicts.finish()
    } catch {
      conflicts.restore()
      for (table, rows) in changes.inserted.enumerated() {
        for row in rows where keys[table][row].key != 0 { keys[table].set(row, to: .none) }
      }
      throw error
    }
    return conflicts.resolved
  }

  /// Keeps others from changing the objects that are written, so that their versions stay.
  ///
  /// Tables and keys are in one order for all writers, which so wait for each other without a
  /// deadlock.
  private func lock(_ changes: StoreChanges) throws {
    for table in graph.tableIndices {
      let rows = changes.deleted[table] + changes.updated[table]
      let keys = rows.map { self.keys[table][$0].key }.filter { $0 != 0 }
      if !keys.isEmpty { try store.lockRows(table, keys: keys) }
    }
  }

  /// Requires memory for the keys and for the arrays that a save builds.
  private func requireRoom() throws {
    var rows = 0
    for table in graph.tableIndices {
      let first = graph.savepoints.first?.rowCounts[table] ?? Row(rawValue: 0)
      rows += max(first.distance(to: graph.tables[table].count), 0)
    }
    for link in graph.linkIndices {
      let first = graph.savepoints.first?.nodeCounts[link] ?? NodeIndex(rawValue: 0)
      rows += max(first.distance(to: graph.linkTables[link].count), 0)
    }
    try graph.memory.expect(96 * (rows + graph.log.pointee.count))
  }

  /// Orders the inserted objects by their new keys.
  private func order(_ inserted: [[Row]]) {
    for (table, rows) in inserted.enumerated() {
      for row in rows {
        graph.tables[table].setAge(row, to: UInt64(bitPattern: keys[table][row].key))
      }
    }
  }

  func forgetDeleted(_ changes: StoreChanges) {
    for (table, rows) in changes.deleted.enumerated() {
      for row in rows {
        keys[table].set(row, to: .none)
        unreadable.set(ObjectKey(table: TableIndex(table), row: row), to: [])
      }
    }
  }

  /// Returns whether a note differs from that of the store.
  private func hasWrites(_ notes: NameMap<String?>) throws -> Bool {
    guard !notes.isEmpty else { return false }
    try beginSnapshot()
    return try notes.contains { try store.note($0.key) != $0.value }
  }

  private func hasWrites(_ changes: StoreChanges, in graph: Graph) -> Bool {
    if changes.isEmpty { return false }
    if changes.brought.contains(where: { !$0.isEmpty }) { return true }
    let isOnlyUpdated =
      [changes.inserted, changes.deleted].allSatisfy { $0.allSatisfy(\.isEmpty) }
      && [changes.linked, changes.unlinked].allSatisfy { $0.allSatisfy(\.isEmpty) }
      && changes.reordered.isEmpty
    guard isOnlyUpdated else { return true }
    return changes.updated.numbered(by: TableIndex.self).contains { table, rows in
      let reader = StoreRecordReader(table, graph: graph, coordinator: self)
      return rows.contains(where: reader.hasChanged)
    }
  }

  /// Returns the hint about the writes of a save.
  private func hint(_ changes: StoreChanges, in graph: Graph) -> WriteHint {
    func count(_ rows: [[some TypedIndex]]) -> Int { rows.reduce(0) { $0 + $1.count } }
    let inserted = count(changes.inserted)
    var hint = WriteHint()
    hint.insertions = inserted + count(changes.linked)
    let removed = count(changes.deleted) + count(changes.unlinked)
    hint.changes = hint.insertions + count(changes.updated) + removed
    hint.isSelfContained = inserted == graph.liveCount && removed == 0
    hint.keys = changes.inserted.map(\.count)
    hint.positions = StorePositions.bounds(changes, graph: graph, schema: schema)
    return hint
  }
}
