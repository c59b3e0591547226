// Checks of the whole graph, for tests.

extension Graph {
  /// Returns a description of each violated invariant; empty without any.
  ///
  /// The time is linear in the graph.
  func brokenInvariants() -> [String] {
    var broken: [String] = []
    for number in linkIndices {
      switch links[number].kind {
      case .oneToOne: checkPartners(number, broken: &broken)
      case .oneToMany: checkMembers(number, broken: &broken)
      case .manyToMany: checkNodes(number, broken: &broken)
      }
    }
    for table in tableIndices { checkTable(table, broken: &broken) }
    return broken
  }

  private func forEachLive(_ link: Link, side: LinkSide, body: (Row) -> Void) {
    let table = link.table(side)
    let field = link.field(side)
    for row in tables[table].rows where tables[table].isLive(row) {
      let entity = tables[table].header(row).pointee.entity
      if field.belongs(to: entity) { body(row) }
    }
  }

  /// Returns whether a row has an object of the entity on one side of a relationship.
  private func canBeLinked(_ row: Row, by link: Link, side: LinkSide) -> Bool {
    let header = tables[link.table(side)].header(row).pointee
    return header.state & RecordState.live != 0 && link.field(side).belongs(to: header.entity)
  }

  private func checkPartners(_ number: LinkIndex, broken: inout [String]) {
    let link = links[number]
    for side in LinkSide.both {
      let other = link.isSymmetric ? side : side.inverse
      forEachLive(link, side: side) { row in
        guard let target = slot(link, side: side, row: row).pointee.index else { return }
        if !canBeLinked(target, by: link, side: other)
          || slot(link, side: other, row: target).pointee.index != row
        {
          broken.append("one-to-one link \(number): row \(row) leads to \(target), not back")
        }
      }
    }
  }

  private func checkMembers(_ number: LinkIndex, broken: inout [String]) {
    let link = links[number]
    var listed = 0
    forEachLive(link, side: .second) { owner in
      let head = listHead(link, side: .second, row: owner).pointee
      var (next, previous, count) = (head.first.row, OptionalRow.none, UInt32(0))
      while let row = next.index, count <= head.count {
        let member = memberSlot(link, row: row).pointee
        if member.owner.index != owner || member.previous != previous
          || !canBeLinked(row, by: link, side: .first)
        {
          broken.append("one-to-many link \(number): member \(row) of \(owner) is misplaced")
        }
        (previous, next, count) = (next, member.next, count + 1)
      }
      if count != head.count || previous != head.last.row {
        broken.append("one-to-many link \(number): the list of \(owner) has a wrong end or count")
      }
      listed += Int(head.count)
    }
    var owned = 0
    forEachLive(link, side: .first) {
      if !memberSlot(link, row: $0).pointee.owner.isNone { owned += 1 }
    }
    if owned != listed {
      broken.append("one-to-many link \(number): \(owned) members have owners that list \(listed)")
    }
  }

  private func checkNodes(_ number: LinkIndex, broken: inout [String]) {
    let link = links[number]
    var threaded = 0
    for node in linkTables[number].nodes where linkTables[number].node(node).pointee.isThreaded {
      threaded += 1
      if linkTables[number].pairs != nil {
        let rows = linkTables[number].node(node).pointee.rows
        if linkTables[number].pairs?.find(rows.0, rows.1, in: linkTables[number]) != node {
          broken.append("many-to-many link \(number): node \(node) is not in the pair index")
        }
      }
    }
    for side in link.isSymmetric ? [.first] : LinkSide.both {
      var listed = 0
      forEachLive(link, side: side) { row in
        let head = listHead(link, side: side, row: row).pointee
        var (next, previous, count) = (head.first.node, OptionalNode.none, UInt32(0))
        while let index = next.index, count <= head.count {
          let node = linkTables[number].node(index).pointee
          if !node.isThreaded || node.row(side) != row || node.previous(side) != previous
            || !canBeLinked(node.row(side.inverse), by: link, side: side.inverse)
          {
            broken.append("many-to-many link \(number): node \(index) of \(row) is misplaced")
          }
          (previous, next, count) = (next, node.next(side), count + 1)
        }
        if count != head.count || previous != head.last.node {
          broken.append("many-to-many link \(number): the list of \(row) has a wrong end or count")
        }
        listed += Int(head.count)
      }
      if listed != threaded {
        broken.append(
          "many-to-many link \(number): side \(side) lists \(listed) of \(threaded) nodes")
      }
    }
  }

  private func checkTable(_ table: TableIndex, broken: inout [String]) {
    var live = 0
    for row in tables[table].rows where tables[table].isLive(row) {
      live += 1
      if tables[table].header(row).pointee.state & RecordState.passing != 0 {
        broken.append("table \(table): row \(row) keeps a passing mark")
      }
      guard isIndexed(row, in: table) else { continue }
      forEachIndex(row, in: table) { index in
        if !index.holds(row) { broken.append("table \(table): row \(row) is not in an index") }
      }
    }
    if live != tables[table].liveCount {
      broken.append("table \(table): \(live) objects live, \(tables[table].liveCount) are counted")
    }
    for index in indexes[table] {
      let indexed = tables[table].rows.filter { row in
        isIndexed(row, in: table)
          && has(
            (0..<index.pointee.fieldCount).map {
              Int(index.pointee.fields[$0].number)
            }, table: table, row: row)
          && index.pointee.isIndexed(row)
      }.count
      if indexed != index.pointee.rowCount {
        broken.append("table \(table): an index has \(index.pointee.rowCount) of \(indexed) rows")
      }
    }
  }
}

extension IdentityIndex {
  /// Returns whether a row should be in the index.
  func isIndexed(_ row: Row) -> Bool {
    fieldCount != 1
      || StoredValue(table.pointee.record(row), field: fields[0], table: table).isPresent
  }
}
