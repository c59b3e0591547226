/// The objects that records at the top brought, as far as they were asked for.
struct GivenObjects {
  private var objects: Set<ObjectID> = []
  private var count = 0

  /// Whether an object is among those of an import, of which there are more with each call.
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
  /// Notes an object that a relationship leads to, where it could be about to go missing elsewhere.
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
