// Reading all that a store has, table by table: far faster than asking for its objects and lists by
// their keys.

extension StoreCoordinator {
  /// Reads all objects and lists.
  func preloadAll() throws {
    // Lists are read with their members when none of these is in memory yet.
    let isUnread = keys.indices.map { table in
      !(0..<graph.tables[table].count).contains { graph.isIndexed(table, $0) }
    }
    for table in keys.indices { try readAll(table) }
    for number in 0..<graph.linkCount {
      let link = graph.links[number]
      if link.kind == .oneToMany && isUnread[link.table(0)] {
        noteComplete(number, 1)
      } else if let join = joinOfLink[number], graph.linkTables[number].count == 0 {
        try readAllLinks(number, join)
        noteComplete(number, 0)
        if !link.isSymmetric { noteComplete(number, 1) }
      } else {
        for side: UInt8 in link.isSymmetric ? [0] : [0, 1] where link.field(side).isToMany {
          try completeAll(link.table(side), link.field(side))
        }
      }
    }
  }

  /// Whether reading everything takes no more memory than a text of so many bytes.
  func isSmall(besides byteCount: Int) throws -> Bool {
    var count: Int64 = 0
    for table in keys.indices where try hasRows(table) {
      count = count.addingReportingOverflow(try store.nextKey(table)).partialValue
    }
    return count >= 0 && count <= byteCount / 100
  }

  private func readAllLinks(_ number: Int, _ join: Int) throws {
    let link = graph.links[number]
    var stored: [StoreLink] = []
    var targetPositions: [Int64] = []
    var isInOrder = true
    try materializing {
      try store.readLinks(join) { stored.append($0) }
      try addFaults(link.table(0), stored.map(\.source))
      try addFaults(link.table(1), stored.map(\.target))
      targetPositions = Array(repeating: 0, count: stored.count)
      var pairs: [(source: UInt32, target: UInt32)] = []
      var places: [Int64] = []
      pairs.reserveCapacity(stored.count)
      places.reserveCapacity(stored.count)
      // Each goes to the front.
      for each in stored.reversed() {
        guard let source = try row(each.source, of: link, side: 0),
          let target = try row(each.target, of: link, side: 1)
        else { continue }
        pairs.append((source, target))
        places.append(each.targetPosition)
      }
      try requireOnce(pairs, link)
      var last = Int64.max
      for (pair, place) in zip(pairs, places) {
        let node = Int(try graph.addStoredNode(number, pair.source, pair.target))
        if node < targetPositions.count { targetPositions[node] = place }
        isInOrder = isInOrder && node < targetPositions.count && place <= last
        last = place
      }
    }
    guard !isInOrder, !link.isSymmetric else { return }
    for row in owners(link, 1) {
      let entries = graph.entries(number, 1, row)
      let sorted = entries.sorted { position($0, targetPositions) < position($1, targetPositions) }
      if sorted != entries { graph.rethread(number, 1, row, sorted) }
    }
  }

  /// Refuses two links of the same two objects, as a damaged file may have them.
  ///
  /// Linear: for each source in turn it is noted at the targets that it leads to them.
  private func requireOnce(_ pairs: [(source: UInt32, target: UInt32)], _ link: Link) throws {
    var firstOf = [Int32](repeating: -1, count: Int(graph.tables[link.table(0)].count))
    var nextOf = [Int32](repeating: -1, count: pairs.count)
    for (index, pair) in pairs.enumerated() {
      nextOf[index] = firstOf[Int(pair.source)]
      firstOf[Int(pair.source)] = Int32(truncatingIfNeeded: index)
    }
    var sourceOf = [Int32](repeating: -1, count: Int(graph.tables[link.table(1)].count))
    for source in firstOf.indices {
      var index = firstOf[source]
      while index >= 0 {
        let target = Int(pairs[Int(index)].target)
        guard Int(sourceOf[target]) != source else {
          let key = keys[link.table(0)][UInt32(truncatingIfNeeded: source)].key
          throw damaged(
            "the object \(key) of '\(schema.tables[link.table(0)].name)' has a member twice")
        }
        sourceOf[target] = Int32(truncatingIfNeeded: source)
        index = nextOf[Int(index)]
      }
    }
  }

  private func position(_ node: UInt32, _ positions: [Int64]) -> Int64 {
    Int(node) < positions.count ? positions[Int(node)] : .max
  }

  private func owners(_ link: Link, _ side: UInt8) -> [UInt32] {
    let table = link.table(side)
    return (0..<graph.tables[table].count).filter { isCompletable(table, $0, link.field(side)) }
  }

  /// Notes that all lists of one direction of a relationship have all their members.
  private func noteComplete(_ number: Int, _ side: UInt8) {
    let link = graph.links[number]
    for row in owners(link, side) { graph.noteComplete(number, side, row) }
  }
}
