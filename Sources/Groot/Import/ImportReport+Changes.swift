// The list of changes: the differences between the beginning and the end of an import.

extension GraphDifference {
  /// Returns the change of each object: updated ones first, then inserted, then deleted ones.
  ///
  /// The objects of each kind are sorted by hierarchy, the oldest first.
  func changes() -> [ImportReport.Change] {
    var changes: [ImportReport.Change] = []
    forEach(in: rows(of: updated)) { table, row in
      let fields = namedFields(row, in: table).filter {
        properties.contains(Self.number($0.number, in: table, row: row))
      }
      changes.append(
        change(ObjectKey(table: table, row: row), kind: .updated, fields: fields) {
          (old(row, in: table, field: $0), new(row, in: table, field: $0))
        })
    }
    var inserted: [[Row]] = Array(repeating: [], count: graph.tableIndices.count)
    forEachInserted { inserted[$0].append($1) }
    forEach(in: inserted) { table, row in
      changes.append(
        change(
          ObjectKey(table: table, row: row), kind: .inserted, fields: namedFields(row, in: table)
        ) {
          (.null, new(row, in: table, field: $0))
        })
    }
    forEach(in: rows(of: deleted)) { table, row in
      changes.append(
        change(
          ObjectKey(table: table, row: row), kind: .deleted,
          fields: namedFields(row, in: table, isOld: true)
        ) {
          (old(row, in: table, field: $0), .null)
        })
    }
    return changes
  }

  /// Returns the rows with the numbers of a set, by table.
  private func rows(of set: NumberSet) -> [[Row]] {
    var rows: [[Row]] = Array(repeating: [], count: graph.tableIndices.count)
    for position in 0..<set.count {
      let (table, row) = Self.object(set[position])
      rows[table].append(row)
    }
    return rows
  }

  private func forEach(in rows: [[Row]], _ body: (TableIndex, Row) -> Void) {
    for table in graph.tableIndices {
      var rows = rows[table].sorted()
      graph.tables[table].sortByAge(&rows)
      for row in rows { body(table, row) }
    }
  }

  /// Returns the current or the old entity of an object.
  private func entity(_ object: ObjectKey, isOld: Bool) -> EntityIndex {
    if isOld, let local = oldEntities[object] {
      return graph.entityNumbers[object.table][Int(local)]
    }
    return graph.entity(graph.tables[object.table].record(object.row), in: object.table)
  }

  /// Returns the named properties of a row in the model's order.
  private func namedFields(_ row: Row, in table: TableIndex, isOld: Bool = false) -> [Field] {
    let object = ObjectKey(table: table, row: row)
    let resolved = graph.model.resolved[entity(object, isOld: isOld)]
    return (resolved.attributes + resolved.relationships)
      .filter { !graph.model.hierarchies[table].properties[$0].name.isEmpty }
      .map { graph.fields[table][$0] }
  }

  private func change(
    _ object: ObjectKey, kind: ImportReport.Change.Kind, fields: [Field],
    values: (Field) -> (JSONValue, JSONValue)
  ) -> ImportReport.Change {
    let (table, row) = (object.table, object.row)
    var listed: [(name: String, old: JSONValue, new: JSONValue)] = []
    for field in fields {
      let (old, new) = values(field)
      // The property has no value before or after.
      if kind != .updated, old.isNothing, new.isNothing { continue }
      let property = graph.model.hierarchies[table].properties[Int(field.number)]
      listed.append((property.name, old, new))
    }
    return ImportReport.Change(
      object: graph.tables[table].id(row),
      entity: graph.model.resolved[entity(object, isOld: kind == .deleted)].name, kind: kind,
      properties: listed)
  }

  private func old(_ row: Row, in table: TableIndex, field: Field) -> JSONValue {
    if field.isToMany {
      let list = ListHistory.List(table: table, field: field, row: row)
      return numbers(history?.members(list) ?? [], field: field)
    }
    guard let entry = firstEntry(field.number, in: table, row: row) else {
      return new(row, in: table, field: field)
    }
    if field.isRelationship {
      return number(OptionalRow(word: entry.pointee.word0), field: field)
    }
    return Value(graph.oldValue(entry), as: field.type).json
  }

  private func new(_ row: Row, in table: TableIndex, field: Field) -> JSONValue {
    if field.isToMany { return numbers(graph.members(of: row, field: field), field: field) }
    if field.isRelationship {
      return number(graph.target(graph.links[field.link], side: field.side, row: row), field: field)
    }
    let record = graph.tables[table].record(row)
    return Value(StoredValue(record, field: field, table: graph.tables + table), as: field.type)
      .json
  }

  /// Returns the number of the object in a row.
  private func number(_ row: OptionalRow, field: Field) -> JSONValue {
    guard let row = row.index else { return .null }
    let id = graph.tables[graph.destination(field)].id(row)
    return .integer(Int64(bitPattern: id.rawValue))
  }

  private func numbers(_ rows: [Row], field: Field) -> JSONValue {
    .array(rows.map { number(OptionalRow($0), field: field) })
  }
}

extension JSONValue {
  /// Whether the value is null or an empty list.
  fileprivate var isNothing: Bool { self == .null || self == .array([]) }
}
