// Many-to-many relationships: nodes threaded into the lists of both sides.
//
// A symmetric relationship (its own inverse) has a node for each direction, each threaded on side 0
// only.

extension Graph {
  /// Lists up to this length are searched; for longer ones an index is made.
  private static let searchLimit: UInt32 = 16

  /// The node that joins two rows; constant time but for the making of the index.
  func findNode(_ number: Int, _ left: UInt32, _ right: UInt32) -> UInt32? {
    let link = links[number]
    let leftHead = listHead(link, 0, left).pointee
    if leftHead.count == 0 { return nil }
    if leftHead.count <= Self.searchLimit {
      return search(number, 0, leftHead, for: right)
    }
    if !link.isSymmetric {
      let rightHead = listHead(link, 1, right).pointee
      if rightHead.count <= Self.searchLimit { return search(number, 1, rightHead, for: left) }
    }
    if linkTables[number].pairs == nil { makePairIndex(number) }
    return linkTables[number].pairs?.find(left, right, in: linkTables[number])
  }

  private func search(_ number: Int, _ side: UInt8, _ head: ListHead, for row: UInt32) -> UInt32? {
    var next = head.first
    while next != 0 {
      let node = linkTables[number].node(next - 1)
      if node.pointee.row(1 - side) == row { return next - 1 }
      next = node.pointee.next(side)
    }
    return nil
  }

  private func makePairIndex(_ number: Int) {
    var pairs = PairIndex(minimumCount: Int(linkTables[number].count))
    for node in 0..<linkTables[number].count where linkTables[number].node(node).pointee.isThreaded
    {
      pairs.insert(node, in: linkTables[number])
    }
    linkTables[number].pairs = pairs
  }

  /// Joins two rows that are not joined yet; the link goes to the end of both lists.
  @inline(__always)
  func join(_ number: Int, _ left: UInt32, _ right: UInt32) throws {
    try addNode(number, left, right)
    if links[number].isSymmetric && left != right { try addNode(number, right, left) }
  }

  @inline(__always)
  func addNode(_ number: Int, _ left: UInt32, _ right: UInt32) throws {
    guard let (node, isNew) = linkTables[number].insert(left, right) else {
      throw GrootError(.limitExceeded, "a relationship has no room for more than 2^32 links")
    }
    if !isNew {
      log.pointee.append(
        .nodeAdded, table: 0, row: 0, link: Int32(truncatingIfNeeded: number), UInt64(node))
      if isPersistent { unsavedNodes[number].insert(node) }
    }
    threadAtEnds(number, node)
    let link = links[number]
    if left < tables[link.tables.0].boundary || right < tables[link.tables.1].boundary {
      gains[number] = true
    }
    markLinkChanged(link, 0, left)
    if !link.isSymmetric { markLinkChanged(link, 1, right) }
  }

  @inline(__always)
  private func threadAtEnds(_ number: Int, _ node: UInt32) {
    let link = links[number]
    let rows = linkTables[number].node(node).pointee.rows
    let left = listHead(link, 0, rows.0)
    linkTables[number].thread(node, 0, after: left.pointee.last, left)
    if !link.isSymmetric {
      let right = listHead(link, 1, rows.1)
      linkTables[number].thread(node, 1, after: right.pointee.last, right)
    }
    if linkTables[number].pairs != nil {
      linkTables[number].pairs?.insert(node, in: linkTables[number])
    }
  }

  /// Takes a node out of its lists, as if it had never been.
  func unthreadNode(_ number: Int, _ node: UInt32) {
    let link = links[number]
    if linkTables[number].pairs != nil {
      linkTables[number].pairs?.remove(node, in: linkTables[number])
    }
    let rows = linkTables[number].node(node).pointee.rows
    linkTables[number].unthread(node, 0, listHead(link, 0, rows.0))
    if !link.isSymmetric { linkTables[number].unthread(node, 1, listHead(link, 1, rows.1)) }
    linkTables[number].node(node).pointee.previous.0 = LinkNode.unthreaded
  }

  /// Ends a link, in both directions when it is symmetric.
  func part(_ number: Int, _ node: UInt32) {
    let link = links[number]
    let rows = linkTables[number].node(node).pointee.rows
    removeNode(number, node)
    if link.isSymmetric && rows.0 != rows.1, let twin = findNode(number, rows.1, rows.0) {
      removeNode(number, twin)
    }
  }

  private func removeNode(_ number: Int, _ node: UInt32) {
    let link = links[number]
    let old = linkTables[number].node(node).pointee
    let isOld = node < linkTables[number].boundary
    log.pointee.append(
      isOld ? .nodeRemoved : .nodeDropped, table: 0, row: 0,
      link: Int32(truncatingIfNeeded: number), UInt64(node), UInt64(old.previous.0),
      UInt64(old.previous.1))
    unthreadNode(number, node)
    markLinkChanged(link, 0, old.rows.0)
    if !link.isSymmetric { markLinkChanged(link, 1, old.rows.1) }
  }

  /// Undoes the removal of a node: it goes where it stood, or to the end when what stood before it
  /// is newer than the savepoint (an older entry then puts it in its place).
  func restoreNode(_ entry: UndoEntry) {
    let number = Int(entry.link)
    let node = UInt32(truncatingIfNeeded: entry.word0)
    let link = links[number]
    let rows = linkTables[number].node(node).pointee.rows
    for side: UInt8 in link.isSymmetric ? [0] : [0, 1] {
      let row = side == 0 ? rows.0 : rows.1
      let head = listHead(link, side, row)
      var previous = UInt32(truncatingIfNeeded: side == 0 ? entry.word1 : entry.word2)
      if previous != 0 {
        let before = linkTables[number].node(previous - 1).pointee
        if !before.isThreaded || before.row(side) != row { previous = head.pointee.last }
      }
      linkTables[number].thread(node, side, after: previous, head)
    }
    if linkTables[number].pairs != nil {
      linkTables[number].pairs?.insert(node, in: linkTables[number])
    }
  }
}
