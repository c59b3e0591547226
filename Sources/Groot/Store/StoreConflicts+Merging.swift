// New objects that others inserted, too, and others' references to objects deleted here.

extension StoreConflicts {
  /// Merges new objects with objects of the same identity that others inserted meanwhile.
  mutating func merge(_ changes: inout StoreChanges) throws {
    for (table, description) in tables.numbered(by: TableIndex.self)
    where !changes.inserted[table].isEmpty {
      guard !description.identities.isEmpty, try store.nextKey(table) > 1 else { continue }
      for number in description.identities.indices {
        try merge(table, number: number, changes: &changes)
      }
    }
  }

  private mutating func merge(_ table: TableIndex, number: Int, changes: inout StoreChanges) throws
  {
    let identity = tables[table].identities[number]
    let reader = StoreRecordReader(table, graph: graph, coordinator: coordinator)
    var rows: [Row] = []
    var values: [StoredValue] = []
    for row in changes.inserted[table] {
      let entity = Int(graph.tables[table].header(row).pointee.entity)
      guard identity.entities.contains(entity) else { continue }
      // A new object has no key yet, so another process cannot have an identity that contains it.
      guard let found = reader.identity(row, chosen: identity.columns, keys: coordinator.keys)
      else { continue }
      rows.append(row)
      values += found
    }
    guard !rows.isEmpty else { return }
    let deleted = Set(changes.deleted[table].map { coordinator.keys[table][$0].key })
    var rowOf: [[UInt64]: Row] = [:]
    var found: [(row: Row, entry: StoreKeys.Entry)] = []
    try values.withUnsafeBufferPointer { values in
      try store.readRows(table, identity: number, values: values) { stored in
        if rowOf.isEmpty {
          let width = identity.columns.count
          for (index, row) in rows.enumerated() {
            rowOf[Self.words(values[(index * width)..<((index + 1) * width)])] = row
          }
        }
        let parts = identity.columns.map { stored.values[$0] }
        // If an object in memory has this key, there are two objects, and the violation remains.
        guard let row = rowOf[Self.words(parts)], !deleted.contains(stored.key),
          coordinator.keys[table].row(stored.key) == nil,
          Int(graph.tables[table].header(row).pointee.entity) == stored.entity
        else { return }
        found.append((row, StoreKeys.Entry(key: stored.key, version: stored.version)))
      }
    }
    adopt(found, in: table, changes: &changes)
  }

  /// Gives new objects the keys of the objects that others inserted.
  private mutating func adopt(
    _ found: [(row: Row, entry: StoreKeys.Entry)], in table: TableIndex,
    changes: inout StoreChanges
  ) {
    for (row, entry) in found {
      set(row, in: table, to: entry)
      markStale(row, in: table)
      let text = "was inserted in the store meanwhile too; "
      if policy == .mine {
        changes.updated[table].append(row)
        changes.merged[table].insert(row)
        note(row, in: table, text: text + "the values here were written")
      } else {
        note(row, in: table, text: text + "the values there were kept")
      }
    }
    let merged = Set(found.map(\.row))
    changes.inserted[table].removeAll(where: merged.contains)
  }

  /// Returns words that are equal if and only if the values are.
  private static func words(_ values: some Sequence<StoredValue>) -> [UInt64] {
    var words: [UInt64] = []
    for value in values {
      words += [value.word0, value.word1, value.word2, UInt64(value.bytes.count)]
      words += value.bytes.map(UInt64.init)
    }
    return words
  }

  /// Clears others' references to objects deleted here, after all other writes.
  mutating func clearReferences(_ changes: StoreChanges) throws {
    guard policy != .error else { return }
    for (destination, rows) in changes.deleted.numbered(by: TableIndex.self) where !rows.isEmpty {
      let keys = rows.map { coordinator.keys[destination][$0].key }
      for (table, description) in tables.numbered(by: TableIndex.self) {
        for (position, column) in description.columns.enumerated() {
          guard case .reference(destination) = column.kind else { continue }
          try clear(table, position: position, leadingTo: keys)
        }
      }
      for (number, join) in coordinator.schema.joins.enumerated() {
        for (side, table) in [(LinkSide.first, join.source), (.second, join.target)]
        where table == destination {
          try removeLinks(number, side: side, of: keys)
        }
      }
    }
  }

  private mutating func clear(
    _ table: TableIndex, position: Int, leadingTo keys: [Int64]
  ) throws {
    let columns = tables[table].columns
    var found: [(key: Int64, entity: Int, version: Int64)] = []
    try store.readMembers(table, column: position, of: keys) {
      found.append(($0.key, $0.entity, $0.version))
    }
    let cleared = [position] + (tables[table].listPosition(of: position).map { [$0] } ?? [])
    let nothing = Array(repeating: StoredValue.none, count: cleared.count)
    for object in found {
      let text =
        "the object \(object.key) was linked in the store to an object that is deleted here"
      var issue = GrootIssue(
        .storeConflict, text, severity: .warning, entity: tables[table].entities[object.entity],
        property: columns[position].property)
      guard graph.fields[table][columns[position].number].isOptional else {
        issue.severity = .error
        throw GrootError(issue)
      }
      issue.message += "; the link was removed"
      _ = try nothing.withUnsafeBufferPointer {
        try store.update(
          table,
          with: RowUpdate(
            key: object.key, version: StoreVersion(after: object.version), entity: nil,
            columns: cleared, values: $0))
      }
      note(issue)
    }
  }

  private mutating func removeLinks(_ join: Int, side: LinkSide, of keys: [Int64]) throws {
    let description = coordinator.schema.joins[join]
    var found: [StoreLink] = []
    try store.readLinks(join, side: side, of: keys) { found.append($0) }
    for link in found {
      try store.deleteLink(join, source: link.source, target: link.target)
      note(
        GrootIssue(
          .storeConflict,
          "the object \(side == .first ? link.target : link.source) was linked in the store to an object "
            + "that is deleted here; the link was removed", severity: .warning,
          entity: description.entity, property: description.property))
    }
  }
}
