/// The objects of a context: tables of records, links between them, and indexes of identities.
///
/// Frequently used parts are at fixed addresses for the graph's life. All changes go through the
/// functions of this class. They keep both directions of relationships, the identity indexes, the
/// change marks and the undo log consistent. A graph belongs to one thread at a time.
final class Graph {
  let model: ManagedObjectModel
  let tableIndices: Range<TableIndex>
  let tables: UnsafeMutablePointer<ObjectTable>
  /// The fields of each hierarchy, by property number.
  let fields: UnsafeMutablePointer<UnsafeMutablePointer<Field>>
  /// A bit for every identity index with a property, for each property of each hierarchy.
  let identityMasks: UnsafeMutablePointer<UnsafeMutablePointer<UInt32>>
  /// The relationships, by the link number of their fields.
  let links: UnsafeMutablePointer<Link>
  /// The nodes of each link; only many-to-many links have nodes.
  let linkTables: UnsafeMutablePointer<LinkTable>
  let linkIndices: Range<LinkIndex>
  /// Whether a link of an older object was made since the last save, by link.
  ///
  /// An object older than the innermost savepoint may then have newer members that are not in the
  /// log.
  let gains: UnsafeMutablePointer<Bool>
  let text: UnsafeMutablePointer<TextArena>
  /// Whether several objects may share one text of the arena.
  var sharesText = false
  /// The maximum number of bytes of a text, a binary or a JSON value.
  @exclusivity(unchecked) var maximumTextLength = TextSlot.maximumLength
  /// Whether the store cannot hold some values.
  @exclusivity(unchecked) private(set) var hasLimits = false
  /// The limits of the values that the store can hold.
  @exclusivity(unchecked) private(set) var limits = ValueLimits.none
  /// Returns the reason for a value beyond the limits.
  private(set) var objection: (StoredValue, AttributeType) -> String? = { _, _ in nil }
  let log: UnsafeMutablePointer<UndoLog>
  /// The entities of each hierarchy, as positions in the model, by local index.
  let entityNumbers: UnsafeMutablePointer<UnsafeMutablePointer<EntityIndex>>
  /// The to-many relationships of each hierarchy.
  let lists: [[Field]]
  /// Whether there may be placeholders in memory, by table.
  let hasPlaceholders: UnsafeMutablePointer<Bool>
  /// Whether the graph belongs to a store, so that rows may be read at any time.
  var isPersistent = false
  /// Whether reading a fault may wait for another machine.
  var isRemote = false
  /// The nodes below the boundary that the store does not have, by link.
  var unsavedNodes: [NodeMarks]
  /// The account of all memory of the graph.
  let memory: MemoryAccount
  private let shortage: UnsafePointer<MemoryAccount.Shortage?>
  /// The texts of default values.
  private let defaults: UnsafeMutablePointer<TextArena>
  /// The cancellation of the current call.
  let cancellation: Cancellation
  /// The mark that tells whether the current call is cancelled.
  let cancellationMark: Cancellation.Mark
  /// The listener for the progress of calls.
  let listener: ProgressListener
  /// The number of identity indexes of each table.
  let indexCounts: UnsafeMutablePointer<Int>
  /// The identity indexes of each table, at most 32.
  var indexes: [[UnsafeMutablePointer<IdentityIndex>]]
  /// The number of the current import, modulo 2^16.
  @exclusivity(unchecked) private(set) var epoch: UInt16 = 0
  /// The open savepoints, outermost first; the first is the last save.
  var savepoints: [Savepoint] = []

  init(
    model: ManagedObjectModel, _ cancellation: Cancellation = Cancellation(),
    listener: ProgressListener? = nil, memory: MemoryAccount = MemoryAccount()
  ) {
    self.model = model
    self.memory = memory
    shortage = UnsafePointer(memory.noted)
    self.cancellation = cancellation
    cancellationMark = cancellation.mark
    self.listener = listener ?? ProgressListener(cancellation: cancellation)
    unsavedNodes = Array(repeating: NodeMarks(), count: model.links.count)
    lists = model.hierarchies.map { $0.properties.map(\.field).filter(\.isToMany) }
    let tableCount = model.hierarchies.count
    let linkCount = model.links.count
    tableIndices = TableIndex(0)..<TableIndex(tableCount)
    linkIndices = LinkIndex(0)..<LinkIndex(linkCount)
    tables = .allocate(capacity: max(tableCount, 1))
    fields = .allocate(capacity: max(tableCount, 1))
    identityMasks = .allocate(capacity: max(tableCount, 1))
    entityNumbers = .allocate(capacity: max(tableCount, 1))
    indexCounts = .allocate(capacity: max(tableCount, 1))
    indexCounts.initialize(repeating: 0, count: tableCount)
    hasPlaceholders = .allocate(capacity: max(tableCount, 1))
    hasPlaceholders.initialize(repeating: false, count: tableCount)
    linkTables = .allocate(capacity: max(linkCount, 1))
    links = .allocate(capacity: max(linkCount, 1))
    gains = .allocate(capacity: max(linkCount, 1))
    gains.initialize(repeating: false, count: linkCount)
    for index in linkIndices {
      (links + index).initialize(to: Link(model.links[index], model: model))
    }
    for index in linkIndices { (linkTables + index).initialize(to: LinkTable(memory)) }
    text = .allocate(capacity: 1)
    text.initialize(to: TextArena(memory))
    defaults = .allocate(capacity: 1)
    defaults.initialize(to: TextArena(memory))
    log = .allocate(capacity: 1)
    log.initialize(to: UndoLog(memory))
    indexes = Array(repeating: [], count: tableCount)
    let split = IdentifierSplit(tableCount: tableCount)
    for number in tableIndices { addTable(number, split: split) }
    fillTemplates()
    savepoints = [savepoint()]
  }

  /// Makes the table of a hierarchy, and the lists of its entities and properties.
  private func addTable(_ number: TableIndex, split: IdentifierSplit) {
    let hierarchy = model.hierarchies[number]
    (tables + number).initialize(
      to: ObjectTable(number: number, hierarchy: hierarchy, split: split, memory))
    let count = hierarchy.properties.count
    fields[number] = .allocate(capacity: max(count, 1))
    fields[number].initialize(from: hierarchy.properties.map(\.field), count: count)
    entityNumbers[number] = .allocate(capacity: max(hierarchy.entities.count, 1))
    entityNumbers[number].initialize(from: hierarchy.entities, count: hierarchy.entities.count)
    identityMasks[number] = .allocate(capacity: max(count, 1))
    identityMasks[number].initialize(repeating: 0, count: count)
  }

  /// Notes that the store cannot hold some values.
  func limit(
    to limits: ValueLimits, objection: @escaping (StoredValue, AttributeType) -> String?
  ) {
    hasLimits = true
    self.limits = limits
    self.objection = objection
  }

  deinit {
    for list in indexes {
      for index in list {
        index.pointee.deallocate()
        index.deinitialize(count: 1)
        index.deallocate()
      }
    }
    for number in tableIndices {
      tables[number].deallocate()
      fields[number].deallocate()
      identityMasks[number].deallocate()
      entityNumbers[number].deallocate()
    }
    for index in linkIndices {
      linkTables[index].deallocate()
    }
    text.pointee.removeAll()
    text.deinitialize(count: 1)
    text.deallocate()
    defaults.pointee.removeAll()
    defaults.deinitialize(count: 1)
    defaults.deallocate()
    log.pointee.deallocate()
    log.deinitialize(count: 1)
    log.deallocate()
    tables.deallocate()
    fields.deallocate()
    identityMasks.deallocate()
    entityNumbers.deallocate()
    indexCounts.deallocate()
    hasPlaceholders.deallocate()
    linkTables.deinitialize(count: linkIndices.count)
    linkTables.deallocate()
    links.deallocate()
    gains.deallocate()
  }

  /// Throws if memory was refused since the last check.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  @inline(__always)
  func checkMemory() throws {
    if shortage.pointee != nil { throw memory.failure }
  }

  /// Writes the defaults into the records that new objects are copied from.
  private func fillTemplates() {
    for number in tableIndices {
      let hierarchy = model.hierarchies[number]
      for entity in hierarchy.entities {
        let local = model.resolved[entity].localIndex
        let record = tables[number].template(local)
        for property in model.resolved[entity].attributes {
          // A default may be a whole number for an attribute of another numeric type.
          guard let attribute = hierarchy.properties[property].attribute,
            let value = attribute.defaultValue.fitted(to: attribute.type), !value.isNull
          else { continue }
          let field = hierarchy.properties[property].field
          value.withStored(attribute.type) { raw in
            raw.write(to: record, field, table: tables + number, arena: defaults)
          }
        }
      }
    }
  }

  /// Begins a new epoch, in which the new import has not met any object.
  ///
  /// After 65,535 imports the numbers begin again, and the epochs of all records are reset.
  func beginEpoch() {
    epoch &+= 1
    guard epoch == 0 else { return }
    epoch = 1
    for table in tableIndices {
      for row in tables[table].rows { tables[table].header(row).pointee.epoch = 0 }
    }
  }

  /// The number of living objects.
  var liveCount: Int { tableIndices.reduce(0) { $0 + tables[$1].liveCount } }

  /// Returns the living record of an id.
  @inline(__always)
  func record(_ id: ObjectID) throws(GrootError) -> UnsafeMutableRawPointer {
    guard tableIndices.contains(id.table), id.row < tables[id.table].everUsed else {
      throw unknown(id)
    }
    let record = tables[id.table].record(id.row)
    let header = record.assumingMemoryBound(to: RecordHeader.self)
    guard tables[id.table].id(id.row) == id,
      header.pointee.state & RecordState.live != 0
    else { throw missing(id) }
    return record
  }

  /// Returns whether an id names a living object.
  func isLive(_ id: ObjectID) -> Bool { (try? record(id)) != nil }

  @inline(never)
  private func unknown(_ id: ObjectID) -> GrootError {
    GrootError(.unknownObject, "\(id) names no object of this context")
  }

  @inline(never)
  private func missing(_ id: ObjectID) -> GrootError {
    if id.isNewer(than: tables[id.table].id(id.row)) { return unknown(id) }
    let root = model.hierarchies[id.table].entities.first.map { model.resolved[$0].name } ?? ""
    return GrootError(.objectDeleted, "the object \(id) was deleted", entity: root)
  }

  /// Returns the entity of a record, as a position in the model.
  func entity(_ record: UnsafeRawPointer, in table: TableIndex) -> EntityIndex {
    let local = record.assumingMemoryBound(to: RecordHeader.self).pointee.entity
    return entityNumbers[table][Int(local)]
  }

  func entityName(_ record: UnsafeRawPointer, in table: TableIndex) -> String {
    model.resolved[entity(record, in: table)].name
  }

  /// Returns the position of the index of these attributes, which is made if necessary.
  ///
  /// Making an index takes time linear in the objects of the hierarchy.
  func identityIndex(table: TableIndex, _ numbers: [Int]) throws -> Int {
    if let found = indexes[table].firstIndex(where: { $0.pointee.isOver(numbers) }) { return found }
    guard indexes[table].count < 32 else {
      throw GrootError(.limitExceeded, "a hierarchy has more than 32 different identities")
    }
    let indexed = numbers.map { fields[table][$0] }
    guard let empty = IdentityIndex(table: tables + table, fields: indexed, Memory(memory)) else {
      throw memory.failure
    }
    let index = UnsafeMutablePointer<IdentityIndex>.allocate(capacity: 1)
    index.initialize(to: empty)
    for row in tables[table].rows where isIndexed(row, in: table) {
      guard has(numbers, table: table, row: row) else { continue }
      index.pointee.insert(row)
    }
    for number in numbers { identityMasks[table][number] |= 1 << UInt32(indexes[table].count) }
    indexes[table].append(index)
    indexCounts[table] += 1
    return indexes[table].count - 1
  }

  /// Returns whether a row's entity has all these properties; other entities' fields may overlap.
  func has(_ numbers: [Int], table: TableIndex, row: Row) -> Bool {
    let entity = tables[table].header(row).pointee.entity
    return numbers.allSatisfy {
      fields[table][$0].belongs(to: entity)
    }
  }

  /// Calls `body` with each index of a row's table for the properties of the row's entity.
  func forEachIndex(
    _ row: Row, in table: TableIndex, body: (inout IdentityIndex) -> Void
  ) {
    guard indexCounts[table] > 0 else { return }
    updateIndexes(row, in: table, mask: .max, body: body)
  }
}
