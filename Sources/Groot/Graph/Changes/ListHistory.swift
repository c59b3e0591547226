/// The members of some to-many relationships at a savepoint, in order.
///
/// It undoes the log, as a rollback does, on copies of the lists. The time is linear in the log and
/// in the lists.
struct ListHistory {
  /// A to-many relationship of one object.
  struct List {
    let table: TableIndex
    let field: Field
    let row: Row
  }

  /// An entry's owner and its neighbours in the owner's list.
  fileprivate struct Slot {
    let owner: Row
    var next: OptionalEntry
    var previous: OptionalEntry
  }

  /// The direction of a relationship.
  private struct Direction: Hashable {
    let link: LinkIndex
    let side: LinkSide
  }

  /// The lists of one direction of a relationship: slots by entry, and heads by owner.
  fileprivate struct Lists {
    var slots: [ListEntry: Slot] = [:]
    var heads: [Row: ListHead] = [:]
  }

  private let graph: Graph
  private var lists: [Direction: Lists] = [:]

  init(_ difference: GraphDifference, wanted: [List]) {
    graph = difference.graph
    for list in wanted {
      let direction = Direction(link: list.field.link, side: list.field.side)
      let isManyToMany = graph.links[list.field.link].kind == .manyToMany
      guard lists[direction]?.heads[list.row] == nil else { continue }
      lists[direction, default: Lists()].heads[list.row] = .empty
      for entry in graph.entries(list.field.link, side: list.field.side, row: list.row) {
        let isFresh =
          isManyToMany
          ? difference.isFreshNode(list.field.link, node: entry.node)
          : difference.isFresh(entry.row, in: graph.destination(list.field))
        if !isFresh { lists[direction]?.thread(entry, owner: list.row, afterLast: true) }
      }
    }
    var index = graph.log.pointee.count
    while index > difference.point.logCount {
      index -= 1
      undo(graph.log.pointee.entries[index], difference: difference)
    }
  }

  /// Returns the rows of the members.
  func members(_ list: List) -> [Row] {
    let direction = Direction(link: list.field.link, side: list.field.side)
    guard let lists = lists[direction], let head = lists.heads[list.row] else { return [] }
    let isManyToMany = graph.links[list.field.link].kind == .manyToMany
    var rows: [Row] = []
    var next = head.first
    while let entry = next.index {
      rows.append(
        isManyToMany
          ? graph.linkTables[list.field.link].node(entry.node).pointee.row(list.field.side.inverse)
          : entry.row)
      next = lists.slots[entry]?.next ?? .none
    }
    return rows
  }

  private mutating func undo(_ entry: UndoEntry, difference: GraphDifference) {
    let first = Direction(link: entry.link, side: .first)
    let second = Direction(link: entry.link, side: .second)
    switch entry.operation {
    case .member:
      guard lists[second] != nil,
        !difference.isFresh(entry.row, in: graph.links[entry.link].tables.0)
      else { return }
      lists[second]?.unthread(ListEntry(entry.row))
      guard let owner = OptionalRow(word: entry.word0).index else { return }
      lists[second]?.thread(
        ListEntry(entry.row), owner: owner, after: OptionalEntry(word: entry.word1))
    case .nodeRemoved:
      let node = NodeIndex(word: entry.word0)
      guard !difference.isFreshNode(entry.link, node: node) else { return }
      let rows = graph.linkTables[entry.link].node(node).pointee.rows
      lists[first]?.thread(ListEntry(node), owner: rows.0, after: OptionalEntry(word: entry.word1))
      lists[second]?.thread(ListEntry(node), owner: rows.1, after: OptionalEntry(word: entry.word2))
    case .order:
      lists[Direction(link: entry.link, side: entry.side)]?.reorder(
        entry.row, order: graph.log.pointee.orders[Int(truncatingIfNeeded: entry.word0)])
    default: break
    }
  }
}

extension ListHistory.Lists {
  fileprivate mutating func thread(
    _ entry: ListEntry, owner: Row, after given: OptionalEntry = .none, afterLast: Bool = false
  ) {
    guard var head = heads[owner] else { return }
    var previous = afterLast ? head.last : given
    // As in a rollback, the entry before it may be newer than the savepoint.
    if let before = previous.index, slots[before]?.owner != owner { previous = head.last }
    let next = previous.index.map { slots[$0]?.next ?? .none } ?? head.first
    slots[entry] = ListHistory.Slot(owner: owner, next: next, previous: previous)
    if let before = previous.index {
      slots[before]?.next = OptionalEntry(entry)
    } else {
      head.first = OptionalEntry(entry)
    }
    if let after = next.index {
      slots[after]?.previous = OptionalEntry(entry)
    } else {
      head.last = OptionalEntry(entry)
    }
    heads[owner] = head
  }

  fileprivate mutating func unthread(_ entry: ListEntry) {
    guard let slot = slots.removeValue(forKey: entry), var head = heads[slot.owner] else {
      return
    }
    if let before = slot.previous.index {
      slots[before]?.next = slot.next
    } else {
      head.first = slot.next
    }
    if let after = slot.next.index {
      slots[after]?.previous = slot.previous
    } else {
      head.last = slot.previous
    }
    heads[slot.owner] = head
  }

  /// Restores an older order of a list; entries that are not in that order stay at its end.
  fileprivate mutating func reorder(_ owner: Row, order: ArraySlice<ListEntry>) {
    guard let head = heads[owner] else { return }
    var current: [ListEntry] = []
    var next = head.first
    while let entry = next.index {
      current.append(entry)
      next = slots[entry]?.next ?? .none
    }
    let present = Set(current)
    let known = Set(order)
    heads[owner] = .empty
    for entry in order.filter(present.contains) + current.filter({ !known.contains($0) }) {
      thread(entry, owner: owner, afterLast: true)
    }
  }
}
