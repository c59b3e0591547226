/// The many-to-many links that were made and ended, according to the undo log.
struct NodeDifference {
  /// The nodes that were taken from the free ones, by link.
  private(set) var added: [[NodeIndex]]
  /// The freed nodes, by link.
  private(set) var removed: [[NodeIndex]]

  init(_ graph: Graph) {
    added = Array(repeating: [], count: graph.linkIndices.count)
    removed = added
  }

  mutating func add(_ entry: UndoEntry) { added[entry.link].append(NodeIndex(word: entry.word0)) }

  mutating func remove(_ entry: UndoEntry) {
    removed[entry.link].append(NodeIndex(word: entry.word0))
  }

  /// Sorts the nodes, after all entries.
  mutating func finish() {
    for link in added.indices { added[link].sort() }
  }

  /// Returns whether a node was made after a savepoint.
  func isFresh(_ number: LinkIndex, node: NodeIndex, point: Savepoint) -> Bool {
    node >= point.nodeCounts[number] || added[number].firstPlace(of: node, by: { $0 }) != nil
  }
}

extension GraphDifference {
  /// Finds the many-to-many links that were made or ended.
  func compare(_ nodes: NodeDifference) {
    for number in graph.linkIndices where graph.links[number].kind == .manyToMany {
      let isUntouched = nodes.removed[number].isEmpty && nodes.added[number].isEmpty
      if isUntouched && !graph.gains[number] { continue }
      compare(number, nodes: nodes)
    }
  }

  private func compare(_ number: LinkIndex, nodes: NodeDifference) {
    let link = graph.links[number]
    let table = graph.linkTables + number
    // The pairs that were linked before, and whether they are linked again.
    var ended: [UInt64: Bool] = [:]
    for node in nodes.removed[number] where !nodes.isFresh(number, node: node, point: point) {
      ended[Self.pair(table.pointee.node(node).pointee)] = false
    }
    func look(_ node: NodeIndex) {
      let node = table.pointee.node(node).pointee
      guard node.isThreaded else { return }
      if !ended.isEmpty, ended.updateExisting(Self.pair(node), value: true) {
        noteOrder(number, side: .first, row: node.rows.0)
        if !link.isSymmetric { noteOrder(number, side: .second, row: node.rows.1) }
      } else {
        differ(link, node: node)
      }
    }
    if graph.gains[number] {
      let first = point.nodeCounts[number]
      for node in first..<max(first, table.pointee.count) { look(node) }
    }
    // A node may have been taken several times.
    var last: NodeIndex?
    for node in nodes.added[number] where node < point.nodeCounts[number] && node != last {
      look(node)
      last = node
    }
    for node in nodes.removed[number] where !nodes.isFresh(number, node: node, point: point) {
      let node = table.pointee.node(node).pointee
      if ended[Self.pair(node)] == false { differ(link, node: node) }
    }
  }

  private static func pair(_ node: LinkNode) -> UInt64 {
    UInt64(node.rows.0.rawValue) &<< 32 | UInt64(node.rows.1.rawValue)
  }

  private func differ(_ link: Link, node: LinkNode) {
    differ(link, side: .first, row: node.rows.0)
    if !link.isSymmetric { differ(link, side: .second, row: node.rows.1) }
  }
}

extension Dictionary {
  /// Sets the value of an existing key; returns false without one.
  fileprivate mutating func updateExisting(_ key: Key, value: Value) -> Bool {
    guard let index = index(forKey: key) else { return false }
    values[index] = value
    return true
  }
}
