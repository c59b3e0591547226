// Fetching the objects that satisfy a request.

extension ManagedObjectContext {
  /// Fetches objects.
  ///
  /// The time is linear in the objects of the entity's hierarchy, plus the sorting. It is constant
  /// when the request requires values of all the identity attributes. On a store it is one
  /// statement, unless objects that the request depends on have unsaved changes.
  ///
  /// - Throws: ``GrootError`` with the path of the error in the request.
  public func fetch(_ request: FetchRequest) throws(GrootError) -> [ManagedObject] {
    try fetchIDs(request).map { ManagedObject(context: self, id: $0) }
  }

  /// Returns the number of objects that ``fetch(_:)`` would return.
  ///
  /// - Throws: as ``fetch(_:)-(FetchRequest)``.
  public func count(_ request: FetchRequest) throws(GrootError) -> Int {
    try cancellably(.fetching) { try countFound(request) }
  }

  private func countFound(_ request: FetchRequest) throws -> Int {
    let entity = try model.index(of: request.entity)
    _ = try FetchOrder(request.sortKeys, of: entity, model: model)
    let resolved = model.resolved[entity]
    let predicate = try predicate(of: request, entity)
    let found: Int
    if case .constant(true) = predicate, resolved.parent == nil, coordinator == nil {
      found = graph.tables[resolved.hierarchy].liveCount
    } else {
      found = try count(entity, predicate: predicate)
    }
    return request.range(in: found).count
  }

  private func count(_ entity: EntityIndex, predicate: Predicate) throws -> Int {
    switch try find(entity, predicate: predicate, paths: []) {
    case .rows(let rows): return rows.count
    case .query(let query, let coordinator, let unsaved):
      guard let stored = try coordinator.store.count(query) else {
        return try scan(entity, predicate: predicate).count
      }
      return stored + unsaved.count
    }
  }

  /// Fetches the ids of objects.
  ///
  /// - Throws: as ``fetch(_:)-(FetchRequest)``.
  public func fetchIDs(_ request: FetchRequest) throws(GrootError) -> [ObjectID] {
    try cancellably(.fetching) { try findIDs(request) }
  }

  /// Fetches the ids of objects inside a call that uses the context.
  func findIDs(_ request: FetchRequest) throws -> [ObjectID] {
    let entity = try model.index(of: request.entity)
    let table = model.resolved[entity].hierarchy
    let order = try FetchOrder(request.sortKeys, of: entity, model: model)
    let rows = try rows(
      entity, predicate: try predicate(of: request, entity), order: order, request: request)
    return rows.map { graph.tables[table].id($0) }
  }

  private func rows(
    _ entity: EntityIndex, predicate: Predicate, order: FetchOrder, request: FetchRequest
  ) throws -> [Row] {
    let table = model.resolved[entity].hierarchy
    let paths = order.keys.map(\.path)
    var rows: [Row]
    switch try find(entity, predicate: predicate, paths: paths) {
    case .rows(let found): rows = found
    case .query(var query, let coordinator, let unsaved):
      query.order = order.keys.map { StoreQuery.SortKey($0) }
      query.limit(to: request, isAlone: unsaved.isEmpty)
      if let stored = try coordinator.rows(query) {
        if unsaved.isEmpty { return stored }
        rows = stored + unsaved
        graph.tables[table].sortByAge(&rows)
      } else {
        rows = try scan(entity, predicate: predicate)
      }
    }
    for path in paths { try coordinator?.prefetch(path, table: table, rows: rows) }
    try order.sort(&rows, table: table, in: graph)
    return Array(rows[request.range(in: rows.count)])
  }

  /// Returns the checked predicate of a request.
  func predicate(of request: FetchRequest, _ entity: EntityIndex) throws -> Predicate {
    guard let json = request.predicate else { return .all([]) }
    return try PredicateReader(model: model).read(json, entity: entity, at: "$.where")
  }

  /// Returns the rows of an identity if a predicate requires one; otherwise nil.
  ///
  /// The predicate must require a value of each identity attribute.
  func rowsByIdentity(_ entity: EntityIndex, predicate: Predicate) throws -> [Row]? {
    let identity = mapping.plan.identityNumbers[entity]
    guard !identity.isEmpty else { return nil }
    let (table, subtree) = (model.resolved[entity].hierarchy, model.resolved[entity].subtree)
    let fields = graph.fields[table]
    var values: [Value] = []
    values.reserveCapacity(identity.count)
    for number in identity {
      // The index compares reals by their bits, so it distinguishes 0.0 from -0.0.
      guard fields[number].storage != .real, let value = predicate.requiredValue(of: number)
      else { return nil }
      values.append(value)
    }
    guard let position = try? graph.identityIndex(table: table, identity) else { return nil }
    let index = graph.indexes[table][position]
    return try withKey(identity, values: values, fields: fields, key: []) { key in
      let found = index.pointee.rows(key, subtree: subtree)
      // The store may have another object with the identity, of another entity or with a saved
      // value.
      guard let coordinator, found.isEmpty || subtree.count > 1 || hasUnsaved(found, table: table)
      else { return found }
      try key.withUnsafeBufferPointer { parts in
        guard let start = parts.baseAddress else { return }
        _ = try coordinator.readIdentity(
          identity, in: table, entities: subtree, key: start, remembers: false)
      }
      return index.pointee.rows(key, subtree: subtree)
    }
  }

  private func hasUnsaved(_ rows: [Row], table: TableIndex) -> Bool {
    let unsaved = RecordState.inserted | RecordState.updated
    return rows.contains { graph.tables[table].header($0).pointee.state & unsaved != 0 }
  }

  private func withKey<Result>(
    _ identity: [Int], values: [Value], fields: UnsafePointer<Field>, key: [StoredValue],
    body: ([StoredValue]) throws -> Result
  ) rethrows -> Result {
    guard key.count < values.count else { return try body(key) }
    return try values[key.count].withStored(fields[identity[key.count]].type) {
      try withKey(identity, values: values, fields: fields, key: key + [$0], body: body)
    }
  }
}

extension FetchRequest {
  /// Returns the requested range of `count` objects.
  func range(in count: Int) -> Range<Int> {
    let start = min(max(offset, 0), count)
    return start..<(limit.map { start + min(max($0, 0), count - start) } ?? count)
  }
}

extension IdentityIndex {
  /// Returns all rows whose identity is `key`, oldest first.
  func rows(_ key: [StoredValue], subtree: ClosedRange<UInt16>) -> [Row] {
    key.withUnsafeBufferPointer { key in
      guard let start = key.baseAddress, let hash = hash(start) else { return [] }
      return oldestFirst(start, hash: hash, first: subtree.lowerBound, last: subtree.upperBound)
    }
  }
}
