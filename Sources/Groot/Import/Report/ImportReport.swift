/// The changes that an import made, or in a dry run would make.
public struct ImportReport: Sendable {
  /// The change of one object.
  public struct Change: Sendable {
    /// The kind of change of an object.
    public enum Kind: String, Sendable {
      /// The object is new.
      case inserted
      /// The object existed and differs from before.
      case updated
      /// The object was deleted.
      case deleted
    }

    /// The object; after a dry run, an inserted object no longer exists.
    public var object: ObjectID
    /// The name of the object's entity.
    public var entity: String
    /// The kind of change.
    public var kind: Kind
    /// The properties that differ, by name, with their values before and after the import.
    ///
    /// A relationship is given as the numbers of its members, in both directions. For an inserted
    /// or deleted object, properties without a value are not listed.
    public var properties: [(name: String, old: JSONValue, new: JSONValue)]
  }

  /// The number of new objects.
  public var inserted = 0
  /// The number of existing objects that differ from before in a value or a link.
  public var updated = 0
  /// The number of existing objects that came with a record and are the same as before.
  public var unchanged = 0
  /// The number of deleted objects.
  public var deleted = 0
  /// The number of records left out because they are not newer than their objects; see `groot.version`.
  public var stale = 0
  /// The objects of those records, listed for ``ImportOptions/listsChanges`` or a dry run.
  public var staleObjects: [ObjectID] = []
  /// The objects that a synchronization keeps because it could not identify every entry.
  ///
  /// It would otherwise have deleted or marked them; see ``SyncOptions/withholdsDeletions``.
  public var withheld: [ObjectID] = []
  /// The number of records left out because they were invalid.
  public var skipped = 0
  /// The issues of those records, and of values that were left unchanged.
  public var issues: [GrootIssue] = []
  /// The number of issues about records that were left out.
  var errorCount = 0
  /// The placeholders that the last issues are about, one for each issue.
  var unbrought: [ObjectID] = []
  /// Each change, if ``ImportOptions/listsChanges`` or ``ImportOptions/isDryRun`` is set.
  public var changes: [Change] = []

  /// The objects that the import came across, by entity, if ``ImportOptions/listsAccess`` is set.
  public var accessed: NameMap<[ObjectID]> = [:]
  /// The other objects of the import's entities.
  public var unaccessed: NameMap<[ObjectID]> = [:]

  /// Makes an empty report.
  public init() {}

  /// The report in the form that C and Python read.
  public var json: JSONValue {
    [
      "inserted": .integer(Int64(inserted)), "updated": .integer(Int64(updated)),
      "unchanged": .integer(Int64(unchanged)), "deleted": .integer(Int64(deleted)),
      "skipped": .integer(Int64(skipped)), "stale": .integer(Int64(stale)),
      "staleObjects": .array(
        staleObjects.map { .integer(Int64(bitPattern: $0.rawValue)) }),
      "withheld": .array(withheld.map { .integer(Int64(bitPattern: $0.rawValue)) }),
      "issues": .array(issues.map(\.json)),
      "changes": .array(changes.map(\.json)), "accessed": Self.json(accessed),
      "unaccessed": Self.json(unaccessed),
    ]
  }

  private static func json(_ objects: NameMap<[ObjectID]>) -> JSONValue {
    var lists = JSONObject()
    for (name, ids) in objects {
      lists[name] = .array(ids.map { .integer(Int64(bitPattern: $0.rawValue)) })
    }
    return .object(lists)
  }
}

extension ImportReport.Change {
  fileprivate var json: JSONValue {
    var values = JSONObject()
    for (name, old, new) in properties { values[name] = ["old": old, "new": new] }
    return [
      "object": .integer(Int64(bitPattern: object.rawValue)), "entity": .string(entity),
      "change": .string(kind.rawValue), "properties": .object(values),
    ]
  }
}

extension GrootIssue {
  /// The issue as a JSON object with the members of `groot_issue`.
  package var json: JSONValue {
    [
      "status": .integer(Int64(status.rawValue)), "severity": .integer(Int64(severity.rawValue)),
      "message": .string(message), "path": .string(path), "entity": .string(entity),
      "property": .string(property), "line": .integer(Int64(line)),
      "column": .integer(Int64(column)), "offset": .integer(Int64(offset)),
    ]
  }
}

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
  private func rows(of set: borrowing NumberSet) -> [[Row]] {
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
