/// The connection of a graph with its store, which maps rows to objects and reads on demand.
///
/// A coordinator reads one snapshot of the store until the next save or refresh, so everything it
/// reads in between is consistent.
final class StoreCoordinator {
  let store: any PersistentStore
  /// The store's transaction, which other graphs may share.
  let transaction: StoreTransaction
  let schema: StoreSchema
  let graph: Graph
  /// By table, the keys and versions of the rows' objects.
  var keys: [StoreKeys]
  /// A buffer for the values of one object.
  let values: UnsafeMutableBufferPointer<StoredValue>
  /// By table, the columns that hold attributes.
  let attributes: [UnsafeBufferPointer<AttributeColumn>]
  /// By table, the columns that hold references.
  let references: [UnsafeBufferPointer<ReferenceColumn>]
  /// By link, the table and column of its references; nil for many-to-many.
  let referenceOfLink: [ReferenceColumn?]
  /// By link, the join of a many-to-many relationship.
  let joinOfLink: [Int?]

  /// By link, the members of its lists, of which an import links only those that it changes.
  var storedMembers: [StoredMembers?]
  /// The values that are not of their types.
  var unreadable = UnreadableValues()
  /// The rows that are being materialized.
  var materializer: RowMaterializer
  /// By table, the number of faults that the next access may read together.
  var faultWindows: [ReadAheadWindow]
  /// By link and side, the number of lists that the next access may complete together.
  var listWindows: [ReadAheadWindow]
  /// By table, the identities that the current import has requested; their objects are in memory.
  var asked: [Set<[UInt8]>]
  /// By table, the objects whose identity a program has set since the last save.
  var claimed: [Set<Row>]
  /// By table and property number, whether the property belongs to an identity.
  let isIdentity: [[Bool]]
  /// By table, the identity attributes with a default.
  let identityDefaults: [[Field]]
  /// The to-many relationships whose members validation counts.
  private(set) lazy var countedLists: [(table: TableIndex, property: Property)] =
    graph.tableIndices.flatMap { table in
      graph.model.hierarchies[table].properties
        .filter { $0.field.isToMany && ($0.hasCounts || !$0.isOptional) }
        .map { (table, $0) }
    }

  /// Whether the store may have placeholders; nil if not checked since others wrote to it.
  var mayHavePlaceholders: Bool?

  /// By table, whether all objects of the store are in memory.
  var isAllRead: [Bool]
  /// The lists whose order before the first change will be needed.
  var orderNeed = OrderNeed.none

  enum OrderNeed {
    case none
    /// Ordered lists, since a member may leave and return.
    case ordered
    case all
  }

  /// Whether this coordinator has begun a snapshot, and not another one in the same transaction.
  private var hasSnapshot = false
  /// The data version of the store in the graph.
  private var dataVersion: Int64?
  /// Whether others have written, but unsaved changes kept the graph from following.
  private(set) var isStale = false
  /// Whether a commit bypassed the graph, and the store could not be read since.
  private var mustFollow = false
  /// By table, whether the snapshot has any object; nil when not checked.
  private(set) var hasRows: [Bool?]

  /// A column that holds the values of an attribute.
  struct AttributeColumn {
    let position: Int
    let field: Field
  }

  /// A column that holds keys of other objects.
  struct ReferenceColumn {
    let table: TableIndex
    let position: Int
    /// The column with the position of the object in the list of its owner.
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
    attributes = schema.tables.numbered(by: TableIndex.self).map { table, description in
      Self.kept(
        description.columns.enumerated().compactMap { position, column in
          guard case .attribute = column.kind else { return nil }
          return AttributeColumn(position: position, field: graph.fields[table][column.number])
        })
    }
    references = schema.tables.numbered(by: TableIndex.self).map { table, description in
      Self.kept(
        description.columns.enumerated().compactMap { position, column in
          guard case .reference(let destination) = column.kind else { return nil }
          return ReferenceColumn(
            table: table, position: position, listPosition: description.listPosition(of: position),
            number: column.number, link: column.link, destination: destination)
        })
    }
    let all = references.joined()
    referenceOfLink = graph.linkIndices.map { link in all.first { $0.link == link } }
    joinOfLink = graph.linkIndices.map { link in
      schema.joins.firstIndex { $0.link == link }
    }
    materializer = RowMaterializer(tables: graph.tableIndices.count, links: graph.linkIndices.count)
    storedMembers = Array(repeating: nil, count: graph.linkIndices.count)
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
    graph.isRemote = store.isRemote
    if let limits = store.limits { graph.limit(to: limits, objection: store.objection) }
    for table in graph.tableIndices { graph.tables[table].orderByAge() }
    try beginSnapshot()
  }

  deinit {
    endSnapshot()
    values.deallocate()
    for columns in attributes { columns.deallocate() }
    for columns in references { columns.deallocate() }
  }

  /// Copies columns for reading without a count of references.
  private static func kept<Kind>(_ columns: [Kind]) -> UnsafeBufferPointer<Kind> {
    let copy = UnsafeMutableBufferPointer<Kind>.allocate(capacity: max(columns.count, 1))
    _ = copy.initialize(from: columns)
    return UnsafeBufferPointer(start: copy.baseAddress, count: columns.count)
  }

  // MARK: The snapshot

  /// Begins a snapshot of the store, unless there is one already.
  func beginSnapshot() throws {
    if hasSnapshot, store.hasLostSnapshot {
      endSnapshot()
      mustFollow = true
    }
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

  /// Follows the changes of others after a save, when nothing is unsaved.
  ///
  /// The save has succeeded, so if the store cannot be read now, the next read reports this.
  func refreshSnapshot() {
    forgetClaims()
    do {
      try beginSnapshot()
      if isStale { try follow() }
    } catch {
      isStale = true
    }
  }

  /// Moves the graph, which has no unsaved changes, to the current state of the store.
  ///
  /// This is linear in the rows in memory.
  func refresh() throws {
    forgetClaims()
    endSnapshot()
    store.trimLog()
    try beginSnapshot()
    try follow()
  }

  /// Follows a commit that bypassed the graph, now or as soon as the store can be read again.
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
    forgetStoredMembers()
    unreadable.removeAll()
    forgetAsked()
    isStale = false
    mustFollow = false
    store.noteFollowed()
  }

  /// Prepares for an import, whose report may list changes.
  func beginImport(listsChanges: Bool) {
    forgetAsked()
    orderNeed = listsChanges ? .all : .ordered
  }

  func endImport() { orderNeed = .none }

  func forgetAsked() {
    for table in asked.indices { asked[table].removeAll(keepingCapacity: true) }
  }

  /// Returns whether the store has any object of a hierarchy.
  func hasRows(_ table: TableIndex) throws -> Bool {
    if let known = hasRows[table] { return known }
    let has = try store.hasRows(table)
    hasRows[table] = has
    return has
  }

  /// Whether the store is empty.
  var isEmpty: Bool {
    get throws {
      for table in graph.tableIndices where try hasRows(table) { return false }
      return true
    }
  }

  func damaged(_ message: String) -> GrootError { GrootError(.storeInvalid, message) }
}

/// The number of neighbours to read with an object, which grows while a program reads in order.
struct ReadAheadWindow {
  private static let limit = 256
  private var next = Row(rawValue: 0)
  private var size = 1

  /// Returns the number of rows to read, including a row.
  mutating func size(at row: Row) -> Int {
    let isNear = row >= next && next.distance(to: row) < 64
    size = isNear && next.rawValue > 0 ? min(size * 2, Self.limit) : 1
    next = row.advanced(by: 1)
    return size
  }

  /// Notes the last row that was read.
  mutating func advance(to row: Row) { next = max(next, row.advanced(by: 1)) }
}
