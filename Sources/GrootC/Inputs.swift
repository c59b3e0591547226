import CGroot
import CJansson
import Groot

// Imports and synchronizations share these arguments and results.

/// The target of the text of a report.
typealias ReportTarget = UnsafeMutablePointer<groot_buffer>

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
      if let report { report.pointee = try .holding(done.report.json) }
      objects?.pointee = try ObjectsHandle(done.ids, in: room).retained()
    }
  }
}

/// Borrows a caller's json_t.
func input(_ json: UnsafePointer<json_t>?) throws -> JSONInput {
  guard let json else { throw GrootError(.invalidArgument, "json is NULL") }
  return .jansson(UnsafeMutablePointer(mutating: json))
}
