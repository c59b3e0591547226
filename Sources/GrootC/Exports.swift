import CGroot
import CJansson
import Groot

/// One object as JSON text, an object, in `text`.
@_cdecl("groot_export_object_text") @implementation
public func groot_export_object_text(
  _ context: OpaquePointer?, _ object: groot_object_id,
  _ options: UnsafePointer<groot_export_options>?, _ json: UnsafeMutablePointer<groot_buffer>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  exporting(context, options, json, error) { try $0.write(ObjectID(rawValue: object)) }
}

/// Objects as JSON text, an array, in `text`.
@_cdecl("groot_export_text") @implementation
public func groot_export_text(
  _ context: OpaquePointer?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ options: UnsafePointer<groot_export_options>?, _ json: UnsafeMutablePointer<groot_buffer>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  exporting(context, options, json, error) { try $0.write(try objects(ids, count, "objects")) }
}

private func exporting(
  _ context: OpaquePointer?, _ options: UnsafePointer<groot_export_options>?,
  _ json: UnsafeMutablePointer<groot_buffer>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?, _ body: (Exporter) throws -> Void
) -> groot_status {
  reporting(error) {
    let json = try result(json, groot_buffer(data: nil, size: 0), "text")
    let context = try ContextHandle.from(context).context
    json.pointee = try context.withExport(read(options)) { exporter, writer in
      try body(exporter)
      let taken = try writer.takeBytes()
      let start = UnsafeMutableRawPointer(taken.baseAddress)
      return groot_buffer(data: start?.assumingMemoryBound(to: CChar.self), size: taken.count)
    }
  }
}

/// One object as a json_t object.
@_cdecl("groot_export_object_json") @implementation
public func groot_export_object_json(
  _ context: OpaquePointer?, _ object: groot_object_id,
  _ options: UnsafePointer<groot_export_options>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  exportingJSON(context, options, json, error) { try $0.write(ObjectID(rawValue: object)) }
}

/// Objects as a json_t array.
@_cdecl("groot_export_json") @implementation
public func groot_export_json(
  _ context: OpaquePointer?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ options: UnsafePointer<groot_export_options>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  exportingJSON(context, options, json, error) { try $0.write(try objects(ids, count, "objects")) }
}

private func exportingJSON(
  _ context: OpaquePointer?, _ options: UnsafePointer<groot_export_options>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?, _ body: (Exporter) throws -> Void
) -> groot_status {
  reporting(error) {
    let json = try result(json, nil, "json")
    let context = try ContextHandle.from(context).context
    json.pointee = try context.withExport(read(options)) { exporter, writer in
      try body(exporter)
      return try newJSON(parsing: UnsafeRawBufferPointer(writer.finish()))
    }
  }
}

/// Objects as JSON text, an array, in pieces to `write`.
@_cdecl("groot_export_write") @implementation
public func groot_export_write(
  _ context: OpaquePointer?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ options: UnsafePointer<groot_export_options>?, _ write: groot_write_function?,
  _ userdata: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let context = try ContextHandle.from(context).context
    guard let write else { throw GrootError(.invalidArgument, "write is NULL") }
    try context.export(try objects(ids, count, "objects"), read(options)) { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      let status = write(userdata, start, bytes.count)
      guard status == GROOT_OK else {
        throw GrootError(Status(rawValue: status), "the write callback ended the export")
      }
    }
  }
}

/// Objects as JSON text, an array, into the file at `path`.
@_cdecl("groot_export_file") @implementation
public func groot_export_file(
  _ context: OpaquePointer?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ options: UnsafePointer<groot_export_options>?, _ path: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let context = try ContextHandle.from(context).context
    try context.export(
      try objects(ids, count, "objects"), read(options), toFile: text(path, -1, "path"))
  }
}

/// Export options that a caller handed over.
private func read(_ options: UnsafePointer<groot_export_options>?) throws -> ExportOptions {
  var result = ExportOptions()
  guard let copy = try known(options, \.struct_size, groot_export_options()) else { return result }
  guard copy.flags == 0 else {
    throw GrootError(.unsupported, "the flags \(copy.flags) are not known")
  }
  // In a struct that ends before it, `depth` reads as 0, which would be a limit.
  let hasDepth = (options?.pointee.struct_size ?? 0) >= MemoryLayout<groot_export_options>.size
  if hasDepth && copy.depth >= 0 { result.depth = Int(copy.depth) }
  if copy.properties != nil {
    guard case .array(let names) = try value(copy.properties, "properties") else {
      throw GrootError(.invalidArgument, "properties is a list of names")
    }
    result.properties = try names.map { name in
      guard let text = name.stringValue else {
        throw GrootError(.invalidArgument, "properties is a list of names")
      }
      return text
    }
  }
  return result
}
