// Importing JSON: an import is complete, or fails and leaves the graph unchanged.

extension ManagedObjectContext {
  /// Imports JSON: one object, or an array of objects, of identifiers, or of both.
  ///
  /// Without an entity the input is an envelope: an object whose keys are the external names that
  /// rules give to entities. Each key has one record or an array of them.
  ///
  /// - Parameters:
  ///   - input: The JSON: a text, bytes, a file or a value.
  ///   - entity: The entity of the objects; nil for an envelope.
  ///   - options: The treatment of invalid records and of unknown identifiers, and the parts of the
  ///     report.
  /// - Throws: ``GrootError`` with path, line and column; the error of a callback is its
  ///   ``GrootError/underlying``.
  @discardableResult
  public func importJSON(
    _ input: JSONInput, into entity: String?, options: ImportOptions = ImportOptions()
  ) throws(GrootError) -> ImportResult {
    try cancellably(.importing) { try importing(input, into: entity, options: options) }
  }

  /// Imports JSON text, and returns the objects of its elements in order.
  ///
  /// - Parameters:
  ///   - text: The JSON.
  ///   - entity: The entity of the objects; nil for an envelope.
  ///   - options: The options of the import.
  /// - Throws: as ``importJSON(_:into:options:)``.
  @discardableResult
  public func importText(
    _ text: String, into entity: String?, options: ImportOptions = ImportOptions()
  ) throws(GrootError) -> [ManagedObject] {
    Array(try importJSON(.text(text), into: entity, options: options))
  }

  private func importing(
    _ input: JSONInput, into entity: String?, options: ImportOptions
  ) throws -> ImportResult {
    let options = options.reading(try work.usable(options.mapping), into: entity)
    return try input.borrow { input in
      let layout = try input.layout(options)
      func open() throws -> ImportSource {
        try ImportSource(
          input, layout: layout, usesScanner: options.usesScanner, graph.memory)
      }
      guard options.batchSize == 0 else {
        let coordinator = try batchCoordinator(options)
        var batches = try BatchedImport(work, on: coordinator, of: open(), options: options)
        return ImportResult(context: self, ids: [], report: try batches.run(into: entity))
      }
      let source = try open()
      return try importing(source, options: options) { transaction in
        try transaction.takeRecords(of: try entity.map { try mapping.plan(of: $0) })
        try transaction.readAhead(in: source)
        _ = try transaction.importElements()
      }
    }
  }

  /// Returns the store for an import in batches.
  private func batchCoordinator(_ options: ImportOptions) throws -> StoreCoordinator {
    func refuse(_ reason: String) -> GrootError { GrootError(.invalidArgument, reason) }
    guard let coordinator else { throw refuse("an import in batches needs a context with a store") }
    guard !options.isDryRun, !options.listsChanges, !options.listsAccess else {
      throw refuse("an import in batches has no dry run, and its report lists no objects")
    }
    guard !graph.mayHaveChanges else {
      throw refuse("an import in batches needs a context without unsaved changes")
    }
    return coordinator
  }

  /// Runs `body` with a transaction that reads a source, inside a call that uses the context.
  ///
  /// On failure no change remains.
  func importing(
    _ source: ImportSource, options: ImportOptions,
    body: (inout ImportTransaction) throws -> Void
  ) throws -> ImportResult {
    let run = try ImportTransaction.run(
      work, elements: source.elements(), options: options, body: body)
    return ImportResult(context: self, ids: run.ids, report: run.report)
  }
}
