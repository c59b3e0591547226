/// A fetch as a store answers it.
package struct StoreQuery {
  /// The sort keys.
  package struct SortKey {
    package let path: PropertyPath
    package let isAscending: Bool

    init(_ key: FetchOrder.Key) { (path, isAscending) = (key.path, key.isAscending) }
  }

  /// The table of the objects.
  package let table: TableIndex
  /// The entities whose objects are asked for, by their local indexes.
  package let entities: ClosedRange<Int>
  package let predicate: Predicate
  /// The sort keys; equal objects come in the order of their keys.
  package var order: [SortKey]
  /// The greatest number of objects; nil means no limit.
  package var limit: Int?
  /// The number of objects to pass over.
  package var offset: Int
  /// The keys of objects that do not count.
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

  /// Asks the store for what a request wants, or as much of it as there may be among the objects
  /// of the store, when it is not alone.
  mutating func limit(to request: FetchRequest, isAlone: Bool) {
    let first = max(request.offset, 0)
    offset = isAlone ? first : 0
    limit = request.limit.flatMap { limit in
      let (sum, isOver) = max(limit, 0).addingReportingOverflow(isAlone ? 0 : first)
      return isOver ? nil : sum
    }
  }
}
