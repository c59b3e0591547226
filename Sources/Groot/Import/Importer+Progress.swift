// Telling how far an import is, which is also how it is ended.

extension Importer {
  /// How many records, how many objects of one record, and how many bytes are between two calls of the
  /// progress function at most.
  private static let recordInterval = 1024
  private static let frameInterval = 4096
  private static let byteInterval = 1 << 22

  /// Counts a record that was imported, and tells of it now and then.
  ///
  /// - Throws: ``Status/cancelled``, and what the progress function throws.
  @inline(__always)
  func passRecord() throws {
    records &+= 1
    guard progress != nil else { return }
    if records % Self.recordInterval == 0 || (reader?.bytesConsumed ?? 0) > nextBytes { try tell() }
  }

  /// Counts an object inside a record, which may have any number of them.
  ///
  /// - Throws: as ``passRecord()``.
  @inline(__always)
  func passFrame(_ count: inout Int) throws {
    count &+= 1
    if count % Self.frameInterval == 0 { try tell() }
  }

  /// Tells how far the import is.
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
    // The function may have cancelled the import, and after the last record nothing asks again.
    try graph.cancellationMark.check()
  }
}
