// Relationships whose near or far side is to-one. Rows of targets are given + 1; 0 is none.

extension Graph {
  @inline(__always)
  func slot(_ link: Link, _ side: UInt8, _ row: UInt32) -> UnsafeMutablePointer<UInt32> {
    (tables[link.table(side)].record(row) + Int(link.field(side).offset))
      .assumingMemoryBound(to: UInt32.self)
  }

  @inline(__always)
  func memberSlot(_ link: Link, _ row: UInt32) -> UnsafeMutablePointer<MemberSlot> {
    (tables[link.tables.0].record(row) + Int(link.fields.0.offset))
      .assumingMemoryBound(to: MemberSlot.self)
  }

  @inline(__always)
  func listHead(_ link: Link, _ side: UInt8, _ row: UInt32) -> UnsafeMutablePointer<ListHead> {
    (tables[link.table(side)].record(row) + Int(link.field(side).offset))
      .assumingMemoryBound(to: ListHead.self)
  }

  @inline(__always)
  func markLinkChanged(_ link: Link, _ side: UInt8, _ row: UInt32) {
    if !link.isHidden(side) { markChanged(link.table(side), row, link.field(side).number) }
  }

  /// The row of a to-one's member, + 1.
  ///
  /// The first word of either slot holds it.
  @inline(__always)
  func target(_ link: Link, _ side: UInt8, _ row: UInt32) -> UInt32 {
    slot(link, side, row).pointee
  }

  /// Sets a to-one; the other direction follows.
  @inline(__always) @discardableResult
  func setTarget(_ number: Int, _ side: UInt8, _ row: UInt32, _ target: UInt32) -> Bool {
    if links[number].kind == .oneToMany {
      setOwner(number, row, target)
    } else {
      setPartner(number, side, row, target)
    }
  }

  /// Gives a member of a one-to-many another owner, at the end of whose list it goes.
  @inline(__always) @discardableResult
  func setOwner(_ number: Int, _ row: UInt32, _ owner: UInt32) -> Bool {
    let link = links[number]
    let member = memberSlot(link, row)
    let old = member.pointee
    if old.owner == owner { return false }
    let mask = identityMasks[link.tables.0][Int(link.fields.0.number)]
    if mask != 0 { updateIndexes(link.tables.0, row, mask) { $0.remove(row) } }
    if row < tables[link.tables.0].boundary {
      log.pointee.append(
        .member, table: link.tables.0, row: row, link: Int32(truncatingIfNeeded: number),
        UInt64(old.owner), UInt64(old.previous))
      markLinkChanged(link, 0, row)
    }
    if old.owner != 0 {
      unthread(link, row, member)
      markLinkChanged(link, 1, old.owner &- 1)
    }
    if owner != 0 {
      let head = listHead(link, 1, owner &- 1)
      thread(link, row, owner, after: head.pointee.last, head)
      markLinkChanged(link, 1, owner &- 1)
      if owner &- 1 < tables[link.tables.1].boundary { gains[number] = true }
    }
    if mask != 0 { updateIndexes(link.tables.0, row, mask) { $0.insert(row) } }
    return true
  }

  /// Puts a member into its owner's list, behind `previous`.
  @inline(__always)
  func thread(
    _ link: Link, _ row: UInt32, _ owner: UInt32, after previous: UInt32,
    _ head: UnsafeMutablePointer<ListHead>
  ) {
    let next =
      previous == 0 ? head.pointee.first : memberSlot(link, previous &- 1).pointee.next
    memberSlot(link, row).pointee = MemberSlot(owner: owner, next: next, previous: previous)
    if previous == 0 {
      head.pointee.first = row &+ 1
    } else {
      memberSlot(link, previous &- 1).pointee.next = row &+ 1
    }
    if next == 0 {
      head.pointee.last = row &+ 1
    } else {
      memberSlot(link, next &- 1).pointee.previous = row &+ 1
    }
    head.pointee.count &+= 1
  }

  /// Takes a member out of its owner's list.
  func unthread(_ link: Link, _ row: UInt32, _ member: UnsafeMutablePointer<MemberSlot>) {
    let old = member.pointee
    guard old.owner != 0 else { return }
    let head = listHead(link, 1, old.owner - 1)
    if old.previous == 0 {
      head.pointee.first = old.next
    } else {
      memberSlot(link, old.previous - 1).pointee.next = old.next
    }
    if old.next == 0 {
      head.pointee.last = old.previous
    } else {
      memberSlot(link, old.next - 1).pointee.previous = old.previous
    }
    head.pointee.count -= 1
    member.pointee = MemberSlot(owner: 0, next: 0, previous: 0)
  }

  /// Undoes ``setOwner(_:_:_:)``.
  func restoreMember(_ entry: UndoEntry) {
    let link = links[Int(entry.link)]
    let isLive = tables[link.tables.0].isLive(entry.row)
    let mask = isLive ? identityMasks[link.tables.0][Int(link.fields.0.number)] : 0
    if mask != 0 { updateIndexes(link.tables.0, entry.row, mask) { $0.remove(entry.row) } }
    defer {
      if mask != 0 { updateIndexes(link.tables.0, entry.row, mask) { $0.insert(entry.row) } }
    }
    unthread(link, entry.row, memberSlot(link, entry.row))
    let owner = UInt32(truncatingIfNeeded: entry.word0)
    guard owner != 0 else { return }
    var previous = UInt32(truncatingIfNeeded: entry.word1)
    let head = listHead(link, 1, owner - 1)
    // What stood before it may be newer than the savepoint and gone already. Then the member had
    // itself been moved since the savepoint, and an older entry puts it in its place.
    if previous != 0, memberSlot(link, previous - 1).pointee.owner != owner {
      previous = head.pointee.last
    }
    thread(link, entry.row, owner, after: previous, head)
  }

  /// Sets one side of a one-to-one link; a partner that is taken away loses its own side.
  private func setPartner(
    _ number: Int, _ side: UInt8, _ row: UInt32, _ target: UInt32
  ) -> Bool {
    let link = links[number]
    let old = slot(link, side, row).pointee
    if old == target { return false }
    let other = link.isSymmetric ? side : 1 - side
    if old != 0 { write(link, number, other, old - 1, 0) }
    if target != 0 {
      let rival = slot(link, other, target - 1).pointee
      if rival != 0 { write(link, number, side, rival - 1, 0) }
    }
    write(link, number, side, row, target)
    if target != 0 { write(link, number, other, target - 1, row + 1) }
    return true
  }

  private func write(_ link: Link, _ number: Int, _ side: UInt8, _ row: UInt32, _ value: UInt32) {
    let place = slot(link, side, row)
    guard place.pointee != value else { return }
    let table = link.table(side)
    if row < tables[table].boundary {
      log.pointee.append(
        .single, table: table, row: row, field: UInt16(side),
        link: Int32(truncatingIfNeeded: number),
        UInt64(place.pointee))
    }
    putPartner(link, side, row, value)
    markLinkChanged(link, side, row)
  }

  /// Writes a slot of a one-to-one link and keeps the identity indexes in step.
  func putPartner(_ link: Link, _ side: UInt8, _ row: UInt32, _ value: UInt32) {
    let table = link.table(side)
    let mask =
      isIndexed(table, row) ? identityMasks[table][Int(link.field(side).number)] : 0
    if mask != 0 { updateIndexes(table, row, mask) { $0.remove(row) } }
    slot(link, side, row).pointee = value
    if mask != 0 { updateIndexes(table, row, mask) { $0.insert(row) } }
  }
}
