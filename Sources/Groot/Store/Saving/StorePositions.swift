/// The positions of new entries in the lists of a graph.
///
/// A new entry is added at the end of its list, after all positions that were ever given. Of a
/// reordered list, the longest run of entries in the old order keeps its positions: those behind it
/// follow at the end, and those before it get positions before all others, which are negative.
struct StorePositions {
  /// One direction of a relationship; its entries are members (one-to-many) or nodes
  /// (many-to-many).
  private struct Side {
    /// The position that all others are counted from.
    var start: Int64 = 0
    /// The entry at the start, if the others follow by their numbers.
    var first: ListEntry?
    /// The distances from the start, if they do not follow; negative ones, from -1 down, count before
    /// all positions.
    var distances = EntryDistances()
    /// The entries whose position changes.
    var moved: [ListEntry] = []
  }

  /// The number of entries up to which a search one by one is faster.
  private static let shortCount = 16

  /// By link, both sides one after the other.
  private var sides: [Side]
  private let changes: StoreChanges
  private let graph: Graph

  /// Takes the positions from the store, whose transaction must have begun.
  init(_ changes: StoreChanges, graph: Graph, coordinator: StoreCoordinator) throws {
    self.changes = changes
    self.graph = graph
    sides = Array(repeating: Side(), count: graph.linkIndices.count * 2)
    let store = coordinator.store
    for (table, description) in coordinator.schema.tables.numbered(by: TableIndex.self) {
      for (position, column) in description.columns.enumerated() {
        guard case .position = column.kind else { continue }
        try give(column.link, store: store, lists: .members(table: table, column: position)) {
          try $0.addMembers(column.link, table: table)
        }
      }
    }
    for (number, join) in coordinator.schema.joins.enumerated() {
      try give(join.link, store: store, lists: .links(join: number)) {
        try $0.addNodes(join.link)
      }
    }
  }

  /// Returns an upper bound of the positions of each relationship that takes any.
  static func bounds(
    _ changes: StoreChanges, graph: Graph, schema: StoreSchema
  ) -> [(lists: StoreLists, count: Int64)] {
    var bounds: [(lists: StoreLists, count: Int64)] = []
    func add(_ lists: StoreLists, link: LinkIndex, new: Int, all: Int) {
      let count = changes.hasReordered(link) ? all : new
      if count > 0 { bounds.append((lists, Int64(count))) }
    }
    for (table, description) in schema.tables.numbered(by: TableIndex.self) {
      for (position, column) in description.columns.enumerated() {
        guard case .position = column.kind else { continue }
        add(
          .members(table: table, column: position), link: column.link,
          new: changes.inserted[table].count + changes.updated[table].count,
          all: Int(graph.tables[table].count.rawValue))
      }
    }
    for (number, join) in schema.joins.enumerated() {
      // A range of nodes may have gaps.
      let nodes = changes.linked[join.link]
      let span =
        nodes.isEmpty
        ? 0 : 1 + Int((nodes.max() ?? nodes[0]).rawValue) - Int((nodes.min() ?? nodes[0]).rawValue)
      add(
        .links(join: number), link: join.link, new: span,
        all: Int(graph.linkTables[join.link].count.rawValue))
    }
    return bounds
  }

  @inline(__always)
  private static func index(_ link: LinkIndex, side: LinkSide) -> Int {
    link.offset &* 2 &+ Int(side.rawValue)
  }

  /// Returns the new position of an entry; nil when it keeps its position.
  @inline(__always)
  func position(_ link: LinkIndex, side: LinkSide, entry: ListEntry) -> Int64? {
    let index = Self.index(link, side: side)
    if let first = sides[index].first {
      return sides[index].start &+ Int64(entry.rawValue) &- Int64(first.rawValue)
    }
    return sides[index].distances[entry].map {
      $0 >= 0 ? sides[index].start &+ $0 : ~(sides[index].start &+ ~$0)
    }
  }

  func moved(_ link: LinkIndex, side: LinkSide) -> [ListEntry] {
    sides[Self.index(link, side: side)].moved
  }

  /// Takes the positions of a relationship's lists, which `body` counts from 0.
  private mutating func give(
    _ number: LinkIndex, store: any PersistentStore, lists: StoreLists,
    body: (inout StorePositions) throws -> Int64
  ) throws {
    let link = graph.links[number]
    let hasNew =
      link.kind == .manyToMany ? !changes.linked[number].isEmpty : hasNewMember(link)
    guard hasNew || changes.hasReordered(number) else { return }
    let count = try body(&self)
    guard count > 0 else { return }
    let start = try store.takePositions(lists, count: count)
    for side in LinkSide.both { sides[Self.index(number, side: side)].start = start }
  }

  // MARK: Members of one-to-many

  private func hasNewMember(_ link: Link) -> Bool {
    let table = link.tables.0
    return changes.inserted[table].contains { isMember($0, link: link) }
      || changes.updated[table].contains { isMember($0, link: link) && isNew($0, link: link) }
  }

  @inline(__always)
  private func isMember(_ row: Row, link: Link) -> Bool {
    link.fields.0.belongs(to: graph.tables[link.tables.0].header(row).pointee.entity)
      && !graph.target(link, side: .first, row: row).isNone
  }

  /// Returns whether a member is new in its list.
  private func isNew(_ row: Row, link: Link) -> Bool {
    let records = graph.tables[link.tables.0]
    let record = records.record(row)
    let state = record.assumingMemoryBound(to: RecordHeader.self).pointee.state
    return state & RecordState.inserted != 0 || records.isChanged(link.fields.0.number, in: record)
  }

  private mutating func addMembers(_ number: LinkIndex, table: TableIndex) throws -> Int64 {
    let link = graph.links[number]
    let updated = changes.updated[table].filter {
      isMember($0, link: link) && isNew($0, link: link)
    }
    let inserted = changes.inserted[table]
    if updated.isEmpty, !changes.hasReordered(number) {
      let range = range(inserted.map { ListEntry($0) }) {
        isMember($0.row, link: link)
          ? OptionalEntry(graph.memberSlot(link, row: $0.row).pointee.previous) : nil
      }
      if let range {
        sides[Self.index(number, side: .second)].first = range.lowerBound
        return Int64(range.count)
      }
    }
    let owners = (updated + inserted).compactMap {
      isMember($0, link: link) ? graph.target(link, side: .first, row: $0).index : nil
    }
    let numbered = try numbered(number, side: .second, owners: owners) {
      isNew($0.row, link: link)
    }
    sides[Self.index(number, side: .second)] = numbered.side
    return numbered.count
  }

  // MARK: Nodes of many-to-many

  private mutating func addNodes(_ number: LinkIndex) throws -> Int64 {
    let linked = changes.linked[number]
    let isReordered = changes.hasReordered(number)
    let nodes = graph.linkTables[number]
    let new = NodeMarks(linked)
    var count: Int64 = 0
    for side in graph.links[number].isSymmetric ? [.first] : LinkSide.both {
      let range =
        isReordered
        ? nil
        : range(linked.map { ListEntry($0) }) {
          OptionalEntry(nodes.node($0.node).pointee.previous(side))
        }
      if let range {
        sides[Self.index(number, side: side)].first = range.lowerBound
        count = max(count, Int64(range.count))
      } else {
        let owners = linked.map { nodes.node($0).pointee.row(side) }
        let numbered = try numbered(number, side: side, owners: owners) {
          new.contains($0.node)
        }
        sides[Self.index(number, side: side)] = numbered.side
        count = max(count, numbered.count)
      }
    }
    // Both sides may begin with the same position, because each has a separate column.
    return count
  }

  // MARK: Positions

  /// Returns the numbers of new entries, if they ascend in each list; nil otherwise.
  ///
  /// An import of new objects makes ascending lists, whose positions need no map.
  ///
  /// - Parameter previous: The entry before another entry; nil for an entry without a list.
  private func range(
    _ entries: [ListEntry], previous: (ListEntry) -> OptionalEntry?
  ) -> Range<ListEntry>? {
    var (least, most) = (ListEntry(rawValue: .max), ListEntry(rawValue: 0))
    for entry in entries {
      guard let previous = previous(entry) else { continue }
      if let before = previous.index, before >= entry { return nil }
      least = min(least, entry)
      most = max(most, entry)
    }
    return least <= most ? least..<most.advanced(by: 1) : nil
  }

  private func numbered(
    _ number: LinkIndex, side: LinkSide, owners: [Row], isNew: (ListEntry) -> Bool
  ) throws -> (side: Side, count: Int64) {
    let owners = owners.sorted()
    let reordered = changes.reordered(number, side: side)
    var numbered = Side()
    var places = Buffer<EntryDistances.Place>(graph.memory)
    var entries = Buffer<ListEntry>(graph.memory)
    defer {
      places.deallocate()
      entries.deallocate()
    }
    var next: Int64 = 0
    var (position, list) = (0, reordered.startIndex)
    while position < owners.count || list < reordered.endIndex {
      let isReordered =
        list < reordered.endIndex
        && (position == owners.count || reordered[list].row <= owners[position])
      let owner = isReordered ? reordered[list].row : owners[position]
      while position < owners.count, owners[position] == owner { position += 1 }
      let isIncomplete = isIncomplete(owner, number, side: side)
      try collect(&entries, number, side: side, owner: owner, isIncomplete: isIncomplete) {
        isReordered || isNew($0)
      }
      let wanted = UnsafeBufferPointer(start: entries.start, count: entries.count)
      var kept = 0..<0
      if isReordered {
        let order = reordered[list].order
        list += 1
        if !isIncomplete {
          kept = longestRun(wanted, of: graph.log.pointee.orders[order], isNew: isNew)
        }
      }
      for entry in wanted[kept.upperBound...] {
        try places.append(EntryDistances.Place(entry: entry, distance: next))
        next &+= 1
      }
      for entry in wanted[..<kept.lowerBound].reversed() {
        try places.append(EntryDistances.Place(entry: entry, distance: ~next))
        next &+= 1
      }
      guard isReordered else { continue }
      for entry in wanted[..<kept.lowerBound] where !isNew(entry) { numbered.moved.append(entry) }
      for entry in wanted[kept.upperBound...] where !isNew(entry) { numbered.moved.append(entry) }
    }
    numbered.distances = EntryDistances(
      UnsafeBufferPointer(start: places.start, count: places.count))
    return (numbered, next)
  }

  /// Returns the longest run of entries that are in the store, and in the order that it knows.
  private func longestRun(
    _ entries: UnsafeBufferPointer<ListEntry>, of old: ArraySlice<ListEntry>,
    isNew: (ListEntry) -> Bool
  ) -> Range<Int> {
    var ranked: [(entry: ListEntry, rank: Int)] = []
    func search(_ entry: ListEntry) -> Int? {
      if old.count <= Self.shortCount {
        return old.firstIndex(of: entry).map { $0 - old.startIndex }
      }
      if ranked.isEmpty {
        ranked = old.enumerated().map { (entry: $0.element, rank: $0.offset) }
          .sorted { $0.entry < $1.entry }
      }
      return ranked.firstPlace(of: entry, by: \.entry).map { ranked[$0].rank }
    }
    var longest = 0..<0
    var first = 0
    // The rank of the entry before, or -1.
    var last = -1
    for position in entries.indices {
      let entry = entries[position]
      var rank: Int?
      if !isNew(entry) {
        // Most entries follow the one that they followed.
        let following = last + 1
        rank =
          following < old.count && old[old.startIndex + following] == entry
          ? following : search(entry)
      }
      guard let rank else {
        last = -1
        continue
      }
      if last < 0 || last > rank { first = position }
      if position - first >= longest.count { longest = first..<position + 1 }
      last = rank
    }
    return longest
  }

  /// Returns whether the store may have members that are not in memory.
  private func isIncomplete(_ owner: Row, _ number: LinkIndex, side: LinkSide) -> Bool {
    let link = graph.links[number]
    return graph.isIncomplete(owner, in: link.table(side), field: link.field(side))
  }

  /// Sets `entries` to the wanted entries of a list, in its order.
  ///
  /// If a list is complete in memory, the wanted entries are at its end.
  private func collect(
    _ entries: inout Buffer<ListEntry>, _ number: LinkIndex, side: LinkSide, owner: Row,
    isIncomplete: Bool, isWanted: (ListEntry) -> Bool
  ) throws {
    entries.removeLast(to: 0)
    let link = graph.links[number]
    var next = graph.listHead(link, side: side, row: owner).pointee.last
    while let entry = next.index {
      if isWanted(entry) { try entries.append(entry) } else if !isIncomplete { break }
      next =
        link.kind == .oneToMany
        ? OptionalEntry(graph.memberSlot(link, row: entry.row).pointee.previous)
        : OptionalEntry(graph.linkTables[number].node(entry.node).pointee.previous(side))
    }
    entries.reverse(from: 0)
  }
}
