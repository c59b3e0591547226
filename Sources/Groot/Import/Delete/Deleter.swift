/// Deletes objects that an import removes, or marks or keeps them.
///
/// It spares the objects that the import brought or named, deletes and marks through the graph, and
/// tells a guard.
final class Deleter {
  let graph: Graph
  let store: StoreCoordinator?
  let plan: Plan
  let log: IssueLog
  let tally: ImportTally
  /// The withholding of deletions, and the kept objects.
  @exclusivity(unchecked) private var withholdsDeletions = false
  @exclusivity(unchecked) private(set) var withheld: [ObjectID] = []
  /// The guard against too many deletions; nil without a limit.
  @exclusivity(unchecked) private(set) var deletionGuard: DeletionGuard?
  /// The objects that identifiers named; nil if the import does not delete objects.
  @exclusivity(unchecked) private var named: NamedObjects?
  /// The time that deletion marks get; nil without marks.
  @exclusivity(unchecked) private var deletionMark: Int64?

  init(_ tally: ImportTally, store: StoreCoordinator?, log: IssueLog, named: NamedObjects?) {
    (self.tally, self.store, self.log, self.named) = (tally, store, log, named)
    (graph, plan) = (tally.graph, log.plan)
  }

  /// Sets what a synchronization of a hierarchy's objects may delete.
  func prepareSync(_ options: SyncOptions, guarding: DeletionGuard?, of table: TableIndex) {
    var named = NamedObjects(of: graph)
    named.note(all: table)
    self.named = named
    withholdsDeletions = options.withholdsDeletions
    deletionGuard = guarding
    if options.deletion == .mark { deletionMark = CLibrary.now() }
  }

  /// Notes an object that an identifier named.
  @inline(__always)
  func noteNamed(_ row: Row, in table: TableIndex) {
    if named != nil { named?.insert(row, in: table) }
  }

  /// Deletes an object, and all objects of its cascades that this import neither brought nor named.
  func delete(_ object: ObjectID) throws {
    try graph.delete(object) { table, row in isListed(row, in: table) }
  }

  /// Returns whether this import brought or named an object.
  func isListed(_ row: Row, in table: TableIndex) -> Bool {
    tally.isKnown(row, in: table)
      || named?.contains(row, in: table) == true
  }

  /// Whether deletions are withheld, because an entry was not identified.
  private var isWithholding: Bool { withholdsDeletions && log.hasUnidentified }

  /// Whether deleted objects are kept: with a mark, or because an entry was not identified.
  var keepsDeleted: Bool { deletionMark != nil || isWithholding }

  /// Sets the deletion marks of objects, or notes that their deletion is withheld.
  func markOrWithhold(_ objects: [ObjectID]) throws {
    guard let mark = deletionMark, !isWithholding else {
      return withhold(objects)
    }
    for object in objects where graph.isLive(object) {
      try store?.read([object.row], in: object.table)
      let number = PlanIndex(of: graph.entity(try graph.record(object), in: object.table))
      guard let field = plan.entities[number].deletionMark else { continue }
      let record = graph.tables[object.table].record(object.row)
      let old = StoredValue(record, field: field, table: graph.tables + object.table)
      if field.type == .boolean ? old.word0 == 1 && old.isPresent : old.isPresent {
        deletionGuard?.note(object, isMarkedNow: false)
        continue
      }
      let value =
        field.type == .boolean ? StoredValue(word: 1) : StoredValue(word: UInt64(bitPattern: mark))
      if graph.set(object.row, in: object.table, field: field, to: value) {
        tally.noteUpdate(object.row, in: object.table)
        deletionGuard?.note(object, isMarkedNow: true)
      }
    }
  }

  /// Returns whether the deletion of objects is withheld, and notes them.
  func withholds(_ objects: [ObjectID]) -> Bool {
    guard isWithholding else { return false }
    withhold(objects)
    return true
  }

  /// Notes objects that are kept because an entry could not be identified.
  private func withhold(_ objects: [ObjectID]) {
    let known = Set(withheld)
    withheld += objects.filter { !known.contains($0) }
  }
}
