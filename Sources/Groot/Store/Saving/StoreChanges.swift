/// The changes in a graph since its last save that a store must write.
struct StoreChanges {
  /// By table, the rows of new objects in the order of insertion.
  var inserted: [[Row]]
  /// By table, the rows of existing objects that have a changed property.
  var updated: [[Row]]
  /// By table, the updated objects that are no longer placeholders, or have another entity.
  var brought: [Set<Row>]
  /// By table, the rows of deleted objects that existed before.
  var deleted: [[Row]]
  /// By link, the nodes of new links.
  var linked: [[NodeIndex]]
  /// By link, the nodes of ended links.
  var unlinked: [[NodeIndex]]
  /// By table, the new objects that update objects which others inserted.
  var merged: [Set<Row>]
  /// The lists with a changed order, with the place in ``UndoLog/orders`` of that before.
  private(set) var reordered: [ListReference: Int] = [:]

  /// The list of an object's members in one direction of a relationship.
  struct ListReference: Hashable {
    let link: LinkIndex
    let side: LinkSide
    let row: Row
  }

  var isEmpty: Bool {
    [inserted, updated, deleted].allSatisfy { $0.allSatisfy(\.isEmpty) }
      && [linked, unlinked].allSatisfy { $0.allSatisfy(\.isEmpty) }
      && reordered.isEmpty
  }

  init(_ graph: Graph) {
    inserted = Array(repeating: [], count: graph.tableIndices.count)
    updated = inserted
    deleted = inserted
    brought = Array(repeating: [], count: graph.tableIndices.count)
    merged = Array(repeating: [], count: graph.tableIndices.count)
    linked = Array(repeating: [], count: graph.linkIndices.count)
    unlinked = linked
    guard let saved = graph.savepoints.first else { return }
    for table in graph.tableIndices {
      let first = saved.rowCounts[table]
      for row in first..<max(first, graph.tables[table].count) where graph.tables[table].isLive(row)
      {
        inserted[table].append(row)
      }
    }
    for link in graph.linkIndices where graph.links[link].kind == .manyToMany {
      let first = saved.nodeCounts[link]
      for node in first..<max(first, graph.linkTables[link].count)
      where graph.linkTables[link].node(node).pointee.isThreaded {
        linked[link].append(node)
      }
    }
    var isReused = Array(repeating: Set<NodeIndex>(), count: graph.linkIndices.count)
    for index in 0..<graph.log.pointee.count {
      add(graph.log.pointee.entries[index], in: graph, saved: saved, isReused: &isReused)
    }
    for (table, rows) in brought.numbered(by: TableIndex.self) where !rows.isEmpty {
      updated[table] += rows.subtracting(updated[table]).sorted()
    }
    for table in graph.tableIndices {
      inserted[table].sort { graph.tables[table].isOlder($0, $1) }
    }
  }

  private mutating func add(
    _ entry: UndoEntry, in graph: Graph, saved: Savepoint, isReused: inout [Set<NodeIndex>]
  ) {
    let (table, link) = (entry.table, entry.link)
    let node = NodeIndex(word: entry.word0)
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
      let list = ListReference(link: link, side: entry.side, row: entry.row)
      if reordered[list] == nil { reordered[list] = Int(truncatingIfNeeded: entry.word0) }
    default: break
    }
  }
}
