/// The differences between a savepoint and the current state, without values that changed back.
///
/// The differences come from the undo log and the newer rows. The first log entry of a property
/// since the savepoint has its old value. The time is linear in the changes. Only ordered lists are
/// compared as a whole, and only if members left and came back.
final class GraphDifference {
  let graph: Graph
  let point: Savepoint
  /// Whether the changed properties are gathered besides the objects.
  let isListing: Bool
  /// The deleted rows, as numbers.
  private(set) var deleted = NumberSet()
  /// The rows that existed before and differ.
  private(set) var updated = NumberSet()
  /// The properties that differ in these rows, if they are gathered.
  private(set) var properties = NumberSet()
  /// The rows that are newer than the savepoint and no longer exist.
  private(set) var dropped = NumberSet()
  /// The members at the savepoint of the lists among these properties.
  private(set) var history: ListHistory?

  /// The local index of the entity at the savepoint, by row, for each changed entity.
  private(set) var oldEntities: [ObjectKey: UInt16] = [:]

  /// The newer rows with numbers below the savepoint's.
  private(set) var fresh = NumberSet()
  /// The properties with an entry in the log, and the first entry of each.
  private var touched = NumberSet()
  private var firstEntries: [Int] = []
  /// The lists with the same members, whose order may differ.
  private var reordered = NumberSet()
  private var nodes: NodeDifference

  init(_ graph: Graph, since point: Savepoint, isListing: Bool = false) {
    self.graph = graph
    self.point = point
    self.isListing = isListing
    nodes = NodeDifference(graph)
    let log = point.logCount..<max(point.logCount, graph.log.pointee.count)
    // An entry for a value comes with one that marks the property as changed.
    touched.reserve(log.count / 2)
    firstEntries.reserveCapacity(log.count / 2)
    for index in log { gather(index) }
    nodes.finish()
    for position in 0..<touched.count {
      compare(touched[position], entry: graph.log.pointee.entries + firstEntries[position])
    }
    compare(nodes)
    findNewMembers()
    compareLists()
  }

  static func number(_ row: Row, in table: TableIndex) -> UInt64 {
    UInt64(table.rawValue) &<< 32 | UInt64(row.rawValue)
  }

  static func number(_ property: UInt16, in table: TableIndex, row: Row) -> UInt64 {
    UInt64(table.rawValue) &<< 48 | UInt64(property) &<< 32 | UInt64(row.rawValue)
  }

  /// Returns the table and row of a number.
  static func object(_ number: UInt64) -> (table: TableIndex, row: Row) {
    (TableIndex(Int(number &>> 32)), Row(rawValue: UInt32(truncatingIfNeeded: number)))
  }

  /// Returns whether a row was taken after the savepoint.
  @inline(__always)
  func isFresh(_ row: Row, in table: TableIndex) -> Bool {
    row >= point.rowCounts[table]
      || (fresh.count > 0 && fresh.contains(Self.number(row, in: table)))
  }

  /// Returns whether a many-to-many link was made after the savepoint.
  func isFreshNode(_ number: LinkIndex, node: NodeIndex) -> Bool {
    nodes.isFresh(number, node: node, point: point)
  }

  /// Calls `body` with the table and row of each object that is new since the savepoint.
  func forEachInserted(_ body: (TableIndex, Row) -> Void) {
    for table in graph.tableIndices {
      let first = point.rowCounts[table]
      for row in first..<max(first, graph.tables[table].count)
      where graph.tables[table].isLive(row) {
        body(table, row)
      }
    }
    for position in 0..<fresh.count {
      let (table, row) = Self.object(fresh[position])
      if graph.tables[table].isLive(row) { body(table, row) }
    }
  }

  // MARK: The log

  private func gather(_ index: Int) {
    let entry = graph.log.pointee.entries + index
    let table = entry.pointee.table
    let row = entry.pointee.row
    switch entry.pointee.operation {
    case .inserted:
      if row < point.rowCounts[table] { fresh.insert(Self.number(row, in: table)) }
    case .dropped:
      // Rows read from a store later may have raised the savepoint's count above this row.
      if row < point.rowCounts[table] { fresh.insert(Self.number(row, in: table)) }
      dropped.insert(Self.number(row, in: table))
    case .deleted:
      if isFresh(row, in: table) {
        dropped.insert(Self.number(row, in: table))
      } else {
        deleted.insert(Self.number(row, in: table))
      }
    case .value: touch(entry.pointee.field, in: table, row: row, index: index)
    case .member:
      touch(graph.links[entry.pointee.link].fields.0.number, in: table, row: row, index: index)
    case .single:
      let side = entry.pointee.side
      touch(graph.links[entry.pointee.link].field(side).number, in: table, row: row, index: index)
    case .order:
      noteOrder(entry.pointee.link, side: entry.pointee.side, row: row)
    case .nodeAdded: nodes.add(entry.pointee)
    case .nodeRemoved: nodes.remove(entry.pointee)
    case .refined:
      // An entity changes in one direction only, so it differs from the earlier one.
      guard !isFresh(row, in: table) else { return }
      let object = ObjectKey(table: table, row: row)
      if oldEntities[object] == nil {
        oldEntities[object] = UInt16(truncatingIfNeeded: entry.pointee.word0)
      }
      if graph.tables[table].isLive(row) { updated.insert(Self.number(row, in: table)) }
    case .nodeDropped, .changed, .completed, .brought: break
    }
  }

  @inline(__always)
  private func touch(_ property: UInt16, in table: TableIndex, row: Row, index: Int) {
    if row < point.rowCounts[table], touched.insert(Self.number(property, in: table, row: row)) {
      firstEntries.append(index)
    }
  }

  // MARK: Comparison

  /// Compares a property with its value before its first entry.
  private func compare(_ property: UInt64, entry: UnsafeMutablePointer<UndoEntry>) {
    let table = entry.pointee.table
    let row = entry.pointee.row
    if isFresh(row, in: table) { return }
    let old = OptionalRow(word: entry.pointee.word0)
    switch entry.pointee.operation {
    case .value:
      let field = graph.fields[table][Int(entry.pointee.field)]
      let record = graph.tables[table].record(row)
      let value = StoredValue(record, field: field, table: graph.tables + table)
      if !graph.oldValue(entry).equals(value, storage: field.storage) {
        differ(field.number, in: table, row: row)
      }
    case .single:
      let link = graph.links[entry.pointee.link]
      let side = entry.pointee.side
      if graph.slot(link, side: side, row: row).pointee != old {
        differ(link, side: side, row: row)
      }
    case .member:
      let link = graph.links[entry.pointee.link]
      let owner = graph.memberSlot(link, row: row).pointee.owner
      if owner == old {
        if let list = old.index { noteOrder(entry.pointee.link, side: .second, row: list) }
        return
      }
      differ(link, side: .first, row: row)
      if let former = old.index { differ(link, side: .second, row: former) }
      if let owner = owner.index { differ(link, side: .second, row: owner) }
    default: break
    }
  }

  /// Notes that an object differs in one direction of a relationship.
  func differ(_ link: Link, side: LinkSide, row: Row) {
    if !link.isHidden(side) { differ(link.field(side).number, in: link.table(side), row: row) }
  }

  private func differ(_ property: UInt16, in table: TableIndex, row: Row) {
    guard !isFresh(row, in: table), graph.tables[table].isLive(row) else { return }
    updated.insert(Self.number(row, in: table))
    if isListing { properties.insert(Self.number(property, in: table, row: row)) }
  }

  /// Notes that a list may have the same members in another order.
  func noteOrder(_ number: LinkIndex, side: LinkSide, row: Row) {
    let link = graph.links[number]
    guard link.isOrdered(side), !link.isHidden(side) else { return }
    reordered.insert(Self.number(link.field(side).number, in: link.table(side), row: row))
  }

  /// Finds older objects with newer members.
  private func findNewMembers() {
    for number in graph.linkIndices where graph.gains[number] {
      let link = graph.links[number]
      guard link.kind == .oneToMany else { continue }
      let (table, field) = (link.tables.0, link.fields.0)
      func look(_ row: Row) {
        let header = graph.tables[table].header(row).pointee
        guard header.state & RecordState.live != 0, field.belongs(to: header.entity) else { return }
        let owner = graph.memberSlot(link, row: row).pointee.owner
        if let owner = owner.index { differ(link, side: .second, row: owner) }
      }
      let first = point.rowCounts[table]
      for row in first..<max(first, graph.tables[table].count) { look(row) }
      for position in 0..<fresh.count {
        let new = Self.object(fresh[position])
        if new.table == table { look(new.row) }
      }
    }
  }

  /// Compares the orders of the lists with the same members.
  private func compareLists() {
    var wanted: [ListHistory.List] = []
    for position in 0..<reordered.count {
      let (table, field, row) = graph.property(numbered: reordered[position])
      let isKnown =
        isListing
        ? properties.contains(reordered[position]) : updated.contains(Self.number(row, in: table))
      guard !isKnown, !isFresh(row, in: table), graph.tables[table].isLive(row) else { continue }
      wanted.append(ListHistory.List(table: table, field: field, row: row))
    }
    if isListing { wanted += listedLists() }
    guard !wanted.isEmpty else { return }
    let history = ListHistory(self, wanted: wanted)
    self.history = history
    for list in wanted where graph.tables[list.table].isLive(list.row) {
      if history.members(list) != graph.members(of: list.row, field: list.field) {
        differ(graph.links[list.field.link], side: list.field.side, row: list.row)
      }
    }
  }

  /// Returns the lists whose old members are reported.
  ///
  /// These are the lists that differ, and those of deleted objects.
  private func listedLists() -> [ListHistory.List] {
    var lists: [ListHistory.List] = []
    for position in 0..<properties.count {
      let (table, field, row) = graph.property(numbered: properties[position])
      if field.isToMany { lists.append(ListHistory.List(table: table, field: field, row: row)) }
    }
    for position in 0..<deleted.count {
      let (table, row) = Self.object(deleted[position])
      for field in graph.relationshipFields(row, in: table)
      where field.isToMany && !graph.links[field.link].isHidden(field.side) {
        lists.append(ListHistory.List(table: table, field: field, row: row))
      }
    }
    return lists
  }

  /// Returns the first entry of a property since the savepoint.
  func firstEntry(
    _ property: UInt16, in table: TableIndex, row: Row
  ) -> UnsafeMutablePointer<UndoEntry>? {
    touched.position(of: Self.number(property, in: table, row: row)).map {
      graph.log.pointee.entries + firstEntries[$0]
    }
  }
}

extension Graph {
  /// Returns the property of a number.
  func property(numbered number: UInt64) -> (table: TableIndex, field: Field, row: Row) {
    let table = TableIndex(Int(number &>> 48))
    return (
      table, fields[table][Int(number &>> 32 & 0xFFFF)],
      Row(rawValue: UInt32(truncatingIfNeeded: number))
    )
  }

  /// Returns the value of an attribute before an entry of the log; its text is borrowed.
  func oldValue(_ entry: UnsafeMutablePointer<UndoEntry>) -> StoredValue {
    guard entry.pointee.flag, let offset = MemoryLayout<UndoEntry>.offset(of: \.word0) else {
      return .none
    }
    let field = fields[entry.pointee.table][Int(entry.pointee.field)]
    return StoredValue(at: UnsafeRawPointer(entry) + offset, field.storage)
  }
}
