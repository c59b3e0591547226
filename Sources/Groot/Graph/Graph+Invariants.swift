// Checks of the whole graph, for tests.

extension Graph {
  /// Every broken invariant in words; empty when all hold.
  ///
  /// Linear.
  func brokenInvariants() -> [String] {
    var faults: [String] = []
    for number in 0..<linkCount {
      switch links[number].kind {
      case .oneToOne: checkPartners(number, &faults)
      case .oneToMany: checkMembers(number, &faults)
      case .manyToMany: checkNodes(number, &faults)
      }
    }
    for table in 0..<tableCount { checkTable(table, &faults) }
    return faults
  }

  private func forEachLive(_ link: Link, _ side: UInt8, _ body: (UInt32) -> Void) {
    let table = link.table(side)
    let field = link.field(side)
    for row in 0..<tables[table].count where tables[table].isLive(row) {
      let entity = tables[table].header(row).pointee.entity
      if field.belongs(to: entity) { body(row) }
    }
  }

  private func checkPartners(_ number: Int, _ faults: inout [String]) {
    let link = links[number]
    for side: UInt8 in [0, 1] {
      let other = link.isSymmetric ? side : 1 - side
      forEachLive(link, side) { row in
        let target = slot(link, side, row).pointee
        guard target != 0 else { return }
        if !tables[link.table(other)].isLive(target - 1)
          || slot(link, other, target - 1).pointee != row + 1
        {
          faults.append("one-to-one link \(number): row \(row) leads to \(target - 1), not back")
        }
      }
    }
  }

  private func checkMembers(_ number: Int, _ faults: inout [String]) {
    let link = links[number]
    var listed = 0
    forEachLive(link, 1) { owner in
      let head = listHead(link, 1, owner).pointee
      var (next, previous, count) = (head.first, UInt32(0), UInt32(0))
      while next != 0, count <= head.count {
        let member = memberSlot(link, next - 1).pointee
        if member.owner != owner + 1 || member.previous != previous
          || !tables[link.tables.0].isLive(next - 1)
        {
          faults.append("one-to-many link \(number): member \(next - 1) of \(owner) is misplaced")
        }
        (previous, next, count) = (next, member.next, count + 1)
      }
      if count != head.count || previous != head.last {
        faults.append("one-to-many link \(number): the list of \(owner) has a wrong end or count")
      }
      listed += Int(head.count)
    }
    var owned = 0
    forEachLive(link, 0) { if memberSlot(link, $0).pointee.owner != 0 { owned += 1 } }
    if owned != listed {
      faults.append("one-to-many link \(number): \(owned) members have owners that list \(listed)")
    }
  }

  private func checkNodes(_ number: Int, _ faults: inout [String]) {
    let link = links[number]
    var threaded = 0
    for node in 0..<linkTables[number].count where linkTables[number].node(node).pointee.isThreaded
    {
      threaded += 1
      if linkTables[number].pairs != nil {
        let rows = linkTables[number].node(node).pointee.rows
        if linkTables[number].pairs?.find(rows.0, rows.1, in: linkTables[number]) != node {
          faults.append("many-to-many link \(number): node \(node) is not in the pair index")
        }
      }
    }
    for side: UInt8 in link.isSymmetric ? [0] : [0, 1] {
      var listed = 0
      forEachLive(link, side) { row in
        let head = listHead(link, side, row).pointee
        var (next, previous, count) = (head.first, UInt32(0), UInt32(0))
        while next != 0, count <= head.count {
          let node = linkTables[number].node(next - 1).pointee
          if !node.isThreaded || node.row(side) != row || node.previous(side) != previous
            || !tables[link.table(1 - side)].isLive(node.row(1 - side))
          {
            faults.append("many-to-many link \(number): node \(next - 1) of \(row) is misplaced")
          }
          (previous, next, count) = (next, node.next(side), count + 1)
        }
        if count != head.count || previous != head.last {
          faults.append("many-to-many link \(number): the list of \(row) has a wrong end or count")
        }
        listed += Int(head.count)
      }
      if listed != threaded {
        faults.append(
          "many-to-many link \(number): side \(side) lists \(listed) of \(threaded) nodes")
      }
    }
  }

  private func checkTable(_ table: Int, _ faults: inout [String]) {
    var live = 0
    for row in 0..<tables[table].count where tables[table].isLive(row) {
      live += 1
      if tables[table].header(row).pointee.state & RecordState.passing != 0 {
        faults.append("table \(table): row \(row) keeps a passing mark")
      }
      guard isIndexed(table, row) else { continue }
      forEachIndex(table, row) { index in
        if !index.holds(row) { faults.append("table \(table): row \(row) is not in an index") }
      }
    }
    if live != tables[table].liveCount {
      faults.append("table \(table): \(live) objects live, \(tables[table].liveCount) are counted")
    }
    for index in indexes[table] {
      let indexed = (0..<tables[table].count).filter { row in
        isIndexed(table, row)
          && has(
            (0..<index.pointee.fieldCount).map {
              Int(index.pointee.fields[$0].number)
            }, table, row)
          && index.pointee.isIndexed(row)
      }.count
      if indexed != index.pointee.rowCount {
        faults.append("table \(table): an index has \(index.pointee.rowCount) of \(indexed) rows")
      }
    }
  }
}

extension IdentityIndex {
  /// Whether a row belongs into the index.
  func isIndexed(_ row: UInt32) -> Bool {
    fieldCount != 1 || StoredValue(table.pointee.record(row), fields[0], table).isPresent
  }
}
