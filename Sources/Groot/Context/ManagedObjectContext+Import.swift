// Importing JSON. An import happens whole or not at all: on failure the graph is as it was.

extension ManagedObjectContext {
  /// Imports JSON text: one object, or an array of objects, of identifiers, or of both.
  ///
  /// Without an entity it is a batch: an object of the external names that rules give to entities,
  /// each with one record or an array of them.
  ///
  /// - Throws: ``GrootError`` with path, line and column; what a callback threw is its
  ///   ``GrootError/underlying``.
  @discardableResult
  public func importText(
    _ text: String, into entity: String?, options: ImportOptions = ImportOptions()
  ) throws -> ImportResult {
    var text = text
    return try text.withUTF8 {
      try importBytes(UnsafeRawBufferPointer($0), into: entity, options: options)
    }
  }

  /// Imports JSON text in memory that is borrowed for the call.
  @discardableResult
  public func importBytes(
    _ text: UnsafeRawBufferPointer, into entity: String?, options: ImportOptions = ImportOptions()
  ) throws -> ImportResult {
    let source = try options.source()
    return try importElements(into: entity, options) {
      ImportSource(
        JSONReader(text: text, usesScanner: options.usesScanner, source: source),
        byteCount: text.count)
    }
  }

  /// Imports JSON text from a file, piece by piece: memory does not grow with the file.
  ///
  /// - Throws: also ``Status/fileError``.
  @discardableResult
  public func importFile(
    _ path: String, into entity: String?, options: ImportOptions = ImportOptions()
  ) throws -> ImportResult {
    let source = try options.source()
    return try importElements(into: entity, options) {
      try ImportSource(file: path, source, usesScanner: options.usesScanner)
    }
  }

  /// Imports a JSON value.
  @discardableResult
  public func importValue(
    _ json: JSONValue, into entity: String?, options: ImportOptions = ImportOptions()
  ) throws -> ImportResult {
    try importElements(into: entity, options) {
      ImportSource(try ValueElements(of: json, at: options.rootPath))
    }
  }

  /// Imports what a source puts on its tape, inside one savepoint.
  func importElements(
    into entity: String?, _ options: ImportOptions, factory: ImportSource.Factory
  ) throws -> ImportResult {
    if options.batchSize > 0 { return try importInBatches(into: entity, options, factory: factory) }
    let source = try factory()
    return try transaction(options, on: source.tape, reader: source.reader) { run in
      let number = try entity.map { try mapping.plan(of: $0) }
      let prefetcher =
        try source.isRepeatable ? prefetcher(into: number, options, factory: factory) : nil
      guard let number else {
        try run.requireBatches()
        while try source.next(run.importer) {
          try prefetcher?.advance()
          try run.importBatch()
        }
        return
      }
      run.note(entity: number)
      while try source.next(run.importer) {
        try prefetcher?.advance()
        try run.importRecord(into: number)
      }
    }
  }

  /// What looks ahead in the elements; nil when there is no store, or nothing in it.
  ///
  /// A store that takes no more room than the text is read at once: then there is nothing to ask.
  func prefetcher(
    into entity: PlanIndex?, _ options: ImportOptions, limit: Int = .max,
    factory: ImportSource.Factory
  ) throws -> IdentityPrefetcher? {
    guard let coordinator, try !coordinator.isEmpty else { return nil }
    let source = try factory()
    if let byteCount = source.byteCount, try coordinator.isSmall(besides: byteCount) {
      try coordinator.preloadAll()
      return nil
    }
    return IdentityPrefetcher(
      try importer(source.tape, options: options), into: entity, limit: limit, next: source.next)
  }

  /// An importer of this context.
  func importer(_ tape: JSONTape, options: ImportOptions) throws -> Importer {
    var policies = Policies()
    for (name, value) in options.policies { try policies.set(name, to: value) }
    try coordinator?.lookForPlaceholders()
    return Importer(
      graph: graph, store: coordinator, mapping: try usable(options.mapping), tape: tape,
      options: options, policies: policies)
  }

  /// Runs `body` with an importer inside one savepoint: all of it happens, or nothing.
  func transaction(
    _ options: ImportOptions, on tape: JSONTape, reader: JSONReader?,
    body: (inout ImportRun) throws -> Void
  ) throws -> ImportResult {
    try exclusively {
      let importer = try importer(tape, options: options)
      coordinator?.beginImport(listsChanges: importer.listsChanges)
      defer { coordinator?.endImport() }
      graph.begin()
      do {
        var run = ImportRun(importer, options: options)
        run.importer.reader = reader
        try body(&run)
        try run.finish()
        if options.isDryRun { graph.rollBack() } else { graph.commit() }
        let ids = options.isDryRun ? run.ids.filter { status(of: $0) == .ok } : run.ids
        return ImportResult(context: self, ids: ids, report: run.report)
      } catch {
        graph.rollBack()
        throw reader.map { syntaxError(in: $0, before: error) } ?? error
      }
    }
  }

  /// A text that is no JSON is called that, even when an element before the error cannot be
  /// imported.
  ///
  /// So it makes no difference whether a text is read at once or piece by piece.
  func syntaxError(in reader: JSONReader, before error: any Error) -> any Error {
    guard Self.isOverruledBySyntax(error) else { return error }
    do {
      while try reader.next() {}
    } catch let later as GrootError where later.status == .invalidJSON {
      return later
    } catch {}
    return error
  }

  /// Whether a text with this error and one of syntax behind it fails with the latter.
  static func isOverruledBySyntax(_ error: any Error) -> Bool {
    guard let grootError = error as? GrootError else { return false }
    return ![.cancelled, .callbackFailed, .fileError, .limitExceeded].contains(grootError.status)
  }
}
