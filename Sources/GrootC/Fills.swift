import CGroot
import CJansson
import Groot

/// Sets the attributes of `object` from JSON text, one object, whatever its identity says.
@_cdecl("groot_object_fill_text") @implementation
public func groot_object_fill_text(
  _ context: OpaquePointer?, _ object: groot_object_id, _ json: UnsafePointer<CChar>?,
  _ length: Int, _ options: UnsafePointer<groot_import_options>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  filling(context, object: object, options: options, error: error) { context, object, options in
    try context.fillText(text(json, length: length, what: "text"), into: object, options: options)
  }
}

/// As groot_object_fill_text, from a json_t.
@_cdecl("groot_object_fill_json") @implementation
public func groot_object_fill_json(
  _ context: OpaquePointer?, _ object: groot_object_id, _ json: UnsafePointer<json_t>?,
  _ options: UnsafePointer<groot_import_options>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  filling(context, object: object, options: options, error: error) { context, object, options in
    guard let json else { throw GrootError(.invalidArgument, "json is NULL") }
    return try context.fillJansson(
      UnsafeMutablePointer(mutating: json), into: object, options: options)
  }
}

private func filling(
  _ context: OpaquePointer?, object: groot_object_id,
  options: UnsafePointer<groot_import_options>?, error: UnsafeMutablePointer<OpaquePointer?>?,
  body: (ManagedObjectContext, ObjectID, ImportOptions) throws -> ImportReport
) -> groot_status {
  reporting(error) {
    let context = try ContextHandle.from(context).context
    let (settings, report) = try read(options)
    let done = try body(context, ObjectID(rawValue: object), settings)
    if let report { report.pointee = try newJSON(done.json) }
  }
}
