// Reading a whole store, table by table, which is far faster than reading objects and lists by key.

extension StoreCoordinator {
  /// Reads all objects and lists.
  func preloadAll() throws {
    // If no member is in memory yet, lists are read with their members.
    let isUnread = graph.tableIndices.map { table in
      !graph.tables[table].rows.contains { graph.isIndexed($0, in: table) }
    }
    for table in graph.tableIndices { try readAll(table) }
    for number in graph.linkIndices {
      let link = graph.links[number]
      if link.kind == .oneToMany && isUnread[link.table(.first)] {
        noteComplete(number, side: .second)
      } else if let join = joinOfLink[number], graph.linkTables[number].nodes.isEmpty {
        try readAllLinks(number, join: join)
        noteComplete(number, side: .first)
        if !link.isSymmetric { noteComplete(number, side: .second) }
      } else {
        for side in link.isSymmetric ? [.first] : LinkSide.both where link.field(side).isToMany {
          try completeAll(link.table(side), field: link.field(side))
        }
      }
    }
    try graph.memory.check()
  }

  /// Returns whether the whole store needs no more memory than a text of this size.
  func isSmall(besides byteCount: Int) throws -> Bool {
    var count: Int64 = 0
    for table in graph.tableIndices where try hasRows(table) {
      count = count.addingReportingOverflow(try store.nextKey(table)).partialValue
    }
    return count >= 0 && count <= byteCount / 100
  }

  private func readAllLinks(_ number: LinkIndex, join: Int) throws {
    let link = graph.links[number]
    var stored: [StoreLink] = []
    var targetPositions: [Int64] = []
    var isInOrder = true
    try materializing {
      try store.readLinks(join) { [graph] in try stored.append($0, within: graph.memory) }
      try requireOnce(stored, link: link)
      Self.sortByPosition(&stored)
      // This covers all arrays that are built from the links.
      try graph.memory.expect(48 * stored.count)
      targetPositions = Array(repeating: 0, count: stored.count)
      let (first, second) = (end(link, .first), end(link, .second))
      for end in [first, second] where !end.isPlain {
        try addFaults(stored.map { end.side == .first ? $0.source : $0.target }, in: end.table)
      }
      var last = Int64.max
      // Each link becomes the first, so the last link is added first.
      for each in stored.reversed() {
        guard let source = try row(each.source, at: first),
          let target = try row(each.target, at: second)
        else { continue }
        let node = try graph.addStoredNode(number, left: source, right: target).offset
        let position = each.targetPosition
        if node < targetPositions.count { targetPositions[node] = position }
        isInOrder = isInOrder && node < targetPositions.count && position <= last
        last = position
      }
    }
    guard !isInOrder, !link.isSymmetric else { return }
    for row in owners(link, side: .second) {
      let entries = graph.entries(number, side: .second, row: row)
      let sorted = entries.sorted {
        position($0, positions: targetPositions) < position($1, positions: targetPositions)
      }
      if sorted != entries { graph.rethread(number, side: .second, row: row, entries: sorted) }
    }
  }

  /// Puts links, which come by source, into the order of positions.
  ///
  /// A store would sort all of them. Mostly each source has few, and the lists of later sources
  /// have later positions.
  private static func sortByPosition(_ links: inout [StoreLink]) {
    links.withUnsafeMutableBufferPointer {
      $0.sortRuns(of: { $0.source == $1.source }, by: isOrdered)
    }
    let isSorted = zip(links, links.dropFirst()).allSatisfy { !isOrdered($1, $0) }
    if !isSorted { links.sort(by: isOrdered) }
  }

  @inline(__always)
  private static func isOrdered(_ first: StoreLink, _ second: StoreLink) -> Bool {
    if first.sourcePosition != second.sourcePosition {
      return first.sourcePosition < second.sourcePosition
    }
    return (first.source, first.target) < (second.source, second.target)
  }

  /// Refuses duplicate links, which a damaged file may have.
  ///
  /// A store reads links by source and target, so that a duplicate follows its like.
  private func requireOnce(_ links: [StoreLink], link: Link) throws {
    let isSorted = zip(links, links.dropFirst()).allSatisfy { Self.isBefore($0, $1) }
    if isSorted { return }
    let sorted = links.sorted(by: Self.isBefore)
    guard let (double, _) = zip(sorted, sorted.dropFirst()).first(where: { !Self.isBefore($0, $1) })
    else { return }
    throw damaged(
      "the object \(double.source) of '\(schema.tables[link.table(.first)].name)' has a member twice"
    )
  }

  @inline(__always)
  private static func isBefore(_ first: StoreLink, _ second: StoreLink) -> Bool {
    first.source != second.source ? first.source < second.source : first.target < second.target
  }

  private func position(_ entry: ListEntry, positions: [Int64]) -> Int64 {
    entry.offset < positions.count ? positions[entry] : .max
  }

  private func owners(_ link: Link, side: LinkSide) -> [Row] {
    let table = link.table(side)
    return graph.tables[table].rows.filter { isCompletable($0, in: table, field: link.field(side)) }
  }

  /// Notes that all lists of one direction of a relationship are complete.
  private func noteComplete(_ number: LinkIndex, side: LinkSide) {
    let link = graph.links[number]
    for row in owners(link, side: side) { graph.noteComplete(number, side: side, row: row) }
  }
}
