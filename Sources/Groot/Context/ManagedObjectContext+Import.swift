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
    let coordinator = options.batchSize == 0 ? nil : try batchCoordinator(options)
    return try input.open(options, graph.memory) { input in
      if let coordinator {
        var batches = BatchedImport(work, on: coordinator, of: input, options: options)
        return ImportResult(context: self, ids: [], report: try batches.run(into: entity))
      }
      return try importing(input, options: options) { transaction in
        try transaction.takeRecords(of: try entity.map { try mapping.plan(of: $0) })
        try transaction.readAhead(in: input)
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

  /// Runs `body` with a transaction that reads an input, inside a call that uses the context.
  ///
  /// On failure no change remains.
  func importing(
    _ input: JSONInput.Opened, options: ImportOptions,
    body: (inout ImportTransaction) throws -> Void
  ) throws -> ImportResult {
    let run = try ImportTransaction.run(
      work, elements: input.elements(), options: options, body: body)
    return ImportResult(context: self, ids: run.ids, report: run.report)
  }
}
