// Making the objects of an entity what a list of entries says.

extension ManagedObjectContext {
  /// Makes the objects of an entity what JSON text lists: inserts, updates and deletes.
  ///
  /// The text is an array of objects, or one object. Entries are found by the entity's identity; an
  /// entry without one is left out and noted in the report. All of it happens, or nothing. Linear in
  /// the entries and the objects in the scope.
  ///
  /// - Throws: ``Status/invalidMapping`` when the entity has no identity; else as an import does.
  @discardableResult
  public func syncText(
    _ text: String, with entity: String, options: SyncOptions = SyncOptions()
  ) throws -> ImportResult {
    var text = text
    return try text.withUTF8 {
      try syncBytes(UnsafeRawBufferPointer($0), with: entity, options: options)
    }
  }

  /// The same with text in memory that is borrowed for the call.
  @discardableResult
  public func syncBytes(
    _ text: UnsafeRawBufferPointer, with entity: String, options: SyncOptions = SyncOptions()
  ) throws -> ImportResult {
    try syncElements(with: entity, options) {
      ImportSource(JSONReader(text: text, usesScanner: options.usesScanner))
    }
  }

  /// The same with text from a file, piece by piece: memory does not grow with the file.
  ///
  /// - Throws: also ``Status/fileError``.
  @discardableResult
  public func syncFile(
    _ path: String, with entity: String, options: SyncOptions = SyncOptions()
  ) throws -> ImportResult {
    try syncElements(with: entity, options) {
      try ImportSource(file: path, JSONReader.Source(), usesScanner: options.usesScanner)
    }
  }

  /// The same with a JSON value.
  @discardableResult
  public func syncValue(
    _ json: JSONValue, with entity: String, options: SyncOptions = SyncOptions()
  ) throws -> ImportResult {
    try syncElements(with: entity, options) { ImportSource(try ValueElements(of: json, at: "")) }
  }

  /// Synchronizes with what a source puts on its tape.
  func syncElements(
    with entity: String, _ options: SyncOptions, factory: ImportSource.Factory
  ) throws -> ImportResult {
    try requireIdle()
    let index = try model.index(of: entity)
    let number = PlanIndex(of: index)
    guard !(try usable(options.mapping).plan.identityNumbers[number].isEmpty) else {
      throw GrootError(
        .invalidMapping,
        "objects are synchronized by what identifies them, and the entity has no identity",
        entity: entity)
    }
    let scope = try syncScope(index, options: options)
    let source = try factory()
    return try transaction(options.importOptions, on: source.tape, reader: source.reader) { run in
      let importer = run.importer
      let prefetcher =
        try source.isRepeatable
        ? prefetcher(into: number, options.importOptions, factory: factory) : nil
      importer.prepareSync(options, scope: scope)
      while try source.next(importer) {
        try prefetcher?.advance()
        let count = run.ids.count
        try run.importRecord(into: number)
        if let link = scope.parentLink, run.ids.count > count, let object = run.ids.last {
          try importer.join(object, link: link)
        }
      }
      if options.deletes { try importer.deleteUnlisted(scope.candidates, number: number) }
    }
  }
}

extension SyncOptions {
  /// The options of the import that does the work.
  fileprivate var importOptions: ImportOptions {
    var options = ImportOptions()
    options.mapping = mapping
    options.usesScanner = usesScanner
    options.maximumIssues = maximumIssues
    options.isDryRun = isDryRun
    options.listsChanges = listsChanges
    options.progress = progress
    return options
  }
}
