/// Writes one save.
struct StoreWriter {
  private let coordinator: StoreCoordinator
  private let graph: Graph
  private let changes: StoreChanges
  /// By table, the objects that get a new version.
  private var written: [[UInt32]]
  private var conflicts: [Issue] = []

  init(_ coordinator: StoreCoordinator, _ graph: Graph, _ changes: StoreChanges) {
    self.coordinator = coordinator
    self.graph = graph
    self.changes = changes
    written = Array(repeating: [], count: graph.tableCount)
  }

  private var store: any PersistentStore { coordinator.store }
  private var tables: [StoreSchema.Table] { coordinator.schema.tables }

  /// Writes in an order in which nothing is in the way of what comes after it.
  mutating func write(_ name: (ObjectID) -> String) throws {
    try part()
    for table in tables.indices { try delete(table, name) }
    for table in tables.indices { try giveKeys(table) }
    let positions = StorePositions(changes, graph, coordinator)
    for table in tables.indices { try clearIdentities(table) }
    for table in tables.indices {
      for row in changes.updated[table] { try update(table, row, positions, name) }
    }
    for table in tables.indices {
      for row in changes.inserted[table] { try insert(table, row, positions, name) }
    }
    try join(positions)
    try move(positions)
    if let first = conflicts.first { throw GrootError(first.status, conflicts) }
  }

  /// Notes the new versions, once all is written.
  func finish() {
    for (table, rows) in written.enumerated() {
      for row in rows {
        let old = coordinator.keys[table][row]
        coordinator.keys[table].set(
          row, StoreKeys.Entry(key: old.key, version: old.version + 1))
      }
    }
  }

  // MARK: Objects

  private mutating func delete(_ table: Int, _ name: (ObjectID) -> String) throws {
    for row in changes.deleted[table] {
      let entry = coordinator.keys[table][row]
      if try !store.delete(table, key: entry.key, version: entry.version) {
        addConflict(table, row, "the deleted object \(entry.key)")
      }
    }
  }

  private func giveKeys(_ table: Int) throws {
    guard !changes.inserted[table].isEmpty else { return }
    var key = try store.nextKey(table)
    for row in changes.inserted[table] {
      coordinator.keys[table].set(row, StoreKeys.Entry(key: key, version: 0))
      key += 1
    }
  }

  /// Two objects may exchange their identities, or partners: for a moment neither has one.
  private func clearIdentities(_ table: Int) throws {
    let exclusive = tables[table].columns.indices.filter { tables[table].columns[$0].isExclusive }
    let columns = Set(tables[table].identities.flatMap(\.columns) + exclusive)
    guard !columns.isEmpty, changes.updated[table].count > 1 else { return }
    for row in changes.updated[table] {
      let changed = coordinator.changedColumns(table, row, graph).filter(columns.contains)
      guard !changed.isEmpty else { continue }
      try store.clear(table, key: coordinator.keys[table][row].key, columns: changed)
    }
  }

  private mutating func update(
    _ table: Int, _ row: UInt32, _ positions: StorePositions, _ name: (ObjectID) -> String
  ) throws {
    let columns = coordinator.changedColumns(table, row, graph)
    guard !columns.isEmpty else { return }
    for (place, column) in columns.enumerated() {
      coordinator.values[place] = value(table, row, tables[table].columns[column], positions)
    }
    let entry = coordinator.keys[table][row]
    let values = UnsafeBufferPointer(rebasing: coordinator.values[..<columns.count])
    let isDone = try naming(table, row, name) {
      try store.update(
        table, key: entry.key, version: entry.version, columns: columns, values: values)
    }
    if isDone {
      written[table].append(row)
    } else {
      addConflict(table, row, "the object " + name(graph.tables[table].id(row)))
    }
  }

  private mutating func insert(
    _ table: Int, _ row: UInt32, _ positions: StorePositions, _ name: (ObjectID) -> String
  ) throws {
    let entity = graph.tables[table].header(row).pointee.entity
    let columns = tables[table].columns
    for (place, column) in columns.enumerated() {
      coordinator.values[place] =
        graph.fields[table][column.number].belongs(to: entity)
        ? value(table, row, column, positions) : .none
    }
    let stored = StoreRow(
      key: coordinator.keys[table][row].key, entity: Int(entity), version: 1,
      values: UnsafeBufferPointer(rebasing: coordinator.values[..<columns.count]))
    try naming(table, row, name) { try store.insert(table, stored) }
    written[table].append(row)
  }

  private func value(
    _ table: Int, _ row: UInt32, _ column: StoreSchema.Column, _ positions: StorePositions
  ) -> StoredValue {
    let field = graph.fields[table][column.number]
    switch column.kind {
    case .attribute:
      return StoredValue(graph.tables[table].record(row), field, graph.tables + table)
    case .reference(let destination):
      let target = graph.target(graph.links[column.link], 0, row)
      if target == 0 { return .none }
      return StoredValue(
        word: UInt64(bitPattern: coordinator.keys[destination][target &- 1].key))
    case .position:
      return positions.place(column.link, 1, row).map {
        StoredValue(word: UInt64(bitPattern: $0))
      } ?? .none
    }
  }

  // MARK: Links

  private func link(_ join: StoreSchema.Join, _ node: UInt32, _ positions: StorePositions?)
    -> StoreLink
  {
    let rows = graph.linkTables[join.link].node(node).pointee.rows
    let source = positions?.place(join.link, 0, node) ?? 0
    return StoreLink(
      source: coordinator.keys[join.source][rows.0].key,
      target: coordinator.keys[join.target][rows.1].key, sourcePosition: source,
      targetPosition: positions?.place(join.link, 1, node) ?? source)
  }

  private func part() throws {
    for (number, join) in coordinator.schema.joins.enumerated() {
      for node in changes.parted[join.link] {
        let link = link(join, node, nil)
        try store.deleteLink(number, source: link.source, target: link.target)
      }
    }
  }

  private func join(_ positions: StorePositions) throws {
    for (number, join) in coordinator.schema.joins.enumerated() {
      for node in changes.joined[join.link] {
        try store.insertLink(number, link(join, node, positions))
      }
    }
  }

  /// Writes the places of what had others before.
  private func move(_ positions: StorePositions) throws {
    for (number, join) in coordinator.schema.joins.enumerated() {
      for side: UInt8 in [0, 1] {
        let place = StorePositions.StoreSide(link: join.link, side: side)
        for node in positions.moved[place] ?? [] {
          try store.setLinkPosition(number, link(join, node, positions), ofTarget: side == 1)
        }
      }
    }
    for (table, description) in tables.enumerated() {
      for (position, column) in description.columns.enumerated() {
        guard case .position = column.kind else { continue }
        let place = StorePositions.StoreSide(link: column.link, side: 1)
        for row in positions.moved[place] ?? [] {
          try store.setPosition(
            table, key: coordinator.keys[table][row].key, column: position,
            positions.place(column.link, 1, row) ?? 0)
        }
      }
    }
  }

  // MARK: Faults

  private mutating func addConflict(_ table: Int, _ row: UInt32, _ object: String) {
    let entity = graph.entityName(table, graph.tables[table].record(row))
    conflicts.append(
      Issue(
        .storeConflict, "\(object) was changed or deleted in the store since it was read",
        entity: entity))
  }

  /// Says which object a failure is about.
  private func naming<Result>(
    _ table: Int, _ row: UInt32, _ name: (ObjectID) -> String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as GrootError where error.status == .storeDuplicate {
      var issue = error.issues[0]
      issue.entity = graph.entityName(table, graph.tables[table].record(row))
      issue.message += " (object \(name(graph.tables[table].id(row))))"
      throw GrootError(issue)
    }
  }
}
