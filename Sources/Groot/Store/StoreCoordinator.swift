/// Connects a graph with the store that keeps it: knows which row is which object there, and
/// reads what is needed.
///
/// From its making on it reads one snapshot of the store, until the next save or refresh: all
/// that is read in between fits together.
final class StoreCoordinator {
  let store: any PersistentStore
  /// The store's transaction, which other graphs may share.
  let transaction: StoreTransaction
  let schema: StoreSchema
  let graph: Graph
  /// By table, the objects of the store that rows stand for.
  var keys: [StoreKeys]
  /// Room for the values of one object.
  let values: UnsafeMutableBufferPointer<StoredValue>
  /// By table, the columns that hold references.
  let references: [[ReferenceColumn]]
  /// By link, the table and column of its references; nil for many-to-many.
  let referenceOfLink: [ReferenceColumn?]
  /// By link, the join that keeps it.
  let joinOfLink: [Int?]

  /// The reading going on.
  var materializer: RowMaterializer
  /// By table, how many faults the next access may read at once.
  var faultWindows: [ReadAheadWindow]
  /// By link and side, how many lists the next access may complete at once.
  var listWindows: [ReadAheadWindow]
  /// By table, the identities that the import going on has asked for, as bytes: the objects that
  /// have them are in memory.
  var asked: [Set<[UInt8]>]
  /// By table, the objects whose identity a program has set since the last save; and by the number of
  /// a property, whether it belongs to an identity.
  var claimed: [Set<Row>]
  let isIdentity: [[Bool]]
  /// By table, the attributes of identities that have a default.
  let identityDefaults: [[Field]]

  /// Whether the store may have placeholders; nil when it was not asked since others wrote to it.
  var mayHavePlaceholders: Bool?

  /// By table, whether all objects of the store are in memory.
  var isAllRead: [Bool]
  /// Of which lists the order before their first change will be asked for.
  var orderNeed = OrderNeed.none

  enum OrderNeed {
    case none
    /// Of those that are ordered: a member may leave and come back.
    case ordered
    case all
  }

  /// Whether it has begun a snapshot; inside what others have begun there is none to begin.
  private var hasSnapshot = false
  /// The version of the file that the graph shows.
  private var dataVersion: Int64?
  /// Whether others have written since, and unsaved changes kept the graph from following.
  private(set) var isStale = false
  /// Whether the store was written to past the graph, and could not be read since.
  private var mustFollow = false
  /// By table, whether the store has any object in this snapshot; nil when it was not looked at.
  private(set) var hasRows: [Bool?]

  /// A column that holds keys of other objects.
  struct ReferenceColumn {
    let table: TableIndex
    let position: Int
    /// The column with the position in the list that the object is in.
    let listPosition: Int?
    let number: Int
    let link: LinkIndex
    let destination: TableIndex
  }

  init(_ transaction: StoreTransaction, schema: StoreSchema, graph: Graph) throws {
    self.transaction = transaction
    store = transaction.store
    self.schema = schema
    self.graph = graph
    keys = Array(repeating: StoreKeys(), count: graph.tableIndices.count)
    let width = schema.tables.map(\.columns.count).max() ?? 0
    values = .allocate(capacity: max(width, 1))
    values.initialize(repeating: .none)
    references = schema.tables.numbered(by: TableIndex.self).map { table, description in
      description.columns.enumerated().compactMap { position, column -> ReferenceColumn? in
        guard case .reference(let destination) = column.kind else { return nil }
        let next = position + 1
        var listPosition: Int?
        if next < description.columns.count, case .position = description.columns[next].kind {
          listPosition = next
        }
        return ReferenceColumn(
          table: table, position: position, listPosition: listPosition, number: column.number,
          link: column.link,
          destination: destination)
      }
    }
    let all = references.joined()
    referenceOfLink = graph.linkIndices.map { link in all.first { $0.link == link } }
    joinOfLink = graph.linkIndices.map { link in
      schema.joins.firstIndex { $0.link == link }
    }
    materializer = RowMaterializer(tables: graph.tableIndices.count, links: graph.linkIndices.count)
    faultWindows = Array(repeating: ReadAheadWindow(), count: graph.tableIndices.count)
    listWindows = Array(repeating: ReadAheadWindow(), count: graph.linkIndices.count * 2)
    asked = Array(repeating: [], count: graph.tableIndices.count)
    claimed = Array(repeating: [], count: graph.tableIndices.count)
    let isIdentity = schema.tables.enumerated().map { position, table in
      var isIdentity = graph.model.hierarchies[position].properties.map { _ in false }
      for column in table.identities.lazy.flatMap(\.columns) {
        isIdentity[table.columns[column].number] = true
      }
      return isIdentity
    }
    self.isIdentity = isIdentity
    identityDefaults = graph.model.hierarchies.enumerated().map { position, hierarchy in
      hierarchy.properties.filter {
        isIdentity[position][Int($0.field.number)] && $0.attribute?.defaultValue.isNull == false
      }.map(\.field)
    }
    hasRows = Array(repeating: nil, count: graph.tableIndices.count)
    isAllRead = Array(repeating: false, count: graph.tableIndices.count)
    graph.isPersistent = true
    for table in graph.tableIndices { graph.tables[table].orderByAge() }
    try beginSnapshot()
  }

  deinit {
    endSnapshot()
    values.deallocate()
  }

  // MARK: The snapshot

  /// Begins to hold the store as it is now, unless it is held already.
  func beginSnapshot() throws {
    if !hasSnapshot {
      guard try transaction.beginReading() else { return }
      try takeSnapshot()
    }
    guard mustFollow else { return }
    if graph.mayHaveChanges { isStale = true } else { try follow() }
  }

  private func takeSnapshot() throws {
    hasSnapshot = true
    hasRows = Array(repeating: nil, count: graph.tableIndices.count)
    let version = try store.dataVersion()
    if version != dataVersion { mayHavePlaceholders = nil }
    if let dataVersion, version != dataVersion { isStale = true }
    dataVersion = version
  }

  func endSnapshot() {
    if hasSnapshot { transaction.endReading() }
    hasSnapshot = false
  }

  /// Follows what others have written, now that nothing is unsaved.
  ///
  /// The save has succeeded: when the store cannot be read now, the next read says so.
  func refreshSnapshot() {
    forgetClaims()
    do {
      try beginSnapshot()
      if isStale { try follow() }
    } catch {
      isStale = true
    }
  }

  /// Moves on to what the store is now; the graph has no unsaved changes.
  ///
  /// Linear in the rows that are in memory.
  func refresh() throws {
    forgetClaims()
    endSnapshot()
    try beginSnapshot()
    try follow()
  }

  /// Moves on to what was committed past the graph, now or as soon as the store can be read again.
  func followCommitted() {
    mustFollow = true
    endSnapshot()
    try? beginSnapshot()
  }

  private func follow() throws {
    var lost: [(table: TableIndex, row: Row)] = []
    for table in graph.tableIndices {
      let known = keys[table].all
      guard !known.isEmpty else { continue }
      let present = try store.presentKeys(table, among: known.map(\.key))
      lost += known.filter { !present.contains($0.key) }.map { (table, $0.row) }
    }
    try graph.turnIntoFaults {
      for (table, row) in lost {
        keys[table].set(row, to: .none)
        graph.forget(row, in: table)
      }
    }
    for table in isAllRead.indices { isAllRead[table] = false }
    forgetAsked()
    isStale = false
    mustFollow = false
  }

  /// Before an import, whose report may list changes.
  func beginImport(listsChanges: Bool) {
    forgetAsked()
    orderNeed = listsChanges ? .all : .ordered
  }

  func endImport() { orderNeed = .none }

  func forgetAsked() {
    for table in asked.indices { asked[table].removeAll(keepingCapacity: true) }
  }

  /// Whether the store has any object of a hierarchy.
  func hasRows(_ table: TableIndex) throws -> Bool {
    if let known = hasRows[table] { return known }
    let has = try store.hasRows(table)
    hasRows[table] = has
    return has
  }

  /// Whether the store has any object.
  var isEmpty: Bool {
    get throws {
      for table in graph.tableIndices where try hasRows(table) { return false }
      return true
    }
  }

  func damaged(_ message: String) -> GrootError { GrootError(.storeInvalid, message) }
}

/// How many neighbours are read together with an object that is asked for: more and more, as long
/// as a program goes through them in order.
struct ReadAheadWindow {
  private static let limit = 256
  private var next = Row(rawValue: 0)
  private var size = 1

  /// How many to read together with a row.
  mutating func size(at row: Row) -> Int {
    let isNear = row >= next && next.distance(to: row) < 64
    size = isNear && next.rawValue > 0 ? min(size * 2, Self.limit) : 1
    next = row.advanced(by: 1)
    return size
  }

  /// Notes what was read last.
  mutating func advance(to row: Row) { next = max(next, row.advanced(by: 1)) }
}
