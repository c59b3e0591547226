// Forgetting what a store keeps, so that it is read anew.

extension Graph {
  /// Forgets all values and links of a graph without unsaved changes, but for values that no store
  /// keeps; rows and their ids stay, but for those that `forget` forgets.
  ///
  /// Linear in the rows.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``; all is as it was then.
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

  /// A value of a row that is in memory only, as it is kept in the record.
  private struct TransientValue {
    let table: TableIndex
    let row: Row
    let field: Field
    let isPresent: Bool
    var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
  }

  /// The values that no store keeps; their texts are copied into an arena of their own.
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

  /// Forgets a row whose object is not in the store any more; its ids answer "deleted".
  func forget(_ row: Row, in table: TableIndex) {
    tables[table].release(row)
    tables[table].liveCount -= 1
  }
}
