// Synchronizations, and fillings of one object.

extension Importer {
  static var noObject: GrootError {
    GrootError(
      GrootIssue(.wrongShape, "a fill takes one JSON object", path: "$"))
  }

  /// Sets the attributes of an object from the element on the tape.
  func fillObject(_ object: ObjectID) throws {
    beginElement()
    let number = PlanIndex(of: graph.entity(try graph.record(object), in: object.table))
    let entity = plan.entities + number
    let kind = tape.tokens[0].kind
    guard kind == .object || (kind == .array && entity.takesArrays) else {
      throw Self.noObject
    }
    var record = MatchedRecord(object: .first, plan: number, slots: matcher.slotCount)
    if entity.dictionaryTransformer >= 0 {
      record.token = try resolver.chooser.transformObject(
        entity.dictionaryTransformer, object: record.object, entity: number)
    }
    try matcher.match(record.token, entity: entity, base: record.slots)
    // An object of an abstract entity stays a placeholder until a record determines its entity.
    if !entity.isAbstract { graph.bring(object.row, in: object.table) }
    let scope = Scope(.skip, operations: resolver.targetOperations)
    let frame = ImportFrame(record, row: object.row, scope: scope, isNew: false)
    try unknownKeys?.noteUnknownKeys(frame)
    try filler.fill(frame)
  }

  /// Configures the importer for a synchronization.
  func prepareSync(
    _ options: SyncOptions, scope: SyncScope, guarding: DeletionGuard?, of entity: PlanIndex
  ) {
    deleter.prepareSync(options, guarding: guarding, of: plan.entities[entity].table)
    if !options.inserts && top.unknownIdentifier == .placeholder { top.unknownIdentifier = .skip }
    top.operations = .with(inserts: options.inserts, updates: options.updates)
    top.operations.remove(.insertsUnidentified)
    top.unidentified = .note
    takesEntriesOnly = true
    let inserts = options.memberInserts ?? options.inserts
    linker.prepareSync(
      .with(inserts: inserts, updates: options.memberUpdates ?? options.updates))
    missingMembers?.isOn = options.memberDeletes ?? options.deletes
    if let link = scope.parentLink { top.reach(from: link) }
    tombstones?.isOn = options.deletes
  }

  /// Links an object to the parent of the synchronization.
  func link(_ object: ObjectID, to link: SyncScope.ParentLink) throws {
    guard top.operations.contains(.updates) || tally.isInserted(object.row, in: object.table) else {
      return
    }
    let isChanged: Bool
    if link.field.isToMany {
      try store?.prefetchList(object.row, in: object.table, field: link.field)
      try store?.prefetchMember(link.field, member: link.parent.row)
      isChanged = try graph.add(link.parent.row, to: link.field, of: object.row)
    } else {
      try store?.prefetchTarget(link.field, row: object.row, target: OptionalRow(link.parent.row))
      isChanged = graph.setTarget(
        link.field.link, side: link.field.side, row: object.row, to: OptionalRow(link.parent.row))
    }
    if isChanged { tally.noteUpdate(object.row, in: object.table) }
  }

  /// Deletes the objects without an entry, and those with an older object's identity.
  ///
  /// An object without an identity is never listed, so it stays.
  func deleteUnlisted(_ candidates: [ObjectID], number: PlanIndex) throws {
    let entity = plan.entities + number
    let index = try references.finder.identityIndex(number)
    let unlisted = candidates.filter { graph.isLive($0) && !deleter.isListed($0.row, in: $0.table) }
    func isIdentified(_ object: ObjectID) -> Bool {
      index.pointee.first(of: object.row, entity.localIndex, entity.lastLocalIndex) != nil
    }
    if deleter.keepsDeleted { return try deleter.markOrWithhold(unlisted.filter(isIdentified)) }
    let refusal = deleter.deletionGuard.flatMap {
      $0.refusal(unlisted: unlisted.count { isIdentified($0) })
    }
    try store?.prefetchDeletion(unlisted)
    for object in unlisted where graph.isLive(object) {
      // A met object is the oldest with its identity; the others are never found.
      if !isIdentified(object) { continue }
      do { try deleter.delete(object) } catch let error as GrootError
        where error.status == .deleteDenied
      {
        throw refusal ?? error
      }
    }
  }
}
