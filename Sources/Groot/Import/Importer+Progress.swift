// Reports of an import's progress, in which the program may cancel the import.

extension Importer {
  /// The greatest numbers of records, of objects in one record, and of bytes between two reports.
  private static let recordInterval = 1024
  private static let frameInterval = 4096
  private static let byteInterval = 1 << 22

  /// Counts an imported record, and reports the progress at intervals.
  ///
  /// - Throws: ``Status/cancelled``, and the errors of the progress function.
  @inline(__always)
  func passRecord() throws {
    records &+= 1
    guard progress != nil else { return }
    if records % Self.recordInterval == 0 || (reader?.bytesConsumed ?? 0) > nextBytes { try tell() }
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
    let bytes = reader?.bytesConsumed ?? 0
    nextBytes = bytes &+ Self.byteInterval
    let state = ImportProgress(
      bytes: bytes, records: records, inserted: counts.inserted, updated: counts.updated,
      unchanged: counts.unchanged)
    guard try progress(state) else {
      throw GrootError(
        .cancelled, "the progress callback ended the import after \(records) records")
    }
    // The function may have cancelled the import, and no check follows the last record.
    try graph.cancellationMark.check()
  }
}
