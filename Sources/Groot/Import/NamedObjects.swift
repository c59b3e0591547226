/// The objects that identifiers named, where the import may delete them: by cascades, or since a list
/// does not have them.
struct NamedObjects {
  private var objects: Set<ObjectKey> = []
  /// By hierarchy, whether its objects may be deleted so.
  private var isNoted: [Bool]

  /// Notes objects that cascading delete rules lead to.
  init(of graph: Graph) {
    isNoted = graph.tableIndices.map { _ in false }
    for table in graph.tableIndices {
      for property in graph.model.hierarchies[table].properties
      where property.relationship?.deleteRule == .cascade {
        isNoted[graph.destination(property.field).offset] = true
      }
    }
  }

  /// Notes the objects of a hierarchy as well.
  mutating func note(all table: TableIndex) { isNoted[table.offset] = true }

  /// Notes an object that an identifier named.
  @inline(__always)
  mutating func insert(_ row: Row, in table: TableIndex) {
    if isNoted[table.offset] { objects.insert(ObjectKey(table: table, row: row)) }
  }

  /// Whether an identifier named the object.
  func contains(_ row: Row, in table: TableIndex) -> Bool {
    objects.contains(ObjectKey(table: table, row: row))
  }
}

extension Importer {
  /// Deletes an object, and what its cascades reach and this import has neither brought nor named.
  func delete(_ object: ObjectID) throws {
    try graph.delete(object) { table, row in isListed(row, in: table) }
  }

  /// Whether this import has brought an object, or named it.
  func isListed(_ row: Row, in table: TableIndex) -> Bool {
    graph.tables[table].header(row).pointee.epoch == graph.epoch
      || named?.contains(row, in: table) == true
  }
}
