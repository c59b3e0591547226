/// Gives what is new in the lists of a graph its places there.
///
/// What is linked goes to the end of a list, so what is new in it stands behind what is not. Lists that
/// were reordered get new places throughout.
struct StorePositions {
  /// By link and side, the places by member (one-to-many) or node (many-to-many).
  private(set) var places: [StoreSide: [UInt32: Int64]] = [:]
  /// By link and side, what had a place before and gets another.
  private(set) var moved: [StoreSide: [UInt32]] = [:]

  /// One direction of a relationship.
  struct StoreSide: Hashable {
    let link: Int
    let side: UInt8
  }

  private let graph: Graph

  init(_ changes: StoreChanges, _ graph: Graph, _ coordinator: StoreCoordinator) {
    self.graph = graph
    for (table, description) in coordinator.schema.tables.enumerated() {
      for column in description.columns {
        if case .position = column.kind { addMembers(column, table, changes, coordinator) }
      }
    }
    for join in coordinator.schema.joins { addNodes(join.link, changes, coordinator) }
  }

  func place(_ link: Int, _ side: UInt8, _ entry: UInt32) -> Int64? {
    places[StoreSide(link: link, side: side)]?[entry]
  }

  private mutating func addMembers(
    _ column: StoreSchema.Column, _ table: Int, _ changes: StoreChanges,
    _ coordinator: StoreCoordinator
  ) {
    let link = graph.links[column.link]
    let field = link.fields.0
    let records = graph.tables[table]
    func isNew(_ row: UInt32) -> Bool {
      let record = records.record(row)
      let state = record.assumingMemoryBound(to: RecordHeader.self).pointee.state
      return state & RecordState.inserted != 0 || records.isChanged(field.number, record)
    }
    var owners: Set<UInt32> = []
    for row in changes.inserted[table] + changes.updated[table] {
      guard field.belongs(to: records.header(row).pointee.entity), isNew(row) else { continue }
      let owner = graph.target(link, 0, row)
      if owner != 0 { owners.insert(owner - 1) }
    }
    let side = StoreSide(link: column.link, side: 1)
    number(side, owners, changes, coordinator, isNew)
  }

  private mutating func addNodes(
    _ number: Int, _ changes: StoreChanges, _ coordinator: StoreCoordinator
  ) {
    let joined = Set(changes.joined[number])
    for side: UInt8 in graph.links[number].isSymmetric ? [0] : [0, 1] {
      let owners = Set(joined.map { graph.linkTables[number].node($0).pointee.row(side) })
      self.number(StoreSide(link: number, side: side), owners, changes, coordinator) {
        joined.contains($0)
      }
    }
  }

  private mutating func number(
    _ side: StoreSide, _ owners: Set<UInt32>, _ changes: StoreChanges,
    _ coordinator: StoreCoordinator, _ isNew: (UInt32) -> Bool
  ) {
    let reordered = Set(
      changes.reordered.filter { $0.link == side.link && $0.side == side.side }.map(\.row))
    var places: [UInt32: Int64] = [:]
    for owner in owners.union(reordered).sorted() {
      let list = StoreChanges.ListReference(link: side.link, side: side.side, row: owner)
      let all = reordered.contains(owner)
      let entries =
        all ? coordinator.entries(of: list, graph) : newEntries(side, owner, isNew)
      for entry in entries {
        places[entry] = coordinator.nextPosition[side.link]
        coordinator.nextPosition[side.link] += 1
        if all && !isNew(entry) { moved[side, default: []].append(entry) }
      }
    }
    self.places[side] = places
  }

  /// What is new at the end of a list, in order.
  private func newEntries(
    _ side: StoreSide, _ owner: UInt32, _ isNew: (UInt32) -> Bool
  ) -> [UInt32] {
    let link = graph.links[side.link]
    var entries: [UInt32] = []
    var next = graph.listHead(link, side.side, owner).pointee.last
    while next != 0, isNew(next &- 1) {
      entries.append(next &- 1)
      next =
        link.kind == .oneToMany
        ? graph.memberSlot(link, next &- 1).pointee.previous
        : graph.linkTables[side.link].node(next &- 1).pointee.previous(side.side)
    }
    return entries.reversed()
  }
}
