/// The copying of a whole store into an empty one, with keys, versions, positions and notes.
struct StoreCopy {
  /// The number of links, or of references, that are written at once.
  private static let groupSize = 10_000

  private let source: StoreCoordinator
  private let target: StoreCoordinator
  private var schema: StoreSchema { source.schema }
  private var listener: ProgressListener { target.graph.listener }

  /// - Throws: ``Status/invalidArgument`` for units of work that cannot be copied.
  init(from source: UnitOfWork, to target: UnitOfWork, hasUnsavedNotes: Bool) throws {
    func refused(_ reason: String) -> GrootError { GrootError(.invalidArgument, reason) }
    guard let from = source.coordinator, let to = target.coordinator else {
      throw refused("a store is copied between two contexts that have a store")
    }
    guard !source.graph.mayHaveChanges, !target.graph.mayHaveChanges, !hasUnsavedNotes else {
      throw refused("a context has unsaved changes: save it, or roll it back, and copy again")
    }
    guard source.model === target.model || source.model.document == target.model.document else {
      throw refused("a store is copied between two contexts of the same model")
    }
    self.source = from
    self.target = to
  }

  func run() throws {
    try source.beginSnapshot()
    target.endSnapshot()
    do {
      try target.transaction.writing(hint, body: write)
    } catch {
      try? target.beginSnapshot()
      throw (error as? UniqueViolation)?.failure ?? error
    }
    target.followCommitted()
  }

  private var hint: WriteHint {
    var hint = WriteHint()
    hint.isSelfContained = true
    hint.isWholeStore = true
    return hint
  }

  private func write() throws {
    for table in schema.tableIndices where try target.store.hasRows(table) {
      throw GrootError(
        .invalidArgument,
        "the store to copy to has objects of '\(schema.tables[table].name)': it must be empty")
    }
    if try source.store.mayHavePlaceholders() { try target.store.notePlaceholders() }
    // References that are checked at once wait until all objects are there.
    let waiting = target.store.checksReferencesAtOnce ? source.references : []
    for table in schema.tableIndices {
      try copyRows(table, omitting: waiting.isEmpty ? [] : waiting[table].map(\.position))
    }
    for references in waiting where !references.isEmpty { try copyReferences(references) }
    for join in schema.joins.indices { try copyLinks(join) }
    try copyCounters()
    try source.store.eachNote { try target.store.setNote($0, to: $1) }
  }

  private func copyRows(_ table: TableIndex, omitting omitted: [Int]) throws {
    var batch = StoreRowBatch(width: schema.tables[table].columns.count, omitting: omitted)
    func flush() throws {
      try batch.flush { try target.store.insertRows(table, count: $0, row: $1) }
    }
    try source.store.readRows(table) { row in
      try target.graph.cancellation.mark.check()
      try listener.count()
      if let value = row.unreadable.first {
        throw source.store.failure(of: value, table: table, key: row.key)
      }
      batch.append(row)
      if batch.isFull { try flush() }
    }
    try flush()
  }

  /// Sets the references of a table's objects.
  private func copyReferences(_ references: UnsafeBufferPointer<StoreCoordinator.ReferenceColumn>)
    throws
  {
    let table = references[0].table
    var numbers: [[RowNumber]] = references.map { _ in [] }
    func flush(_ index: Int) throws {
      guard !numbers[index].isEmpty else { return }
      try target.store.setNumbers(table, column: references[index].position, numbers[index])
      numbers[index].removeAll(keepingCapacity: true)
    }
    try source.store.readRows(table) { row in
      try target.graph.cancellation.mark.check()
      for (index, reference) in references.enumerated() {
        let value = row.values[reference.position]
        guard value.isPresent else { continue }
        numbers[index].append(
          RowNumber(key: row.key, number: Int64(bitPattern: value.word0)))
        if numbers[index].count == Self.groupSize { try flush(index) }
      }
    }
    for index in references.indices { try flush(index) }
  }

  private func copyLinks(_ join: Int) throws {
    var links: [StoreLink] = []
    func flush() throws {
      let group = links
      try target.store.insertLinks(join, count: group.count) { group[$0] }
      links.removeAll(keepingCapacity: true)
    }
    try source.store.readLinks(join) { link in
      try target.graph.cancellation.mark.check()
      links.append(link)
      if links.count == Self.groupSize { try flush() }
    }
    try flush()
  }

  /// Lets the copy give out no key and no position that the source has ever given out.
  private func copyCounters() throws {
    for table in schema.tableIndices {
      try target.store.setNextKey(table, to: source.store.nextKey(table))
      for (position, column) in schema.tables[table].columns.enumerated() {
        guard case .position = column.kind else { continue }
        try copyPosition(.members(table: table, column: position))
      }
    }
    for join in schema.joins.indices { try copyPosition(.links(join: join)) }
  }

  private func copyPosition(_ lists: StoreLists) throws {
    try target.store.setNextPosition(lists, to: source.store.nextPosition(lists))
  }
}
