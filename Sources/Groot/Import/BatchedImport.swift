/// An import that is larger than memory, written to the store batch by batch.
///
/// Each batch has its own graph, which is freed after the batch is written. Objects that
/// identifiers name and the graph lacks are read from the store, which has the earlier batches.
struct BatchedImport {
  private let work: UnitOfWork
  private let coordinator: StoreCoordinator
  private let options: ImportOptions
  private let elements: ImportElements
  /// A second reading of the same elements, for prefetching; nil when they can be read only once.
  private let ahead: ImportElements?
  private var report = ImportReport()
  private var records = 0
  /// The issues of skipped records.
  private var errors: [GrootIssue] = []
  /// The placeholders that no batch has brought yet, with their issues for the report.
  private var placeholders: [(table: TableIndex, key: Int64, issue: GrootIssue)] = []
  /// The placeholders of the last batch.
  private var unsaved: [(object: ObjectID, issue: GrootIssue)] = []

  /// Begins an import of an input's elements into the store of `coordinator`.
  init(
    _ work: UnitOfWork, on coordinator: StoreCoordinator, of input: JSONInput.Opened,
    options: ImportOptions
  ) {
    self.work = work
    self.coordinator = coordinator
    self.options = options
    elements = input.elements()
    ahead = input.isRepeatable ? input.elements(isSecond: true) : nil
  }

  /// Imports all elements, in one transaction of the store or in one for each batch.
  mutating func run(into entity: String?) throws -> ImportReport {
    coordinator.endSnapshot()
    let isWhole = options.commits == .whole
    do {
      if isWhole {
        var hint = WriteHint()
        hint.isInBatches = true
        try coordinator.transaction.writing(hint) {
          try importAll(into: entity)
          try reportPlaceholders()
        }
      } else {
        try importAll(into: entity)
        // Everything is committed, so a failure here must not fail the call.
        do { try reportPlaceholders() } catch { notePlaceholdersUnread(error) }
      }
    } catch {
      try? coordinator.refresh()
      throw isWhole ? elements.failure(error) : error
    }
    coordinator.followCommitted()
    return report
  }

  private mutating func importAll(into entity: String?) throws {
    var isAtEnd = false
    while !isAtEnd {
      let part = try UnitOfWork(beside: work, on: coordinator)
      defer { part.coordinator?.endSnapshot() }
      isAtEnd = try importBatch(part, entity: entity) < options.batchSize
      try part.validate()
      _ = try part.save()
      noteKeys(part)
    }
  }

  /// Imports the next batch into its own graph, and returns its number of elements.
  private mutating func importBatch(_ part: UnitOfWork, entity: String?) throws -> Int {
    var options = options
    options.batchSize = 0
    options.maximumIssues = max(options.maximumIssues - report.errorCount, 1)
    options.progress = progress()
    let limit = self.options.batchSize
    let number = try entity.map { try work.mapping.plan(of: $0) }
    var count = 0
    let run = try ImportTransaction.run(part, elements: elements, options: options) {
      try $0.takeRecords(of: number)
      // The store is never read as a whole, whatever the length of the text.
      if let ahead, try !$0.readAhead(in: ahead, limit: limit) { ahead.skip(limit) }
      count = try $0.importElements(limit: limit)
    }
    records += count
    add(run.report)
    if report.errorCount > max(self.options.maximumIssues, 1) {
      throw GrootError.tooMany(errors, maximum: self.options.maximumIssues)
    }
    return count
  }

  /// Notes the keys in the store of a batch's placeholders, after the batch is written.
  private mutating func noteKeys(_ part: UnitOfWork) {
    guard let coordinator = part.coordinator else { return }
    for (object, issue) in unsaved {
      placeholders.append((object.table, coordinator.keys[object.table][object.row].key, issue))
    }
    unsaved = []
  }

  /// Reports the placeholders that no batch has brought.
  private mutating func reportPlaceholders() throws {
    for (table, found) in Dictionary(grouping: placeholders, by: \.table).sortedFew(by: {
      $0.key < $1.key
    }) {
      var left: Set<Int64> = []
      try coordinator.store.readRows(table, keys: found.map(\.key)) {
        if $0.version < 0 { left.insert($0.key) }
      }
      report.issues += found.filter { left.contains($0.key) }.map(\.issue)
        .prefix(max(0, ImportNotes.maximumCount - report.issues.count))
    }
  }

  /// Reports that the remaining placeholders are unknown.
  private mutating func notePlaceholdersUnread(_ error: any Error) {
    let reason = (error as? GrootError)?.issues.first?.message ?? "\(error)"
    let status = (error as? GrootError)?.status ?? .storeFailed
    report.issues.append(
      GrootIssue(
        status,
        "everything was written, but the remaining placeholders could not be read: \(reason)",
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
    report.stale += part.stale
    report.errorCount += part.errorCount
    errors += part.issues.prefix(part.errorCount)
    report.issues += part.issues.prefix(max(0, ImportNotes.maximumCount - report.issues.count))
  }

  /// Returns a function that reports the progress of all earlier batches and the current one.
  private func progress() -> ((ImportProgress) throws -> Bool)? {
    guard let progress = options.progress ?? work.graph.listener.importHandler else { return nil }
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
