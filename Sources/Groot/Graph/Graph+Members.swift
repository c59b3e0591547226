// To-many relationships, however they are kept.

extension Graph {
  @inline(__always)
  func memberCount(_ table: Int, _ row: UInt32, _ field: Field) -> UInt32 {
    listHead(links[Int(field.link)], field.side, row).pointee.count
  }

  /// Calls `body` with each member's row, in order; `body` must not change the relationship.
  @inline(__always)
  func forEachMember(
    _ table: Int, _ row: UInt32, _ field: Field, _ body: (UInt32) throws -> Void
  ) rethrows {
    let link = links[Int(field.link)]
    var next = listHead(link, field.side, row).pointee.first
    if link.kind == .oneToMany {
      while next != 0 {
        try body(next &- 1)
        next = memberSlot(link, next &- 1).pointee.next
      }
    } else {
      let nodes = linkTables + Int(field.link)
      while next != 0 {
        let node = nodes.pointee.node(next &- 1)
        try body(node.pointee.row(1 &- field.side))
        next = node.pointee.next(field.side)
      }
    }
  }

  /// Whether `body` answers true for a member; those behind the first such are not visited.
  @inline(__always)
  func hasMember(_ row: UInt32, _ field: Field, where body: (UInt32) -> Bool) -> Bool {
    let link = links[Int(field.link)]
    let nodes = linkTables + Int(field.link)
    var next = listHead(link, field.side, row).pointee.first
    while next != 0 {
      if link.kind == .oneToMany {
        if body(next &- 1) { return true }
        next = memberSlot(link, next &- 1).pointee.next
      } else {
        let node = nodes.pointee.node(next &- 1)
        if body(node.pointee.row(1 &- field.side)) { return true }
        next = node.pointee.next(field.side)
      }
    }
    return false
  }

  /// Whether an object has no member, or owner, in one direction of a relationship.
  func isAlone(_ link: Link, _ side: UInt8, _ row: UInt32) -> Bool {
    // A to-one's slot begins with its owner, a list's head with its first entry; 0 is none.
    slot(link, link.isSymmetric ? 0 : side, row).pointee == 0
  }

  func members(_ table: Int, _ row: UInt32, _ field: Field) -> [UInt32] {
    var rows: [UInt32] = []
    rows.reserveCapacity(Int(memberCount(table, row, field)))
    forEachMember(table, row, field) { rows.append($0) }
    return rows
  }

  func contains(_ table: Int, _ row: UInt32, _ field: Field, _ member: UInt32) -> Bool {
    let number = Int(field.link)
    if links[number].kind == .oneToMany {
      return memberSlot(links[number], member).pointee.owner == row + 1
    }
    return node(number, field, row, member) != nil
  }

  @inline(__always)
  private func node(_ number: Int, _ field: Field, _ row: UInt32, _ member: UInt32) -> UInt32? {
    field.side == 0 ? findNode(number, row, member) : findNode(number, member, row)
  }

  /// Adds a member at the end, unless it is one.
  @discardableResult
  func add(_ table: Int, _ row: UInt32, _ field: Field, _ member: UInt32) throws -> Bool {
    let number = Int(field.link)
    if links[number].kind == .oneToMany { return setOwner(number, member, row + 1) }
    if node(number, field, row, member) != nil { return false }
    try joinMember(number, field, row, member)
    return true
  }

  @inline(__always)
  private func joinMember(_ number: Int, _ field: Field, _ row: UInt32, _ member: UInt32) throws {
    if field.side == 0 {
      try join(number, row, member)
    } else {
      try join(number, member, row)
    }
  }

  /// Removes a member, if it is one.
  func remove(_ table: Int, _ row: UInt32, _ field: Field, _ member: UInt32) {
    let number = Int(field.link)
    if links[number].kind == .oneToMany {
      if memberSlot(links[number], member).pointee.owner == row + 1 { setOwner(number, member, 0) }
    } else if let node = node(number, field, row, member) {
      part(number, node)
    }
  }

  @discardableResult
  func removeAllMembers(_ table: Int, _ row: UInt32, _ field: Field) -> Bool {
    let number = Int(field.link)
    let link = links[number]
    let head = listHead(link, field.side, row)
    if head.pointee.first == 0 { return false }
    while head.pointee.first != 0 {
      if link.kind == .oneToMany {
        setOwner(number, head.pointee.first - 1, 0)
      } else {
        part(number, head.pointee.first - 1)
      }
    }
    return true
  }

  /// Makes `desired` the members; repeats count once.
  ///
  /// Nothing is marked as changed when they are the members already.
  ///
  /// The order becomes that of `desired` where the relationship is ordered or `setsOrder` asks for
  /// it; else members that stay keep their places. Linear in the old and the new members.
  @inline(__always) @discardableResult
  func setMembers(
    _ table: Int, _ row: UInt32, _ field: Field, _ desired: UnsafeBufferPointer<UInt32>,
    setsOrder: Bool = false
  ) throws -> Bool {
    let number = Int(field.link)
    let link = links[number]
    if listHead(link, field.side, row).pointee.count == 0 && desired.count <= 16 {
      if link.kind == .oneToMany {
        for member in desired { setOwner(number, member, row &+ 1) }
        return desired.count > 0
      }
      for index in 0..<desired.count {
        let member = desired[index]
        var isRepeat = false
        for earlier in 0..<index where desired[earlier] == member { isRepeat = true }
        if !isRepeat { try joinMember(number, field, row, member) }
      }
      return desired.count > 0
    }
    if isSequence(table, row, field, desired) { return false }
    return try replaceMembers(
      table, row, field, desired, setsOrder || link.isOrdered(field.side))
  }

  @inline(__always)
  private func isSequence(
    _ table: Int, _ row: UInt32, _ field: Field, _ desired: UnsafeBufferPointer<UInt32>
  ) -> Bool {
    guard Int(memberCount(table, row, field)) == desired.count else { return false }
    var index = 0
    var isSame = true
    forEachMember(table, row, field) { member in
      if isSame && desired[index] != member { isSame = false }
      index &+= 1
    }
    return isSame
  }

  @inline(never)
  private func replaceMembers(
    _ table: Int, _ row: UInt32, _ field: Field, _ desired: UnsafeBufferPointer<UInt32>,
    _ setsOrder: Bool
  ) throws -> Bool {
    let number = Int(field.link)
    var isChanged = false
    var wanted: Set<UInt32> = []
    var order: [UInt32] = []
    for member in desired where wanted.insert(member).inserted { order.append(member) }
    let old = members(table, row, field)
    for member in old where !wanted.contains(member) {
      remove(table, row, field, member)
      isChanged = true
    }
    let kept = Set(old)
    for member in order where !kept.contains(member) {
      isChanged = true
      if links[number].kind == .oneToMany {
        setOwner(number, member, row + 1)
      } else {
        try joinMember(number, field, row, member)
      }
    }
    if setsOrder, members(table, row, field) != order {
      reorder(table, row, field, order)
      isChanged = true
    }
    return isChanged
  }

  /// Gives the members another order; `order` must hold exactly the members.
  func reorder(_ table: Int, _ row: UInt32, _ field: Field, _ order: [UInt32]) {
    let number = Int(field.link)
    let link = links[number]
    let head = listHead(link, field.side, row)
    var entries: [UInt32] = []
    var entryOf: [UInt32: UInt32] = [:]
    var next = head.pointee.first
    while next != 0 {
      entries.append(next - 1)
      if link.kind == .oneToMany {
        next = memberSlot(link, next - 1).pointee.next
      } else {
        let node = linkTables[number].node(next - 1).pointee
        entryOf[node.row(1 - field.side)] = next - 1
        next = node.next(field.side)
      }
    }
    if row < tables[table].boundary {
      log.pointee.orders.append(entries)
      log.pointee.append(
        .order, table: table, row: row, field: UInt16(field.side), link: field.link,
        UInt64(log.pointee.orders.count - 1))
    }
    markLinkChanged(link, field.side, row)
    rethread(
      number, field.side, row, link.kind == .oneToMany ? order : order.compactMap { entryOf[$0] })
  }

  /// Threads a list anew, in the order of `entries` (members' rows, or nodes).
  func rethread(_ number: Int, _ side: UInt8, _ row: UInt32, _ entries: [UInt32]) {
    let link = links[number]
    let head = listHead(link, side, row)
    head.pointee = ListHead(first: 0, last: 0, count: 0)
    for entry in entries {
      if link.kind == .oneToMany {
        thread(link, entry, row + 1, after: head.pointee.last, head)
      } else {
        linkTables[number].thread(entry, side, after: head.pointee.last, head)
      }
    }
  }
}
