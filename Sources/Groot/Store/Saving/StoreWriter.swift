/// The writer of one save.
struct StoreWriter {
  let coordinator: StoreCoordinator
  let graph: Graph
  let changes: StoreChanges
  private let exchanged: ExchangedLinks
  /// By table, the reader of its records.
  private let readers: [StoreRecordReader]
  /// By table, the existing objects that get a new version.
  private var written: [[Row]]
  private var conflicts: [GrootIssue] = []

  init(_ coordinator: StoreCoordinator, graph: Graph, changes: StoreChanges) {
    self.coordinator = coordinator
    self.graph = graph
    self.changes = changes
    exchanged = ExchangedLinks(changes, graph: graph)
    readers = coordinator.schema.tableIndices.map {
      StoreRecordReader($0, graph: graph, coordinator: coordinator)
    }
    written = Array(repeating: [], count: graph.tableIndices.count)
  }

  var store: any PersistentStore { coordinator.store }
  var tables: [StoreSchema.Table] { coordinator.schema.tables }

  /// Writes in an order in which no write violates a constraint that a later write satisfies.
  ///
  /// - Parameter beforeDeleting: Clears the references of others to the deleted objects.
  mutating func write(
    _ name: (ObjectID) -> String, beforeDeleting: () throws -> Void
  ) throws {
    do {
      try deleteLinks()
      for table in graph.tableIndices { try detach(table) }
      try beforeDeleting()
      try deleteObjects(name)
      if hasPlaceholder { try store.notePlaceholders() }
      for table in graph.tableIndices { try giveKeys(table) }
      let positions = try StorePositions(changes, graph: graph, coordinator: coordinator)
      try insertObjects(positions)
      for table in graph.tableIndices { try update(table, positions: positions, name: name) }
      try insertLinks(positions)
      try exchangeLinks(positions)
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

  private func key(_ row: Row, in table: TableIndex) -> Int64 { coordinator.keys[table][row].key }

  /// Deletes objects before the objects that they refer to.
  private mutating func deleteObjects(_ name: (ObjectID) -> String) throws {
    var left = tables.indices.map { TableIndex($0) }.filter { !changes.deleted[$0].isEmpty }
    while !left.isEmpty {
      let next = left.firstIndex { table in
        left.allSatisfy { $0 == table || !destinations(of: $0).contains(table) }
      }
      let table = left.remove(at: next ?? 0)
      if next == nil { try clearReferences(in: left, to: table) }
      try delete(table, name: name)
    }
  }

  /// Clears the references of objects that are deleted later, in a circle of references.
  private func clearReferences(in others: [TableIndex], to table: TableIndex) throws {
    guard store.checksReferencesAtOnce else { return }
    for other in others {
      let columns = referenceColumns(of: other) { $0 == table }
      guard !columns.isEmpty else { continue }
      let keys = changes.deleted[other].map { key($0, in: other) }
      try store.clearRows(other, columns: columns, keys: keys)
    }
  }

  private mutating func delete(_ table: TableIndex, name: (ObjectID) -> String) throws {
    let rows = changes.deleted[table]
    let versions = rows.map { row in
      let entry = coordinator.keys[table][row]
      return RowVersion(key: entry.key, version: entry.version)
    }
    for number in try store.deleteRows(table, versions) {
      addConflict(
        rows[number], in: table, object: name(graph.tables[table].id(rows[number])))
    }
  }

  private func giveKeys(_ table: TableIndex) throws {
    let rows = changes.inserted[table]
    guard !rows.isEmpty else { return }
    coordinator.keys[table].set(rows, keysFrom: try store.takeKeys(table, count: rows.count))
  }

  /// Clears values that other objects may get: identities, partners, and references to objects
  /// that are deleted.
  private func detach(_ table: TableIndex) throws {
    guard changes.updated[table].count > 1 || !changes.inserted[table].isEmpty || hasDeletions
    else { return }
    let exclusive = tables[table].columns.indices.filter { tables[table].columns[$0].isExclusive }
    var columns = Set(tables[table].identities.flatMap(\.columns) + exclusive)
    columns.formUnion(referenceColumns(of: table) { !changes.deleted[$0].isEmpty })
    guard !columns.isEmpty else { return }
    let wanted = columns.sorted()
    let reader = readers[table]
    var keys: [[Int]: [Int64]] = [:]
    var changed: [Int] = []
    for row in changes.updated[table] {
      reader.findChanged(&changed, of: row, among: wanted)
      addIdentities(&changed, of: row, in: table, among: wanted)
      if !changed.isEmpty { keys[changed, default: []].append(key(row, in: table)) }
    }
    for (columns, keys) in keys.sortedFew(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      try store.clearRows(table, columns: columns, keys: keys)
    }
  }

  private var hasDeletions: Bool { changes.deleted.contains { !$0.isEmpty } }

  /// Returns the columns whose references lead to some tables.
  private func referenceColumns(
    of table: TableIndex, to isWanted: (TableIndex) -> Bool
  ) -> [Int] {
    tables[table].columns.indices.filter { position in
      guard case .reference(let destination) = tables[table].columns[position].kind else {
        return false
      }
      return isWanted(destination)
    }
  }

  /// Returns the other tables that the columns of a table refer to.
  private func destinations(of table: TableIndex) -> Set<TableIndex> {
    var found: Set<TableIndex> = []
    for column in tables[table].columns {
      if case .reference(let destination) = column.kind, destination != table {
        found.insert(destination)
      }
    }
    return found
  }

  /// Adds those of some columns that belong to the identities of an object whose entity changed.
  private func addIdentities(
    _ changed: inout [Int], of row: Row, in table: TableIndex, among some: [Int]
  ) {
    guard !changes.brought[table].isEmpty, changes.brought[table].contains(row) else { return }
    let identities = readers[table].ownColumns(
      row, among: tables[table].identities.flatMap(\.columns))
    changed = Set(changed + identities).intersection(some).sorted()
  }

  private mutating func update(
    _ table: TableIndex, positions: StorePositions, name: (ObjectID) -> String
  ) throws {
    var updates = StoreUpdates()
    let all = Array(tables[table].columns.indices)
    let reader = readers[table]
    var columns: [Int] = []
    for row in changes.updated[table] {
      if changes.merged[table].contains(row) {
        columns = reader.presentColumns(row)
      } else {
        reader.findChanged(&columns, of: row, among: all)
        addIdentities(&columns, of: row, in: table, among: all)
      }
      let hasEntity = changes.brought[table].contains(row)
      if hasEntity || !columns.isEmpty { updates.add(row, columns: columns, hasEntity: hasEntity) }
    }
    for group in updates.groups {
      try write(group, table: table, positions: positions, name: name)
    }
  }

  private mutating func write(
    _ update: StoreUpdates.Group, table: TableIndex, positions: StorePositions,
    name: (ObjectID) -> String
  ) throws {
    let rows = update.rows
    let missed = try store.updateRows(
      table, columns: update.columns, hasEntity: update.hasEntity, count: rows.count
    ) { number in
      let row = rows[number]
      let entry = coordinator.keys[table][row]
      return RowUpdate(
        key: entry.key,
        version: StoreVersion(
          after: entry.version, isPlaceholder: graph.isPlaceholder(row, in: table)),
        entity: update.hasEntity
          ? Int(graph.tables[table].header(row).pointee.entity) : nil,
        values: readers[table].values(
          row, of: update.columns, keys: coordinator.keys, positions: positions))
    }
    for number in missed {
      addConflict(
        rows[number], in: table, object: name(graph.tables[table].id(rows[number])))
    }
    guard !missed.isEmpty else {
      written[table] += rows
      return
    }
    let isMissed = Set(missed)
    written[table] += rows.indices.filter { !isMissed.contains($0) }.map { rows[$0] }
  }

  /// Inserts objects after the objects that they refer to.
  ///
  /// In a circle of references, those to objects that come later are set at the end.
  private func insertObjects(_ positions: StorePositions) throws {
    var left = graph.tableIndices.filter { !changes.inserted[$0].isEmpty }
    var late: [(table: TableIndex, column: Int)] = []
    while !left.isEmpty {
      let next = left.firstIndex { destinations(of: $0).isDisjoint(with: left) }
      let table = left.remove(at: next ?? 0)
      var waiting: [Int] = []
      if next == nil && store.checksReferencesAtOnce {
        waiting = referenceColumns(of: table) { left.contains($0) }
      }
      try insert(table, without: waiting, positions: positions)
      late += waiting.map { (table, $0) }
    }
    for (table, column) in late { try setReferences(table, column: column, positions: positions) }
  }

  private func insert(
    _ table: TableIndex, without waiting: [Int], positions: StorePositions
  ) throws {
    let rows = changes.inserted[table]
    let reader = readers[table]
    let keys = coordinator.keys
    let records = graph.tables + table
    let values = coordinator.values
    try store.insertRows(table, count: rows.count) { number in
      let row = rows[number]
      let read = reader.values(row, keys: keys, positions: positions)
      for column in waiting { values[column] = .none }
      return StoreRow(
        key: keys[table][row].key, entity: Int(records.pointee.header(row).pointee.entity),
        version: StoreVersion(after: 0, isPlaceholder: graph.isPlaceholder(row, in: table)).new,
        values: read)
    }
  }

  /// Sets the references in a column of the inserted objects.
  private func setReferences(
    _ table: TableIndex, column: Int, positions: StorePositions
  ) throws {
    var numbers: [RowNumber] = []
    for row in changes.inserted[table]
    where !readers[table].ownColumns(row, among: [column]).isEmpty {
      let value = readers[table].values(
        row, of: [column], keys: coordinator.keys, positions: positions)[0]
      guard value.isPresent else { continue }
      numbers.append(RowNumber(key: key(row, in: table), number: value.integer))
    }
    if !numbers.isEmpty { try store.setNumbers(table, column: column, numbers) }
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
    let keys = coordinator.keys
    for (number, join) in joins.enumerated() where !exchanged.unlinked[join.link].isEmpty {
      try store.deleteLinks(
        number,
        exchanged.unlinked[join.link].map {
          link(join, node: $0, keys: keys, place: (source: 0, target: 0))
        })
    }
  }

  /// Puts new links into the places of ended ones.
  func exchangeLinks(_ positions: StorePositions) throws {
    for (number, join) in joins.enumerated() where !exchanged.pairs[join.link].isEmpty {
      let (pairs, sources, targets) = (
        exchanged.pairs[join.link], coordinator.keys[join.source], coordinator.keys[join.target]
      )
      try store.exchangeLinks(number, count: pairs.count) { position in
        let pair = pairs[position]
        let source = sources[pair.source].key
        let place = places(join, node: pair.node, positions: positions)
        return (
          StoreLink(
            source: source, target: targets[pair.oldTarget].key, sourcePosition: 0,
            targetPosition: 0),
          StoreLink(
            source: source, target: targets[pair.newTarget].key, sourcePosition: place.source,
            targetPosition: place.target)
        )
      }
    }
  }

  func insertLinks(_ positions: StorePositions) throws {
    let keys = coordinator.keys
    for (number, join) in joins.enumerated() where !exchanged.linked[join.link].isEmpty {
      let links = inKeyOrder(exchanged.linked[join.link], join: join, keys: keys)
      try store.insertLinks(number, count: links.count) {
        let link = links[$0]
        let place = places(join, node: link.node, positions: positions)
        return StoreLink(
          source: link.source, target: link.target, sourcePosition: place.source,
          targetPosition: place.target)
      }
    }
  }

  @inline(__always)
  private func link(
    _ join: StoreSchema.Join, node: NodeIndex, keys: [StoreKeys],
    place: (source: Int64, target: Int64)
  ) -> StoreLink {
    let rows = graph.linkTables[join.link].node(node).pointee.rows
    return StoreLink(
      source: keys[join.source][rows.0].key, target: keys[join.target][rows.1].key,
      sourcePosition: place.source, targetPosition: place.target)
  }

  @inline(__always)
  private func places(
    _ join: StoreSchema.Join, node: NodeIndex, positions: StorePositions
  ) -> (source: Int64, target: Int64) {
    let source = positions.position(join.link, side: .first, entry: ListEntry(node)) ?? 0
    return (
      source, positions.position(join.link, side: .second, entry: ListEntry(node)) ?? source
    )
  }

  /// A node with the keys of its objects.
  private struct KeyedNode {
    let source: Int64
    let target: Int64
    let node: NodeIndex

    @inline(__always)
    static func isOrdered(_ first: KeyedNode, _ second: KeyedNode) -> Bool {
      first.source < second.source
        || (first.source == second.source && first.target < second.target)
    }
  }

  /// Returns nodes by the keys of sources, then targets, the fastest order for insertion.
  private func inKeyOrder(
    _ nodes: [NodeIndex], join: StoreSchema.Join, keys: [StoreKeys]
  ) -> [KeyedNode] {
    let (links, sources, targets) = (
      graph.linkTables[join.link], keys[join.source], keys[join.target]
    )
    var keyed: [KeyedNode] = []
    keyed.reserveCapacity(nodes.count)
    var isGrouped = true
    for node in nodes {
      let rows = links.node(node).pointee.rows
      let (source, target) = (sources[rows.0].key, targets[rows.1].key)
      // An object that others deleted has no key.
      guard source != 0, target != 0 else { continue }
      if let last = keyed.last, last.source > source { isGrouped = false }
      keyed.append(KeyedNode(source: source, target: target, node: node))
    }
    guard isGrouped else {
      keyed.sort(by: KeyedNode.isOrdered)
      return keyed
    }
    // An import links all targets of one source before those of the next, mostly few.
    keyed.withUnsafeMutableBufferPointer {
      $0.sortRuns(of: { $0.source == $1.source }, by: KeyedNode.isOrdered)
    }
    return keyed
  }

  /// Writes the changed positions of existing entries.
  func move(_ positions: StorePositions) throws {
    let keys = coordinator.keys
    for (number, join) in joins.enumerated() {
      for side in LinkSide.both {
        let links = positions.moved(join.link, side: side).map {
          link(
            join, node: $0.node, keys: keys,
            place: places(join, node: $0.node, positions: positions))
        }
        if !links.isEmpty {
          try store.setLinkPositions(number, links, ofTarget: side == .second)
        }
      }
    }
    for (table, description) in tables.numbered(by: TableIndex.self) {
      for (position, column) in description.columns.enumerated() {
        guard case .position = column.kind else { continue }
        let numbers = positions.moved(column.link, side: .second).map { entry in
          RowNumber(
            key: keys[table][entry.row].key,
            number: positions.position(column.link, side: .second, entry: entry) ?? 0)
        }
        if !numbers.isEmpty { try store.setNumbers(table, column: position, numbers) }
      }
    }
  }
}
