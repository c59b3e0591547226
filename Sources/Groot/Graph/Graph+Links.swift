// Relationships: the links of each kind.

// Relationships with a to-one on either side.

extension Graph {
  @inline(__always)
  func slot(_ link: Link, side: LinkSide, row: Row) -> UnsafeMutablePointer<OptionalRow> {
    (tables[link.table(side)].record(row) + Int(link.field(side).offset))
      .assumingMemoryBound(to: OptionalRow.self)
  }

  @inline(__always)
  func memberSlot(_ link: Link, row: Row) -> UnsafeMutablePointer<MemberSlot> {
    (tables[link.tables.0].record(row) + Int(link.fields.0.offset))
      .assumingMemoryBound(to: MemberSlot.self)
  }

  @inline(__always)
  func listHead(_ link: Link, side: LinkSide, row: Row) -> UnsafeMutablePointer<ListHead> {
    (tables[link.table(side)].record(row) + Int(link.field(side).offset))
      .assumingMemoryBound(to: ListHead.self)
  }

  @inline(__always)
  func markLinkChanged(_ link: Link, side: LinkSide, row: Row) {
    let table = link.table(side)
    if link.isHidden(side) || tables[table].isNew(row) { return }
    markChanged(row, in: table, number: link.field(side).number)
  }

  /// Returns the row of a to-one's member.
  ///
  /// It is the first word of both kinds of slots.
  @inline(__always)
  func target(_ link: Link, side: LinkSide, row: Row) -> OptionalRow {
    slot(link, side: side, row: row).pointee
  }

  /// Sets a to-one and its inverse.
  @inline(__always) @discardableResult
  func setTarget(_ number: LinkIndex, side: LinkSide, row: Row, to target: OptionalRow) -> Bool {
    if links[number].kind == .oneToMany {
      setOwner(number, row: row, to: target)
    } else {
      setPartner(number, side: side, row: row, to: target)
    }
  }

  /// Moves a member of a one-to-many to the end of another owner's list.
  ///
  /// It does nothing without memory for the undo.
  @inline(__always) @discardableResult
  func setOwner(_ number: LinkIndex, row: Row, to owner: OptionalRow) -> Bool {
    let link = links[number]
    let member = memberSlot(link, row: row)
    let old = member.pointee
    if old.owner == owner { return false }
    guard log.pointee.reserve(4) else { return false }
    let mask = identityMasks[link.tables.0][Int(link.fields.0.number)]
    if mask != 0 {
      if !owner.isNone, !reserveIndexes(of: row, in: link.tables.0, mask: mask) { return false }
      updateIndexes(row, in: link.tables.0, mask: mask) { $0.remove(row) }
    }
    move(row, to: owner, along: number, from: old)
    if mask != 0 { updateIndexes(row, in: link.tables.0, mask: mask) { $0.insert(row) } }
    return true
  }

  /// Adds a new row, which no index has yet, to the end of an owner's list.
  ///
  /// It returns false, and does nothing, without memory for the undo.
  @inline(__always)
  func setFirstOwner(_ number: LinkIndex, row: Row, to owner: OptionalRow) -> Bool {
    if owner.isNone { return true }
    guard log.pointee.reserve(4) else { return false }
    move(row, to: owner, along: number, from: .free)
    return true
  }

  /// Moves a member to the end of another owner's list, with the notes in the log and the marks.
  ///
  /// The log has room for them. Indexes are left to the caller.
  @inline(__always)
  private func move(
    _ row: Row, to owner: OptionalRow, along number: LinkIndex, from old: MemberSlot
  ) {
    let link = links[number]
    if row < tables[link.tables.0].boundary {
      log.pointee.append(
        .member, table: link.tables.0, row: row, link: number,
        old.owner.word, old.previous.word)
      markLinkChanged(link, side: .first, row: row)
    }
    if let former = old.owner.index {
      unthread(link, row: row, member: memberSlot(link, row: row))
      markLinkChanged(link, side: .second, row: former)
    }
    if let next = owner.index {
      let head = listHead(link, side: .second, row: next)
      thread(link, row: row, owner: owner, after: head.pointee.last.row, in: head)
      markLinkChanged(link, side: .second, row: next)
      if next < tables[link.tables.1].boundary { gains[number] = true }
    }
  }

  /// Threads a member into its owner's list, after `previous`.
  @inline(__always)
  func thread(
    _ link: Link, row: Row, owner: OptionalRow, after previous: OptionalRow,
    in head: UnsafeMutablePointer<ListHead>
  ) {
    let before = previous.index.map { memberSlot(link, row: $0) }
    let next = before?.pointee.next ?? head.pointee.first.row
    memberSlot(link, row: row).pointee = MemberSlot(owner: owner, next: next, previous: previous)
    if let before {
      before.pointee.next = OptionalRow(row)
    } else {
      head.pointee.first = OptionalEntry(row)
    }
    if let after = next.index {
      memberSlot(link, row: after).pointee.previous = OptionalRow(row)
    } else {
      head.pointee.last = OptionalEntry(row)
    }
    head.pointee.count &+= 1
  }

  /// Unthreads a member from its owner's list.
  func unthread(_ link: Link, row: Row, member: UnsafeMutablePointer<MemberSlot>) {
    let old = member.pointee
    guard let owner = old.owner.index else { return }
    let head = listHead(link, side: .second, row: owner)
    if let before = old.previous.index {
      memberSlot(link, row: before).pointee.next = old.next
    } else {
      head.pointee.first = OptionalEntry(old.next)
    }
    if let after = old.next.index {
      memberSlot(link, row: after).pointee.previous = old.previous
    } else {
      head.pointee.last = OptionalEntry(old.previous)
    }
    head.pointee.count -= 1
    member.pointee = .free
  }

  /// Undoes ``setOwner(_:row:to:)``.
  func restoreMember(_ entry: UndoEntry) {
    let link = links[entry.link]
    let isLive = tables[link.tables.0].isLive(entry.row)
    let mask = isLive ? identityMasks[link.tables.0][Int(link.fields.0.number)] : 0
    if mask != 0 {
      updateIndexes(entry.row, in: link.tables.0, mask: mask) { $0.remove(entry.row) }
    }
    defer {
      if mask != 0 {
        updateIndexes(entry.row, in: link.tables.0, mask: mask) { $0.insert(entry.row) }
      }
    }
    unthread(link, row: entry.row, member: memberSlot(link, row: entry.row))
    let owner = OptionalRow(word: entry.word0)
    guard let list = owner.index else { return }
    var previous = OptionalRow(word: entry.word1)
    let head = listHead(link, side: .second, row: list)
    // The entry before the member may be newer than the savepoint and already removed. The member
    // itself was then moved after the savepoint, and an older entry of the log restores its
    // position.
    if let before = previous.index, memberSlot(link, row: before).pointee.owner != owner {
      previous = head.pointee.last.row
    }
    thread(link, row: entry.row, owner: owner, after: previous, in: head)
  }

  /// Sets one side of a one-to-one link, and clears the side of a former partner.
  ///
  /// It does nothing without memory for the undo.
  private func setPartner(
    _ number: LinkIndex, side: LinkSide, row: Row, to target: OptionalRow
  ) -> Bool {
    let link = links[number]
    let old = slot(link, side: side, row: row).pointee
    if old == target { return false }
    guard log.pointee.reserve(8), reservePartnerIndexes(link, row: row, target: target, side: side)
    else { return false }
    let other = link.isSymmetric ? side : side.inverse
    if let former = old.index { write(link, number: number, side: other, row: former, to: .none) }
    if let partner = target.index, let rival = slot(link, side: other, row: partner).pointee.index {
      write(link, number: number, side: side, row: rival, to: .none)
    }
    write(link, number: number, side: side, row: row, to: target)
    if let partner = target.index {
      write(link, number: number, side: other, row: partner, to: OptionalRow(row))
    }
    return true
  }

  /// Reserves index entries for the two new partners; former partners are already indexed.
  private func reservePartnerIndexes(
    _ link: Link, row: Row, target: OptionalRow, side: LinkSide
  ) -> Bool {
    if target.isNone { return true }
    let other = link.isSymmetric ? side : side.inverse
    for (side, row) in [(side, OptionalRow(row)), (other, target)] {
      guard let row = row.index else { continue }
      let table = link.table(side)
      let mask = identityMasks[table][Int(link.field(side).number)]
      if mask != 0, !reserveIndexes(of: row, in: table, mask: mask, count: 2) { return false }
    }
    return true
  }

  private func write(
    _ link: Link, number: LinkIndex, side: LinkSide, row: Row, to value: OptionalRow
  ) {
    let target = slot(link, side: side, row: row)
    guard target.pointee != value else { return }
    let table = link.table(side)
    if row < tables[table].boundary {
      log.pointee.append(
        .single, table: table, row: row, field: UInt16(side.rawValue),
        link: number,
        target.pointee.word)
    }
    putPartner(link, side: side, row: row, to: value)
    markLinkChanged(link, side: side, row: row)
  }

  /// Writes a slot of a one-to-one link and updates the identity indexes.
  func putPartner(_ link: Link, side: LinkSide, row: Row, to value: OptionalRow) {
    let table = link.table(side)
    let mask =
      isIndexed(row, in: table) ? identityMasks[table][Int(link.field(side).number)] : 0
    if mask != 0 { updateIndexes(row, in: table, mask: mask) { $0.remove(row) } }
    slot(link, side: side, row: row).pointee = value
    if mask != 0 { updateIndexes(row, in: table, mask: mask) { $0.insert(row) } }
  }
}

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
    let link = links[number]
    let nodes = linkTables + number
    let heads = (
      listHead(link, side: .first, row: left), listHead(link, side: .second, row: right)
    )
    let lasts = (heads.0.pointee.last.node, link.isSymmetric ? .none : heads.1.pointee.last.node)
    guard log.pointee.reserve(3),
      let (node, isNew) = nodes.pointee.insert(left, right, after: lasts)
    else {
      throw noRoom("a relationship has no room for more than 2^32 links")
    }
    if !isNew { noteReused(node, of: number) }
    nodes.pointee.join(node, side: .first, in: heads.0)
    if !link.isSymmetric { nodes.pointee.join(node, side: .second, in: heads.1) }
    nodes.pointee.index(node)
    if left < tables[link.tables.0].boundary || right < tables[link.tables.1].boundary {
      gains[number] = true
    }
    markLinkChanged(link, side: .first, row: left)
    if !link.isSymmetric { markLinkChanged(link, side: .second, row: right) }
  }

  /// Notes a link in a node that was free.
  @inline(never)
  private func noteReused(_ node: NodeIndex, of number: LinkIndex) {
    log.pointee.append(
      .nodeAdded, table: .none, row: .none, link: number, node.word)
    if isPersistent { unsavedNodes[number].insert(node) }
  }

  /// Links a row without members to a few, leaving out repeats.
  ///
  /// It does the same as ``link(_:left:right:)`` for each, and looks up once what they share.
  func linkFirst(of row: Row, field: Field, _ members: UnsafeBufferPointer<Row>) throws {
    let number = field.link
    let link = links[number]
    let nodes = linkTables + number
    let (own, other) = (field.side, field.side.inverse)
    let isPlain = !link.isSymmetric && nodes.pointee.onlyAppends
    let head = listHead(link, side: own, row: row)
    let (table, offset) = (tables + link.table(other), Int(link.field(other).offset))
    let isOld = row < tables[link.table(own)].boundary
    if isPlain, members.count > 0 { markLinkChanged(link, side: own, row: row) }
    for index in 0..<members.count {
      let member = members[index]
      var isRepeat = false
      for earlier in 0..<index where members[earlier] == member { isRepeat = true }
      if isRepeat { continue }
      guard isPlain, log.pointee.reserve(1), nodes.pointee.hasRoom else {
        try linkMember(number, field: field, row: row, member: member)
        continue
      }
      let record = table.pointee.record(member)
      let back = (record + offset).assumingMemoryBound(to: ListHead.self)
      let lasts = (head.pointee.last.node, back.pointee.last.node)
      let node = nodes.pointee.append(
        own == .first
          ? LinkNode(rows: (row, member), next: (.none, .none), previous: lasts)
          : LinkNode(rows: (member, row), next: (.none, .none), previous: (lasts.1, lasts.0)))
      nodes.pointee.join(node, side: own, in: head)
      nodes.pointee.join(node, side: other, in: back)
      if isOld || member < table.pointee.boundary { gains[number] = true }
      markLinkChanged(link, side: other, row: member)
    }
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
