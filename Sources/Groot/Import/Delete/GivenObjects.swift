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
