/// An import, a synchronization or a filling under way: it begins, takes records, and ends with all
/// of them or with nothing.
///
/// It must come to an end, by ``commit()`` or by ``rollBack()``.
struct ImportTransaction {
  /// The records so far.
  private(set) var run: ImportRun
  private let work: UnitOfWork
  private let elements: ImportElements
  private let options: ImportOptions
  /// The look ahead in the elements; nil when the store need not be asked.
  private var prefetcher: IdentityPrefetcher?

  var importer: Importer { run.importer }
  /// Where the element on the tape is in the JSON.
  var path: String { elements.path }

  /// Begins.
  init(_ work: UnitOfWork, elements: ImportElements, options: ImportOptions) throws {
    self.work = work
    self.elements = elements
    self.options = options
    run = ImportRun(try work.importer(elements.tape, options: options), options: options)
    importer.reader = elements.reader
    work.coordinator?.beginImport(listsChanges: importer.listsChanges)
    do {
      try work.graph.begin()
    } catch {
      work.coordinator?.endImport()
      throw error
    }
  }

  /// Runs `body` with a transaction: all it does happens, or nothing.
  ///
  /// - Returns: The records of the transaction.
  static func run(
    _ work: UnitOfWork, elements: ImportElements, options: ImportOptions,
    body: (inout ImportTransaction) throws -> Void
  ) throws -> ImportRun {
    var transaction = try ImportTransaction(work, elements: elements, options: options)
    do {
      try body(&transaction)
      try transaction.finish()
    } catch {
      transaction.rollBack()
      throw elements.failure(error)
    }
    transaction.commit()
    return transaction.run
  }

  // MARK: Records

  /// Says of which entity the elements are records; without one they are envelopes.
  mutating func takeRecords(of entity: PlanIndex?) throws { try run.takeRecords(of: entity) }

  /// Looks up the identities in a source before its elements are imported.
  ///
  /// A store that takes no more room than the text is read at once: then there is nothing to ask.
  mutating func readAhead(in source: ImportSource) throws {
    guard source.isRepeatable, let coordinator = work.coordinator, try !coordinator.isEmpty else {
      return
    }
    if let byteCount = source.byteCount, try coordinator.isSmall(besides: byteCount) {
      try coordinator.preloadAll()
    } else {
      _ = try readAhead(in: source.elements(), limit: .max)
    }
  }

  /// The same in the next elements, `limit` of them; false when the store has nothing to ask for.
  mutating func readAhead(in elements: ImportElements, limit: Int) throws -> Bool {
    guard let coordinator = work.coordinator, try !coordinator.isEmpty else { return false }
    prefetcher = IdentityPrefetcher(
      try work.importer(elements.tape, options: options), of: elements, into: run.entity,
      form: options.form, limit: limit)
    return true
  }

  /// Looks up the identities in all elements that were read so far.
  func prefetchAll() throws { try prefetcher?.prefetchAll() }

  /// Puts the next element on the tape; false at the end.
  mutating func next() throws -> Bool {
    guard try elements.next() else {
      try requireForm()
      return false
    }
    if elements.reader == nil {
      importer.elementPath = elements.path
      importer.elementIndex = elements.index
      importer.isWholeDocument = elements.isWholeDocument
    }
    try prefetcher?.advance()
    return true
  }

  /// Refuses an empty array in the place of records under keys: a synchronization would take it for
  /// the list of no records, and delete them all.
  private func requireForm() throws {
    guard options.form != .array, let path = elements.emptyArrayPath else { return }
    throw GrootError(GrootIssue(.wrongShape, Importer.arrayForKeys, path: path))
  }

  /// Imports the element on the tape.
  mutating func importElement() throws { try run.importElement() }

  /// The objects that were imported since there were `count`.
  func objects(since count: Int) -> ArraySlice<ObjectID> { run.ids[min(count, run.ids.count)...] }

  /// How many objects were imported.
  var objectCount: Int { run.ids.count }

  /// Imports elements up to the end, or `limit` of them; how many there were.
  mutating func importElements(limit: Int = .max) throws -> Int {
    var count = 0
    while count < limit, try next() {
      count += 1
      try run.importElement()
    }
    return count
  }

  // MARK: The end

  /// Does what had to wait until all was read, and completes the report.
  mutating func finish() throws {
    try requireForm()
    try run.finish()
  }

  /// Accepts what a finished transaction has done; a dry run is undone.
  mutating func commit() {
    if options.isDryRun {
      work.graph.rollBack()
      run.keepLiving()
    } else {
      work.graph.commit()
    }
    work.coordinator?.endImport()
  }

  /// Undoes everything.
  func rollBack() {
    work.graph.rollBack()
    work.coordinator?.endImport()
  }
}

extension UnitOfWork {
  /// An importer into the objects, of what is put on a tape.
  func importer(_ tape: JSONTape, options: ImportOptions) throws -> Importer {
    var policies = Policies()
    var unknownKeys = UnknownKeys.ignore
    for (name, value) in options.policies {
      if Name(name) == Name("unknownKeys") {
        unknownKeys = try Policies.named(name, name: value)
      } else {
        try policies.set(name, to: value)
      }
    }
    try coordinator?.lookForPlaceholders()
    return Importer(
      graph: graph, store: coordinator, mapping: try usable(options.mapping), tape: tape,
      options: options, policies: policies, unknownKeys: unknownKeys)
  }
}
