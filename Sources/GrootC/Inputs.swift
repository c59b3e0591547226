import CGroot
import CJansson
import Groot

// Imports and synchronizations share these arguments and results.

/// The targets of a report: its text, and its counts.
struct ReportTarget {
  private let text: UnsafeMutablePointer<groot_buffer>?
  private let counts: UnsafeMutablePointer<groot_counts>?

  /// Sets both to none, so that they are defined after a failure.
  init(
    text: UnsafeMutablePointer<groot_buffer>?, counts: UnsafeMutablePointer<groot_counts>?
  ) throws {
    text?.pointee = .none
    self.text = text
    self.counts = counts
    if let counts { try fill(counts, with: groot_counts(), size: \.struct_size) }
  }

  /// Writes a report to those that the caller gave.
  func take(_ report: ImportReport) throws {
    if let text { text.pointee = try .holding(report.json) }
    guard let counts else { return }
    let found = groot_counts(
      struct_size: 0, inserted: report.inserted, updated: report.updated,
      unchanged: report.unchanged, deleted: report.deleted, skipped: report.skipped,
      stale: report.stale, issues: report.issues.count)
    try fill(counts, with: found, size: \.struct_size)
  }
}

/// The arguments of a call that reads JSON into the objects of an entity.
struct InputCall<Options> {
  let context: OpaquePointer?
  let entity: UnsafePointer<CChar>?
  let options: UnsafePointer<Options>?
  let objects: UnsafeMutablePointer<OpaquePointer?>?
  let error: UnsafeMutablePointer<OpaquePointer?>?
  private let room = ObjectsRoom()

  /// Reserves memory for the objects before any change is accepted.
  var willAccept: ((Int) throws -> Void)? { objects == nil ? nil : room.reserve }

  /// Runs the call, and returns its objects and its report to the caller.
  ///
  /// The body reads the options before the context, since any failure must leave the report NULL.
  func run(
    _ body: (() throws -> ManagedObjectContext) throws -> (ImportResult, ReportTarget?)
  ) -> groot_status {
    objects?.pointee = nil
    return reporting(error) {
      let (done, report) = try body { try ContextHandle.from(context).context }
      try report?.take(done.report)
      objects?.pointee = try ObjectsHandle(done.ids, in: room).retained()
    }
  }
}

/// Borrows a caller's json_t.
func input(_ json: UnsafePointer<json_t>?) throws -> JSONInput {
  guard let json else { throw GrootError(.invalidArgument, "json is NULL") }
  return .jansson(UnsafeMutablePointer(mutating: json))
}
