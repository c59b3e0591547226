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
  /// The lists with a changed order, by relationship, direction and row.
  private(set) var reordered: [ReorderedList] = []

  /// The list of an object's members in one direction of a relationship.
  struct ReorderedList {
    let link: LinkIndex
    let side: LinkSide
    let row: Row
    /// The place in ``UndoLog/orders`` of the order at the last save.
    let order: Int

    fileprivate static func isOrdered(_ first: ReorderedList, _ second: ReorderedList) -> Bool {
      if first.link != second.link { return first.link.offset < second.link.offset }
      if first.side != second.side { return first.side.rawValue < second.side.rawValue }
      return first.row != second.row ? first.row < second.row : first.order < second.order
    }

    fileprivate func isSameList(as other: ReorderedList) -> Bool {
      link == other.link && side == other.side && row == other.row
    }
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
    var isReused = Array(repeating: NodeMarks(), count: graph.linkIndices.count)
    for index in 0..<graph.log.pointee.count {
      add(graph.log.pointee.entries[index], in: graph, saved: saved, isReused: &isReused)
    }
    sortReordered()
    for (table, rows) in brought.numbered(by: TableIndex.self) where !rows.isEmpty {
      updated[table] += rows.subtracting(updated[table]).sorted()
    }
    for table in graph.tableIndices {
      inserted[table].sort { graph.tables[table].isOlder($0, $1) }
    }
  }

  /// Keeps the first order of each list.
  private mutating func sortReordered() {
    reordered.sort(by: ReorderedList.isOrdered)
    var count = 0
    for list in reordered where count == 0 || !reordered[count - 1].isSameList(as: list) {
      reordered[count] = list
      count += 1
    }
    reordered.removeLast(reordered.count - count)
  }

  /// Returns the lists of one direction of a relationship, by row.
  func reordered(_ link: LinkIndex, side: LinkSide) -> ArraySlice<ReorderedList> {
    let first = reordered.firstIndex { $0.link == link && $0.side == side } ?? reordered.endIndex
    return reordered[first...].prefix { $0.link == link && $0.side == side }
  }

  /// Returns whether a relationship has lists with a changed order.
  func hasReordered(_ link: LinkIndex) -> Bool {
    LinkSide.both.contains { !reordered(link, side: $0).isEmpty }
  }

  private mutating func add(
    _ entry: UndoEntry, in graph: Graph, saved: Savepoint, isReused: inout [NodeMarks]
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
      reordered.append(
        ReorderedList(
          link: link, side: entry.side, row: entry.row,
          order: Int(truncatingIfNeeded: entry.word0)))
    default: break
    }
  }
}
