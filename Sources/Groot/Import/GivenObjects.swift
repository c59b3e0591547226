/// The objects of top-level records, in a set that grows on demand.
struct GivenObjects {
  private var objects: Set<ObjectID> = []
  private var count = 0

  /// Returns whether an object is in `all`, the growing list of an import's objects.
  ///
  /// Complexity: O(1) amortised over the calls of one import.
  mutating func contains(_ object: ObjectID, among all: [ObjectID]) -> Bool {
    if count > all.count { (objects, count) = ([], 0) }
    objects.formUnion(all[count...])
    count = all.count
    return objects.contains(object)
  }
}

extension Importer {
  /// Notes the object of a relationship if it could be about to go missing elsewhere.
  @inline(__always)
  func noteLinked(_ row: Row, along step: PlanPart<StepPlan>) {
    if let watchedLinks { noteLinked(row, along: step, watchedLinks) }
  }

  @inline(never)
  private func noteLinked(_ row: Row, along step: PlanPart<StepPlan>, _ watched: WatchedLinks) {
    let table = graph.destination(step.field)
    if watched.isElsewhere(step.link, to: table) {
      linkedElsewhere.insert(ObjectKey(table: table, row: row))
    }
  }
}
