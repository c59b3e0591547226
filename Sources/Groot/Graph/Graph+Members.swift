// To-many relationships of every kind.

extension Graph {
  @inline(__always)
  func memberCount(of row: Row, field: Field) -> UInt32 {
    listHead(links[field.link], side: field.side, row: row).pointee.count
  }

  /// Calls `body` with each member's row, in order; `body` must not change the relationship.
  @inline(__always)
  func forEachMember(
    of row: Row, field: Field, body: (Row) throws -> Void
  ) rethrows {
    let link = links[field.link]
    let first = listHead(link, side: field.side, row: row).pointee.first
    if link.kind == .oneToMany {
      var next = first.row
      while let member = next.index {
        try body(member)
        next = memberSlot(link, row: member).pointee.next
      }
    } else {
      let nodes = linkTables + field.link
      var next = first.node
      while let index = next.index {
        let node = nodes.pointee.node(index)
        try body(node.pointee.row(field.side.inverse))
        next = node.pointee.next(field.side)
      }
    }
  }

  /// Returns whether `body` returns true for a member; it visits no members after the first.
  @inline(__always)
  func hasMember(_ row: Row, field: Field, where body: (Row) -> Bool) -> Bool {
    let link = links[field.link]
    let nodes = linkTables + field.link
    var next = listHead(link, side: field.side, row: row).pointee.first
    while let entry = next.index {
      if link.kind == .oneToMany {
        if body(entry.row) { return true }
        next = OptionalEntry(memberSlot(link, row: entry.row).pointee.next)
      } else {
        let node = nodes.pointee.node(entry.node)
        if body(node.pointee.row(field.side.inverse)) { return true }
        next = OptionalEntry(node.pointee.next(field.side))
      }
    }
    return false
  }

  /// Returns whether an object has no member or owner in one direction of a relationship.
  func isAlone(_ link: Link, side: LinkSide, row: Row) -> Bool {
    // The slot of a to-one begins with its owner, and the head of a list with its first entry.
    slot(link, side: link.isSymmetric ? .first : side, row: row).pointee.isNone
  }

  func members(of row: Row, field: Field) -> [Row] {
    var rows: [Row] = []
    rows.reserveCapacity(Int(memberCount(of: row, field: field)))
    forEachMember(of: row, field: field) { rows.append($0) }
    return rows
  }

  func contains(_ member: Row, in field: Field, of row: Row) -> Bool {
    let number = field.link
    if links[number].kind == .oneToMany {
      return memberSlot(links[number], row: member).pointee.owner.index == row
    }
    return node(number, field: field, row: row, member: member) != nil
  }

  @inline(__always)
  private func node(_ number: LinkIndex, field: Field, row: Row, member: Row) -> NodeIndex? {
    field.side == .first
      ? findNode(number, left: row, right: member) : findNode(number, left: member, right: row)
  }

  /// Adds a member at the end, unless it is a member already.
  @discardableResult
  func add(_ member: Row, to field: Field, of row: Row) throws -> Bool {
    let number = field.link
    if links[number].kind == .oneToMany {
      return setOwner(number, row: member, to: OptionalRow(row))
    }
    if node(number, field: field, row: row, member: member) != nil { return false }
    try linkMember(number, field: field, row: row, member: member)
    return true
  }

  @inline(__always)
  func linkMember(_ number: LinkIndex, field: Field, row: Row, member: Row) throws {
    if field.side == .first {
      try link(number, left: row, right: member)
    } else {
      try link(number, left: member, right: row)
    }
  }

  /// Removes a member if it is one.
  func remove(_ member: Row, from field: Field, of row: Row) {
    let number = field.link
    if links[number].kind == .oneToMany {
      if memberSlot(links[number], row: member).pointee.owner.index == row {
        setOwner(number, row: member, to: .none)
      }
    } else if let node = node(number, field: field, row: row, member: member) {
      unlink(number, node: node)
    }
  }

  @discardableResult
  func removeAllMembers(of row: Row, field: Field) -> Bool {
    let number = field.link
    let link = links[number]
    let head = listHead(link, side: field.side, row: row)
    if head.pointee.first.isNone { return false }
    while let entry = head.pointee.first.index {
      let isDone =
        link.kind == .oneToMany
        ? setOwner(number, row: entry.row, to: .none) : unlink(number, node: entry.node)
      if !isDone { return false }
    }
    return true
  }

  /// Sets the members to `desired`, without repeats.
  ///
  /// Equal members are not marked as changed. The members get the order of `desired` if the
  /// relationship is ordered or `setsOrder` is true. Otherwise members that stay keep their
  /// positions. The time is linear in the old and the new members.
  @inline(__always) @discardableResult
  func setMembers(
    of row: Row, field: Field, to desired: UnsafeBufferPointer<Row>,
    setsOrder: Bool = false
  ) throws -> Bool {
    let number = field.link
    let link = links[number]
    if listHead(link, side: field.side, row: row).pointee.count == 0 && desired.count <= 16 {
      if link.kind == .oneToMany {
        for member in desired { setOwner(number, row: member, to: OptionalRow(row)) }
        return desired.count > 0
      }
      try linkFirst(of: row, field: field, desired)
      return desired.count > 0
    }
    if isSequence(of: row, field: field, desired: desired) { return false }
    return try replaceMembers(
      of: row, field: field, desired: desired,
      setsOrder: setsOrder || link.isOrdered(field.side))
  }

  /// Returns whether the members of a row are these, in this order.
  @inline(__always)
  func isSequence(
    of row: Row, field: Field, desired: UnsafeBufferPointer<Row>
  ) -> Bool {
    guard Int(memberCount(of: row, field: field)) == desired.count else { return false }
    var index = 0
    var isSame = true
    forEachMember(of: row, field: field) { member in
      if isSame && desired[index] != member { isSame = false }
      index &+= 1
    }
    return isSame
  }

  @inline(never)
  private func replaceMembers(
    of row: Row, field: Field, desired: UnsafeBufferPointer<Row>,
    setsOrder: Bool
  ) throws -> Bool {
    let number = field.link
    // The sets and lists of members that are made below.
    try memory.expect(
      64 * (desired.count + Int(memberCount(of: row, field: field))))
    var isChanged = false
    let wanted = RowGroup(desired)
    let order = wanted.rows
    let old = members(of: row, field: field)
    let kept = RowGroup(old)
    let added = order.reduce(0) { $0 + (kept.contains($1) ? 0 : 1) }
    try requireRoom(changes: added + old.count + added - order.count, links: added, of: field)
    for member in old where !wanted.contains(member) {
      remove(member, from: field, of: row)
      isChanged = true
    }
    for member in order where !kept.contains(member) {
      isChanged = true
      if links[number].kind == .oneToMany {
        setOwner(number, row: member, to: OptionalRow(row))
      } else {
        try linkMember(number, field: field, row: row, member: member)
      }
    }
    let isInOrder = order.withUnsafeBufferPointer {
      isSequence(of: row, field: field, desired: $0)
    }
    if setsOrder, !isInOrder {
      reorder(of: row, field: field, to: order)
      isChanged = true
    }
    return isChanged
  }

  /// Throws without memory for the given changes and their undo.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``; nothing has changed then.
  func requireRoom(changes: Int, links count: Int, of field: Field) throws {
    // Each change logs itself, twice for a symmetric relationship, and marks the affected objects.
    guard log.pointee.reserve(6 * changes + 4) else { throw memory.failure }
    let link = links[field.link]
    if link.kind == .manyToMany {
      guard linkTables[field.link].reserve(link.isSymmetric ? 2 * count : count) else {
        throw memory.failure
      }
    } else if link.kind == .oneToMany {
      let (table, mask) = (
        link.tables.0, identityMasks[link.tables.0][Int(link.fields.0.number)]
      )
      for (position, index) in indexes[table].enumerated()
      where mask >> UInt32(position) & 1 != 0 && !index.pointee.reserve(count) {
        throw memory.failure
      }
    }
  }

  /// Reorders the members; `order` must have exactly the same members.
  func reorder(of row: Row, field: Field, to order: [Row]) {
    let number = field.link
    let link = links[number]
    let entries = entries(number, side: field.side, row: row)
    let old = RowGroup(members(of: row, field: field))
    let table = link.table(field.side)
    guard log.pointee.reserve(2) else { return }
    if row < tables[table].boundary {
      log.pointee.orders.append(entries)
      log.pointee.append(
        .order, table: table, row: row, field: UInt16(field.side.rawValue), link: field.link,
        UInt64(log.pointee.orders.count - 1))
    }
    markLinkChanged(link, side: field.side, row: row)
    rethread(
      number, side: field.side, row: row,
      entries: order.compactMap { old.place(of: $0).map { entries[$0] } })
  }

  /// Threads a list again, in the order of `entries`.
  func rethread(_ number: LinkIndex, side: LinkSide, row: Row, entries: [ListEntry]) {
    let link = links[number]
    let head = listHead(link, side: side, row: row)
    head.pointee = .empty
    for entry in entries {
      if link.kind == .oneToMany {
        thread(
          link, row: entry.row, owner: OptionalRow(row), after: head.pointee.last.row, in: head)
      } else {
        linkTables[number].thread(entry.node, side: side, after: head.pointee.last.node, in: head)
      }
    }
  }
}
