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

  // MARK: First values

  /// Returns whether an attribute is a part of an index, so that its value cannot be set alone.
  @inline(__always)
  func isInIndex(_ field: Field, in table: TableIndex) -> Bool {
    identityMasks[table][Int(field.number)] != 0
  }

  /// Sets the first value of an attribute, in a row that is new or read from a store.
  ///
  /// It notes no earlier value and updates no index: a new row disappears as a whole with its
  /// savepoint.
  @inline(__always)
  func setFirst(
    _ value: StoredValue, of field: Field, in record: UnsafeMutableRawPointer, table: TableIndex
  ) {
    value.write(to: record, field, table: tables + table, arena: text)
  }

  /// Sets a first text.
  @inline(__always)
  func setFirst(
    text start: UnsafePointer<UInt8>, count: Int, of field: Field,
    in record: UnsafeMutableRawPointer, table: TableIndex
  ) {
    TextSlot.write(start, count: count, to: record + Int(field.offset), arena: text)
    tables[table].setPresence(field, in: record, to: true)
  }

  /// Sets a first text that is a copy in the graph's memory, which other rows share.
  func setFirst(
    copy: UnsafePointer<UInt8>, of value: StoredValue, _ field: Field,
    in record: UnsafeMutableRawPointer, table: TableIndex
  ) {
    guard let start = value.start else { return }
    sharesText = true
    tables[table].setPresence(field, in: record, to: true)
    TextSlot.write(
      copyOf: start, count: value.count, at: UnsafeMutableRawPointer(mutating: copy),
      to: record + Int(field.offset))
  }

  /// Sets a first whole number or double, as its bits.
  @inline(__always)
  func setFirst(
    word: UInt64, of field: Field, in record: UnsafeMutableRawPointer, table: TableIndex
  ) {
    (record + Int(field.offset)).storeBytes(of: word, as: UInt64.self)
    tables[table].setPresence(field, in: record, to: true)
  }

  /// Sets a first truth value.
  @inline(__always)
  func setFirst(
    truth: Bool, of field: Field, in record: UnsafeMutableRawPointer, table: TableIndex
  ) {
    (record + Int(field.offset)).storeBytes(of: truth ? 1 : 0, as: UInt8.self)
    tables[table].setPresence(field, in: record, to: true)
  }

  // MARK: Comparison with plain values

  @inline(__always)
  func has(
    text start: UnsafePointer<UInt8>, count: Int, in field: Field, of record: UnsafeRawPointer,
    table: TableIndex
  ) -> Bool {
    tables[table].has(field, in: record)
      && TextSlot.equals(record + Int(field.offset), other: start, count: count)
  }

  @inline(__always)
  func has(
    word: UInt64, in field: Field, of record: UnsafeRawPointer, table: TableIndex
  ) -> Bool {
    tables[table].has(field, in: record)
      && (record + Int(field.offset)).load(as: UInt64.self) == word
  }

  @inline(__always)
  func has(
    truth: Bool, in field: Field, of record: UnsafeRawPointer, table: TableIndex
  ) -> Bool {
    tables[table].has(field, in: record)
      && ((record + Int(field.offset)).load(as: UInt8.self) == 1) == truth
  }
}
