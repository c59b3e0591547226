// Objects that were only named so far. The record that names an object may know less of its entity
// than the record that brings it: one names an object of a root entity, the other brings one of a
// sub-entity.

extension Graph {
  /// Whether an object was only named so far.
  @inline(__always)
  func isPlaceholder(_ row: Row, in table: TableIndex) -> Bool {
    tables[table].header(row).pointee.state & RecordState.placeholder != 0
  }

  /// Notes that an object was only named; it was made since the innermost savepoint, or read.
  func setPlaceholder(_ row: Row, in table: TableIndex) {
    tables[table].header(row).pointee.state |= RecordState.placeholder
    hasPlaceholders[table] = true
  }

  /// Notes that a record has brought an object that was only named.
  func bring(_ row: Row, in table: TableIndex) {
    guard isPlaceholder(row, in: table), log.pointee.reserve(1) else { return }
    if row < tables[table].boundary { log.pointee.append(.brought, table: table, row: row) }
    tables[table].header(row).pointee.state &= ~RecordState.placeholder
  }

  /// Makes a placeholder an object of a descendant of its entity, with the defaults of what that
  /// adds.
  ///
  /// A descendant's fields come after those of its ancestors, where the record has nothing yet.
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

  /// Undoes ``refine(_:in:to:)``; later values and links are undone already.
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

  /// Gives a row that is not read yet another entity; links of what both entities have stay.
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

  /// The attributes that an entity has and one of its ancestors has not.
  private func addedAttributes(_ entity: UInt16, in table: TableIndex, ancestor: UInt16) -> [Field]
  {
    model.resolved[entityNumbers[table][Int(entity)]].attributes
      .map { fields[table][$0] }.filter { !$0.belongs(to: ancestor) }
  }

  /// Whether the objects of an entity are objects of another one too.
  @inline(__always)
  func isKind(_ entity: UInt16, in table: TableIndex, of ancestor: UInt16) -> Bool {
    entity == ancestor
      || model.resolved[entityNumbers[table][Int(ancestor)]].subtree.contains(entity)
  }
}
