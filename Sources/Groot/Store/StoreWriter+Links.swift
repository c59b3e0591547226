// Writing the links of many-to-many relationships, and the positions in lists.

extension StoreWriter {
  private var joins: [StoreSchema.Join] { coordinator.schema.joins }

  func deleteLinks() throws {
    for (number, join) in joins.enumerated() {
      for node in changes.unlinked[join.link] {
        let rows = graph.linkTables[join.link].node(node).pointee.rows
        try store.deleteLink(
          number, source: coordinator.keys[join.source][rows.0].key,
          target: coordinator.keys[join.target][rows.1].key)
      }
    }
  }

  func insertLinks(_ positions: StorePositions) throws {
    let keys = coordinator.keys
    for (number, join) in joins.enumerated() where !changes.linked[join.link].isEmpty {
      // An object that others deleted has no key.
      let nodes = inKeyOrder(changes.linked[join.link], join: join, keys: keys).filter { node in
        let rows = graph.linkTables[join.link].node(node).pointee.rows
        return keys[join.source][rows.0].key != 0 && keys[join.target][rows.1].key != 0
      }
      try store.insertLinks(number, count: nodes.count) {
        link(join, node: nodes[$0], keys: keys, positions: positions)
      }
    }
  }

  @inline(__always)
  private func link(
    _ join: StoreSchema.Join, node: NodeIndex, keys: [StoreKeys], positions: StorePositions
  ) -> StoreLink {
    let rows = graph.linkTables[join.link].node(node).pointee.rows
    let source = positions.position(join.link, side: .first, entry: ListEntry(node)) ?? 0
    return StoreLink(
      source: keys[join.source][rows.0].key, target: keys[join.target][rows.1].key,
      sourcePosition: source,
      targetPosition: positions.position(join.link, side: .second, entry: ListEntry(node)) ?? source
    )
  }

  /// Returns nodes by the keys of sources, then targets, the fastest order for insertion.
  private func inKeyOrder(
    _ nodes: [NodeIndex], join: StoreSchema.Join, keys: [StoreKeys]
  ) -> [NodeIndex] {
    let links = graph.linkTables[join.link]
    func source(_ node: NodeIndex) -> Int64 {
      keys[join.source][links.node(node).pointee.rows.0].key
    }
    func target(_ node: NodeIndex) -> Int64 {
      keys[join.target][links.node(node).pointee.rows.1].key
    }
    var nodes = nodes
    if !(1..<nodes.count).allSatisfy({ source(nodes[$0 - 1]) <= source(nodes[$0]) }) {
      nodes.sort { (source($0), target($0)) < (source($1), target($1)) }
      return nodes
    }
    // An import links all targets of one source before those of the next.
    var start = 0
    while start < nodes.count {
      var end = start + 1
      while end < nodes.count, source(nodes[end]) == source(nodes[start]) { end += 1 }
      if end > start + 1 { nodes[start..<end].sort { target($0) < target($1) } }
      start = end
    }
    return nodes
  }

  /// Writes the changed positions of existing entries.
  func move(_ positions: StorePositions) throws {
    let keys = coordinator.keys
    for (number, join) in joins.enumerated() {
      for side in LinkSide.both {
        for entry in positions.moved(join.link, side: side) {
          try store.setLinkPosition(
            number, link: link(join, node: entry.node, keys: keys, positions: positions),
            ofTarget: side == .second)
        }
      }
    }
    for (table, description) in tables.numbered(by: TableIndex.self) {
      for (position, column) in description.columns.enumerated() {
        guard case .position = column.kind else { continue }
        for entry in positions.moved(column.link, side: .second) {
          try store.setPosition(
            table, key: keys[table][entry.row].key, column: position,
            to: positions.position(column.link, side: .second, entry: entry) ?? 0)
        }
      }
    }
  }
}
