/// The objects of a context: tables of records, links between them, and indexes of identities.
///
/// Everything hot is reached through pointers that stay the same for the graph's life. All changes
/// go through the functions of this class, which keep both directions of relationships, the
/// identity indexes, the change marks and the undo log in step. Belongs to one thread at a time.
final class Graph {
  let model: ManagedObjectModel
  let tableIndices: Range<TableIndex>
  let tables: UnsafeMutablePointer<ObjectTable>
  /// The fields of each hierarchy, by property number.
  let fields: UnsafeMutablePointer<UnsafeMutablePointer<Field>>
  /// For each property of each hierarchy, a bit for every identity index over it.
  let identityMasks: UnsafeMutablePointer<UnsafeMutablePointer<UInt32>>
  /// The relationships, by the link number of their fields.
  let links: UnsafeMutablePointer<Link>
  /// The nodes of each link; only many-to-many links have any.
  let linkTables: UnsafeMutablePointer<LinkTable>
  let linkIndices: Range<LinkIndex>
  /// By link, whether since the last save an object that was older than the innermost savepoint was
  /// linked: it may have members that are newer, which the log does not tell.
  let gains: UnsafeMutablePointer<Bool>
  let text: UnsafeMutablePointer<TextArena>
  /// Whether several objects may have one text of the arena.
  var sharesText = false
  /// How many bytes a text, a binary or JSON value can have.
  @exclusivity(unchecked) var maximumTextLength = TextSlot.maximumLength
  let log: UnsafeMutablePointer<UndoLog>
  /// The entities of each hierarchy, as positions in the model, by local index.
  let entityNumbers: UnsafeMutablePointer<UnsafeMutablePointer<EntityIndex>>
  /// The to-many relationships of each hierarchy.
  let lists: [[Field]]
  /// By table, whether there may be placeholders in memory.
  let hasPlaceholders: UnsafeMutablePointer<Bool>
  /// Whether a store keeps the objects, so that rows may be read at any time.
  var isPersistent = false
  /// By link, nodes below the boundary that a store does not have.
  var unsavedNodes: [Set<NodeIndex>]
  /// Where all of this gets its memory.
  let memory: MemoryAccount
  private let shortage: UnsafePointer<MemoryAccount.Shortage?>
  /// The texts of the values that new objects begin with.
  private let defaults: UnsafeMutablePointer<TextArena>
  /// Ends what is being done, on demand.
  let cancellation: Cancellation
  /// Tells whether that was asked for.
  let cancellationMark: Cancellation.Mark
  /// The observer of the progress of calls.
  let listener: ProgressListener
  /// The number of identity indexes of each table.
  let indexCounts: UnsafeMutablePointer<Int>
  /// The identity indexes of each table, at most 32.
  var indexes: [[UnsafeMutablePointer<IdentityIndex>]]
  /// The number of the import going on, in 16 bits.
  @exclusivity(unchecked) private(set) var epoch: UInt16 = 0
  /// The savepoints that are open, outermost first; the first is the last save.
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
    unsavedNodes = Array(repeating: [], count: model.links.count)
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

  /// Makes the table of a hierarchy, and what is known of its entities and properties.
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

  /// Throws if memory was refused since this was last looked at.
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
          // A whole number may be given as the default of another type of numbers.
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

  /// Begins a new epoch: no object has been met by the import that begins.
  ///
  /// Once in 65,535 imports the numbers start anew, and every record is visited.
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

  /// The living record of an id.
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

  /// Whether an id names a living object.
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

  /// The entity of a record, as a position in the model.
  func entity(_ record: UnsafeRawPointer, in table: TableIndex) -> EntityIndex {
    let local = record.assumingMemoryBound(to: RecordHeader.self).pointee.entity
    return entityNumbers[table][Int(local)]
  }

  func entityName(_ record: UnsafeRawPointer, in table: TableIndex) -> String {
    model.resolved[entity(record, in: table)].name
  }

  /// The position of the index over these attributes, which is made when there is none yet.
  ///
  /// Making one is linear in the objects of the hierarchy.
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

  /// Whether the entity of a row has all these properties; another's fields may overlap them.
  func has(_ numbers: [Int], table: TableIndex, row: Row) -> Bool {
    let entity = tables[table].header(row).pointee.entity
    return numbers.allSatisfy {
      fields[table][$0].belongs(to: entity)
    }
  }

  /// Adds a row to, or removes it from, the indexes of its table over what its entity has.
  func forEachIndex(
    _ row: Row, in table: TableIndex, body: (inout IdentityIndex) -> Void
  ) {
    guard indexCounts[table] > 0 else { return }
    updateIndexes(row, in: table, mask: .max, body: body)
  }
}
