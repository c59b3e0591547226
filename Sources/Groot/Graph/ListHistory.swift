/// The members that some to-many relationships had at a savepoint, in their order.
///
/// Goes back through the undo log as a rollback does, on copies of the lists: linear in the log and in
/// the lists.
struct ListHistory {
  /// A to-many relationship of one object.
  struct List {
    let table: Int
    let field: Field
    let row: UInt32
  }

  /// The lists of one direction of a relationship: by entry its slot, by owner its head.
  fileprivate struct Lists {
    var slots: [UInt32: MemberSlot] = [:]
    var heads: [UInt32: ListHead] = [:]
  }

  private let graph: Graph
  /// By link * 2 + side.
  private var lists: [Int: Lists] = [:]

  init(_ difference: GraphDifference, _ wanted: [List]) {
    graph = difference.graph
    for list in wanted {
      let place = Self.place(list.field)
      let isManyToMany = graph.links[Int(list.field.link)].kind == .manyToMany
      guard lists[place]?.heads[list.row] == nil else { continue }
      lists[place, default: Lists()].heads[list.row] = ListHead(first: 0, last: 0, count: 0)
      for entry in graph.entries(Int(list.field.link), list.field.side, list.row) {
        let isFresh =
          isManyToMany
          ? difference.isFreshNode(Int(list.field.link), entry)
          : difference.isFresh(graph.destination(list.field), entry)
        if !isFresh { lists[place]?.thread(entry, list.row, afterLast: true) }
      }
    }
    var index = graph.log.pointee.count
    while index > difference.point.logCount {
      index -= 1
      undo(graph.log.pointee.entries[index], difference)
    }
  }

  /// The members' rows.
  func members(_ list: List) -> [UInt32] {
    let place = Self.place(list.field)
    guard let lists = lists[place], let head = lists.heads[list.row] else { return [] }
    let isManyToMany = graph.links[Int(list.field.link)].kind == .manyToMany
    var rows: [UInt32] = []
    var next = head.first
    while next != 0 {
      let entry = next - 1
      rows.append(
        isManyToMany
          ? graph.linkTables[Int(list.field.link)].node(entry).pointee.row(1 - list.field.side)
          : entry)
      next = lists.slots[entry]?.next ?? 0
    }
    return rows
  }

  private static func place(_ field: Field) -> Int { Int(field.link) * 2 + Int(field.side) }

  private mutating func undo(_ entry: UndoEntry, _ difference: GraphDifference) {
    let number = Int(entry.link)
    switch entry.operation {
    case .member:
      guard lists[number * 2 + 1] != nil,
        !difference.isFresh(graph.links[number].tables.0, entry.row)
      else { return }
      lists[number * 2 + 1]?.unthread(entry.row)
      let owner = UInt32(truncatingIfNeeded: entry.word0)
      guard owner != 0 else { return }
      lists[number * 2 + 1]?.thread(
        entry.row, owner - 1, after: UInt32(truncatingIfNeeded: entry.word1))
    case .nodeRemoved:
      let node = UInt32(truncatingIfNeeded: entry.word0)
      guard !difference.isFreshNode(number, node) else { return }
      let rows = graph.linkTables[number].node(node).pointee.rows
      lists[number * 2]?.thread(node, rows.0, after: UInt32(truncatingIfNeeded: entry.word1))
      lists[number * 2 + 1]?.thread(node, rows.1, after: UInt32(truncatingIfNeeded: entry.word2))
    case .order:
      lists[number * 2 + Int(entry.field)]?.reorder(
        entry.row, graph.log.pointee.orders[Int(truncatingIfNeeded: entry.word0)])
    default: break
    }
  }
}

extension ListHistory.Lists {
  fileprivate mutating func thread(
    _ entry: UInt32, _ owner: UInt32, after given: UInt32 = 0, afterLast: Bool = false
  ) {
    guard var head = heads[owner] else { return }
    var previous = afterLast ? head.last : given
    // As in a rollback: what stood before it may be newer than the savepoint.
    if previous != 0, slots[previous - 1]?.owner != owner + 1 { previous = head.last }
    let next = previous == 0 ? head.first : slots[previous - 1]?.next ?? 0
    slots[entry] = MemberSlot(owner: owner + 1, next: next, previous: previous)
    if previous == 0 { head.first = entry + 1 } else { slots[previous - 1]?.next = entry + 1 }
    if next == 0 { head.last = entry + 1 } else { slots[next - 1]?.previous = entry + 1 }
    heads[owner] = head
  }

  fileprivate mutating func unthread(_ entry: UInt32) {
    guard let slot = slots.removeValue(forKey: entry), var head = heads[slot.owner - 1] else {
      return
    }
    if slot.previous == 0 {
      head.first = slot.next
    } else {
      slots[slot.previous - 1]?.next = slot.next
    }
    if slot.next == 0 {
      head.last = slot.previous
    } else {
      slots[slot.next - 1]?.previous = slot.previous
    }
    heads[slot.owner - 1] = head
  }

  /// Puts the entries of a list into an older order; what that does not know stays behind it.
  fileprivate mutating func reorder(_ owner: UInt32, _ order: [UInt32]) {
    guard let head = heads[owner] else { return }
    var current: [UInt32] = []
    var next = head.first
    while next != 0 {
      current.append(next - 1)
      next = slots[next - 1]?.next ?? 0
    }
    let present = Set(current)
    let known = Set(order)
    heads[owner] = ListHead(first: 0, last: 0, count: 0)
    for entry in order.filter(present.contains) + current.filter({ !known.contains($0) }) {
      thread(entry, owner, afterLast: true)
    }
  }
}
