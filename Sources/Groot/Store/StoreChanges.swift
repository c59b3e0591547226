/// What changed in a graph since its last save, as a store must write it.
struct StoreChanges {
  /// By table, the rows of new objects in the order of insertion.
  var inserted: [[UInt32]]
  /// By table, the rows of objects that were there and have a changed property.
  var updated: [[UInt32]]
  /// By table, those of them that were placeholders and are not, or have another entity.
  var brought: [Set<UInt32>]
  /// By table, the rows of objects that were there and are deleted.
  var deleted: [[UInt32]]
  /// By link, the nodes that join what was not linked by them.
  var linked: [[UInt32]]
  /// By link, the nodes that linked and do not any more.
  var unlinked: [[UInt32]]
  /// By table, the new objects that are written over those that others inserted; they are updated.
  var merged: [Set<UInt32>]
  /// The lists whose order was changed.
  private(set) var reordered: Set<ListReference> = []

  /// The list of an object's members in one direction of a relationship.
  struct ListReference: Hashable {
    let link: Int
    let side: UInt8
    let row: UInt32
  }

  var isEmpty: Bool {
    [inserted, updated, deleted, linked, unlinked].allSatisfy { $0.allSatisfy(\.isEmpty) }
      && reordered.isEmpty
  }

  init(_ graph: Graph) {
    inserted = Array(repeating: [], count: graph.tableCount)
    updated = inserted
    deleted = inserted
    brought = Array(repeating: [], count: graph.tableCount)
    merged = Array(repeating: [], count: graph.tableCount)
    linked = Array(repeating: [], count: graph.linkCount)
    unlinked = linked
    guard let saved = graph.savepoints.first else { return }
    for table in 0..<graph.tableCount {
      let first = saved.rowCounts[table]
      for row in first..<max(first, graph.tables[table].count) where graph.tables[table].isLive(row)
      {
        inserted[table].append(row)
      }
    }
    for link in 0..<graph.linkCount where graph.links[link].kind == .manyToMany {
      let first = saved.nodeCounts[link]
      for node in first..<max(first, graph.linkTables[link].count)
      where graph.linkTables[link].node(node).pointee.isThreaded {
        linked[link].append(node)
      }
    }
    var isReused = Array(repeating: Set<UInt32>(), count: graph.linkCount)
    for index in 0..<graph.log.pointee.count {
      add(graph.log.pointee.entries[index], graph, saved, &isReused)
    }
    for (table, rows) in brought.enumerated() where !rows.isEmpty {
      updated[table] += rows.subtracting(updated[table]).sorted()
    }
    for table in 0..<graph.tableCount {
      inserted[table].sort { graph.tables[table].isOlder($0, $1) }
    }
  }

  private mutating func add(
    _ entry: UndoEntry, _ graph: Graph, _ saved: Savepoint, _ isReused: inout [Set<UInt32>]
  ) {
    let (table, link) = (Int(entry.table), Int(entry.link))
    let node = UInt32(truncatingIfNeeded: entry.word0)
    switch entry.operation {
    case .inserted where graph.tables[table].isLive(entry.row): inserted[table].append(entry.row)
    case .changed where entry.flag && graph.tables[table].isLive(entry.row):
      updated[table].append(entry.row)
    case .refined, .brought:
      let state = graph.tables[table].header(entry.row).pointee.state
      guard state & (RecordState.live | RecordState.inserted) == RecordState.live else { return }
      brought[table].insert(entry.row)
    case .deleted where entry.word0 & UInt64(RecordState.inserted) == 0:
      deleted[table].append(entry.row)
    case .nodeAdded:
      isReused[link].insert(node)
      if graph.linkTables[link].node(node).pointee.isThreaded { linked[link].append(node) }
    case .nodeRemoved where node < saved.nodeCounts[link] && !isReused[link].contains(node):
      unlinked[link].append(node)
    case .order where graph.tables[table].isLive(entry.row):
      reordered.insert(
        ListReference(
          link: link, side: UInt8(truncatingIfNeeded: entry.field), row: entry.row))
    default: break
    }
  }
}
