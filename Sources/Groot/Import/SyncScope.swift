/// The scope of a synchronization: the objects that it may delete, and their parent.
struct SyncScope {
  /// The objects that are deleted if they have no entry.
  let candidates: [ObjectID]
  /// The link of the objects to the parent; nil without a parent.
  let parentLink: ParentLink?

  /// The relationship of an object that leads to its parent.
  struct ParentLink {
    let field: Field
    let parent: ObjectID
  }
}

extension Importer {
  /// Configures the importer for a synchronization.
  func prepareSync(_ options: SyncOptions, scope: SyncScope, of entity: PlanIndex) {
    var named = NamedObjects(of: graph)
    named.note(all: plan.entities[entity].table)
    self.named = named
    withholdsDeletions = options.withholdsDeletions
    if !options.inserts && top.unknownIdentifier == .placeholder { top.unknownIdentifier = .skip }
    top.operations = ImportOperations(
      inserts: options.inserts, updates: options.updates, insertsUnidentified: false)
    top.unidentified = .note
    takesEntriesOnly = true
    let inserts = options.memberInserts ?? options.inserts
    memberOperations = ImportOperations(
      inserts: inserts, updates: options.memberUpdates ?? options.updates,
      insertsUnidentified: inserts)
    deletesMembers = options.memberDeletes ?? options.deletes
    if let link = scope.parentLink { top.reach(from: link) }
    deletesBuried = options.deletes
    if options.deletion == .mark { deletionMark = CLibrary.now() }
  }

  /// Links an object to the parent of the synchronization.
  func link(_ object: ObjectID, to link: SyncScope.ParentLink) throws {
    let header = graph.tables[object.table].header(object.row)
    guard top.operations.updates || header.pointee.marks == ImportMark.inserted else { return }
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
    if isChanged { noteUpdate(object.row, in: object.table) }
  }

  /// Deletes the objects without an entry, and those with an older object's identity.
  ///
  /// An object without an identity is never listed, so it stays.
  func deleteUnlisted(_ candidates: [ObjectID], number: PlanIndex) throws {
    let entity = plan.entities + number
    let index = try identityIndex(number)
    let unlisted = candidates.filter { graph.isLive($0) && !isListed($0.row, in: $0.table) }
    func isIdentified(_ object: ObjectID) -> Bool {
      index.pointee.first(of: object.row, entity.localIndex, entity.lastLocalIndex) != nil
    }
    if keepsDeleted { return try markOrWithhold(unlisted.filter(isIdentified)) }
    let refusal = deletionGuard.flatMap {
      $0.refusal(unlisted: unlisted.count { isIdentified($0) })
    }
    try store?.prefetchDeletion(unlisted)
    for object in unlisted where graph.isLive(object) {
      // A met object is the oldest with its identity; the others are never found.
      if !isIdentified(object) { continue }
      do { try delete(object) } catch let error as GrootError where error.status == .deleteDenied {
        throw refusal ?? error
      }
    }
  }
}
