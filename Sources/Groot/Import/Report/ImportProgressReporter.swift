/// Reports the progress of an import, in which the program may cancel it.
final class ImportProgressReporter {
  /// The greatest numbers of records, of objects in one record, and of bytes between two reports.
  private static let recordInterval = 1024
  private static let frameInterval = 4096
  private static let byteInterval = 1 << 22

  private let graph: Graph
  private let current: CurrentElement
  private let tally: ImportTally
  /// The progress function, with the records so far and the bytes at which it is called next.
  private let progress: ((ImportProgress) throws -> Bool)?
  @exclusivity(unchecked) private var records = 0
  @exclusivity(unchecked) private var nextBytes = byteInterval

  init(
    _ tally: ImportTally, current: CurrentElement, _ progress: ((ImportProgress) throws -> Bool)?
  ) {
    graph = tally.graph
    self.tally = tally
    self.current = current
    self.progress = progress ?? graph.listener.importHandler
  }

  /// Whether a function receives the progress.
  var isHeard: Bool { progress != nil }

  /// Counts an imported record, and reports the progress at intervals.
  ///
  /// - Throws: ``Status/cancelled``, and the errors of the progress function.
  @inline(__always)
  func passRecord() throws {
    records &+= 1
    guard progress != nil else { return }
    if records % Self.recordInterval == 0 || (current.reader?.bytesConsumed ?? 0) > nextBytes {
      try tell()
    }
  }

  /// Counts an object inside a record, which may have any number of objects.
  ///
  /// - Throws: as ``passRecord()``.
  @inline(__always)
  func passFrame(_ count: inout Int) throws {
    count &+= 1
    if count % Self.frameInterval == 0 { try tell() }
  }

  /// Reports the progress of the import.
  ///
  /// - Throws: as ``passRecord()``.
  @inline(never)
  func tell() throws {
    guard let progress else { return }
    let bytes = current.reader?.bytesConsumed ?? 0
    nextBytes = bytes &+ Self.byteInterval
    let state = ImportProgress(
      bytes: bytes, records: records, inserted: tally.counts.inserted,
      updated: tally.counts.updated,
      unchanged: tally.counts.unchanged)
    guard try progress(state) else {
      throw GrootError(
        .cancelled, "the progress callback ended the import after \(records) records")
    }
    // The function may have cancelled the import, and no check follows the last record.
    try graph.cancellationMark.check()
  }
}
