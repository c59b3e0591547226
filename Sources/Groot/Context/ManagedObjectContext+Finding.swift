// The search for the objects that satisfy a predicate.

extension ManagedObjectContext {
  /// The objects that satisfy a predicate.
  enum Found {
    /// All objects, in the order of insertion.
    case rows([Row])
    /// The objects of a query to a store, and the unsaved objects in memory.
    case query(StoreQuery, StoreCoordinator, unsaved: [Row])
  }

  /// Finds the objects of an entity, or a query for them.
  ///
  /// - Parameter paths: Other properties that are read, for the order or for values.
  func find(_ entity: EntityIndex, predicate: Predicate, paths: [PropertyPath]) throws -> Found {
    let table = model.resolved[entity].hierarchy
    if let candidates = try rowsByIdentity(entity, predicate: predicate) {
      // A comparison for each identity attribute is the whole predicate.
      let count = mapping.plan.identityNumbers[entity].count
      if candidates.isEmpty || predicate.isComparison(of: count) { return .rows(candidates) }
      return .rows(try filter(candidates, table: table, predicate: predicate))
    }
    let others = paths.reduce(into: predicate.reach(graph)) { $1.addReach(graph, tables: &$0) }
    guard let coordinator, let unsaved = try coordinator.unsaved(table, besides: others) else {
      return .rows(try scan(entity, predicate: predicate))
    }
    let resolved = model.resolved[entity]
    var query = StoreQuery(resolved, predicate: predicate)
    query.leftOut = unsaved.keys
    var rows = unsaved.rows.filter {
      resolved.subtree.contains(graph.tables[table].header($0).pointee.entity)
    }
    rows = try filter(rows, table: table, predicate: predicate)
    graph.tables[table].sortByAge(&rows)
    return .query(query, coordinator, unsaved: rows)
  }

  private func filter(
    _ rows: [Row], table: TableIndex, predicate: Predicate
  ) throws -> [Row] {
    guard !rows.isEmpty else { return [] }
    try coordinator?.prefetch(predicate, table: table, rows: rows)
    let program = PredicateProgram(predicate, graph: graph)
    let held = rows.filter { program.holds($0, in: table) }
    try graph.cancellationMark.check()
    return held
  }

  /// Evaluates a predicate for all objects of an entity in memory, after reading those of a store.
  ///
  /// It returns the rows in the order of insertion.
  func scan(_ entity: EntityIndex, predicate: Predicate) throws -> [Row] {
    let (table, subtree) = (model.resolved[entity].hierarchy, model.resolved[entity].subtree)
    if let coordinator {
      try coordinator.readAll(table)
      if !predicate.reach(graph).isEmpty {
        try coordinator.prefetch(
          predicate, table: table, rows: coordinator.rows(table, entities: subtree))
      }
    }
    let program = PredicateProgram(predicate, graph: graph)
    var isTrue = false
    if case .constant(true) = predicate { isTrue = true }
    var rows: [Row] = []
    for row in graph.tables[table].rows {
      if row.rawValue & 1023 == 0 { try graph.cancellationMark.check() }
      try graph.listener.count()
      let header = graph.tables[table].header(row)
      guard header.pointee.state & RecordState.live != 0,
        subtree.contains(header.pointee.entity)
      else { continue }
      if isTrue || program.holds(row, in: table) { rows.append(row) }
    }
    try graph.cancellationMark.check()
    graph.tables[table].sortByAge(&rows)
    return rows
  }
}

extension Predicate {
  /// Returns the tables of all other objects that the predicate depends on.
  func reach(_ graph: Graph) -> Set<TableIndex> {
    var tables: Set<TableIndex> = []
    addReach(graph, tables: &tables)
    return tables
  }

  private func addReach(_ graph: Graph, tables: inout Set<TableIndex>) {
    switch self {
    case .constant: break
    case .and(let parts), .or(let parts):
      for part in parts { part.addReach(graph, tables: &tables) }
    case .not(let part): part.addReach(graph, tables: &tables)
    case .hasValue(let path), .compare(let path, _, _, _), .isOne(let path, _, _),
      .text(let path, _, _, _), .count(let path, _, _):
      path.addReach(graph, tables: &tables)
    case .any(let path, let part):
      path.addReach(graph, tables: &tables)
      part.addReach(graph, tables: &tables)
    }
  }
}

extension PropertyPath {
  /// Adds the tables of the objects on the path and at its end.
  func addReach(_ graph: Graph, tables: inout Set<TableIndex>) {
    for step in steps { tables.insert(graph.destination(step.field)) }
    // The link of a to-one is stored with the object or with the other one.
    if property.field.isRelationship && (property.field.isToMany || property.field.side != .first) {
      tables.insert(graph.destination(property.field))
    }
  }
}
