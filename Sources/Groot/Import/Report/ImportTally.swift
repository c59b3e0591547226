/// The objects that an import brought and met, as marks in the headers of their rows.
///
/// No other part of an import sets marks. They count for the epoch of the import.
final class ImportTally {
  let graph: Graph
  /// Whether a record may be left out, so that its marks must be known.
  private let skipsRecords: Bool
  /// Whether the report lists each change, and the objects that the import came across.
  let listsChanges: Bool
  let listsAccess: Bool
  /// The changes of this import so far.
  @exclusivity(unchecked) private(set) var counts = ImportCounts()
  /// The earlier marks of the objects that the current record met, if it may be left out.
  @exclusivity(unchecked) private var met: Buffer<MetObject>
  /// The objects that the import came across, if the report lists them.
  @exclusivity(unchecked) private(set) var accessed: Set<ObjectID>?
  /// The objects of stale records, if the report lists them.
  @exclusivity(unchecked) private(set) var stale: [ObjectID] = []

  init(_ graph: Graph, skipsRecords: Bool, listsChanges: Bool, listsAccess: Bool) {
    self.graph = graph
    self.skipsRecords = skipsRecords
    self.listsChanges = listsChanges
    self.listsAccess = listsAccess
    accessed = listsAccess ? [] : nil
    met = Buffer(graph.memory)
    graph.beginEpoch()
  }

  deinit { met.deallocate() }

  /// The counts before a record, for returning to them.
  struct State {
    fileprivate let counts: ImportCounts
    fileprivate let staleCount: Int
  }

  var state: State { State(counts: counts, staleCount: stale.count) }

  /// Returns to the counts before a record, whose objects may be undone.
  func restore(_ state: State) {
    counts = state.counts
    stale.removeSubrange(state.staleCount...)
  }

  /// Sets the counts to the differences from the beginning of the import.
  func settle(_ difference: GraphDifference) { counts.settle(difference) }

  /// Counts a record that is older than its object.
  func noteStale(_ row: Row, in table: TableIndex) {
    counts.stale &+= 1
    if listsChanges { stale.append(graph.tables[table].id(row)) }
  }

  /// Counts a row that this import made.
  @inline(__always)
  func noteInserted(_ row: Row, in table: TableIndex) {
    mark(row, in: table, as: ImportMark.inserted)
    counts.inserted &+= 1
  }

  /// Notes a row that this import made for an object that may come later.
  func noteStub(_ row: Row, in table: TableIndex) { mark(row, in: table, as: ImportMark.stub) }

  @inline(__always)
  private func mark(_ row: Row, in table: TableIndex, as mark: UInt8) {
    let header = graph.tables[table].header(row)
    header.pointee.epoch = graph.epoch
    header.pointee.marks = mark
  }

  /// Returns whether this import made an object.
  func isInserted(_ row: Row, in table: TableIndex) -> Bool {
    let header = graph.tables[table].header(row)
    return header.pointee.epoch == graph.epoch && header.pointee.marks == ImportMark.inserted
  }

  /// Returns whether this import made or met an object.
  @inline(__always)
  func isKnown(_ row: Row, in table: TableIndex) -> Bool {
    graph.tables[table].header(row).pointee.epoch == graph.epoch
  }

  /// Begins a record that may be left out.
  func begin() { met.removeLast(to: 0) }

  /// Counts an object that existed before the import.
  @inline(__always)
  func meet(_ row: Row, table: TableIndex, isChanged: Bool) throws {
    let header = graph.tables[table].header(row)
    if skipsRecords {
      try met.append(
        MetObject(
          table: table, epoch: header.pointee.epoch, row: row,
          marks: header.pointee.marks))
    }
    if listsAccess { noteAccess(row, in: table) }
    if header.pointee.epoch != graph.epoch {
      header.pointee.epoch = graph.epoch
      header.pointee.marks = 0
      counts.met &+= 1
    }
    if isChanged && header.pointee.marks == 0 {
      header.pointee.marks = ImportMark.updated
      counts.updated &+= 1
    }
  }

  /// Removes the marks of the current record, which is left out.
  func forgetMet() {
    while met.count > 0 {
      let object = met.start[met.count - 1]
      met.removeLast(to: met.count - 1)
      let header = graph.tables[object.table].header(object.row)
      header.pointee.epoch = object.epoch
      header.pointee.marks = object.marks
    }
  }

  /// Counts an object that was met unchanged before as updated.
  func noteUpdate(_ row: Row, in table: TableIndex) {
    let header = graph.tables[table].header(row)
    guard header.pointee.epoch == graph.epoch, header.pointee.marks == 0 else { return }
    header.pointee.marks = ImportMark.updated
    counts.updated &+= 1
  }

  func isStub(_ row: Row, in table: TableIndex) -> Bool {
    let header = graph.tables[table].header(row)
    return header.pointee.epoch == graph.epoch && header.pointee.marks == ImportMark.stub
  }

  /// Makes a stub row an object.
  func resolveStub(_ row: Row, in table: TableIndex) throws {
    let header = graph.tables[table].header(row)
    if skipsRecords {
      // The record that makes the stub an object may be left out later.
      try met.append(
        MetObject(
          table: table, epoch: header.pointee.epoch, row: row,
          marks: header.pointee.marks))
    }
    header.pointee.marks = ImportMark.inserted
    counts.inserted &+= 1
  }

  func noteAccess(_ row: Row, in table: TableIndex) {
    accessed?.insert(graph.tables[table].id(row))
  }
}

/// The marks that an object had before a record met it.
private struct MetObject {
  let table: TableIndex
  let epoch: UInt16
  let row: Row
  let marks: UInt8
}
