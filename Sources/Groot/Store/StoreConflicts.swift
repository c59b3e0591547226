/// Resolves by a policy what would make a save fail, before it writes.
///
/// All of it happens inside the save's transaction: findings hold until the commit.
struct StoreConflicts {
  let coordinator: StoreCoordinator
  let graph: Graph
  let policy: ConflictPolicy
  /// Says which object an id stands for.
  private let name: (ObjectID) -> String
  /// The conflicts that were resolved, in words.
  private(set) var resolved: [GrootIssue] = []
  /// Entries of keys that were changed, with what they were.
  private var entries: [(table: TableIndex, row: Row, old: StoreKeys.Entry)] = []
  /// Objects that others deleted.
  private var gone: [(table: TableIndex, row: Row, old: StoreKeys.Entry)] = []
  /// Objects that are read again after the save.
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

  /// Takes out of the changes what must not be written, and takes over the versions of what is
  /// written over.
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

  /// Takes back what was done to the keys, when the save failed.
  func restore() {
    for entry in entries.reversed() { coordinator.keys[entry.table].set(entry.row, to: entry.old) }
  }

  /// Notes what is to be read again, when the save has succeeded.
  func finish() {
    // They are found missing then, as all that others deleted.
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
    // Of what has no change that is kept nothing is written, so nothing can be in its way.
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
    changes.brought[table].contains(row) || !reader.changedColumns(row).isEmpty
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
      note(row, in: table, text: "was deleted in the store too", isDeleted: true)
      return false
    }
    if version == entry.version { return true }
    let changed = "was changed in the store since it was read; "
    if policy == .mine {
      set(row, in: table, to: StoreKeys.Entry(key: entry.key, version: version))
      note(row, in: table, text: changed + "it was deleted all the same", isDeleted: true)
      return true
    }
    note(row, in: table, text: changed + "it was not deleted", isDeleted: true)
    return false
  }

  /// The links of objects that are not deleted after all stay.
  private func keepLinks(_ kept: Set<Row>, in table: TableIndex, changes: inout StoreChanges) {
    for join in coordinator.schema.joins where join.source == table || join.target == table {
      changes.unlinked[join.link].removeAll { node in
        let rows = graph.linkTables[join.link].node(node).pointee.rows
        return (join.source == table && kept.contains(rows.0))
          || (join.target == table && kept.contains(rows.1))
      }
    }
  }

  // MARK: What leads to objects that others deleted

  /// Objects that others deleted have no key in this save, so nothing leads to them.
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
      let text = "was deleted in the store since it was read; nothing leads to it any more"
      note(entry.row, in: entry.table, text: text)
    }
  }

  /// A relationship that must lead somewhere cannot be resolved.
  private func requireOptional(_ changes: StoreChanges) throws {
    guard !gone.isEmpty else { return }
    var issue: GrootIssue?
    forEachReference(changes) { table, row, column, destination, target in
      guard !graph.fields[table][column.number].isOptional,
        gone.contains(where: { $0.table == destination && $0.row == target })
      else { return }
      issue = GrootIssue(
        .storeConflict,
        "\(name(graph.tables[table].id(row))) must lead to an object, which was deleted "
          + "in the store meanwhile",
        entity: graph.entityName(graph.tables[table].record(row), in: table),
        property: column.property)
    }
    if let issue { throw GrootError(issue) }
  }

  /// Calls `body` with each object and reference that is written, and the row that it leads to.
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

  /// Notes that an object is to be read again after the save.
  mutating func markStale(_ row: Row, in table: TableIndex) { stale.append((table, row)) }

  mutating func note(_ row: Row, in table: TableIndex, text: String, isDeleted: Bool = false) {
    let object =
      isDeleted
      ? "the deleted object \(coordinator.keys[table][row].key)"
      : name(graph.tables[table].id(row))
    add("\(object) \(text)", table: table, row: row)
  }

  private mutating func add(_ message: String, table: TableIndex, row: Row) {
    resolved.append(
      GrootIssue(
        .storeConflict, message, severity: .warning,
        entity: graph.entityName(graph.tables[table].record(row), in: table)))
  }

  mutating func note(_ issue: GrootIssue) { resolved.append(issue) }
}
