// Writing the changes of a graph into its store, all of them or none.

extension StoreCoordinator {
  /// Writes what changed since the last save.
  ///
  /// Nothing is written, and no transaction begun, when no kept value changed. On failure the store is
  /// as it was, and so is the graph.
  ///
  /// - Parameter name: Says which object an id stands for, in messages.
  func save(_ graph: Graph, name: (ObjectID) -> String) throws {
    let changes = StoreChanges(graph)
    guard hasWrites(changes, graph) else {
      forgetDeleted(changes)
      return
    }
    let positions = nextPosition
    try store.begin()
    do {
      var writer = StoreWriter(self, graph, changes)
      try writer.write(name)
      try store.commit()
      writer.finish()
    } catch {
      store.rollBack()
      nextPosition = positions
      for (table, rows) in changes.inserted.enumerated() {
        for row in rows where keys[table][row].key != 0 { keys[table].set(row, .none) }
      }
      throw error
    }
    forgetDeleted(changes)
  }

  func forgetDeleted(_ changes: StoreChanges) {
    for (table, rows) in changes.deleted.enumerated() {
      for row in rows { keys[table].set(row, .none) }
    }
  }

  private func hasWrites(_ changes: StoreChanges, _ graph: Graph) -> Bool {
    if changes.isEmpty { return false }
    let isOnlyUpdated =
      [changes.inserted, changes.deleted, changes.joined, changes.parted]
      .allSatisfy { $0.allSatisfy(\.isEmpty) } && changes.reordered.isEmpty
    guard isOnlyUpdated else { return true }
    return changes.updated.enumerated().contains { table, rows in
      rows.contains { !changedColumns(table, $0, graph).isEmpty }
    }
  }

  /// The columns of an object that a save must write, in order.
  func changedColumns(_ table: Int, _ row: UInt32, _ graph: Graph) -> [Int] {
    let record = graph.tables[table].record(row)
    let entity = record.assumingMemoryBound(to: RecordHeader.self).pointee.entity
    let columns = schema.tables[table].columns
    return columns.indices.filter { position in
      let field = graph.fields[table][columns[position].number]
      return field.belongs(to: entity) && graph.tables[table].isChanged(field.number, record)
    }
  }
}
