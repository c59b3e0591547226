/// A fetch from a store.
package struct StoreQuery {
  /// A sort key.
  package struct SortKey {
    package let path: PropertyPath
    package let isAscending: Bool

    init(_ key: FetchOrder.Key) { (path, isAscending) = (key.path, key.isAscending) }
  }

  /// The table of the objects.
  package let table: TableIndex
  /// The entities of the requested objects, by their local indexes.
  package let entities: ClosedRange<Int>
  package let predicate: Predicate
  /// The sort keys; equal objects are in the order of their keys in the store.
  package var order: [SortKey]
  /// The greatest number of objects; nil means no limit.
  package var limit: Int?
  /// The number of objects to skip.
  package var offset: Int
  /// The keys of objects to leave out.
  package var leftOut: [Int64] = []

  init(
    _ entity: ResolvedEntity, predicate: Predicate, keys: [FetchOrder.Key] = [],
    limit: Int? = nil, offset: Int = 0
  ) {
    table = entity.hierarchy
    entities = Int(entity.subtree.lowerBound)...Int(entity.subtree.upperBound)
    self.predicate = predicate
    order = keys.map { SortKey($0) }
    self.limit = limit.map { max($0, 0) }
    self.offset = max(offset, 0)
  }

  /// Sets the limit and the offset of a request.
  ///
  /// If the store is not alone, the graph skips the offset, and the store returns those objects.
  mutating func limit(to request: FetchRequest, isAlone: Bool) {
    let first = max(request.offset, 0)
    offset = isAlone ? first : 0
    limit = request.limit.flatMap { limit in
      let (sum, isOver) = max(limit, 0).addingReportingOverflow(isAlone ? 0 : first)
      return isOver ? nil : sum
    }
  }
}
