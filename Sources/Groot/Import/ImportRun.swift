/// The run of one import: its records, its report, and the calls of its progress function.
final class ImportRun {
  let importer: Importer
  let options: ImportOptions
  @exclusivity(unchecked) private(set) var ids: [ObjectID] = []
  @exclusivity(unchecked) var report = ImportReport()
  /// The entity of the records; nil when the elements are envelopes.
  @exclusivity(unchecked) private(set) var entity: PlanIndex?
  /// The entities that records were imported into.
  @exclusivity(unchecked) var entities: [EntityIndex] = []
  /// The issues of all records so far, if issues are gathered.
  @exclusivity(unchecked) private var collected: [GrootIssue] = []

  init(_ importer: Importer, options: ImportOptions) {
    self.importer = importer
    self.options = options
  }

  /// Imports the record on the tape, or the record at `token` in a larger element.
  func importRecord(into entity: PlanIndex, at token: TokenIndex = .first) throws {
    if token == .first { importer.beginElement() }
    try importer.graph.cancellationMark.check()
    if options.errorMode == .skip {
      try importOrSkip(entity, token: token)
    } else {
      let id = try importer.importRecord(at: token, into: entity)
      try importer.graph.checkMemory()
      if let id { try ids.append(id, within: importer.graph.memory) }
      if !importer.log.issues.isEmpty {
        collected += importer.log.takeIssues()
        try importer.log.requireFew(collected)
      }
    }
    try importer.progress.passRecord()
  }

  /// Sets the entity of the records; without one, the elements are envelopes.
  func takeRecords(of entity: PlanIndex?) throws {
    self.entity = entity
    if let entity, options.form != .array, let other = importer.mapping.keyless(entity) {
      throw GrootError(
        .invalidArgument,
        "the keys of the form '\(options.form)' have no attribute: '\(other)' has neither the path "
          + "'@key' nor one attribute that identifies its objects", entity: other)
    }
    if let entity {
      importer.log.noteUnread(entity)
      return note(entity: entity)
    }
    guard options.rootPath.isEmpty && options.recordsPath.isEmpty else {
      throw GrootError(
        .invalidArgument,
        "a document of several entities is read as a whole: its records are at the roots of the "
          + "mapping, not at the root path '\(options.rootPath + options.recordsPath)'")
    }
    try requireEnvelopes()
  }

  /// Imports the element on the tape.
  func importElement() throws {
    guard let entity else { return try importDocument() }
    if !options.recordsPath.isEmpty {
      let pointer = try JSONPointer(options.recordsPath)
      let keys = pointer.keys.map { String(decoding: $0, as: UTF8.self) }
      let part = DocumentPart(keys: keys, plan: entity, form: options.form)
      return try importParts([part]) { throw pointer.leadsNowhere }
    }
    if options.form == .array { return try importRecord(into: entity) }
    importer.beginElement()
    importer.matcher.beginStanding()
    try importRecords(at: .first, form: options.form, into: entity)
  }

  /// Notes that records are imported into the entity of a plan.
  private func note(entity number: PlanIndex) {
    let entity = importer.plan.entities[number].entity
    if options.listsAccess && !entities.contains(entity) { entities.append(entity) }
  }

  /// Imports the records in a value of the given form.
  private func importRecords(
    at token: TokenIndex, form: CollectionForm, into entity: PlanIndex
  ) throws {
    let importer = importer
    try importer.forEachRecord(at: token, form: form, entity: entity) { record in
      try importRecord(into: entity, at: record)
    }
  }

  /// Throws if envelopes cannot be read because no entity has an external name.
  private func requireEnvelopes() throws {
    guard importer.mapping.roots.isEmpty else { return }
    throw GrootError(
      .invalidArgument,
      "an import without an entity reads a document of several, and the mapping has neither roots nor "
        + "rules that name records"
    )
  }

  /// Imports the records at the roots of the document on the tape.
  private func importDocument() throws {
    if importer.mapping.hasRoots {
      try importParts(importer.mapping.roots) {}
    } else {
      try importEnvelope()
    }
    if let unknownKeys = importer.unknownKeys, unknownKeys.policy != .ignore {
      try unknownKeys.noteUnknownKeys(ofDocument: importer.mapping.documentPaths)
    }
  }

  /// Imports the records at some places of the document on the tape.
  ///
  /// It calls `missing` for each place without a value.
  private func importParts(
    _ parts: [DocumentPart], missing: () throws -> Void
  ) throws {
    importer.beginElement()
    importer.matcher.beginStanding()
    let tape = importer.tape
    guard tape.tokens[0].kind == .object, importer.current.path(.first) == "$" else {
      throw importer.log.failure(
        .wrongShape, "a document of several entities is one object", token: .first)
    }
    for root in parts {
      guard let value = root.path.value(from: .first, on: tape) else {
        try missing()
        continue
      }
      if tape.tokens[value].kind == .null { continue }
      note(entity: root.plan)
      importer.matcher.standAtRoot(around: root.around.value(from: .first, on: tape) ?? .none)
      if root.form == .array {
        try importRecords(at: value, into: root.plan)
      } else {
        try importRecords(at: value, form: root.form, into: root.plan)
      }
    }
  }

  /// Imports the records of the object on the tape, whose keys are the external names of entities.
  ///
  /// It skips names without a rule.
  private func importEnvelope() throws {
    importer.beginElement()
    let tape = importer.tape
    guard tape.tokens[0].kind == .object, importer.current.path(.first) == "$" else {
      throw importer.log.failure(
        .wrongShape, "an envelope is an object of external names and their records", token: .first)
    }
    var key = TokenIndex.first.next
    for _ in 0..<Int(clamping: tape.tokens[0].payload) {
      let value = key.next
      let name = String(decoding: tape.tokens[key].bytes, as: UTF8.self)
      if let entity = importer.mapping.planOfExternalName[name] {
        note(entity: entity)
        try importRecords(at: value, into: entity)
      }
      key = tape.end(of: value)
    }
  }

  private func importRecords(at value: TokenIndex, into entity: PlanIndex) throws {
    let tape = importer.tape
    switch tape.tokens[value].kind {
    case .object: try importRecord(into: entity, at: value)
    case .array:
      var element = value.next
      for position in 0..<Int(clamping: tape.tokens[value].payload) {
        let end = tape.end(of: element)
        importer.matcher.stand(at: position)
        try importRecord(into: entity, at: element)
        element = end
      }
    default:
      let error = importer.log.failure(
        .wrongShape, "there is \(importer.current.shown(value)) where records belong", token: value,
        entity: entity)
      if importer.mapping.hasRoots || self.entity != nil { throw error }
      importer.log.note(error.issues)
    }
  }

  /// Imports a record in its own savepoint, which is undone if the record is invalid.
  private func importOrSkip(_ entity: PlanIndex, token: TokenIndex) throws {
    let idCount = ids.count
    let point = try importer.beginRecord()
    do {
      let id = try importer.importRecord(at: token, into: entity)
      if let id { try ids.append(id, within: importer.graph.memory) }
      try importer.missingMembers?.delete(sparing: ids)
      try importer.graph.checkMemory()
      if importer.log.issues.isEmpty {
        importer.graph.commit()
        return
      }
    } catch {
      importer.graph.rollBack()
      throw error
    }
    importer.undoRecord(to: point)
    ids.removeSubrange(idCount...)
    report.skipped += 1
    try noteSkipped()
  }

  /// Adds the issues of a record that was left out to the report.
  private func noteSkipped() throws {
    let issues = importer.log.takeIssues()
    report.issues += issues
    report.errorCount += issues.count
    try importer.log.requireFew(report.issues)
  }

  private var failure: GrootError {
    GrootError(collected[0].status, collected, underlying: importer.log.cause)
  }

  /// Ends the import: throws the gathered issues, or completes the report.
  func finish() throws {
    let hadForwardReferences = importer.references.isWaiting
    try importer.finish()
    try importer.missingMembers?.delete(sparing: ids)
    if hadForwardReferences { ids.removeAll { !importer.graph.isLive($0) } }
    // Deletions are made at the end; a denied deletion is still an issue of its record.
    if options.errorMode == .skip { try noteSkipped() }
    if !importer.log.issues.isEmpty { collected += importer.log.takeIssues() }
    if collected.isEmpty, needsDifference { try compare() }
    try importer.progress.tell()
    guard collected.isEmpty else { throw failure }
    report.skipped += importer.references.failureCount
    report.skipped += importer.tombstones?.failureCount ?? 0
    note(importer.log.notes.all)
    if let unknownKeys = importer.unknownKeys { note(unknownKeys.counts.warnings) }
    note(importer.linker.repeated.warnings)
    let unbrought = importer.references.unbrought
    report.unbrought = unbrought.map { $0.object }
    note(unbrought.map { $0.issue })
    if let accessed = importer.tally.accessed { try listAccess(accessed) }
    try importer.graph.checkMemory()
    try options.willAccept?(ids.count)
  }

  private func note(_ issues: [GrootIssue]) { if !issues.isEmpty { report.issues += issues } }

  /// Removes the objects that the undo of a dry run deleted.
  func keepLiving() { ids.removeAll { !importer.graph.isLive($0) } }

  /// Whether the caller, its progress function or the guard of deletions takes the differences.
  private var needsDifference: Bool {
    options.takesCounts || importer.tally.listsChanges || importer.progress.isHeard
      || importer.deleter.deletionGuard != nil
  }

  /// Counts the differences from the beginning of the import, and lists them on request.
  private func compare() throws {
    guard let point = importer.graph.savepoints.last else { return }
    try importer.graph.requireRoomForDifference(since: point.logCount)
    let difference = GraphDifference(
      importer.graph, since: point, isListing: importer.tally.listsChanges)
    importer.tally.settle(difference)
    report.inserted = importer.tally.counts.inserted
    report.updated = importer.tally.counts.updated
    report.unchanged = importer.tally.counts.unchanged
    report.deleted = difference.deleted.count
    report.stale = importer.tally.counts.stale
    report.staleObjects = importer.tally.stale
    report.withheld = importer.deleter.withheld
    try importer.deleter.deletionGuard?.check(importer.graph, deleted: report.deleted)
    if importer.tally.listsChanges { report.changes = difference.changes() }
  }
}

// The objects that an import came across, listed if its options ask for it.

extension ImportRun {
  /// Lists, for each entity of the import, the objects that it came across and the others.
  func listAccess(_ accessed: Set<ObjectID>) throws {
    let graph = importer.graph
    let model = graph.model
    let met = Set(
      accessed.compactMap { object in
        (try? graph.record(object)).map { graph.entity($0, in: object.table) }
      })
    // The list of an ancestor includes the objects of its descendants.
    let candidates = met.union(entities)
    for entity in met.sorted() where !entities.contains(entity) {
      let resolved = model.resolved[entity]
      let isListed = candidates.contains { other in
        other != entity && model.resolved[other].hierarchy == resolved.hierarchy
          && model.resolved[other].subtree.contains(resolved.localIndex)
      }
      if !isListed { entities.append(entity) }
    }
    for entity in entities {
      let resolved = graph.model.resolved[entity]
      let table = resolved.hierarchy
      try importer.store?.readAll(table)
      var lists: (met: [ObjectID], others: [ObjectID]) = ([], [])
      var rows = (graph.tables[table].rows).filter { row in
        graph.tables[table].isLive(row)
          && resolved.subtree.contains(graph.tables[table].header(row).pointee.entity)
      }
      graph.tables[table].sortByAge(&rows)
      for row in rows {
        let id = graph.tables[table].id(row)
        if accessed.contains(id) { lists.met.append(id) } else { lists.others.append(id) }
      }
      report.accessed[resolved.name] = lists.met
      report.unaccessed[resolved.name] = lists.others
    }
  }
}
