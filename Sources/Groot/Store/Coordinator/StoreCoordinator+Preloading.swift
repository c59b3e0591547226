// Reading a whole store, table by table, which is far faster than reading objects and lists by key.

extension StoreCoordinator {
  /// Reads all objects and lists.
  ///
  /// - Parameter compared: The relationships whose lists an import will compare, and on which side. Their
  ///   links are not made.
  func preloadAll(comparing compared: [LinkIndex: LinkSide] = [:]) throws {
    // If no member is in memory yet, lists are read with their members.
    let isUnread = graph.tableIndices.map { table in
      !graph.tables[table].rows.contains { graph.isIndexed($0, in: table) }
    }
    for table in graph.tableIndices { try readAll(table) }
    for number in graph.linkIndices {
      let link = graph.links[number]
      if link.kind == .oneToMany && isUnread[link.table(.first)] {
        noteComplete(number, side: .second)
      } else if let side = compared[number], try readMembers(of: number, side: side) {
        continue
      } else if let join = joinOfLink[number], graph.linkTables[number].nodes.isEmpty {
        try readAllLinks(number, join: join)
        storedMembers[number] = nil
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

  /// Reads the members of all lists on one side of a relationship; returns false if it may not.
  private func readMembers(of number: LinkIndex, side: LinkSide) throws -> Bool {
    if let known = storedMembers[number] { return known.side == side }
    let link = graph.links[number]
    guard let join = joinOfLink[number], comparesLists(of: link, side: side),
      graph.linkTables[number].nodes.isEmpty
    else { return false }
    let table = link.table(side)
    let members = try StoredMembers(
      graph.memory, side: side, count: graph.tables[table].count.offset)
    try beginSnapshot()
    try store.readLinks(join) { [keys = keys[table], isFirst = side == .first] in
      guard let owner = keys.row(isFirst ? $0.source : $0.target) else { return }
      try members.append(
        isFirst ? $0.target : $0.source, of: owner,
        at: isFirst ? $0.sourcePosition : $0.targetPosition)
    }
    // Links that a damaged file has twice are refused when they are read as links.
    guard try members.finish() else { return false }
    storedMembers[number] = members
    return true
  }

  /// Returns whether an import may compare the lists of one side of a relationship.
  private func comparesLists(of link: Link, side: LinkSide) -> Bool {
    // The report of changes, and ordered lists of the other side, need the order of links.
    !link.isSymmetric && orderNeed != .all && !needsOrder(link, side: side.inverse)
  }

  /// Returns the keys of a list's members in the store, if its links are not in the graph, and no
  /// unsaved change touches it.
  @inline(__always)
  func storedMembers(of row: Row, in table: TableIndex, field: Field)
    -> UnsafeBufferPointer<Int64>?
  {
    guard let stored = storedMembers[field.link], stored.side == field.side,
      graph.isIncomplete(row, in: table, field: field),
      !graph.tables[table].isChanged(field.number, in: graph.tables[table].record(row))
    else { return nil }
    return stored.members(of: row)
  }

  /// Returns whether objects are the members with these keys, in their order.
  func isEqual(
    _ rows: UnsafeBufferPointer<Row>, to stored: UnsafeBufferPointer<Int64>, in table: TableIndex
  ) -> Bool {
    guard rows.count == stored.count else { return false }
    let keys = keys[table]
    return (0..<rows.count).allSatisfy { keys[rows[$0]].key == stored[$0] }
  }

  /// Forgets the lists that a save writes.
  func forgetStoredMembers(of changes: StoreChanges) {
    for (number, stored) in storedMembers.numbered(by: LinkIndex.self) {
      guard let stored else { continue }
      for node in [changes.linked[number], changes.unlinked[number]].joined() {
        stored.forget(graph.linkTables[number].node(node).pointee.row(stored.side))
      }
      for list in changes.reordered(number, side: stored.side) { stored.forget(list.row) }
      for row in changes.deleted[graph.links[number].table(stored.side)] { stored.forget(row) }
    }
  }

  func forgetStoredMembers() {
    for link in storedMembers.indices { storedMembers[link] = nil }
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
