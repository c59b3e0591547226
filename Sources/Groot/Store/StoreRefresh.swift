/// Brings a graph without unsaved changes in step with its store, which others have written to.
///
/// Objects that are still there keep their ids. Linear in the store.
struct StoreRefresh {
  private let coordinator: StoreCoordinator
  private let graph: Graph
  /// By link, what to-one relationships lead to.
  private var references: [[StoreReference]]
  /// By table, the versions of what was read.
  private var read: [[(row: UInt32, entry: StoreKeys.Entry)]]
  /// By table, whether a row was read.
  private var isRead: [Set<UInt32>]

  init(_ coordinator: StoreCoordinator, _ graph: Graph) {
    self.coordinator = coordinator
    self.graph = graph
    references = Array(repeating: [], count: graph.linkCount)
    read = Array(repeating: [], count: graph.tableCount)
    isRead = Array(repeating: [], count: graph.tableCount)
  }

  /// Reads and compares everything; on failure the caller goes back to its savepoint.
  mutating func run() throws {
    let tables = coordinator.schema.tables.indices
    for table in tables { try readRows(table) }
    // First what is gone: its identity may be another's now.
    for table in tables { discardMissing(table) }
    for link in references.indices { try connect(link) }
    for (number, join) in coordinator.schema.joins.enumerated() { try readLinks(number, join) }
  }

  /// The rows that were made for objects that others inserted, to be forgotten on failure.
  var inserted: [[UInt32]] {
    read.enumerated().map { table, rows in
      rows.map(\.row).filter {
        graph.tables[table].header($0).pointee.state & RecordState.inserted != 0
      }
    }
  }

  /// Notes the versions of what was read.
  func finish() {
    for (table, rows) in read.enumerated() {
      for (row, entry) in rows { coordinator.keys[table].set(row, entry) }
    }
  }

  // MARK: Objects

  private mutating func readRows(_ table: Int) throws {
    let coordinator = self.coordinator
    try coordinator.store.readRows(table) { stored in
      let entity = try coordinator.entity(of: stored, table, graph)
      let entry = StoreKeys.Entry(key: stored.key, version: stored.version)
      let row: UInt32
      if let known = coordinator.keys[table].row(stored.key) {
        row = known
        let isSame = coordinator.keys[table][row].version == stored.version
        if !isSame { set(table, row, stored) }
      } else {
        row = try graph.insertRow(table, entity)
        // Known at once, for the relationships that lead to it.
        coordinator.keys[table].set(row, entry)
        coordinator.write(stored, table, row, graph)
        graph.forEachIndex(table, row) { $0.insert(row) }
      }
      coordinator.note(stored, table, row, graph, &references)
      read[table].append((row, entry))
      isRead[table].insert(row)
    }
  }

  private func set(_ table: Int, _ row: UInt32, _ stored: StoreRow) {
    let entity = graph.tables[table].header(row).pointee.entity
    for (position, column) in coordinator.schema.tables[table].columns.enumerated() {
      let field = graph.fields[table][column.number]
      guard case .attribute = column.kind, field.belongs(to: entity) else { continue }
      graph.set(table, row, field, stored.values[position])
    }
  }

  private func discardMissing(_ table: Int) {
    for row in 0..<graph.tables[table].count
    where graph.tables[table].isLive(row) && !isRead[table].contains(row) {
      graph.discard(table, row)
    }
  }

  // MARK: Relationships

  private mutating func connect(_ number: Int) throws {
    let link = graph.links[number]
    guard link.kind != .manyToMany else { return }
    let inOrder = StoreReference.sorted(references[number])
    var target: [UInt32: UInt32] = [:]
    var lists: [UInt32: [UInt32]] = [:]
    for reference in inOrder {
      let row = try coordinator.row(reference.key, of: link, side: 1, graph)
      target[reference.row] = row + 1
      lists[row, default: []].append(reference.row)
    }
    let table = link.table(0)
    for row in isRead[table].sorted()
    where link.fields.0.belongs(to: graph.tables[table].header(row).pointee.entity) {
      graph.setTarget(number, 0, row, target[row] ?? 0)
    }
    guard link.kind == .oneToMany else { return }
    for (owner, members) in lists.sorted(by: { $0.key < $1.key }) {
      let list = StoreChanges.ListReference(link: number, side: 1, row: owner)
      if coordinator.entries(of: list, graph) != members {
        graph.reorder(link.table(1), owner, link.fields.1, members)
      }
    }
  }

  private mutating func readLinks(_ number: Int, _ join: StoreSchema.Join) throws {
    let link = graph.links[join.link]
    var members: [UInt32: [UInt32]] = [:]
    var owners: [UInt32: [(position: Int64, row: UInt32)]] = [:]
    let coordinator = self.coordinator
    try coordinator.store.readLinks(number) { stored in
      let source = try coordinator.row(stored.source, of: link, side: 0, graph)
      let target = try coordinator.row(stored.target, of: link, side: 1, graph)
      members[source, default: []].append(target)
      owners[target, default: []].append((stored.targetPosition, source))
    }
    for row in isRead[join.source].sorted()
    where link.fields.0.belongs(to: graph.tables[join.source].header(row).pointee.entity) {
      _ = try (members[row] ?? []).withUnsafeBufferPointer {
        try graph.setMembers(join.source, row, link.fields.0, $0, setsOrder: true)
      }
    }
    guard !link.isSymmetric else { return }
    for (row, sources) in owners.sorted(by: { $0.key < $1.key }) {
      let order = sources.sorted { $0.position < $1.position }.map(\.row)
      if graph.members(join.target, row, link.fields.1) != order {
        graph.reorder(join.target, row, link.fields.1, order)
      }
    }
  }
}

/// A to-one relationship of an object that was read before its member may have been.
struct StoreReference {
  let row: UInt32
  let key: Int64
  var position: Int64

  /// In the order of the lists that they stand in.
  static func sorted(_ references: [StoreReference]) -> [StoreReference] {
    references.sorted { left, right in
      left.position != right.position ? left.position < right.position : left.row < right.row
    }
  }
}
