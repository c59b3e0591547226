// Synchronizing the objects of an entity with a list of entries.

extension ManagedObjectContext {
  /// Synchronizes the objects of an entity with JSON: inserts, updates and deletes objects.
  ///
  /// The JSON is an array of objects and identifiers, one object, or a text of lines. Entries are
  /// found by the entity's identity. An entry without one is left out and noted in the report, and
  /// deletions are then withheld unless the options allow them. An object that the JSON names is
  /// kept, even if a cascade reaches it. On failure the graph is unchanged. The time is linear in
  /// the entries and the objects in the scope.
  ///
  /// - Parameters:
  ///   - entity: The entity of the objects.
  ///   - input: The complete list of objects.
  ///   - options: The scope of the synchronization, and the changes that are allowed.
  /// - Throws: ``Status/invalidMapping`` when the entity has no identity; ``Status/missingValue``
  ///   for one object instead of an array if it has no identity; ``Status/tooManyDeletions``; else
  ///   as an import does.
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
        "a synchronization needs an identity, which the entity lacks",
        entity: entity)
    }
    if options.deletion == .mark {
      let plan = try work.usable(options.mapping).plan
      guard plan.entities[number].deletionMark != nil else {
        throw GrootError(
          .invalidMapping,
          "deletion marks need the annotation groot.deletionMark, which the entity lacks",
          entity: entity)
      }
    }
    let scope = try syncScope(index, options: options)
    let deletionGuard = try options.maximumDeletions.map {
      try DeletionGuard($0, entity: entity, scope: scope.candidates)
    }
    return try input.open(options.importOptions, graph.memory) { input in
      return try importing(input, options: options.importOptions) { transaction in
        try transaction.takeRecords(of: number)
        try transaction.readAhead(in: input)
        let importer = transaction.importer
        importer.prepareSync(options, scope: scope, guarding: deletionGuard, of: number)
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
  /// The options of the underlying import.
  fileprivate var importOptions: ImportOptions {
    var options = ImportOptions()
    options.mapping = mapping
    options.usesScanner = usesScanner
    options.maximumIssues = maximumIssues
    options.isDryRun = isDryRun
    options.listsChanges = listsChanges
    options.format = format
    options.form = form
    options.rootPath = rootPath
    options.policies = policies
    options.callbackUserdata = callbackUserdata
    options.willAccept = willAccept
    options.progress = progress
    return options
  }
}
