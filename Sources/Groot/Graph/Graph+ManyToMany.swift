// Many-to-many relationships: nodes threaded into the lists of both sides.
//
// A symmetric relationship (its own inverse) has a node for each direction. Each is threaded only
// on side 0.

extension Graph {
  /// The length up to which lists are searched; a longer list gets an index.
  private static let searchLimit: UInt32 = 16

  /// Returns the node that links two rows, in constant time except when the index is made.
  func findNode(_ number: LinkIndex, left: Row, right: Row) -> NodeIndex? {
    let link = links[number]
    let leftHead = listHead(link, side: .first, row: left).pointee
    if leftHead.count == 0 { return nil }
    if leftHead.count <= Self.searchLimit {
      return search(number, side: .first, head: leftHead, for: right)
    }
    if !link.isSymmetric {
      let rightHead = listHead(link, side: .second, row: right).pointee
      if rightHead.count <= Self.searchLimit {
        return search(number, side: .second, head: rightHead, for: left)
      }
    }
    if linkTables[number].pairs == nil { linkTables[number].makePairIndex() }
    guard let pairs = linkTables[number].pairs else {
      return search(number, side: .first, head: leftHead, for: right)
    }
    return pairs.find(left, right, in: linkTables[number])
  }

  private func search(_ number: LinkIndex, side: LinkSide, head: ListHead, for row: Row)
    -> NodeIndex?
  {
    var next = head.first.node
    while let index = next.index {
      let node = linkTables[number].node(index)
      if node.pointee.row(side.inverse) == row { return index }
      next = node.pointee.next(side)
    }
    return nil
  }

  /// Links two rows without a link; the link is added at the end of both lists.
  @inline(__always)
  func link(_ number: LinkIndex, left: Row, right: Row) throws {
    try addNode(number, left: left, right: right)
    if links[number].isSymmetric && left != right { try addNode(number, left: right, right: left) }
  }

  @inline(__always)
  func addNode(_ number: LinkIndex, left: Row, right: Row) throws {
    guard log.pointee.reserve(3), let (node, isNew) = linkTables[number].insert(left, right) else {
      throw noRoom("a relationship has no room for more than 2^32 links")
    }
    if !isNew {
      log.pointee.append(
        .nodeAdded, table: .none, row: .none, link: number, node.word)
      if isPersistent { unsavedNodes[number].insert(node) }
    }
    threadAtEnds(number, node: node)
    let link = links[number]
    if left < tables[link.tables.0].boundary || right < tables[link.tables.1].boundary {
      gains[number] = true
    }
    markLinkChanged(link, side: .first, row: left)
    if !link.isSymmetric { markLinkChanged(link, side: .second, row: right) }
  }

  @inline(__always)
  private func threadAtEnds(_ number: LinkIndex, node: NodeIndex) {
    let link = links[number]
    let rows = linkTables[number].node(node).pointee.rows
    let left = listHead(link, side: .first, row: rows.0)
    linkTables[number].thread(node, side: .first, after: left.pointee.last.node, in: left)
    if !link.isSymmetric {
      let right = listHead(link, side: .second, row: rows.1)
      linkTables[number].thread(node, side: .second, after: right.pointee.last.node, in: right)
    }
    linkTables[number].index(node)
  }

  /// Removes a node from its lists without a trace.
  func unthreadNode(_ number: LinkIndex, node: NodeIndex) {
    let link = links[number]
    if linkTables[number].pairs != nil {
      linkTables[number].pairs?.remove(node, in: linkTables[number])
    }
    let rows = linkTables[number].node(node).pointee.rows
    linkTables[number].unthread(node, side: .first, in: listHead(link, side: .first, row: rows.0))
    if !link.isSymmetric {
      linkTables[number].unthread(
        node, side: .second, in: listHead(link, side: .second, row: rows.1))
    }
    linkTables[number].node(node).pointee.previous.0 = LinkNode.unthreaded
  }

  /// Removes a link, in both directions if it is symmetric.
  ///
  /// - Returns: False, without a change, if there is no memory for the undo.
  @discardableResult
  func unlink(_ number: LinkIndex, node: NodeIndex) -> Bool {
    guard log.pointee.reserve(6) else { return false }
    let link = links[number]
    let rows = linkTables[number].node(node).pointee.rows
    removeNode(number, node: node)
    if link.isSymmetric && rows.0 != rows.1,
      let twin = findNode(number, left: rows.1, right: rows.0)
    {
      removeNode(number, node: twin)
    }
    return true
  }

  private func removeNode(_ number: LinkIndex, node: NodeIndex) {
    let link = links[number]
    let old = linkTables[number].node(node).pointee
    let isOld = node < linkTables[number].boundary
    log.pointee.append(
      isOld ? .nodeRemoved : .nodeDropped, table: .none, row: .none,
      link: number, node.word, old.previous.0.word,
      old.previous.1.word)
    unthreadNode(number, node: node)
    markLinkChanged(link, side: .first, row: old.rows.0)
    if !link.isSymmetric { markLinkChanged(link, side: .second, row: old.rows.1) }
  }

  /// Undoes the removal of a node and returns it to its former position.
  ///
  /// If the entry before it is newer than the savepoint, the node is added at the end. An older
  /// entry of the log then moves it to its position.
  func restoreNode(_ entry: UndoEntry) {
    let number = entry.link
    let node = NodeIndex(word: entry.word0)
    let link = links[number]
    let rows = linkTables[number].node(node).pointee.rows
    for side in link.isSymmetric ? [.first] : LinkSide.both {
      let row = side == .first ? rows.0 : rows.1
      let head = listHead(link, side: side, row: row)
      var previous = OptionalNode(word: side == .first ? entry.word1 : entry.word2)
      if let index = previous.index {
        let before = linkTables[number].node(index).pointee
        if !before.isThreaded || before.row(side) != row { previous = head.pointee.last.node }
      }
      linkTables[number].thread(node, side: side, after: previous, in: head)
    }
    linkTables[number].index(node)
  }
}
