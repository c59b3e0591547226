/// Stands between a graph and the store that keeps it: knows which row is which object there.
final class StoreCoordinator {
  let store: any PersistentStore
  let schema: StoreSchema
  /// By table, the objects of the store that are in memory.
  var keys: [StoreKeys]
  /// Room for the values of one object.
  let values: UnsafeMutableBufferPointer<StoredValue>

  init(_ store: any PersistentStore, _ schema: StoreSchema, _ graph: Graph) {
    self.store = store
    self.schema = schema
    keys = Array(repeating: StoreKeys(), count: graph.tableCount)
    let width = schema.tables.map(\.columns.count).max() ?? 0
    values = .allocate(capacity: max(width, 1))
    values.initialize(repeating: .none)
  }

  deinit { values.deallocate() }

  // MARK: Loading

  /// Reads anew what others wrote, into a graph without unsaved changes.
  ///
  /// On failure the graph is as it was.
  func refresh(_ graph: Graph) throws {
    try store.beginReading()
    defer { store.endReading() }
    var refresh = StoreRefresh(self, graph)
    graph.begin()
    do {
      try refresh.run()
    } catch {
      for (table, rows) in refresh.inserted.enumerated() {
        for row in rows { keys[table].set(row, .none) }
      }
      graph.rollBack()
      throw error
    }
    graph.commit()
    let changes = StoreChanges(graph)
    refresh.finish()
    forgetDeleted(changes)
    graph.save()
  }

  /// Reads the whole store into an empty graph.
  func load(into graph: Graph) throws {
    try store.beginReading()
    defer { store.endReading() }
    var references: [[StoreReference]] = Array(repeating: [], count: graph.linkCount)
    for table in schema.tables.indices { try loadRows(table, graph, &references) }
    for link in references.indices { try connect(link, references[link], graph) }
    for (number, join) in schema.joins.enumerated() { try loadLinks(number, join, graph) }
    graph.save()
  }

  private func loadRows(
    _ table: Int, _ graph: Graph, _ references: inout [[StoreReference]]
  ) throws {
    try store.readRows(table) { stored in
      let row = try graph.insertRow(table, entity(of: stored, table, graph))
      write(stored, table, row, graph)
      note(stored, table, row, graph, &references)
      keys[table].set(row, StoreKeys.Entry(key: stored.key, version: stored.version))
    }
  }

  /// The entity of a stored object, which must have objects.
  func entity(of stored: StoreRow, _ table: Int, _ graph: Graph) throws -> UInt16 {
    let entities = graph.model.hierarchies[table].entities
    guard entities.indices.contains(stored.entity),
      !graph.model.resolved[entities[stored.entity]].isAbstract
    else {
      throw damaged("the object \(stored.key) of '\(schema.tables[table].name)' has no entity")
    }
    return UInt16(truncatingIfNeeded: stored.entity)
  }

  /// Writes the attributes of a stored object into a new record.
  func write(_ stored: StoreRow, _ table: Int, _ row: UInt32, _ graph: Graph) {
    let record = graph.tables[table].record(row)
    for (position, column) in schema.tables[table].columns.enumerated() {
      let field = graph.fields[table][column.number]
      guard case .attribute = column.kind,
        field.belongs(to: UInt16(truncatingIfNeeded: stored.entity))
      else { continue }
      stored.values[position].write(to: record, field, graph.tables + table, graph.text)
    }
  }

  /// Notes what the to-one relationships of a stored object lead to.
  func note(
    _ stored: StoreRow, _ table: Int, _ row: UInt32, _ graph: Graph,
    _ references: inout [[StoreReference]]
  ) {
    for (position, column) in schema.tables[table].columns.enumerated() {
      let value = stored.values[position]
      let field = graph.fields[table][column.number]
      guard value.isPresent, field.belongs(to: UInt16(truncatingIfNeeded: stored.entity)) else {
        continue
      }
      switch column.kind {
      case .attribute: break
      case .reference:
        references[column.link].append(
          StoreReference(row: row, key: value.integer, position: 0))
      case .position:
        // It stands behind its reference, which is the last that was noted, if there is one.
        let last = references[column.link].count - 1
        if last >= 0, references[column.link][last].row == row {
          references[column.link][last].position = value.integer
        }
      }
    }
  }

  private func connect(_ number: Int, _ references: [StoreReference], _ graph: Graph) throws {
    let link = graph.links[number]
    let inOrder = StoreReference.sorted(references)
    for reference in inOrder {
      let target = try row(reference.key, of: link, side: 1, graph)
      graph.setTarget(number, 0, reference.row, target + 1)
    }
  }

  private func loadLinks(_ number: Int, _ join: StoreSchema.Join, _ graph: Graph) throws {
    let link = graph.links[join.link]
    var targetPositions: [UInt32: Int64] = [:]
    var isInOrder = true
    var last: Int64 = 0
    try store.readLinks(number) { stored in
      let source = try row(stored.source, of: link, side: 0, graph)
      let target = try row(stored.target, of: link, side: 1, graph)
      let node = graph.linkTables[join.link].count
      try graph.addNode(join.link, source, target)
      targetPositions[node] = stored.targetPosition
      isInOrder = isInOrder && stored.targetPosition >= last
      last = max(last, stored.targetPosition)
    }
    guard !isInOrder, !link.isSymmetric else { return }
    for row in 0..<graph.tables[join.target].count {
      let entity = graph.tables[join.target].header(row).pointee.entity
      guard link.fields.1.belongs(to: entity) else { continue }
      let nodes = entries(of: StoreChanges.ListReference(link: join.link, side: 1, row: row), graph)
      let sorted = nodes.sorted { (targetPositions[$0] ?? 0) < (targetPositions[$1] ?? 0) }
      if nodes != sorted { graph.rethread(join.link, 1, row, sorted) }
    }
  }

  /// The row of an object that a relationship leads to.
  func row(_ key: Int64, of link: Link, side: UInt8, _ graph: Graph) throws -> UInt32 {
    let table = link.table(side)
    guard let row = keys[table].row(key) else {
      throw damaged(
        "a relationship leads to the object \(key) of '\(schema.tables[table].name)', "
          + "which is not there")
    }
    let entity = graph.tables[table].header(row).pointee.entity
    guard link.field(side).belongs(to: entity) else {
      throw damaged(
        "a relationship leads to the object \(key) of '\(schema.tables[table].name)', which is of "
          + "another entity")
    }
    return row
  }

  private func damaged(_ message: String) -> GrootError { GrootError(.storeInvalid, message) }

  /// The members' rows of a list, or its nodes, in order.
  func entries(of list: StoreChanges.ListReference, _ graph: Graph) -> [UInt32] {
    let link = graph.links[list.link]
    var entries: [UInt32] = []
    var next = graph.listHead(link, list.side, list.row).pointee.first
    while next != 0 {
      entries.append(next &- 1)
      next =
        link.kind == .oneToMany
        ? graph.memberSlot(link, next &- 1).pointee.next
        : graph.linkTables[list.link].node(next &- 1).pointee.next(list.side)
    }
    return entries
  }
}
