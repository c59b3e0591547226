/// The rows read from a store but not linked yet, since rows may precede their references.
struct RowMaterializer {
  /// A to-one relationship of a materialized object.
  struct Reference {
    let row: Row
    /// The key of the object.
    let own: Int64
    /// The key of the object that the relationship leads to.
    let key: Int64
    /// The position of the object in the list of its owner.
    let position: Int64

    /// Returns whether the object comes after another object in the same list.
    func isAfter(_ other: Reference) -> Bool {
      position != other.position ? position > other.position : own > other.own
    }
  }

  /// By link, the references of materialized objects.
  var references: [[Reference]]
  /// By table, the materialized rows.
  var rows: [[Row]]
  /// Whether these rows are in the identity indexes.
  var isIndexed = false

  init(tables: Int, links: Int) {
    references = Array(repeating: [], count: links)
    rows = Array(repeating: [], count: tables)
  }

  mutating func removeAll() {
    for link in references.indices { references[link].removeAll(keepingCapacity: true) }
    for table in rows.indices { rows[table].removeAll(keepingCapacity: true) }
    isIndexed = false
  }
}

/// One end of a relationship whose links are read.
struct StoredLinkEnd {
  let link: Link
  let side: LinkSide
  let table: TableIndex
  /// Whether each row in memory can be linked without a look at its object.
  let isPlain: Bool
}

// Materializing rows of a store in the graph.

extension StoreCoordinator {
  /// Runs `body`, which materializes rows, and links the rows.
  ///
  /// On failure, the materialized rows become faults again.
  func materializing<Result>(_ body: () throws -> Result) throws -> Result {
    try beginSnapshot()
    return try graph.reading {
      defer { materializer.removeAll() }
      do {
        let result = try body()
        try connect()
        return result
      } catch {
        giveUp()
        throw error
      }
    }
  }

  /// Begins to materialize rows, which ``endMaterializing()`` links.
  func beginMaterializing() throws { try graph.seal() }

  func endMaterializing() throws {
    defer { materializer.removeAll() }
    graph.finishReading()
    try graph.reading { try connect() }
  }

  /// Materializes an object; nil when an unsaved change has deleted it.
  ///
  /// A row that was read before keeps its values.
  @discardableResult
  func materialize(_ stored: StoreRow, table: TableIndex) throws -> Row? {
    let row: Row
    if let known = keys[table].row(stored.key) {
      guard graph.tables[table].isLive(known) else { return nil }
      guard graph.isFault(known, in: table) else { return known }
      row = known
      keys[table].set(row, to: StoreKeys.Entry(key: stored.key, version: stored.version))
    } else {
      row = try addFault(
        stored.key, in: table, entity: stored.entity, version: stored.version)
    }
    let record = graph.tables[table].record(row)
    let header = record.assumingMemoryBound(to: RecordHeader.self)
    if Int(header.pointee.entity) != stored.entity {
      // The object was a placeholder when it was last read, and others have imported its record.
      graph.reassign(
        row, in: table, entity: try entity(stored.entity, table: table, key: stored.key))
    }
    if stored.version < 0 {
      graph.setPlaceholder(row, in: table)
    } else if isAbstract(stored.entity, table: table) {
      throw entityless(stored.key, in: table)
    }
    let entity = header.pointee.entity
    for column in attributes[table] where column.field.belongs(to: entity) {
      graph.setFirst(stored.values[column.position], of: column.field, in: record, table: table)
    }
    try graph.checkMemory()
    unreadable.set(ObjectKey(table: table, row: row), to: stored.unreadable)
    noteReferences(of: row, in: table, stored: stored)
    graph.setFault(row, in: table, to: false)
    materializer.rows[table].append(row)
    return row
  }

  /// Notes the references of an object, which are linked later.
  @inline(__always)
  private func noteReferences(of row: Row, in table: TableIndex, stored: StoreRow) {
    let entity = graph.tables[table].header(row).pointee.entity
    for column in references[table] where stored.values[column.position].isPresent {
      guard graph.fields[table][column.number].belongs(to: entity) else { continue }
      materializer.references[column.link].append(
        RowMaterializer.Reference(
          row: row, own: stored.key, key: stored.values[column.position].integer,
          position: column.listPosition.map {
            stored.values[$0].isPresent ? stored.values[$0].integer : 0
          }
            ?? 0))
    }
  }

  /// Adds a fault for an object, whose version is not known before it is read.
  func addFault(
    _ key: Int64, in table: TableIndex, entity: Int, version: Int64 = 0
  ) throws -> Row {
    let growth = keys[table].growth(for: graph.tables[table].count)
    if growth > 0 { try graph.memory.expect(growth) }
    let row = try graph.insertFault(try self.entity(entity, table: table, key: key), in: table)
    keys[table].set(row, to: StoreKeys.Entry(key: key, version: version))
    graph.tables[table].setAge(row, to: UInt64(bitPattern: key))
    return row
  }

  private func entity(_ entity: Int, table: TableIndex, key: Int64) throws -> UInt16 {
    guard graph.model.hierarchies[table].entities.indices.contains(entity) else {
      throw entityless(key, in: table)
    }
    return UInt16(truncatingIfNeeded: entity)
  }

  /// Returns whether an entity is abstract, so that only placeholders can have it.
  private func isAbstract(_ entity: Int, table: TableIndex) -> Bool {
    graph.model.resolved[graph.model.hierarchies[table].entities[entity]].isAbstract
  }

  private func entityless(_ key: Int64, in table: TableIndex) -> GrootError {
    damaged("the object \(key) of '\(schema.tables[table].name)' has no entity")
  }

  /// Adds faults for the objects that have no row.
  func addFaults(_ wanted: [Int64], in table: TableIndex) throws {
    var missing: [Int64] = []
    var seen: Set<Int64> = []
    for key in wanted where keys[table].row(key) == nil && seen.insert(key).inserted {
      missing.append(key)
    }
    guard !missing.isEmpty else { return }
    if schema.tables[table].entities.count == 1 {
      for key in missing { _ = try addFault(key, in: table, entity: 0) }
      return
    }
    try store.readEntities(table, keys: missing) { key, entity in
      if self.keys[table].row(key) == nil { _ = try self.addFault(key, in: table, entity: entity) }
    }
  }

  /// Returns the row of an object that a relationship leads to; nil when it was deleted here.
  func row(_ key: Int64, of link: Link, side: LinkSide) throws -> Row? {
    let table = link.table(side)
    guard let row = keys[table].row(key) else {
      throw damaged(
        "a relationship leads to the object \(key) of '\(schema.tables[table].name)', "
          + "which is missing")
    }
    guard graph.tables[table].isLive(row) else { return nil }
    let header = graph.tables[table].header(row)
    if !link.field(side).belongs(to: header.pointee.entity), graph.isFault(row, in: table) {
      // The object was a placeholder when it was noted, and others have imported its record since.
      try store.readEntities(table, keys: [key]) { _, entity in
        self.graph.reassign(row, in: table, entity: try self.entity(entity, table: table, key: key))
      }
    }
    guard link.field(side).belongs(to: header.pointee.entity) else {
      throw damaged(
        "a relationship leads to the object \(key) of '\(schema.tables[table].name)', which is of "
          + "another entity")
    }
    return row
  }

  /// Returns one end of a relationship while the graph takes rows and links of the store.
  func end(_ link: Link, _ side: LinkSide) -> StoredLinkEnd {
    let table = link.table(side)
    // Without an entry in the log, no row was deleted since the last save.
    let isPlain = schema.tables[table].entities.count == 1 && graph.log.pointee.count == 0
    return StoredLinkEnd(link: link, side: side, table: table, isPlain: isPlain)
  }

  /// Returns the row of an object that a relationship leads to; nil when it was deleted here.
  ///
  /// An object that is not in memory becomes a fault.
  @inline(__always)
  func row(_ key: Int64, at end: StoredLinkEnd) throws -> Row? {
    if end.isPlain, let row = keys[end.table].row(key) { return row }
    return try checkedRow(key, at: end)
  }

  @inline(never)
  private func checkedRow(_ key: Int64, at end: StoredLinkEnd) throws -> Row? {
    if keys[end.table].row(key) == nil {
      if end.isPlain { return try addFault(key, in: end.table, entity: 0) }
      try addFaults([key], in: end.table)
    }
    return try row(key, of: end.link, side: end.side)
  }

  /// Links the materialized rows, and adds them to the identity indexes.
  ///
  /// Owners are linked before the rows are indexed, and this does not update the indexes. Partners
  /// are linked afterwards and update them, because a partner may be indexed already.
  private func connect() throws {
    try connect(.oneToMany)
    for table in graph.tableIndices where graph.indexCounts[table] > 0 {
      for row in materializer.rows[table] { graph.forEachIndex(row, in: table) { $0.insert(row) } }
    }
    materializer.isIndexed = true
    try graph.checkMemory()
    try connect(.oneToOne)
    try connectPartners()
    try graph.checkMemory()
  }

  private func connect(_ kind: LinkKind) throws {
    for number in graph.linkIndices where !materializer.references[number].isEmpty {
      let link = graph.links[number]
      guard link.kind == kind else { continue }
      let other = end(link, .second)
      if !other.isPlain {
        try addFaults(materializer.references[number].map(\.key), in: other.table)
      }
      // Each member becomes the first of its list, so the last member is linked first.
      if kind == .oneToMany { materializer.references[number].sort { $0.isAfter($1) } }
      for reference in materializer.references[number] {
        guard let target = try row(reference.key, at: other) else { continue }
        try addLink(number, row: reference.row, target: target)
      }
    }
  }

  private func addLink(_ number: LinkIndex, row: Row, target: Row) throws {
    guard !graph.linkStored(number, row: row, target: target) else { return }
    let table = graph.links[number].table(.second)
    throw damaged(
      "two objects lead to the object \(keys[table][target].key) of "
        + "'\(schema.tables[table].name)', which takes one")
  }

  /// Links the one-to-one relationships that the store keeps with the other object.
  private func connectPartners() throws {
    for number in graph.linkIndices {
      let link = graph.links[number]
      guard link.kind == .oneToOne, !link.isSymmetric, let column = referenceOfLink[number]
      else { continue }
      let table = link.table(.second)
      let owners = materializer.rows[table].filter {
        link.fields.1.belongs(to: graph.tables[table].header($0).pointee.entity)
          && graph.slot(link, side: .second, row: $0).pointee.isNone
      }
      guard !owners.isEmpty else { continue }
      var found: [(key: Int64, entity: Int, owner: Int64)] = []
      try store.readMembers(
        column.table, column: column.position, of: owners.map { keys[table][$0].key }
      ) { found.append(($0.key, $0.entity, $0.values[column.position].integer)) }
      for partner in found {
        if keys[column.table].row(partner.key) == nil {
          _ = try addFault(partner.key, in: column.table, entity: partner.entity)
        }
        guard let row = try row(partner.key, of: link, side: .first),
          let owner = keys[table].row(partner.owner)
        else { continue }
        // If a partner that is not a fault leads elsewhere, that is an unsaved change.
        if graph.isFault(row, in: column.table) { try addLink(number, row: row, target: owner) }
      }
    }
  }

  /// Turns the materialized rows into faults after a failure.
  private func giveUp() {
    for (table, rows) in materializer.rows.numbered(by: TableIndex.self) {
      for row in rows where graph.tables[table].isLive(row) {
        if materializer.isIndexed { graph.forEachIndex(row, in: table) { $0.remove(row) } }
        graph.setFault(row, in: table, to: true)
      }
    }
  }
}
