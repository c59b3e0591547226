/// The records of one import: which of them count, what the report says, when the caller is told.
struct ImportRun {
  let importer: Importer
  private let options: ImportOptions
  private(set) var ids: [ObjectID] = []
  private(set) var report = ImportReport()
  private var records = 0
  /// The problems of all records so far, when they are gathered.
  private var collected: [Issue] = []

  init(_ importer: Importer, _ options: ImportOptions) {
    self.importer = importer
    self.options = options
  }

  /// Imports the element on the tape.
  mutating func importRecord(into entity: Int) throws {
    if options.errorMode == .skip {
      try importOrSkip(entity)
    } else {
      if let id = try importer.importElement(into: entity) { ids.append(id) }
      if !importer.issues.isEmpty {
        collected += importer.issues
        importer.issues = []
        if collected.count > importer.maximumIssues { throw failure }
      }
    }
    records &+= 1
    if options.progress != nil, records & 1023 == 0 { try tell() }
  }

  /// Imports a record inside a savepoint of its own, which is given up when the record is wrong.
  private mutating func importOrSkip(_ entity: Int) throws {
    let counts = importer.counts
    let changeCount = importer.changes?.count ?? 0
    importer.met.removeLast(to: 0)
    importer.graph.begin()
    do {
      let id = try importer.importElement(into: entity)
      if importer.issues.isEmpty {
        importer.graph.commit()
        if let id { ids.append(id) }
        return
      }
    } catch {
      importer.graph.rollBack()
      throw error
    }
    importer.forgetMet()
    importer.graph.rollBack()
    importer.counts = counts
    importer.changes?.removeLast(to: changeCount)
    report.skipped += 1
    report.issues += importer.issues
    importer.issues = []
    if report.issues.count > importer.maximumIssues {
      throw GrootError(report.issues[0].status, report.issues)
    }
  }

  private var failure: GrootError { GrootError(collected[0].status, collected) }

  /// Ends the import: throws what was gathered, or completes the report.
  mutating func finish() throws {
    if options.progress != nil { try tell() }
    guard collected.isEmpty else { throw failure }
    report.inserted = importer.counts.inserted
    report.updated = importer.counts.updated
    report.unchanged = importer.counts.met - importer.counts.updated
    report.deleted = importer.counts.deleted
    report.changes = importer.changes?.changes() ?? []
  }

  private func tell() throws {
    guard let progress = options.progress else { return }
    let state = ImportProgress(
      bytes: importer.reader?.bytesConsumed ?? 0, records: records,
      inserted: importer.counts.inserted, updated: importer.counts.updated)
    guard try progress(state) else {
      throw GrootError(
        .cancelled, "the progress callback ended the import after \(records) records")
    }
  }
}
