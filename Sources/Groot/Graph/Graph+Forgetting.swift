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
