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
    let reader = JSONReader(
      text: text, usesScanner: options.usesScanner, source: try options.source())
    return try importElements(of: reader, into: entity, options)
  }

  /// Imports JSON text from a file, piece by piece: memory does not grow with the file.
  ///
  /// - Throws: also ``Status/fileError``.
  @discardableResult
  public func importFile(
    _ path: String, into entity: String?, options: ImportOptions = ImportOptions()
  ) throws -> ImportResult {
    let source = try options.source()
    let file = try InputFile(path)
    let reader = JSONReader(usesScanner: options.usesScanner, source: source) {
      try file.read(into: $0)
    }
    return try importElements(of: reader, into: entity, options)
  }

  /// Imports a JSON value.
  @discardableResult
  public func importValue(
    _ json: JSONValue, into entity: String?, options: ImportOptions = ImportOptions()
  ) throws -> ImportResult {
    let tape = JSONTape()
    let next = try Self.elements(of: json, at: options.rootPath, tape)
    return try importElements(into: entity, options, tape: tape, next: next)
  }

  /// As in text, only an object or an array stands at the top level.
  static var noDocument: GrootError {
    GrootError(
      Issue(.wrongShape, "an import takes an object or an array, not a single value", path: "$"))
  }

  private func importElements(
    of reader: JSONReader, into entity: String?, _ options: ImportOptions
  ) throws -> ImportResult {
    try importElements(into: entity, options, tape: reader.tape, reader: reader) { _ in
      try reader.next()
    }
  }

  /// Imports what `next` puts on the tape, until it answers false, inside one savepoint.
  package func importElements(
    into entity: String?, _ options: ImportOptions, tape: JSONTape, reader: JSONReader? = nil,
    next: (Importer) throws -> Bool
  ) throws -> ImportResult {
    try transaction(options, tape, reader) { run in
      guard let entity else {
        guard !run.importer.mapping.batches.isEmpty else {
          throw GrootError(
            .invalidArgument,
            "an import without an entity is a batch, and the mapping has no rules that name records"
          )
        }
        while try next(run.importer) { try run.importBatch() }
        return
      }
      let number = try model.index(of: entity)
      run.note(entity: number)
      while try next(run.importer) { try run.importRecord(into: number) }
    }
  }

  /// Runs `body` with an importer inside one savepoint: all of it happens, or nothing.
  func transaction(
    _ options: ImportOptions, _ tape: JSONTape, _ reader: JSONReader?,
    _ body: (inout ImportRun) throws -> Void
  ) throws -> ImportResult {
    try exclusively {
      var policies = Policies()
      for (name, value) in options.policies { try policies.set(name, value) }
      let mapping = try usable(options.mapping)
      coordinator?.forgetAsked()
      graph.begin()
      do {
        let importer = Importer(
          graph: graph, store: coordinator, mapping: mapping, tape: tape, options: options,
          policies: policies)
        var run = ImportRun(importer, options)
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

  /// A text that is no JSON is called that, even when an element before the fault cannot be
  /// imported.
  ///
  /// So it makes no difference whether a text is read at once or piece by piece.
  private func syntaxError(in reader: JSONReader, before error: any Error) -> any Error {
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
