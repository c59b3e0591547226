// Queries of a store, and the objects in memory that it knows too little of.

extension StoreCoordinator {
  /// The objects of a hierarchy with unsaved changes, which a query must leave out, and their keys;
  /// those that are deleted are keys only.
  ///
  /// - Parameter others: The hierarchies that a query asks about besides.
  /// - Returns: nil when only the graph can answer: it has unsaved changes in the other
  ///   hierarchies, or knows all that is asked about anyway.
  func unsaved(
    _ table: TableIndex, besides others: Set<TableIndex>
  ) throws -> (rows: [Row], keys: [Int64])? {
    try beginSnapshot()
    guard !isStale, !(others.isEmpty && isAllRead[table]) else { return nil }
    guard graph.mayHaveChanges else { return ([], []) }
    let changes = StoreChanges(graph)
    for other in others {
      guard changes.inserted[other].isEmpty, changes.updated[other].isEmpty,
        changes.deleted[other].isEmpty
      else { return nil }
    }
    let keys = (changes.updated[table] + changes.deleted[table])
      .map { self.keys[table][$0].key }.filter { $0 != 0 }
    return (changes.inserted[table] + changes.updated[table], keys)
  }

  /// The rows of the objects that a query gives, in its order; nil when the store cannot answer it.
  func rows(_ query: StoreQuery) throws -> [Row]? {
    var rows: [Row] = []
    let isDone = try materializing {
      try store.fetch(query) { stored in
        if let row = try materialize(stored, table: query.table) { rows.append(row) }
      }
    }
    return isDone ? rows : nil
  }

  /// The rows of a hierarchy that are objects of some entities.
  func rows(_ table: TableIndex, entities: ClosedRange<UInt16>) -> [Row] {
    (graph.tables[table].rows).filter {
      graph.tables[table].isLive($0)
        && entities.contains(graph.tables[table].header($0).pointee.entity)
    }
  }

  // MARK: Before the graph is asked

  /// Reads what a predicate asks about some objects of a hierarchy.
  func prefetch(_ predicate: Predicate, table: TableIndex, rows: [Row]) throws {
    guard !rows.isEmpty else { return }
    switch predicate {
    case .constant: break
    case .and(let parts), .or(let parts):
      for part in parts { try prefetch(part, table: table, rows: rows) }
    case .not(let part): try prefetch(part, table: table, rows: rows)
    case .hasValue(let path), .compare(let path, _, _, _), .isOne(let path, _, _),
      .text(let path, _, _, _):
      try prefetch(path, table: table, rows: rows)
    case .count(let path, _, _):
      let (table, owners) = try follow(path, table: table, rows: rows)
      try complete(owners, in: table, field: path.property.field)
    case .any(let path, let part):
      let field = path.property.field
      let (table, owners) = try follow(path, table: table, rows: rows)
      try complete(owners, in: table, field: field)
      let members = Set(owners.flatMap { graph.members(of: $0, field: field) }).sorted()
      let destination = graph.destination(field)
      try read(members, in: destination)
      try prefetch(part, table: destination, rows: members)
    }
  }

  /// Reads what a path leads through from some objects of a hierarchy.
  func prefetch(_ path: PropertyPath, table: TableIndex, rows: [Row]) throws {
    _ = try follow(path, table: table, rows: rows)
  }

  /// The objects that the last property of a path is of, all read.
  private func follow(
    _ path: PropertyPath, table: TableIndex, rows: [Row]
  ) throws -> (table: TableIndex, rows: [Row]) {
    var (table, rows) = (table, rows)
    try read(rows, in: table)
    for step in path.steps {
      let link = graph.links[step.field.link]
      var targets: Set<Row> = []
      for row in rows {
        if let target = graph.target(link, side: step.field.side, row: row).index {
          targets.insert(target)
        }
      }
      table = graph.destination(step.field)
      rows = targets.sorted()
      try read(rows, in: table)
    }
    return (table, rows)
  }
}

extension Graph {
  /// Whether anything may have changed since the last save; constant time in links and tables.
  var mayHaveChanges: Bool {
    guard log.pointee.count == 0, let saved = savepoints.first else { return true }
    return (tableIndices).contains { tables[$0].count > saved.rowCounts[$0] }
      || (linkIndices).contains { linkTables[$0].count > saved.nodeCounts[$0] }
  }
}
