import CGroot
import CJansson
import Groot

// The arguments common to imports and synchronizations, and the places of their results.

/// Where the text of the report of what was done goes.
typealias ReportTarget = UnsafeMutablePointer<groot_buffer>

/// The arguments of a call that reads JSON into the objects of an entity.
struct InputCall<Options> {
  let context: OpaquePointer?
  let entity: UnsafePointer<CChar>?
  let options: UnsafePointer<Options>?
  let objects: UnsafeMutablePointer<OpaquePointer?>?
  let error: UnsafeMutablePointer<OpaquePointer?>?
  private let room = ObjectsRoom()

  /// Makes sure, before anything is accepted, that the objects can be handed over.
  var willAccept: ((Int) throws -> Void)? { objects == nil ? nil : room.reserve }

  /// Runs the call, and hands its objects and its report to the caller.
  ///
  /// The context is asked for after the options, whose report is to be NULL on each failure.
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

/// A json_t that a caller lends.
func input(_ json: UnsafePointer<json_t>?) throws -> JSONInput {
  guard let json else { throw GrootError(.invalidArgument, "json is NULL") }
  return .jansson(UnsafeMutablePointer(mutating: json))
}
