// Imports, fillings and synchronizations.

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

// Setting the attributes of one object from a JSON object.

extension ManagedObjectContext {
  /// Sets the attributes of one object from a JSON object; relationships are unchanged.
  ///
  /// Identity attributes are set too. On failure the object is unchanged.
  ///
  /// - Parameters:
  ///   - object: The id of the object.
  ///   - input: One JSON object.
  ///   - options: The options for reading it.
  /// - Throws: ``GrootError`` as an import does; ``Status/objectDeleted``,
  ///   ``Status/unknownObject``.
  @discardableResult
  public func fill(
    _ object: ObjectID, from input: JSONInput, options: ImportOptions = ImportOptions()
  ) throws(GrootError) -> ImportReport {
    try cancellably(.importing) {
      try input.openWhole(usesScanner: options.usesScanner, graph.memory) { input in
        try importing(input, options: options) { transaction in
          _ = try graph.record(object)
          try coordinator?.read(object.row, in: object.table)
          guard try transaction.next(), transaction.path == "$" else { throw Importer.noObject }
          try transaction.importer.fillObject(object)
          coordinator?.noteClaim(object.row, in: object.table)
        }.report
      }
    }
  }

  /// Sets the attributes of one object from a JSON object; relationships are unchanged.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - input: One JSON object.
  ///   - options: The options for reading it.
  /// - Throws: as ``fill(_:from:options:)-(ObjectID,_,_)``; ``Status/invalidArgument`` for an object
  ///   of another context.
  @discardableResult
  public func fill(
    _ object: ManagedObject, from input: JSONInput, options: ImportOptions = ImportOptions()
  ) throws(GrootError) -> ImportReport {
    try requireOwn(object)
    return try fill(object.id, from: input, options: options)
  }
}

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
      try importing(input, options: options.importOptions) { transaction in
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

// The objects in the scope of a synchronization.

extension ManagedObjectContext {
  /// Returns the scope of a synchronization with the given options.
  ///
  /// Without a predicate and a parent, an entity with a to-one relationship to itself is a tree.
  /// Its roots are then synchronized.
  func syncScope(_ entity: EntityIndex, options: SyncOptions) throws -> SyncScope {
    let name = model.resolved[entity].name
    var candidates = try findIDs(FetchRequest(name, where: options.predicate))
    let table = model.resolved[entity].hierarchy
    if let parent = options.parent {
      let field = try relationship(from: entity, to: parent)
      let link = graph.links[field.link]
      if field.isToMany {
        try coordinator?.complete(candidates.map(\.row), in: table, field: field)
      } else {
        try coordinator?.read(candidates.map(\.row), in: table)
      }
      candidates = candidates.filter {
        field.isToMany
          ? graph.contains(parent.row, in: field, of: $0.row)
          : graph.target(link, side: field.side, row: $0.row).index == parent.row
      }
      return SyncScope(
        candidates: candidates, parentLink: SyncScope.ParentLink(field: field, parent: parent))
    }
    if options.predicate == nil, let field = relationshipToItself(entity) {
      let link = graph.links[field.link]
      try coordinator?.read(candidates.map(\.row), in: table)
      candidates = candidates.filter { graph.target(link, side: field.side, row: $0.row).isNone }
    }
    return SyncScope(candidates: candidates, parentLink: nil)
  }

  /// Returns the first relationship of an entity that can lead to an object.
  private func relationship(from entity: EntityIndex, to parent: ObjectID) throws -> Field {
    let owner = graph.entity(try graph.record(parent), in: parent.table)
    for property in relationships(of: entity) {
      let destination = try model.index(of: property.relationship?.destination ?? "")
      if isKind(owner, of: destination) { return property.field }
    }
    throw GrootError(
      .invalidArgument,
      "no relationship of '\(model.resolved[entity].name)' leads to the parent, which is of the "
        + "entity '\(model.resolved[owner].name)'", entity: model.resolved[entity].name)
  }

  private func relationshipToItself(_ entity: EntityIndex) -> Field? {
    relationships(of: entity).first { property in
      guard !property.field.isToMany, let name = property.relationship?.destination,
        let destination = try? model.index(of: name)
      else { return false }
      return isKind(entity, of: destination)
    }?.field
  }

  private func relationships(of entity: EntityIndex) -> [Property] {
    let resolved = model.resolved[entity]
    return resolved.relationships.map { model.hierarchies[resolved.hierarchy].properties[$0] }
  }

  private func isKind(_ entity: EntityIndex, of ancestor: EntityIndex) -> Bool {
    let (one, other) = (model.resolved[entity], model.resolved[ancestor])
    return one.hierarchy == other.hierarchy && other.subtree.contains(one.localIndex)
  }
}
