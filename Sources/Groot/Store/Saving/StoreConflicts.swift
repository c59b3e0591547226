/// Resolves the conflicts of a save by a policy before the save writes.
///
/// This happens in the save's transaction, so its findings are valid until the commit.
struct StoreConflicts {
  let coordinator: StoreCoordinator
  let graph: Graph
  let policy: ConflictPolicy
  /// The function that names an object in messages.
  private let name: (ObjectID) -> String
  /// The issues of the resolved conflicts.
  private(set) var resolved: [GrootIssue] = []
  /// The changed entries of keys, with their old content.
  private var entries: [(table: TableIndex, row: Row, old: StoreKeys.Entry)] = []
  /// The objects that others deleted.
  private var gone: [(table: TableIndex, row: Row, old: StoreKeys.Entry)] = []
  /// The objects to read again after the save.
  private var stale: [(table: TableIndex, row: Row)] = []

  /// A version that no object has.
  private static let noVersion = Int64.min

  init(
    _ coordinator: StoreCoordinator, graph: Graph, policy: ConflictPolicy,
    name: @escaping (ObjectID) -> String
  ) {
    self.coordinator = coordinator
    self.graph = graph
    self.policy = policy
    self.name = name
  }

  var store: any PersistentStore { coordinator.store }
  var tables: [StoreSchema.Table] { coordinator.schema.tables }

  /// Removes the changes that must not be written, and adopts the versions of overwritten objects.
  mutating func resolve(_ changes: inout StoreChanges) throws {
    guard policy != .error else { return }
    for table in graph.tableIndices {
      let versions = try versions(table, changes: changes)
      changes.updated[table] = changes.updated[table].filter {
        keepsUpdate($0, in: table, versions: versions)
      }
      let kept = Set(
        changes.deleted[table].filter { !keepsDeletion($0, in: table, versions: versions) })
      guard !kept.isEmpty else { continue }
      changes.deleted[table].removeAll(where: kept.contains)
      keepLinks(kept, in: table, changes: &changes)
    }
    try merge(&changes)
    try forgetGone(changes)
  }

  /// Restores the keys after a failed save.
  func restore() {
    for entry in entries.reversed() { coordinator.keys[entry.table].set(entry.row, to: entry.old) }
  }

  /// Notes the objects to read again after a successful save.
  func finish() {
    // With its old key, an object is then found missing like all objects that others deleted.
    for entry in gone { coordinator.keys[entry.table].set(entry.row, to: entry.old) }
    for (table, row) in stale {
      let key = coordinator.keys[table][row].key
      coordinator.keys[table].set(row, to: StoreKeys.Entry(key: key, version: Self.noVersion))
    }
  }

  // MARK: Objects that others changed or deleted

  private func versions(_ table: TableIndex, changes: StoreChanges) throws -> [Int64: Int64] {
    let reader = StoreRecordReader(table, graph: graph, coordinator: coordinator)
    let rows =
      changes.updated[table].filter {
        isWritten($0, table: table, changes: changes, reader: reader)
      }
      + changes.deleted[table]
    var versions: [Int64: Int64] = [:]
    if !rows.isEmpty {
      try store.readRows(table, keys: rows.map { coordinator.keys[table][$0].key }) {
        versions[$0.key] = $0.version
      }
    }
    // An object without a change to write cannot have a conflict.
    for row in changes.updated[table]
    where !isWritten(row, table: table, changes: changes, reader: reader) {
      let entry = coordinator.keys[table][row]
      versions[entry.key] = entry.version
    }
    return versions
  }

  private func isWritten(
    _ row: Row, table: TableIndex, changes: StoreChanges, reader: StoreRecordReader
  ) -> Bool {
    changes.brought[table].contains(row) || reader.hasChanged(row)
  }

  private mutating func keepsUpdate(
    _ row: Row, in table: TableIndex, versions: [Int64: Int64]
  ) -> Bool {
    let entry = coordinator.keys[table][row]
    guard let version = versions[entry.key] else {
      note(row, in: table, text: "was deleted in the store since it was read; it stays deleted")
      return false
    }
    if version == entry.version { return true }
    stale.append((table, row))
    if policy == .mine {
      set(row, in: table, to: StoreKeys.Entry(key: entry.key, version: version))
      note(
        row, in: table,
        text: "was changed in the store since it was read; the changes here were written")
      return true
    }
    note(
      row, in: table,
      text: "was changed in the store since it was read; the changes here were dropped")
    return false
  }

  private mutating func keepsDeletion(
    _ row: Row, in table: TableIndex, versions: [Int64: Int64]
  ) -> Bool {
    let entry = coordinator.keys[table][row]
    guard let version = versions[entry.key] else {
      note(row, in: table, text: "was deleted in the store too")
      return false
    }
    if version == entry.version { return true }
    let changed = "was changed in the store since it was read; "
    if policy == .mine {
      set(row, in: table, to: StoreKeys.Entry(key: entry.key, version: version))
      note(row, in: table, text: changed + "the deletion was written")
      return true
    }
    note(row, in: table, text: changed + "the deletion was dropped")
    return false
  }

  /// Keeps the links of objects whose deletion was dropped.
  private func keepLinks(_ kept: Set<Row>, in table: TableIndex, changes: inout StoreChanges) {
    for join in coordinator.schema.joins where join.source == table || join.target == table {
      changes.unlinked[join.link].removeAll { node in
        let rows = graph.linkTables[join.link].node(node).pointee.rows
        return (join.source == table && kept.contains(rows.0))
          || (join.target == table && kept.contains(rows.1))
      }
    }
  }

  // MARK: References to objects that others deleted

  /// Removes the keys of objects that others deleted, so that no reference to them is written.
  private mutating func forgetGone(_ changes: StoreChanges) throws {
    var ends = Array(repeating: Set<Row>(), count: graph.tableIndices.count)
    let keys = coordinator.keys
    forEachReference(changes) { _, _, _, destination, target in
      if keys[destination][target].key != 0 { ends[destination].insert(target) }
    }
    for join in coordinator.schema.joins {
      for node in changes.linked[join.link] {
        let rows = graph.linkTables[join.link].node(node).pointee.rows
        if keys[join.source][rows.0].key != 0 { ends[join.source].insert(rows.0) }
        if keys[join.target][rows.1].key != 0 { ends[join.target].insert(rows.1) }
      }
    }
    for (table, rows) in ends.numbered(by: TableIndex.self) where !rows.isEmpty {
      let present = try store.presentKeys(table, among: rows.map { keys[table][$0].key })
      for row in rows.sorted() where !present.contains(keys[table][row].key) {
        gone.append((table, row, keys[table][row]))
      }
    }
    try requireOptional(changes)
    for entry in gone {
      set(entry.row, in: entry.table, to: .none)
      let text = "was deleted in the store since it was read; all links to it were removed"
      note(entry.row, in: entry.table, text: text)
    }
  }

  /// Throws an error for a required relationship to an object that others deleted.
  private func requireOptional(_ changes: StoreChanges) throws {
    guard !gone.isEmpty else { return }
    var issue: GrootIssue?
    forEachReference(changes) { table, row, column, destination, target in
      guard !graph.fields[table][column.number].isOptional,
        gone.contains(where: { $0.table == destination && $0.row == target })
      else { return }
      issue = GrootIssue(
        .storeConflict,
        "\(name(graph.tables[table].id(row))) requires an object that was deleted in the store "
          + "meanwhile",
        entity: graph.entityName(graph.tables[table].record(row), in: table),
        property: column.property)
    }
    if let issue { throw GrootError(issue) }
  }

  /// Calls `body` with each written reference, its object, and the row that it leads to.
  private func forEachReference(
    _ changes: StoreChanges,
    body: (_ table: TableIndex, _ row: Row, StoreSchema.TableColumn, _ destination: TableIndex, Row)
      ->
      Void
  ) {
    for (table, description) in tables.numbered(by: TableIndex.self) {
      let records = graph.tables[table]
      for column in description.columns {
        guard case .reference(let destination) = column.kind else { continue }
        let field = graph.fields[table][column.number]
        let link = graph.links[column.link]
        let updated = changes.updated[table].filter {
          changes.merged[table].contains($0)
            || records.isChanged(field.number, in: records.record($0))
        }
        for row in changes.inserted[table] + updated
        where field.belongs(to: records.header(row).pointee.entity) {
          if let target = graph.target(link, side: .first, row: row).index {
            body(table, row, column, destination, target)
          }
        }
      }
    }
  }

  // MARK: Notes

  /// Gives an object another key or version for this save.
  mutating func set(_ row: Row, in table: TableIndex, to entry: StoreKeys.Entry) {
    entries.append((table, row, coordinator.keys[table][row]))
    coordinator.keys[table].set(row, to: entry)
  }

  /// Notes an object to read again after the save.
  mutating func markStale(_ row: Row, in table: TableIndex) { stale.append((table, row)) }

  mutating func note(_ row: Row, in table: TableIndex, text: String) {
    add("\(name(graph.tables[table].id(row))) \(text)", table: table, row: row)
  }

  private mutating func add(_ message: String, table: TableIndex, row: Row) {
    resolved.append(
      GrootIssue(
        .storeConflict, message, severity: .warning,
        entity: graph.entityName(graph.tables[table].record(row), in: table)))
  }

  mutating func note(_ issue: GrootIssue) { resolved.append(issue) }
}

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
    adopt(try locked(found, in: table), in: table, changes: &changes)
  }

  /// Keeps others from writing to the found objects, and returns the existing ones.
  private func locked(
    _ found: [(row: Row, entry: StoreKeys.Entry)], in table: TableIndex
  ) throws -> [(row: Row, entry: StoreKeys.Entry)] {
    let keys = found.map(\.entry.key)
    guard !found.isEmpty, try store.lockRows(table, keys: keys) else { return found }
    var versions: [Int64: Int64] = [:]
    try store.readRows(table, keys: keys) { versions[$0.key] = $0.version }
    return found.compactMap { row, entry in
      versions[entry.key].map { (row, StoreKeys.Entry(key: entry.key, version: $0)) }
    }
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

  /// Clears others' references to objects deleted here, when those of objects here are cleared.
  mutating func clearReferences(_ changes: StoreChanges) throws {
    guard policy != .error else { return }
    for (destination, rows) in changes.deleted.numbered(by: TableIndex.self) where !rows.isEmpty {
      let keys = rows.map { coordinator.keys[destination][$0].key }
      for (table, description) in tables.numbered(by: TableIndex.self) {
        for (position, column) in description.columns.enumerated() {
          guard case .reference(destination) = column.kind else { continue }
          try clear(table, position: position, leadingTo: keys, changes: changes)
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
    _ table: TableIndex, position: Int, leadingTo keys: [Int64], changes: StoreChanges
  ) throws {
    let columns = tables[table].columns
    var found: [(key: Int64, entity: Int, version: Int64)] = []
    let deleted = Set(changes.deleted[table].map { coordinator.keys[table][$0].key })
    try store.readMembers(table, column: position, of: keys) {
      if !deleted.contains($0.key) { found.append(($0.key, $0.entity, $0.version)) }
    }
    guard !found.isEmpty else { return }
    let updated = Set(changes.updated[table].map { coordinator.keys[table][$0].key })
    let cleared = [position] + (tables[table].listPosition(of: position).map { [$0] } ?? [])
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
      note(issue)
    }
    // An object that is updated gets its next version then.
    let own = found.filter { updated.contains($0.key) }.map(\.key)
    if !own.isEmpty { try store.clearRows(table, columns: cleared, keys: own) }
    let others = found.filter { !updated.contains($0.key) }
    let nothing = Array(repeating: StoredValue.none, count: cleared.count)
    guard !others.isEmpty else { return }
    _ = try nothing.withUnsafeBufferPointer { nothing in
      try store.updateRows(table, columns: cleared, hasEntity: false, count: others.count) {
        RowUpdate(
          key: others[$0].key, version: StoreVersion(after: others[$0].version), entity: nil,
          values: nothing)
      }
    }
  }

  private mutating func removeLinks(_ join: Int, side: LinkSide, of keys: [Int64]) throws {
    let description = coordinator.schema.joins[join]
    var found: [StoreLink] = []
    try store.readLinks(join, side: side, of: keys) { found.append($0) }
    if !found.isEmpty { try store.deleteLinks(join, found) }
    for link in found {
      note(
        GrootIssue(
          .storeConflict,
          "the object \(side == .first ? link.target : link.source) was linked in the store to an object "
            + "that is deleted here; the link was removed", severity: .warning,
          entity: description.entity, property: description.property))
    }
  }
}
