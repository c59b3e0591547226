// Fetching objects by their attributes.

extension ManagedObjectContext {
  /// Fetches objects.
  ///
  /// Linear in the objects of the entity's hierarchy, plus the sorting; constant time when the
  /// values are exactly those of the identity attributes.
  public func fetch(_ request: FetchRequest) throws -> [ManagedObject] {
    try fetchIDs(request).map { ManagedObject(context: self, id: $0) }
  }

  /// The number of objects that ``fetch(_:)`` would give.
  public func count(_ request: FetchRequest) throws -> Int {
    try requireIdle()
    let entity = try model.index(of: request.entity)
    if request.values.isEmpty && request.limit == nil && request.offset == 0 {
      let resolved = model.resolved[entity]
      if resolved.parent == nil { return graph.tables[resolved.hierarchy].liveCount }
    }
    var unsorted = request
    unsorted.sortKeys = []
    return try fetchIDs(unsorted).count
  }

  /// Fetches the ids of objects.
  public func fetchIDs(_ request: FetchRequest) throws -> [ObjectID] {
    try requireIdle()
    let entity = try model.index(of: request.entity)
    let table = model.resolved[entity].hierarchy
    let conditions = try request.values.map { name, value in
      try condition(name, value, entity)
    }
    var rows = try rowByIdentity(entity, conditions) ?? scan(entity, conditions)
    if !request.sortKeys.isEmpty { try sort(&rows, entity, request.sortKeys) }
    let start = min(max(request.offset, 0), rows.count)
    let end = request.limit.map { start + min(max($0, 0), rows.count - start) } ?? rows.count
    return rows[start..<end].map { graph.tables[table].id($0) }
  }

  /// An attribute and the value it must have.
  private struct Condition {
    let property: Property
    let type: AttributeType
    let value: Value
  }

  private func attribute(_ name: String, _ entity: Int) throws -> (Property, AttributeType) {
    let property = try model.property(named: name, of: entity)
    guard let attribute = property.attribute else { throw notAn("attribute", property) }
    return (property, attribute.type)
  }

  private func condition(_ name: String, _ value: Value, _ entity: Int) throws -> Condition {
    let (property, type) = try attribute(name, entity)
    guard let fitted = value.fitted(to: type) else {
      throw GrootError(
        .wrongType, "the value " + (value.misfit(of: type) ?? ""),
        entity: model.resolved[entity].name, property: name)
    }
    return Condition(property: property, type: type, value: fitted)
  }

  /// Looks into the identity index when the conditions are on exactly what it is over.
  private func rowByIdentity(_ entity: Int, _ conditions: [Condition]) throws -> [UInt32]? {
    let identity = mapping.plan.identityNumbers[entity]
    guard !identity.isEmpty, conditions.count == identity.count,
      Set(conditions.map(\.property.number)) == Set(identity),
      identity.count > 1 || conditions.allSatisfy({ !$0.value.isNull })
    else { return nil }
    let table = model.resolved[entity].hierarchy
    let index = graph.indexes[table][try graph.identityIndex(table: table, identity)]
    let ordered = identity.compactMap { number in
      conditions.first { $0.property.number == number }
    }
    return withKey(ordered[...], []) { key in
      index.pointee.rows(key, model.resolved[entity].subtree)
    }
  }

  private func withKey<Result>(
    _ conditions: ArraySlice<Condition>, _ key: [StoredValue], _ body: ([StoredValue]) -> Result
  ) -> Result {
    guard let first = conditions.first else { return body(key) }
    return first.value.withStored(first.type) {
      withKey(conditions.dropFirst(), key + [$0], body)
    }
  }

  private func scan(_ entity: Int, _ conditions: [Condition]) -> [UInt32] {
    let resolved = model.resolved[entity]
    let table = resolved.hierarchy
    var rows: [UInt32] = []
    withKey(conditions[...], []) { wanted in
      for row in 0..<graph.tables[table].count {
        let record = graph.tables[table].record(row)
        let header = record.assumingMemoryBound(to: RecordHeader.self)
        guard header.pointee.state & RecordState.live != 0,
          resolved.subtree.contains(header.pointee.entity)
        else { continue }
        var matches = true
        for (condition, value) in zip(conditions, wanted) where matches {
          let field = condition.property.field
          matches = StoredValue(record, field, graph.tables + table).equals(value, field.storage)
        }
        if matches { rows.append(row) }
      }
    }
    return rows
  }

  private func sort(
    _ rows: inout [UInt32], _ entity: Int, _ keys: [FetchRequest.SortKey]
  ) throws {
    let table = graph.tables + model.resolved[entity].hierarchy
    let fields = try keys.map { key in
      let (property, type) = try attribute(key.attribute, entity)
      return (field: property.field, type: type, isAscending: key.isAscending)
    }
    rows.sort { left, right in
      for (field, type, isAscending) in fields {
        let order = StoredValue(table.pointee.record(left), field, table)
          .order(StoredValue(table.pointee.record(right), field, table), type)
        if order != 0 { return isAscending == (order < 0) }
      }
      return left < right
    }
  }
}

extension IdentityIndex {
  /// All rows whose identity is `key`, oldest first.
  func rows(_ key: [StoredValue], _ subtree: ClosedRange<UInt16>) -> [UInt32] {
    key.withUnsafeBufferPointer { key in
      guard let start = key.baseAddress, let hash = hash(start) else { return [] }
      return rows(start, hash, subtree.lowerBound, subtree.upperBound).sorted()
    }
  }
}
