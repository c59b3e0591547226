// Deleting objects by the delete rules of their relationships.

extension Graph {
  /// Deletes an object and what its cascades reach; everything or nothing.
  func delete(_ id: ObjectID) throws {
    _ = try record(id)
    let doomed = closure(ObjectKey(table: id.table, row: id.row))
    defer {
      for row in doomed { tables[row.table].header(row.row).pointee.state &= ~RecordState.doomed }
    }
    try checkDenials(doomed)
    for row in doomed { unlink(row.table, row.row) }
    for row in doomed { remove(row.table, row.row) }
  }

  /// Removes an object and its links, whatever the delete rules say.
  func discard(_ id: ObjectID) {
    guard isLive(id) else { return }
    unlink(id.table, id.row)
    remove(id.table, id.row)
  }

  /// The object and all that cascading relationships lead to; each is marked as doomed.
  private func closure(_ first: ObjectKey) -> [ObjectKey] {
    var rows = [first]
    var next = 0
    tables[first.table].header(first.row).pointee.state |= RecordState.doomed
    while next < rows.count {
      let current = rows[next]
      next += 1
      forEachLinked(current.table, current.row, rule: .cascade) { table, row in
        let header = tables[table].header(row)
        guard header.pointee.state & RecordState.doomed == 0 else { return }
        header.pointee.state |= RecordState.doomed
        rows.append(ObjectKey(table: table, row: row))
      }
    }
    return rows
  }

  private func checkDenials(_ doomed: [ObjectKey]) throws {
    for row in doomed {
      let entity = model.resolved[entity(row.table, tables[row.table].record(row.row))]
      for number in entity.relationships {
        let property = model.hierarchies[row.table].properties[number]
        guard property.relationship?.deleteRule == .deny else { continue }
        var survivors = 0
        forEachTarget(row.table, row.row, property.field) { table, target in
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
    _ table: TableIndex, _ row: Row, rule: RelationshipDescription.DeleteRule,
    _ body: (TableIndex, Row) -> Void
  ) {
    let entity = model.resolved[entity(table, tables[table].record(row))]
    for number in entity.relationships {
      let property = model.hierarchies[table].properties[number]
      guard property.relationship?.deleteRule == rule else { continue }
      forEachTarget(table, row, property.field, body)
    }
  }

  private func forEachTarget(
    _ table: TableIndex, _ row: Row, _ field: Field, _ body: (TableIndex, Row) -> Void
  ) {
    let other = destination(field)
    if field.isToMany {
      forEachMember(table, row, field) { body(other, $0) }
    } else {
      if let target = target(links[field.link], field.side, row).index { body(other, target) }
    }
  }

  /// The table that a relationship leads to.
  @inline(__always)
  func destination(_ field: Field) -> TableIndex { links[field.link].table(field.side.inverse) }

  /// Ends all links of an object, in both directions.
  private func unlink(_ table: TableIndex, _ row: Row) {
    for field in relationshipFields(table, row) {
      if field.isToMany {
        removeAllMembers(table, row, field)
      } else {
        setTarget(field.link, field.side, row, .none)
      }
    }
  }

  private func remove(_ table: TableIndex, _ row: Row) {
    forEachIndex(table, row) { $0.remove(row) }
    let header = tables[table].header(row)
    let state = header.pointee.state & ~RecordState.doomed
    let isNewer = row >= tables[table].boundary
    log.pointee.append(isNewer ? .dropped : .deleted, table: table, row: row, UInt64(state))
    header.pointee.state = 0
    tables[table].liveCount -= 1
    text.pointee.garbage += textSize(table, row)
  }

  /// The bytes of a record's text that stand in the arena.
  func textSize(_ table: TableIndex, _ row: Row) -> Int {
    let record = tables[table].record(row)
    var size = 0
    for number in model.resolved[entity(table, record)].attributes {
      let field = fields[table][number]
      guard field.storage == .text, tables[table].has(field, record) else { continue }
      let length = TextSlot.length(record + Int(field.offset))
      if length > TextSlot.inlineCapacity { size += length }
    }
    return size
  }
}
