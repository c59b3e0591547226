/// Members that a list under `deleteMissing` no longer has.
///
/// It notes them while records are read, and deletes those that nothing else has.
final class MissingMembers {
  let graph: Graph
  let store: StoreCoordinator?
  let log: IssueLog
  let deleter: Deleter
  private let tally: ImportTally
  /// The links whose missing members are deleted, by hierarchy.
  private let watchedLinks: WatchedLinks
  /// Whether members that are no longer listed are deleted where policies say so.
  @exclusivity(unchecked) var isOn = true
  /// The members that the current record removed from relationships under `deleteMissing`.
  @exclusivity(unchecked) private var found: Buffer<MissingMember>
  /// The objects that other relationships lead to, and those that top-level records brought.
  @exclusivity(unchecked) private var linkedElsewhere: Set<ObjectKey> = []
  @exclusivity(unchecked) private var given = GivenObjects()

  init(_ deleter: Deleter, watchedLinks: WatchedLinks) {
    self.deleter = deleter
    (graph, store, log) = (deleter.graph, deleter.store, deleter.log)
    tally = deleter.tally
    self.watchedLinks = watchedLinks
    found = Buffer(graph.memory)
  }

  deinit { found.deallocate() }

  /// Forgets the members of a record that is left out.
  func removeAll() { found.removeLast(to: 0) }

  /// Notes the members that are no longer listed.
  func noteMissing(
    _ row: Row, in table: TableIndex, step: StepPlan, kept: Set<Row>
  ) throws {
    guard isOn else { return }
    for member in graph.members(of: row, field: step.field) where !kept.contains(member) {
      try found.append(
        MissingMember(link: step.field.link, side: step.field.side, row: member))
    }
  }

  /// Notes the object of a relationship if it could be about to go missing elsewhere.
  func noteLinked(_ row: Row, along step: PlanPart<StepPlan>) {
    let table = graph.destination(step.field)
    if watchedLinks.isElsewhere(step.link, to: table) {
      linkedElsewhere.insert(ObjectKey(table: table, row: row))
    }
  }

  /// Deletes the members that are missing under `deleteMissing`.
  ///
  /// It is called after all records that may have the members are read: those of one record, or of
  /// the whole import. An object is not missing if a top-level record or another part of the import
  /// brought it, or if another object still has it as a member.
  ///
  /// - Parameter brought: The objects of the top-level records so far.
  func delete(sparing brought: [ObjectID]) throws {
    if found.count == 0 { return }
    defer { found.removeLast(to: 0) }
    // Another object with the same member may be in the store only.
    if let store { try store.prefetchDeletion(livingMissingMembers) }
    var missing: [ObjectID] = []
    for index in 0..<found.count {
      let member = found.start[index]
      let table = graph.links[member.link].table(member.side.inverse)
      if isMissing(member, table: table, brought: brought) {
        missing.append(graph.tables[table].id(member.row))
      }
    }
    if missing.isEmpty { return }
    if deleter.withholds(missing) { return }
    for object in missing where graph.isLive(object) {
      do {
        try deleter.delete(object)
      } catch {
        try log.gather(error)
      }
    }
  }

  private var livingMissingMembers: [ObjectID] {
    (0..<found.count).compactMap { index in
      let member = found.start[index]
      let table = graph.tables[graph.links[member.link].table(member.side.inverse)]
      return table.isLive(member.row) ? table.id(member.row) : nil
    }
  }

  private func isMissing(
    _ member: MissingMember, table: TableIndex, brought: [ObjectID]
  ) -> Bool {
    let header = graph.tables[table].header(member.row)
    guard header.pointee.state & RecordState.live != 0,
      graph.isAlone(graph.links[member.link], side: member.side.inverse, row: member.row)
    else { return false }
    // An identifier does not bring an object.
    if !tally.isKnown(member.row, in: table) { return true }
    return !linkedElsewhere.contains(ObjectKey(table: table, row: member.row))
      && !given.contains(graph.tables[table].id(member.row), among: brought)
  }
}

/// An object that has left a relationship.
struct MissingMember {
  let link: LinkIndex
  /// The object's side of the relationship.
  let side: LinkSide
  let row: Row
}
