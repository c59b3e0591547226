// Values computed over objects.

extension ManagedObjectContext {
  /// Computes aggregates over objects.
  ///
  /// Without groups the result is one row with the value of each aggregate by its name. With groups
  /// there is a row for each combination of the groups' values, which the row also contains. The
  /// rows are sorted by these values, and a missing value comes first.
  ///
  /// - Throws: also ``Status/outOfRange`` when a sum does not fit its attribute's type, or 64 bits.
  public func aggregate(_ request: AggregateRequest) throws(GrootError) -> [NameMap<Value>] {
    try cancellably(.fetching) {
      let plan = try AggregatePlan(request, model: model)
      var run = AggregateRun(plan)
      try forEachLine(
        plan.entity, predicate: plan.predicate, keys: plan.groups,
        others: plan.computed.compactMap(\.path),
        isDistinct: false, limit: nil
      ) { try run.add($0) }
      return try run.finish()
    }
  }

  /// Computes aggregates over objects: returns an object, or with groups a list of objects.
  package func aggregateValue(_ request: AggregateRequest) throws -> JSONValue {
    let rows = try aggregate(request).map { row in
      JSONValue.object(
        JSONObject(row.map { (key: $0.key, value: $0.value.json) }))
    }
    return request.groups.isEmpty ? rows.first ?? [:] : .array(rows)
  }

  /// Returns the distinct values of an attribute, or of a path to one, in order.
  ///
  /// A missing value is null and comes first. The request's limit and offset count values. The
  /// request has no sort keys.
  ///
  /// - Throws: as ``fetch(_:)-(FetchRequest)``; ``Status/invalidArgument`` for sort keys.
  public func distinct(
    _ key: FetchRequest.SortKey, request: FetchRequest
  ) throws(GrootError) -> [Value] {
    try cancellably(.fetching) { try distinctValues(key, request: request) }
  }

  private func distinctValues(
    _ key: FetchRequest.SortKey, request: FetchRequest
  ) throws -> [Value] {
    let entity = try model.index(of: request.entity)
    let key = try FetchOrder.Key(key, of: entity, model: model, location: "$.property")
    guard request.sortKeys.isEmpty else {
      throw GrootError(
        GrootIssue(
          .invalidArgument,
          "distinct values are always sorted; a \"-\" before the property sorts them "
            + "descending", path: "$.sort", entity: request.entity))
    }
    let range = request.range(in: .max)
    var values: [Value] = []
    var last = KeptLine()
    try forEachLine(
      entity, predicate: try predicate(of: request, entity), keys: [key], others: [],
      isDistinct: true,
      limit: range.upperBound
    ) { line in
      if !values.isEmpty, last.order(line, columns: [(key.type, true)]) == 0 { return }
      last.keep(line, types: [key.type])
      values += last.values([key.type])
    }
    return Array(values[request.range(in: values.count)])
  }
}

extension ManagedObjectContext {
  /// Calls `body` with a line of values for each object that satisfies a predicate, in order.
  ///
  /// A line has the values of the keys, then those of other attributes. The values in a store are
  /// not read into memory.
  ///
  /// - Parameters:
  ///   - isDistinct: Whether lines that are equal to others may be left out.
  ///   - limit: The number of distinct lines that are needed; there may be more.
  private func forEachLine(
    _ entity: EntityIndex, predicate: Predicate, keys: [FetchOrder.Key], others: [PropertyPath],
    isDistinct: Bool, limit: Int?, body: (UnsafeBufferPointer<StoredValue>) throws -> Void
  ) throws {
    let paths = keys.map(\.path) + others
    let columns = keys.map { ($0.type, $0.isAscending) }
    switch try find(entity, predicate: predicate, paths: paths) {
    case .rows(let rows):
      try values(rows, entity: entity, paths: paths).forEachLine(columns, body: body)
    case .query(var query, let coordinator, let unsaved):
      query.order = keys.map { StoreQuery.SortKey($0) }
      query.limit = limit == .max ? nil : limit
      var merge = try LineMerge(values(unsaved, entity: entity, paths: paths), columns: columns)
      let isDone = try coordinator.store.select(query, paths: paths, isDistinct: isDistinct) {
        line in
        try merge.passLines(before: line, body)
        try body(line)
      }
      if isDone { return try merge.passRest(body) }
      try values(scan(entity, predicate: predicate), entity: entity, paths: paths).forEachLine(
        columns, body: body)
    }
  }

  /// Returns a table of objects' values, which are read for it if necessary.
  private func values(
    _ rows: [Row], entity: EntityIndex, paths: [PropertyPath]
  ) throws -> ValueTable {
    let table = model.resolved[entity].hierarchy
    if !rows.isEmpty {
      for path in paths { try coordinator?.prefetch(path, table: table, rows: rows) }
    }
    return ValueTable(rows, table: table, paths: paths, graph: graph)
  }
}

/// Merges the sorted lines of a table with a sequence of other lines.
private struct LineMerge {
  private let table: ValueTable
  private let columns: [(type: AttributeType, isAscending: Bool)]
  private let lines: [UInt32]
  private var next = 0

  init(_ table: ValueTable, columns: [(type: AttributeType, isAscending: Bool)]) throws {
    self.table = table
    self.columns = columns
    lines = try table.sorted(columns)
  }

  mutating func passLines(
    before other: UnsafeBufferPointer<StoredValue>,
    _ body: (UnsafeBufferPointer<StoredValue>) throws -> Void
  ) rethrows {
    while next < lines.count, table.order(lines[next], other: other, columns: columns) < 0 {
      try table.withLine(lines[next], body: body)
      next += 1
    }
  }

  mutating func passRest(_ body: (UnsafeBufferPointer<StoredValue>) throws -> Void) rethrows {
    while next < lines.count {
      try table.withLine(lines[next], body: body)
      next += 1
    }
  }
}
