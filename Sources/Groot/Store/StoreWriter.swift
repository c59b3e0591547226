/// The writer of one save.
struct StoreWriter {
  let coordinator: StoreCoordinator
  let graph: Graph
  let changes: StoreChanges
  /// By table, the reader of its records.
  private let readers: [StoreRecordReader]
  /// By table, the existing objects that get a new version.
  private var written: [[Row]]
  private var conflicts: [GrootIssue] = []

  init(_ coordinator: StoreCoordinator, graph: Graph, changes: StoreChanges) {
    self.coordinator = coordinator
    self.graph = graph
    self.changes = changes
    readers = coordinator.schema.tableIndices.map {
      StoreRecordReader($0, graph: graph, coordinator: coordinator)
    }
    written = Array(repeating: [], count: graph.tableIndices.count)
  }

  var store: any PersistentStore { coordinator.store }
  var tables: [StoreSchema.Table] { coordinator.schema.tables }

  /// Writes in an order in which no write violates a constraint that a later write satisfies.
  mutating func write(_ name: (ObjectID) -> String) throws {
    do {
      try deleteLinks()
      for table in graph.tableIndices { try delete(table) }
      if hasPlaceholder { try store.notePlaceholders() }
      for table in graph.tableIndices { try giveKeys(table) }
      let positions = try StorePositions(changes, graph: graph, coordinator: coordinator)
      for table in graph.tableIndices { try clearIdentities(table) }
      for table in graph.tableIndices { try update(table, positions: positions, name: name) }
      for table in referencedFirst() { try insert(table, positions: positions) }
      try insertLinks(positions)
      try move(positions)
    } catch let violation as UniqueViolation {
      throw named(violation, name: name)
    }
    if let first = conflicts.first { throw GrootError(first.status, conflicts) }
  }

  /// Notes the new versions, after all writes.
  func finish() {
    for table in graph.tableIndices {
      for rows in [changes.inserted[table], written[table]] {
        coordinator.keys[table].advanceVersions(rows) { graph.isPlaceholder($0, in: table) }
      }
    }
  }

  // MARK: Objects

  /// Whether a placeholder is inserted; the store knows existing ones.
  private var hasPlaceholder: Bool {
    graph.tableIndices.contains { table in
      graph.hasPlaceholders[table]
        && changes.inserted[table].contains { graph.isPlaceholder($0, in: table) }
    }
  }

  private mutating func delete(_ table: TableIndex) throws {
    for row in changes.deleted[table] {
      let entry = coordinator.keys[table][row]
      if try !store.delete(table, key: entry.key, version: entry.version) {
        addConflict(row, in: table, object: "the deleted object \(graph.tables[table].id(row))")
      }
    }
  }

  private func giveKeys(_ table: TableIndex) throws {
    guard !changes.inserted[table].isEmpty else { return }
    coordinator.keys[table].set(changes.inserted[table], keysFrom: try store.nextKey(table))
  }

  /// Clears identities and partners first, because two objects may exchange them.
  private func clearIdentities(_ table: TableIndex) throws {
    guard changes.updated[table].count > 1 else { return }
    let exclusive = tables[table].columns.indices.filter { tables[table].columns[$0].isExclusive }
    let columns = Set(tables[table].identities.flatMap(\.columns) + exclusive)
    guard !columns.isEmpty else { return }
    for row in changes.updated[table] {
      let changed = changedColumns(row, in: table).filter(columns.contains)
      guard !changed.isEmpty else { continue }
      try store.clear(table, key: coordinator.keys[table][row].key, columns: changed)
    }
  }

  /// Returns the columns to write of an object; a changed entity also changes the identity.
  private func changedColumns(_ row: Row, in table: TableIndex) -> [Int] {
    let changed = readers[table].changedColumns(row)
    guard changes.brought[table].contains(row) else { return changed }
    let identities = readers[table].ownColumns(
      row, among: tables[table].identities.flatMap(\.columns))
    return Set(changed + identities).sorted()
  }

  private mutating func update(
    _ table: TableIndex, positions: StorePositions, name: (ObjectID) -> String
  ) throws {
    for row in changes.updated[table] {
      let columns =
        changes.merged[table].contains(row)
        ? readers[table].presentColumns(row) : changedColumns(row, in: table)
      let isBrought = changes.brought[table].contains(row)
      guard isBrought || !columns.isEmpty else { continue }
      let entry = coordinator.keys[table][row]
      let values = readers[table].values(
        row, of: columns, keys: coordinator.keys, positions: positions)
      let isDone = try store.update(
        table,
        with: RowUpdate(
          key: entry.key,
          version: StoreVersion(
            after: entry.version, isPlaceholder: graph.isPlaceholder(row, in: table)),
          entity: isBrought ? Int(graph.tables[table].header(row).pointee.entity) : nil,
          columns: columns, values: values))
      if isDone {
        written[table].append(row)
      } else {
        addConflict(row, in: table, object: name(graph.tables[table].id(row)))
      }
    }
  }

  private func insert(_ table: TableIndex, positions: StorePositions) throws {
    let rows = changes.inserted[table]
    guard !rows.isEmpty else { return }
    let reader = readers[table]
    let keys = coordinator.keys
    let records = graph.tables + table
    try store.insertRows(table, count: rows.count) { number in
      let row = rows[number]
      return StoreRow(
        key: keys[table][row].key, entity: Int(records.pointee.header(row).pointee.entity),
        version: StoreVersion(after: 0, isPlaceholder: graph.isPlaceholder(row, in: table)).new,
        values: reader.values(row, keys: keys, positions: positions))
    }
  }

  /// Returns the tables, each after the tables that its columns refer to, where possible.
  ///
  /// A reference to an existing object needs no second check at the end.
  private func referencedFirst() -> [TableIndex] {
    var order: [TableIndex] = []
    let waiting = graph.tableIndices.map { table in
      Set(
        tables[table].columns.compactMap { column -> TableIndex? in
          guard case .reference(let destination) = column.kind, destination != table else {
            return nil
          }
          return destination
        })
    }
    var left = graph.tableIndices.filter { !changes.inserted[$0].isEmpty }
    while !left.isEmpty {
      let next = left.firstIndex { waiting[$0].isDisjoint(with: left) } ?? 0
      order.append(left.remove(at: next))
    }
    return order
  }

  // MARK: Failures

  private mutating func addConflict(_ row: Row, in table: TableIndex, object: String) {
    let entity = graph.entityName(graph.tables[table].record(row), in: table)
    conflicts.append(
      GrootIssue(
        .storeConflict, "\(object) was changed or deleted in the store since it was read",
        entity: entity))
  }

  /// Returns the error of a violation with the name of its object.
  private func named(_ violation: UniqueViolation, name: (ObjectID) -> String) -> GrootError {
    guard let row = coordinator.keys[violation.table].row(violation.key) else {
      return violation.failure
    }
    let table = graph.tables[violation.table]
    return GrootError(
      .storeDuplicate,
      "\(name(table.id(row))) and an object of another writer would have one identity, or one "
        + "partner; refresh, and change one of the two",
      entity: graph.entityName(table.record(row), in: violation.table))
  }
}

// Writing the links of many-to-many relationships, and the positions in lists.

extension StoreWriter {
  private var joins: [StoreSchema.Join] { coordinator.schema.joins }

  func deleteLinks() throws {
    for (number, join) in joins.enumerated() {
      for node in changes.unlinked[join.link] {
        let rows = graph.linkTables[join.link].node(node).pointee.rows
        try store.deleteLink(
          number, source: coordinator.keys[join.source][rows.0].key,
          target: coordinator.keys[join.target][rows.1].key)
      }
    }
  }

  func insertLinks(_ positions: StorePositions) throws {
    let keys = coordinator.keys
    for (number, join) in joins.enumerated() where !changes.linked[join.link].isEmpty {
      // An object that others deleted has no key.
      let nodes = inKeyOrder(changes.linked[join.link], join: join, keys: keys).filter { node in
        let rows = graph.linkTables[join.link].node(node).pointee.rows
        return keys[join.source][rows.0].key != 0 && keys[join.target][rows.1].key != 0
      }
      try store.insertLinks(number, count: nodes.count) {
        link(join, node: nodes[$0], keys: keys, positions: positions)
      }
    }
  }

  @inline(__always)
  private func link(
    _ join: StoreSchema.Join, node: NodeIndex, keys: [StoreKeys], positions: StorePositions
  ) -> StoreLink {
    let rows = graph.linkTables[join.link].node(node).pointee.rows
    let source = positions.position(join.link, side: .first, entry: ListEntry(node)) ?? 0
    return StoreLink(
      source: keys[join.source][rows.0].key, target: keys[join.target][rows.1].key,
      sourcePosition: source,
      targetPosition: positions.position(join.link, side: .second, entry: ListEntry(node)) ?? source
    )
  }

  /// Returns nodes by the keys of sources, then targets, the fastest order for insertion.
  private func inKeyOrder(
    _ nodes: [NodeIndex], join: StoreSchema.Join, keys: [StoreKeys]
  ) -> [NodeIndex] {
    let links = graph.linkTables[join.link]
    func source(_ node: NodeIndex) -> Int64 {
      keys[join.source][links.node(node).pointee.rows.0].key
    }
    func target(_ node: NodeIndex) -> Int64 {
      keys[join.target][links.node(node).pointee.rows.1].key
    }
    var nodes = nodes
    if !(1..<nodes.count).allSatisfy({ source(nodes[$0 - 1]) <= source(nodes[$0]) }) {
      nodes.sort { (source($0), target($0)) < (source($1), target($1)) }
      return nodes
    }
    // An import links all targets of one source before those of the next.
    var start = 0
    while start < nodes.count {
      var end = start + 1
      while end < nodes.count, source(nodes[end]) == source(nodes[start]) { end += 1 }
      if end > start + 1 { nodes[start..<end].sort { target($0) < target($1) } }
      start = end
    }
    return nodes
  }

  /// Writes the changed positions of existing entries.
  func move(_ positions: StorePositions) throws {
    let keys = coordinator.keys
    for (number, join) in joins.enumerated() {
      for side in LinkSide.both {
        for entry in positions.moved(join.link, side: side) {
          try store.setLinkPosition(
            number, link: link(join, node: entry.node, keys: keys, positions: positions),
            ofTarget: side == .second)
        }
      }
    }
    for (table, description) in tables.numbered(by: TableIndex.self) {
      for (position, column) in description.columns.enumerated() {
        guard case .position = column.kind else { continue }
        for entry in positions.moved(column.link, side: .second) {
          try store.setPosition(
            table, key: keys[table][entry.row].key, column: position,
            to: positions.position(column.link, side: .second, entry: entry) ?? 0)
        }
      }
    }
  }
}
