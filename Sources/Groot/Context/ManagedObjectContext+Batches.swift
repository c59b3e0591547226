// Imports that are larger than memory: straight into the store, batch by batch.

extension ManagedObjectContext {
  /// Imports what a source gives into the store, and keeps no more than a batch of it in memory.
  ///
  /// Each batch has a graph of its own, which is given up when it is written. What identifiers name
  /// and what a batch does not have is looked for in the store, so in the batches before.
  func importInBatches(
    into entity: String?, _ options: ImportOptions, factory: ImportSource.Factory
  ) throws -> ImportResult {
    let coordinator = try batchCoordinator(options)
    return try exclusively {
      let source = try factory()
      var ahead = source.isRepeatable ? try factory() : nil
      // However long the text, the store is not read as a whole.
      ahead?.byteCount = nil
      coordinator.endSnapshot()
      let isWhole = options.commits == .whole
      var run = BatchRun(options, reader: source.reader)
      do {
        if isWhole { try coordinator.store.begin() }
        while !run.isAtEnd {
          let worker = try ManagedObjectContext(batchOf: self, coordinator, within: isWhole)
          try run.importBatch(worker, entity: entity, source: source, ahead: ahead)
          try worker.save()
          run.noteKeys(worker)
          worker.coordinator?.endSnapshot()
        }
        do {
          try run.reportPlaceholders(coordinator.store)
        } catch {
          if isWhole { throw error }
          // All is written: a call that failed would say that it is not.
          run.notePlaceholdersUnread(error)
        }
        if isWhole { try coordinator.store.commit() }
      } catch {
        if isWhole { coordinator.store.rollBack() }
        try? coordinator.refresh()
        throw isWhole ? source.reader.map { syntaxError(in: $0, before: error) } ?? error : error
      }
      coordinator.followCommitted()
      return ImportResult(context: self, ids: [], report: run.report)
    }
  }

  private func batchCoordinator(_ options: ImportOptions) throws -> StoreCoordinator {
    func refuse(_ reason: String) -> GrootError { GrootError(.invalidArgument, reason) }
    guard let coordinator else { throw refuse("an import in batches goes into a store") }
    guard !options.isDryRun, !options.listsChanges, !options.listsAccess else {
      throw refuse("an import in batches cannot be tried out, and its report lists no objects")
    }
    guard !graph.mayHaveChanges else {
      throw refuse("an import in batches needs a context without unsaved changes")
    }
    return coordinator
  }

  /// A context for a part of the work of another one, on the same store.
  ///
  /// - Parameter isWithin: Whether it reads and writes inside a transaction of the other.
  convenience init(
    batchOf other: ManagedObjectContext, _ coordinator: StoreCoordinator, within isWithin: Bool
  ) throws {
    try self.init(
      mapping: other.mapping, schema: coordinator.schema, store: coordinator.store,
      within: isWithin, other.cancellation)
  }
}

/// The batches of one import.
private struct BatchRun {
  private(set) var report = ImportReport()
  private(set) var isAtEnd = false
  private let options: ImportOptions
  private let reader: JSONReader?
  private var records = 0
  /// What was wrong with records that were left out.
  private var problems: [Issue] = []
  /// The placeholders that no batch has brought yet, and what the report says of them.
  private var placeholders: [(table: TableIndex, key: Int64, issue: Issue)] = []
  /// Those of the last batch.
  private var unsaved: [(object: ObjectID, issue: Issue)] = []

  init(_ options: ImportOptions, reader: JSONReader?) {
    self.options = options
    self.reader = reader
  }

  /// Imports the next batch into a context of its own.
  mutating func importBatch(
    _ worker: ManagedObjectContext, entity: String?, source: ImportSource,
    ahead: ImportSource?
  ) throws {
    var options = options
    options.batchSize = 0
    options.maximumIssues = max(options.maximumIssues - report.problemCount, 1)
    options.progress = progress()
    let number = try entity.map { try worker.mapping.plan(of: $0) }
    var count = 0
    let part = try worker.transaction(options, on: source.tape, reader: source.reader) { run in
      if number == nil { try run.requireBatches() }
      let prefetcher = try ahead.flatMap { ahead in
        try worker.prefetcher(into: number, options, limit: self.options.batchSize) { ahead }
      }
      if let ahead, prefetcher == nil {
        Self.pass(ahead, importer: run.importer, count: self.options.batchSize)
      }
      while count < self.options.batchSize {
        guard try source.next(run.importer) else {
          isAtEnd = true
          break
        }
        count += 1
        try prefetcher?.advance()
        if let number { try run.importRecord(into: number) } else { try run.importBatch() }
      }
    }
    records += count
    add(part.report)
    if report.problemCount > max(self.options.maximumIssues, 1) {
      throw GrootError.tooMany(problems, maximum: self.options.maximumIssues)
    }
  }

  /// Has what would look ahead stand behind a batch that it need not look at.
  private static func pass(_ ahead: ImportSource, importer: Importer, count: Int) {
    let path = importer.elementPath
    defer { importer.elementPath = path }
    for _ in 0..<count { guard (try? ahead.next(importer)) == true else { return } }
  }

  /// Notes which objects of the store the placeholders of a batch are, now that it is written.
  mutating func noteKeys(_ worker: ManagedObjectContext) {
    guard let coordinator = worker.coordinator else { return }
    for (object, issue) in unsaved {
      placeholders.append((object.table, coordinator.keys[object.table][object.row].key, issue))
    }
    unsaved = []
  }

  /// Tells which placeholders no later batch has brought either.
  mutating func reportPlaceholders(_ store: any PersistentStore) throws {
    for (table, found) in Dictionary(grouping: placeholders, by: \.table).sorted(by: {
      $0.key < $1.key
    }) {
      var left: Set<Int64> = []
      try store.readRows(table, keys: found.map(\.key)) {
        if $0.version < 0 { left.insert($0.key) }
      }
      report.issues += found.filter { left.contains($0.key) }.map(\.issue)
        .prefix(max(0, ImportNotes.maximumCount - report.issues.count))
    }
  }

  /// Tells that nobody knows which placeholders are left.
  mutating func notePlaceholdersUnread(_ error: any Error) {
    let reason = (error as? GrootError)?.issues.first?.message ?? "\(error)"
    let status = (error as? GrootError)?.status ?? .storeFailed
    report.issues.append(
      Issue(
        status, "all is written, but which placeholders are left could not be read: \(reason)",
        severity: .warning))
  }

  private mutating func add(_ part: ImportReport) {
    var part = part
    unsaved = Array(zip(part.unbrought, part.issues.suffix(part.unbrought.count)))
      .map { (object: $0.0, issue: $0.1) }
    if placeholders.count + unsaved.count > ImportNotes.maximumCount { unsaved = [] }
    part.issues.removeLast(part.unbrought.count)
    report.inserted += part.inserted
    report.updated += part.updated
    report.unchanged += part.unchanged
    report.deleted += part.deleted
    report.skipped += part.skipped
    report.problemCount += part.problemCount
    problems += part.issues.prefix(part.problemCount)
    report.issues += part.issues.prefix(max(0, ImportNotes.maximumCount - report.issues.count))
  }

  /// Tells of all batches so far, and of the one going on.
  private func progress() -> ((ImportProgress) throws -> Bool)? {
    guard let progress = options.progress else { return nil }
    let (report, records) = (report, records)
    return { state in
      var sum = state
      sum.records += records
      sum.inserted += report.inserted
      sum.updated += report.updated
      sum.unchanged += report.unchanged
      return try progress(sum)
    }
  }
}
