// Objects: their insertion, attributes, placeholders and deletion.

// Attributes: only these functions change their values.

extension Graph {
  /// Inserts an object of an entity with its defaults, without indexing its identity.
  @inline(__always)
  func insertRow(_ entity: UInt16, in table: TableIndex) throws -> Row {
    guard log.pointee.reserve(1), let (row, isNew) = tables[table].insert(entity) else {
      throw noRoom("a hierarchy has no room for more than 2^32 objects")
    }
    if !isNew { log.pointee.append(.inserted, table: table, row: row) }
    return row
  }

  /// Inserts an object of an entity at a position in the model.
  func insert(entity: EntityIndex) throws -> ObjectID {
    let resolved = model.resolved[entity]
    guard !resolved.isAbstract else {
      throw GrootError(
        .abstractEntity,
        "an abstract entity has no objects of its own; name one of its descendants",
        entity: resolved.name)
    }
    for index in indexes[resolved.hierarchy] where !index.pointee.reserve(1) {
      throw memory.failure
    }
    let row = try insertRow(resolved.localIndex, in: resolved.hierarchy)
    forEachIndex(row, in: resolved.hierarchy) { $0.insert(row) }
    return tables[resolved.hierarchy].id(row)
  }

  /// Sets an attribute to a value in the form of its type.
  ///
  /// It returns false for an equal value, and without memory for the new value or its undo.
  @discardableResult
  func set(_ row: Row, in table: TableIndex, field: Field, to value: StoredValue) -> Bool {
    set(row, in: table, field: field, to: value, isKept: false)
  }

  /// Sets an attribute to a long text in the arena, which several objects may share.
  func share(_ value: StoredValue, _ row: Row, in table: TableIndex, field: Field) -> Bool {
    sharesText = true
    return set(row, in: table, field: field, to: value, isKept: true)
  }

  /// Sets a number or a date that is in no index to other bits.
  ///
  /// It returns false without memory for its undo.
  func change(_ row: Row, in table: TableIndex, field: Field, to word: UInt64) -> Bool {
    guard log.pointee.reserve(2) else { return false }
    let record = tables[table].record(row)
    if row < tables[table].boundary {
      log.pointee.append(
        .value, table: table, row: row, field: field.number,
        flag: tables[table].has(field, in: record),
        (record + Int(field.offset)).load(as: UInt64.self), 0, 0)
      markChanged(row, in: table, number: field.number)
    }
    setFirst(word: word, of: field, in: record, table: table)
    return true
  }

  @inline(__always)
  private func set(
    _ row: Row, in table: TableIndex, field: Field, to value: StoredValue, isKept: Bool
  ) -> Bool {
    let record = tables[table].record(row)
    let old = StoredValue(record, field: field, table: tables + table)
    if old.equals(value, storage: field.storage) { return false }
    guard log.pointee.reserve(2) else { return false }
    let mask = identityMasks[table][Int(field.number)]
    if mask != 0, value.isPresent, !reserveIndexes(of: row, in: table, mask: mask) { return false }
    var copy: UnsafeMutableRawPointer?
    if isKept {
      copy = UnsafeMutableRawPointer(mutating: value.start)
    } else if field.storage == .text, let start = value.start,
      value.count > TextSlot.inlineCapacity
    {
      copy = text.pointee.allocate(value.count)
      guard let copy else { return false }
      CLibrary.copy(value.count, from: start, to: copy)
    }
    if mask != 0 { updateIndexes(row, in: table, mask: mask) { $0.remove(row) } }
    if row < tables[table].boundary {
      logValue(row, in: table, field: field, old: old)
      markChanged(row, in: table, number: field.number)
    }
    if field.storage == .text, old.count > TextSlot.inlineCapacity {
      text.pointee.garbage += old.count
    }
    if let copy, let start = value.start {
      tables[table].setPresence(field, in: record, to: true)
      TextSlot.write(
        copyOf: start, count: value.count, at: copy, to: record + Int(field.offset))
    } else {
      value.write(to: record, field, table: tables + table, arena: text)
    }
    if mask != 0 { updateIndexes(row, in: table, mask: mask) { $0.insert(row) } }
    return true
  }

  private func logValue(
    _ row: Row, in table: TableIndex, field: Field, old: StoredValue
  ) {
    let address = tables[table].record(row) + Int(field.offset)
    var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
    withUnsafeMutableBytes(of: &words) { bytes in
      bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: field.storage.width))
    }
    log.pointee.append(
      .value, table: table, row: row, field: field.number, flag: old.isPresent, words.0, words.1,
      words.2)
  }

  /// Adds a row to the indexes of a mask for its entity, or removes it from them.
  func updateIndexes(
    _ row: Row, in table: TableIndex, mask: UInt32, body: (inout IdentityIndex) -> Void
  ) {
    let entity = tables[table].header(row).pointee.entity
    for (position, index) in indexes[table].enumerated() where mask >> UInt32(position) & 1 != 0 {
      let covers = (0..<index.pointee.fieldCount).allSatisfy {
        index.pointee.fields[$0].belongs(to: entity)
      }
      if covers { body(&index.pointee) }
    }
  }

  /// Reserves entries for a row in the indexes of a mask; returns false without memory.
  func reserveIndexes(of row: Row, in table: TableIndex, mask: UInt32, count: Int = 1) -> Bool {
    var hasRoom = true
    updateIndexes(row, in: table, mask: mask) { index in
      if !index.reserve(count) { hasRoom = false }
    }
    return hasRoom
  }

  /// Returns the error for a lack of space: memory was refused, or a number has too few bits.
  @inline(never)
  func noRoom(_ reason: String) -> GrootError {
    memory.shortage == nil ? GrootError(.limitExceeded, reason) : memory.failure
  }

  /// Restores an old value when a savepoint is rolled back.
  func restoreValue(_ entry: UndoEntry) {
    let table = entry.table
    let field = fields[table][Int(entry.field)]
    let record = tables[table].record(entry.row)
    let isLive = tables[table].isLive(entry.row)
    let mask = isLive ? identityMasks[table][Int(field.number)] : 0
    if mask != 0 { updateIndexes(entry.row, in: table, mask: mask) { $0.remove(entry.row) } }
    var words = (entry.word0, entry.word1, entry.word2)
    withUnsafeBytes(of: &words) { bytes in
      guard let start = bytes.baseAddress else { return }
      (record + Int(field.offset)).copyMemory(from: start, byteCount: field.storage.width)
    }
    tables[table].setPresence(field, in: record, to: entry.flag)
    if mask != 0 { updateIndexes(entry.row, in: table, mask: mask) { $0.insert(entry.row) } }
  }

  /// Marks a property of an object as changed since the last save; a new object is not marked.
  func markChanged(_ row: Row, in table: TableIndex, number: UInt16) {
    let record = tables[table].record(row)
    let header = record.assumingMemoryBound(to: RecordHeader.self)
    guard header.pointee.state & RecordState.inserted == 0,
      tables[table].setChanged(number, in: record, to: true)
    else { return }
    let isFirst = header.pointee.state & RecordState.updated == 0
    header.pointee.state |= RecordState.updated
    log.pointee.append(.changed, table: table, row: row, field: number, flag: isFirst)
  }

  /// Returns whether a property has a value, or a relationship a member.
  func hasValue(_ row: Row, table: TableIndex, field: Field) -> Bool {
    if field.isToMany { return memberCount(of: row, field: field) > 0 }
    if field.isRelationship {
      return !target(links[field.link], side: field.side, row: row).isNone
    }
    return tables[table].has(field, in: tables[table].record(row))
  }
}

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

// Deleting objects by the delete rules of their relationships.

extension Graph {
  /// Deletes an object and the objects that its cascades reach; on failure nothing is deleted.
  ///
  /// - Parameter isSpared: A function that returns whether to keep an object, where a cascade then
  ///   ends.
  func delete(
    _ id: ObjectID, sparing isSpared: (TableIndex, Row) -> Bool = { _, _ in false }
  ) throws {
    _ = try record(id)
    let doomed = closure(ObjectKey(table: id.table, row: id.row), sparing: isSpared)
    defer {
      for row in doomed { tables[row.table].header(row.row).pointee.state &= ~RecordState.doomed }
    }
    try checkDenials(doomed)
    try requireRoom(toDelete: doomed)
    for row in doomed { unlink(row.row, in: row.table) }
    for row in doomed { remove(row.row, in: row.table) }
  }

  /// Throws without memory for a deletion of objects and for its undo.
  private func requireRoom(toDelete doomed: [ObjectKey]) throws {
    var changes = doomed.count
    for row in doomed {
      for field in relationshipFields(row.row, in: row.table) {
        changes += field.isToMany ? Int(memberCount(of: row.row, field: field)) : 2
      }
    }
    guard log.pointee.reserve(6 * changes) else { throw memory.failure }
  }

  /// Removes an object and its links without regard to delete rules.
  func discard(_ id: ObjectID) {
    guard isLive(id) else { return }
    unlink(id.row, in: id.table)
    remove(id.row, in: id.table)
  }

  /// Returns an object and those that its cascades reach, each marked for deletion.
  private func closure(
    _ first: ObjectKey, sparing isSpared: (TableIndex, Row) -> Bool
  ) -> [ObjectKey] {
    var rows = [first]
    var next = 0
    tables[first.table].header(first.row).pointee.state |= RecordState.doomed
    while next < rows.count {
      let current = rows[next]
      next += 1
      forEachLinked(current.row, in: current.table, rule: .cascade) { table, row in
        let header = tables[table].header(row)
        guard header.pointee.state & RecordState.doomed == 0, !isSpared(table, row) else { return }
        header.pointee.state |= RecordState.doomed
        rows.append(ObjectKey(table: table, row: row))
      }
    }
    return rows
  }

  private func checkDenials(_ doomed: [ObjectKey]) throws {
    for row in doomed {
      let entity = model.resolved[entity(tables[row.table].record(row.row), in: row.table)]
      for number in entity.relationships {
        let property = model.hierarchies[row.table].properties[number]
        guard property.relationship?.deleteRule == .deny else { continue }
        var survivors = 0
        forEachTarget(row.row, in: row.table, field: property.field) { table, target in
          if tables[table].header(target).pointee.state & RecordState.doomed == 0 { survivors += 1 }
        }
        guard survivors == 0 else {
          throw GrootError(
            .deleteDenied,
            "the delete rule 'deny' forbids deleting the object while the relationship has members; "
              + "it has \(survivors)", entity: entity.name, property: property.name)
        }
      }
    }
  }

  private func forEachLinked(
    _ row: Row, in table: TableIndex, rule: RelationshipDescription.DeleteRule,
    body: (TableIndex, Row) -> Void
  ) {
    let entity = model.resolved[entity(tables[table].record(row), in: table)]
    for number in entity.relationships {
      let property = model.hierarchies[table].properties[number]
      guard property.relationship?.deleteRule == rule else { continue }
      forEachTarget(row, in: table, field: property.field, body: body)
    }
  }

  private func forEachTarget(
    _ row: Row, in table: TableIndex, field: Field, body: (TableIndex, Row) -> Void
  ) {
    let other = destination(field)
    if field.isToMany {
      forEachMember(of: row, field: field) { body(other, $0) }
    } else {
      if let target = target(links[field.link], side: field.side, row: row).index {
        body(other, target)
      }
    }
  }

  /// Returns the table of a relationship's destination.
  @inline(__always)
  func destination(_ field: Field) -> TableIndex { links[field.link].table(field.side.inverse) }

  /// Removes all links of an object, in both directions.
  private func unlink(_ row: Row, in table: TableIndex) {
    for field in relationshipFields(row, in: table) {
      if field.isToMany {
        removeAllMembers(of: row, field: field)
      } else {
        setTarget(field.link, side: field.side, row: row, to: .none)
      }
    }
  }

  private func remove(_ row: Row, in table: TableIndex) {
    guard log.pointee.reserve(1) else { return }
    forEachIndex(row, in: table) { $0.remove(row) }
    let header = tables[table].header(row)
    let state = header.pointee.state & ~RecordState.doomed
    let isNewer = row >= tables[table].boundary
    log.pointee.append(isNewer ? .dropped : .deleted, table: table, row: row, UInt64(state))
    header.pointee.state = 0
    tables[table].liveCount -= 1
    text.pointee.garbage += textSize(row, in: table)
  }

  /// Returns the number of bytes of a record's texts in the arena.
  func textSize(_ row: Row, in table: TableIndex) -> Int {
    let record = tables[table].record(row)
    var size = 0
    for number in model.resolved[entity(record, in: table)].attributes {
      let field = fields[table][number]
      guard field.storage == .text, tables[table].has(field, in: record) else { continue }
      let length = TextSlot.length(record + Int(field.offset))
      if length > TextSlot.inlineCapacity { size += length }
    }
    return size
  }
}
