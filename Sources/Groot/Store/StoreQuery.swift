/// A fetch as a store answers it.
package struct StoreQuery {
  /// What to sort by.
  package struct SortKey {
    package let path: PropertyPath
    package let isAscending: Bool
  }

  /// The table of the objects.
  package let table: Int
  /// The entities whose objects are asked for, by their local indexes.
  package let entities: ClosedRange<Int>
  package let predicate: Predicate
  /// What to sort by; equal objects come in the order of their keys.
  package var order: [SortKey]
  /// The greatest number of objects; nil is no limit.
  package var limit: Int?
  /// The number of objects to pass over.
  package var offset = 0
  /// The keys of objects that do not count.
  package var leftOut: [Int64] = []

  init(
    _ entity: ResolvedEntity, _ predicate: Predicate, _ keys: [FetchOrder.Key] = [],
    limit: Int? = nil, offset: Int = 0
  ) {
    table = entity.hierarchy
    entities = Int(entity.subtree.lowerBound)...Int(entity.subtree.upperBound)
    self.predicate = predicate
    order = keys.map { SortKey(path: $0.path, isAscending: $0.isAscending) }
    self.limit = limit.map { max($0, 0) }
    self.offset = max(offset, 0)
  }
}
