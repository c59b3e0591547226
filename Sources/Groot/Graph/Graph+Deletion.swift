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
