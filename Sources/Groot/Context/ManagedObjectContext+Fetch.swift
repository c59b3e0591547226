// Fetches and aggregates, and the search that both begin with.

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

  /// Returns the objects of a request; an object without a readable value has no place in an order.
  private func rows(
    _ entity: EntityIndex, predicate: Predicate, order: FetchOrder, request: FetchRequest
  ) throws -> [Row] {
    let rows = try foundRows(entity, predicate: predicate, order: order, request: request)
    try requireReadable(order.keys.map(\.path), of: rows, in: model.resolved[entity].hierarchy)
    return rows
  }

  /// Refuses objects of which an own property cannot be read.
  private func requireReadable(
    _ paths: [PropertyPath], of rows: [Row], in table: TableIndex
  ) throws {
    for path in paths where path.steps.isEmpty {
      try coordinator?.requireReadable(rows, in: table, field: path.property.field)
    }
  }

  private func foundRows(
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
    let range = request.range(in: rows.count)
    return range == rows.indices ? rows : Array(rows[range])
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
    var key: [StoredValue] = []
    key.reserveCapacity(values.count)
    return try withKey(identity, values: values, fields: fields, key: &key) { key in
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
    _ identity: [Int], values: [Value], fields: UnsafePointer<Field>, key: inout [StoredValue],
    body: ([StoredValue]) throws -> Result
  ) rethrows -> Result {
    guard key.count < values.count else { return try body(key) }
    return try values[key.count].withStored(fields[identity[key.count]].type) {
      key.append($0)
      return try withKey(identity, values: values, fields: fields, key: &key, body: body)
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
      try requireReadable(paths, of: rows, in: table)
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
