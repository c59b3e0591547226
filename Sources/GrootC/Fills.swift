import CGroot
import CJansson
import Groot

/// Sets the attributes of `object` from JSON text, even if its identity differs.
@_cdecl("groot_object_fill_text") @implementation
public func groot_object_fill_text(
  _ context: OpaquePointer?, _ object: groot_object_id, _ json: UnsafePointer<CChar>?,
  _ length: Int, _ options: UnsafePointer<groot_import_options>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  FillCall(context: context, object: object, options: options, error: error).run {
    .text(try text(json, length: length, what: "text"))
  }
}

/// Sets the attributes of `object` from a json_t, even if its identity differs.
@_cdecl("groot_object_fill_json") @implementation
public func groot_object_fill_json(
  _ context: OpaquePointer?, _ object: groot_object_id, _ json: UnsafePointer<json_t>?,
  _ options: UnsafePointer<groot_import_options>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  FillCall(context: context, object: object, options: options, error: error).run {
    try input(json)
  }
}

/// The arguments of a call that fills one object.
private struct FillCall {
  let context: OpaquePointer?
  let object: groot_object_id
  let options: UnsafePointer<groot_import_options>?
  let error: UnsafeMutablePointer<OpaquePointer?>?

  func run(_ input: () throws -> JSONInput) -> groot_status {
    reporting(error) {
      let (settings, target) = try read(options, isForRecords: false)
      let context = try ContextHandle.from(context).context
      let report = try context.fill(
        ObjectID(rawValue: object), from: input(), options: settings)
      try target?.take(report)
    }
  }
}
