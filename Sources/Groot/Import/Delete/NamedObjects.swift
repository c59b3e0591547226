/// The objects that identifiers named and the import may delete.
///
/// It may delete them through cascades, or because a list no longer has them.
struct NamedObjects {
  private var objects: Set<ObjectKey> = []
  /// Whether objects of a hierarchy may be deleted, by hierarchy.
  private var isNoted: [Bool]

  /// Makes a set for the objects that cascading delete rules lead to.
  init(of graph: Graph) {
    isNoted = graph.tableIndices.map { _ in false }
    for table in graph.tableIndices {
      for property in graph.model.hierarchies[table].properties
      where property.relationship?.deleteRule == .cascade {
        isNoted[graph.destination(property.field).offset] = true
      }
    }
  }

  /// Adds the objects of a hierarchy to those that may be deleted.
  mutating func note(all table: TableIndex) { isNoted[table.offset] = true }

  /// Notes an object that an identifier named.
  @inline(__always)
  mutating func insert(_ row: Row, in table: TableIndex) {
    if isNoted[table.offset] { objects.insert(ObjectKey(table: table, row: row)) }
  }

  /// Returns whether an identifier named the object.
  func contains(_ row: Row, in table: TableIndex) -> Bool {
    objects.contains(ObjectKey(table: table, row: row))
  }
}
