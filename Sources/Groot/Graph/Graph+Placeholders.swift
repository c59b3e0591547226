// Placeholders: objects that were only named. The record that names an object may use a less
// specific entity than the object's own record: it may name an object of a root entity, whose
// record is of a subentity.

extension Graph {
  /// Returns whether an object is a placeholder.
  @inline(__always)
  func isPlaceholder(_ row: Row, in table: TableIndex) -> Bool {
    tables[table].header(row).pointee.state & RecordState.placeholder != 0
  }

  /// Marks an object as a placeholder; it must be newer than the innermost savepoint, or just read.
  func setPlaceholder(_ row: Row, in table: TableIndex) {
    tables[table].header(row).pointee.state |= RecordState.placeholder
    hasPlaceholders[table] = true
  }

  /// Notes that a record has brought a placeholder.
  func bring(_ row: Row, in table: TableIndex) {
    guard isPlaceholder(row, in: table), log.pointee.reserve(1) else { return }
    if row < tables[table].boundary { log.pointee.append(.brought, table: table, row: row) }
    tables[table].header(row).pointee.state &= ~RecordState.placeholder
  }

  /// Changes the entity of a placeholder to a descendant, with defaults for the added attributes.
  ///
  /// The fields of a descendant follow those of its ancestors, where the record is still empty.
  func refine(_ row: Row, in table: TableIndex, to entity: UInt16) {
    let header = tables[table].header(row)
    let old = header.pointee.entity
    guard old != entity else { return }
    let added = addedAttributes(entity, in: table, ancestor: old)
    guard log.pointee.reserve(1 + 2 * added.count) else { return }
    if isIndexed(row, in: table) { forEachIndex(row, in: table) { $0.remove(row) } }
    let isSaved = header.pointee.state & RecordState.inserted == 0
    if row < tables[table].boundary {
      log.pointee.append(.refined, table: table, row: row, UInt64(old))
    }
    header.pointee.entity = entity
    let (record, template) = (tables[table].record(row), tables[table].template(entity))
    for field in added where tables[table].has(field, in: template) {
      (record + Int(field.offset)).copyMemory(
        from: template + Int(field.offset), byteCount: field.storage.width)
      tables[table].setPresence(field, in: record, to: true)
      if row < tables[table].boundary {
        log.pointee.append(.value, table: table, row: row, field: field.number, flag: false)
      }
      if isSaved { markChanged(row, in: table, number: field.number) }
    }
    if isIndexed(row, in: table) { forEachIndex(row, in: table) { $0.insert(row) } }
  }

  /// Undoes ``refine(_:in:to:)`` after all later values and links are undone.
  func restoreEntity(_ entry: UndoEntry) {
    let table = entry.table
    let header = tables[table].header(entry.row)
    let old = UInt16(truncatingIfNeeded: entry.word0)
    if isIndexed(entry.row, in: table) {
      forEachIndex(entry.row, in: table) { $0.remove(entry.row) }
    }
    let record = tables[table].record(entry.row)
    for field in addedAttributes(header.pointee.entity, in: table, ancestor: old) {
      tables[table].setPresence(field, in: record, to: false)
      (record + Int(field.offset)).initializeMemory(
        as: UInt8.self, repeating: 0, count: field.storage.width)
    }
    header.pointee.entity = old
    if isIndexed(entry.row, in: table) {
      forEachIndex(entry.row, in: table) { $0.insert(entry.row) }
    }
  }

  /// Changes the entity of a fault; links of relationships that both entities have stay.
  func reassign(_ row: Row, in table: TableIndex, entity: UInt16) {
    let header = tables[table].header(row)
    let record = tables[table].record(row)
    let old = header.pointee.entity
    let all = model.hierarchies[table].properties.map(\.field)
    for field in all where field.belongs(to: old) && !field.belongs(to: entity) {
      tables[table].setPresence(field, in: record, to: false)
      (record + Int(field.offset)).initializeMemory(
        as: UInt8.self, repeating: 0, count: field.storage.width)
    }
    header.pointee.entity = entity
    for field in all where field.belongs(to: entity) && !field.belongs(to: old) {
      tables[table].setPresence(field, in: record, to: field.isToMany)
    }
  }

  /// Returns the attributes that an entity has in addition to those of an ancestor.
  private func addedAttributes(_ entity: UInt16, in table: TableIndex, ancestor: UInt16) -> [Field]
  {
    model.resolved[entityNumbers[table][Int(entity)]].attributes
      .map { fields[table][$0] }.filter { !$0.belongs(to: ancestor) }
  }

  /// Returns whether an entity is the same as another or its descendant.
  @inline(__always)
  func isKind(_ entity: UInt16, in table: TableIndex, of ancestor: UInt16) -> Bool {
    entity == ancestor
      || model.resolved[entityNumbers[table][Int(ancestor)]].subtree.contains(entity)
  }
}
