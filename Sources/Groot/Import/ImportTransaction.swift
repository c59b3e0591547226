/// A transaction of an import, a synchronization or a filling.
///
/// It must end by ``commit()``, which keeps all changes, or by ``rollBack()``, which undoes them.
struct ImportTransaction {
  /// The run with the records so far.
  let run: ImportRun
  private let work: UnitOfWork
  private let elements: ImportElements
  /// The look-ahead at the elements; nil when there is nothing to look for.
  private var lookAhead: LookAhead?

  var importer: Importer { run.importer }
  private var options: ImportOptions { run.options }
  /// The path in the JSON of the element on the tape.
  var path: String { elements.path }

  /// Begins the transaction.
  init(_ work: UnitOfWork, elements: ImportElements, options: ImportOptions) throws {
    self.work = work
    self.elements = elements
    run = ImportRun(try work.importer(elements.tape, options: options), options: options)
    importer.current.reader = elements.reader
    work.coordinator?.beginImport(listsChanges: importer.tally.listsChanges)
    do {
      try work.graph.begin()
    } catch {
      work.coordinator?.endImport()
      throw error
    }
  }

  /// Runs `body` in a transaction, which is rolled back on an error.
  ///
  /// - Returns: The run with the records of the transaction.
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

  /// Sets the entity of the records; without one, the elements are envelopes.
  mutating func takeRecords(of entity: PlanIndex?) throws { try run.takeRecords(of: entity) }

  /// Looks up the identities in an input, and calls functions with its values, before its elements
  /// are imported.
  ///
  /// A store that is not larger than the text is instead read as a whole.
  mutating func readAhead(in input: JSONInput.Opened) throws {
    guard input.isRepeatable else { return }
    var purposes = try purposes
    if purposes.readsStore, let coordinator = work.coordinator, let byteCount = input.byteCount,
      try coordinator.isSmall(besides: byteCount)
    {
      try coordinator.preloadAll(comparing: importer.plan.comparedLinks)
      purposes.readsStore = false
    }
    if !purposes.isEmpty {
      try readAhead(in: input.elements(isSecond: true), for: purposes, limit: .max)
    }
  }

  /// Does the same for the next `limit` elements; returns false if there is nothing to look for.
  mutating func readAhead(in elements: ImportElements, limit: Int) throws -> Bool {
    let purposes = try purposes
    if purposes.isEmpty { return false }
    try readAhead(in: elements, for: purposes, limit: limit)
    return true
  }

  private mutating func readAhead(
    in elements: ImportElements, for purposes: LookAhead.Purposes, limit: Int
  ) throws {
    importer.matcher.values.callbacks.memo = purposes.memo
    lookAhead = LookAhead(
      try work.importer(elements.tape, options: options), of: elements, into: run.entity,
      for: purposes, limit: limit, options: options)
  }

  /// The purposes that an import has for looking ahead.
  private var purposes: LookAhead.Purposes {
    get throws {
      let plan = importer.plan
      return LookAhead.Purposes(
        readsStore: try work.coordinator.map { try !$0.isEmpty } ?? false,
        memo: plan.batches.isEmpty
          ? nil : BatchMemo(work.graph, plan: plan, userdata: options.callbackUserdata))
    }
  }

  /// Looks ahead at all elements that were read so far.
  func readAllAhead() throws { try lookAhead?.readAll() }

  /// Puts the next element on the tape; returns false at the end.
  mutating func next() throws -> Bool {
    guard try elements.next() else {
      try requireForm()
      return false
    }
    if elements.reader == nil {
      importer.current.stand(
        at: elements.path, index: elements.index, isDocument: elements.isWholeDocument)
    }
    try lookAhead?.advance()
    return true
  }

  /// Throws for an empty array where the form expects records under keys.
  ///
  /// A synchronization would take it for an empty list, and delete all objects.
  private func requireForm() throws {
    guard options.form != .array, let path = elements.emptyArrayPath else { return }
    throw GrootError(GrootIssue(.wrongShape, Importer.arrayForKeys, path: path))
  }

  /// Imports the element on the tape.
  mutating func importElement() throws { try run.importElement() }

  /// Returns the objects that were imported after the first `count`.
  func objects(since count: Int) -> ArraySlice<ObjectID> { run.ids[min(count, run.ids.count)...] }

  /// The number of imported objects.
  var objectCount: Int { run.ids.count }

  /// Imports up to `limit` elements, and returns their number.
  mutating func importElements(limit: Int = .max) throws -> Int {
    var count = 0
    while count < limit, try next() {
      count += 1
      try run.importElement()
    }
    return count
  }

  // MARK: Completion

  /// Completes the import and its report after all elements are read.
  mutating func finish() throws {
    try requireForm()
    try run.finish()
  }

  /// Accepts the changes of a finished transaction, or undoes those of a dry run.
  mutating func commit() {
    if options.isDryRun {
      work.graph.rollBack()
      run.keepLiving()
    } else {
      work.graph.commit()
    }
    work.coordinator?.endImport()
  }

  /// Undoes all changes.
  func rollBack() {
    work.graph.rollBack()
    work.coordinator?.endImport()
  }
}

extension UnitOfWork {
  /// Returns an importer of the elements on a tape.
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
    // In an empty store there is nothing to find, and no object in memory lacks a part.
    let store = try coordinator.flatMap { try $0.isEmpty ? nil : $0 }
    return Importer(
      graph: graph, store: store, mapping: try usable(options.mapping), tape: tape,
      options: options, policies: policies, unknownKeys: unknownKeys)
  }
}
