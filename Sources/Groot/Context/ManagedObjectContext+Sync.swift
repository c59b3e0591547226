// Making the objects of an entity what a list of entries says.

extension ManagedObjectContext {
  /// Makes the objects of an entity what JSON lists: inserts, updates and deletes.
  ///
  /// The JSON is an array of objects and identifiers, or one object. Entries are found by the entity's
  /// identity; an entry without one is left out and noted in the report, and nothing is deleted then
  /// unless the options say so. An object that the JSON names stays, also where a cascade
  /// reaches it. All of it happens, or nothing. Linear in the entries and the objects in the scope.
  ///
  /// - Parameters:
  ///   - entity: The entity of the objects.
  ///   - input: All objects that there are to be.
  ///   - options: Which objects are meant, and what is done with them.
  /// - Throws: ``Status/invalidMapping`` when the entity has no identity; ``Status/missingValue`` for
  ///   one object instead of an array when nothing identifies it; else as an import does.
  @discardableResult
  public func sync(
    _ entity: String, with input: JSONInput, options: SyncOptions = SyncOptions()
  ) throws(GrootError) -> ImportResult {
    try cancellably(.importing) { try syncing(entity, with: input, options: options) }
  }

  private func syncing(
    _ entity: String, with input: JSONInput, options: SyncOptions
  ) throws -> ImportResult {
    let index = try model.index(of: entity)
    let number = PlanIndex(of: index)
    guard !(try work.usable(options.mapping).plan.identityNumbers[number].isEmpty) else {
      throw GrootError(
        .invalidMapping,
        "objects are synchronized by what identifies them, and the entity has no identity",
        entity: entity)
    }
    if options.deletion == .mark {
      let plan = try work.usable(options.mapping).plan
      guard plan.entities[number].deletionMark != nil else {
        throw GrootError(
          .invalidMapping,
          "deletions are to be marked, and the entity has no annotation groot.deletionMark",
          entity: entity)
      }
    }
    let scope = try syncScope(index, options: options)
    return try input.borrow { input in
      let layout = try input.layout(options.importOptions)
      let source = try ImportSource(
        input, layout: layout, usesScanner: options.usesScanner, graph.memory)
      return try importing(source, options: options.importOptions) { transaction in
        try transaction.takeRecords(of: number)
        try transaction.readAhead(in: source)
        let importer = transaction.importer
        importer.prepareSync(options, scope: scope, of: number)
        while try transaction.next() {
          let count = transaction.objectCount
          try transaction.importElement()
          guard let link = scope.parentLink else { continue }
          for object in transaction.objects(since: count) { try importer.link(object, to: link) }
        }
        if options.deletes { try importer.deleteUnlisted(scope.candidates, number: number) }
      }
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
    options.form = form
    options.rootPath = rootPath
    options.policies = policies
    options.callbackUserdata = callbackUserdata
    options.willAccept = willAccept
    options.progress = progress
    return options
  }
}
