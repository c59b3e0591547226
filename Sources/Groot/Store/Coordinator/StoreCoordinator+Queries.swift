// Queries of a store, and the objects whose unsaved changes the store does not have.

extension StoreCoordinator {
  /// Returns the unsaved objects of a hierarchy, and the keys that a query must leave out.
  ///
  /// A deleted object has only a key.
  ///
  /// - Parameter others: The other hierarchies that a query reads.
  /// - Returns: nil when only the graph can answer, because it has unsaved changes in the other
  ///   hierarchies, or already has all the objects.
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

  /// Returns the rows of a query's objects in order; nil when the store cannot answer it.
  func rows(_ query: StoreQuery) throws -> [Row]? {
    var rows: [Row] = []
    let isDone = try materializing {
      try store.fetch(query) { stored in
        if let row = try materialize(stored, table: query.table) { rows.append(row) }
      }
    }
    return isDone ? rows : nil
  }

  /// Returns the living rows of a hierarchy that have some entities.
  func rows(_ table: TableIndex, entities: ClosedRange<UInt16>) -> [Row] {
    (graph.tables[table].rows).filter {
      graph.tables[table].isLive($0)
        && entities.contains(graph.tables[table].header($0).pointee.entity)
    }
  }

  // MARK: Prefetching for the graph

  /// Reads the objects and lists that a predicate needs for some objects of a hierarchy.
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

  /// Reads the objects and lists on a path from some objects of a hierarchy.
  func prefetch(_ path: PropertyPath, table: TableIndex, rows: [Row]) throws {
    _ = try follow(path, table: table, rows: rows)
  }

  /// Reads and returns the objects that have the last property of a path.
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
