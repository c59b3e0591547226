import CGroot
import CJansson
import Groot

/// Exports one object as JSON text.
@_cdecl("groot_export_object_text") @implementation
public func groot_export_object_text(
  _ context: OpaquePointer?, _ object: groot_object_id,
  _ options: UnsafePointer<groot_export_options>?, _ json: UnsafeMutablePointer<groot_buffer>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  ExportCall(context: context, options: options, json: json, error: error).run { _, exporter in
    try exporter.write(ObjectID(rawValue: object))
    return 1
  }
}

/// Exports objects as JSON text.
@_cdecl("groot_export_text") @implementation
public func groot_export_text(
  _ context: OpaquePointer?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ options: UnsafePointer<groot_export_options>?, _ json: UnsafeMutablePointer<groot_buffer>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  ExportCall(context: context, options: options, json: json, error: error).run { _, exporter in
    try exporter.write(try objects(ids, count: count, what: "objects"))
    return count
  }
}

/// Exports one object as a json_t object.
@_cdecl("groot_export_object_json") @implementation
public func groot_export_object_json(
  _ context: OpaquePointer?, _ object: groot_object_id,
  _ options: UnsafePointer<groot_export_options>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  ExportCall(context: context, options: options, json: json, error: error).run { _, exporter in
    try exporter.write(ObjectID(rawValue: object))
    return 1
  }
}

/// Exports objects as a json_t.
@_cdecl("groot_export_json") @implementation
public func groot_export_json(
  _ context: OpaquePointer?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ options: UnsafePointer<groot_export_options>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  ExportCall(context: context, options: options, json: json, error: error).run { _, exporter in
    try exporter.write(try objects(ids, count: count, what: "objects"))
    return count
  }
}

/// Exports objects as JSON text in pieces to `write`.
@_cdecl("groot_export_write") @implementation
public func groot_export_write(
  _ context: OpaquePointer?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ options: UnsafePointer<groot_export_options>?, _ write: groot_write_function?,
  _ userdata: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let (options, written) = try read(options)
    try ContextHandle.from(context).context.export(
      objects(ids, count: count, what: "objects"), options: options,
      to: sink(write, userdata: userdata))
    written?.pointee = count
  }
}

/// Exports objects as JSON text to the file at `path`.
@_cdecl("groot_export_file") @implementation
public func groot_export_file(
  _ context: OpaquePointer?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ options: UnsafePointer<groot_export_options>?, _ path: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let (options, written) = try read(options)
    try ContextHandle.from(context).context.export(
      objects(ids, count: count, what: "objects"), options: options,
      toFile: name(path, what: "path"))
    written?.pointee = count
  }
}

/// Exports the objects of a fetch as JSON text in pieces to `write`.
@_cdecl("groot_export_fetch_write") @implementation
public func groot_export_fetch_write(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ request: UnsafePointer<CChar>?,
  _ options: UnsafePointer<groot_export_options>?, _ write: groot_write_function?,
  _ userdata: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let (options, count) = try read(options)
    let written = try ContextHandle.from(context).context.export(
      fetchRequest(entity, .text(request)), options: options, to: sink(write, userdata: userdata))
    count?.pointee = written
  }
}

/// Exports the objects of a fetch as JSON text to the file at `path`.
@_cdecl("groot_export_fetch_file") @implementation
public func groot_export_fetch_file(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ request: UnsafePointer<CChar>?,
  _ options: UnsafePointer<groot_export_options>?, _ path: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let (options, count) = try read(options)
    let written = try ContextHandle.from(context).context.export(
      fetchRequest(entity, .text(request)), toFile: name(path, what: "path"), options: options)
    count?.pointee = written
  }
}

/// Exports all objects of the mapping's roots as JSON text, one document.
@_cdecl("groot_export_document_text") @implementation
public func groot_export_document_text(
  _ context: OpaquePointer?, _ options: UnsafePointer<groot_export_options>?,
  _ json: UnsafeMutablePointer<groot_buffer>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  ExportCall(
    context: context, options: options, isDocument: true, json: json, error: error
  ).run { try $0.writeDocument(by: $1) }
}

/// Exports the document as a json_t.
@_cdecl("groot_export_document_json") @implementation
public func groot_export_document_json(
  _ context: OpaquePointer?, _ options: UnsafePointer<groot_export_options>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  ExportCall(
    context: context, options: options, isDocument: true, json: json, error: error
  ).run { try $0.writeDocument(by: $1) }
}

/// Exports the document as JSON text in pieces to `write`.
@_cdecl("groot_export_document_write") @implementation
public func groot_export_document_write(
  _ context: OpaquePointer?, _ options: UnsafePointer<groot_export_options>?,
  _ write: groot_write_function?, _ userdata: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let (options, count) = try read(options, isDocument: true)
    let written = try ContextHandle.from(context).context.export(
      options: options, to: sink(write, userdata: userdata))
    count?.pointee = written
  }
}

/// Exports the document as JSON text to the file at `path`.
@_cdecl("groot_export_document_file") @implementation
public func groot_export_document_file(
  _ context: OpaquePointer?, _ options: UnsafePointer<groot_export_options>?,
  _ path: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let (options, count) = try read(options, isDocument: true)
    let written = try ContextHandle.from(context).context.export(
      toFile: name(path, what: "path"), options: options)
    count?.pointee = written
  }
}

/// The arguments of a call that exports to one result, text or a json_t.
private struct ExportCall<Result> {
  let context: OpaquePointer?
  let options: UnsafePointer<groot_export_options>?
  var isDocument = false
  let json: UnsafeMutablePointer<Result>?
  let error: UnsafeMutablePointer<OpaquePointer?>?
}

extension ExportCall<groot_buffer> {
  /// Runs the export; `body` writes, and returns the number of objects written.
  func run(_ body: (ManagedObjectContext, Exporter) throws -> Int) -> groot_status {
    reporting(error) {
      let json = try result(json, zero: .none, what: "text")
      let context = try ContextHandle.from(context).context
      let (options, written) = try read(options, isDocument: isDocument)
      var count = 0
      json.pointee = try context.withExport(options) { exporter, writer in
        count = try body(context, exporter)
        return try groot_buffer(taking: writer)
      }
      written?.pointee = count
    }
  }
}

extension ExportCall<UnsafeMutablePointer<json_t>?> {
  /// Runs the export; `body` writes, and returns the number of objects written.
  func run(_ body: (ManagedObjectContext, Exporter) throws -> Int) -> groot_status {
    reporting(error) {
      let json = try result(json, zero: nil, what: "json")
      let context = try ContextHandle.from(context).context
      var (options, written) = try read(options, isDocument: isDocument)
      options.writesLines = false
      var count = 0
      json.pointee = try context.withExport(options) { exporter, writer in
        writer.isReadAsDoubles = true
        count = try body(context, exporter)
        return try newJSON(parsing: writer.finish())
      }
      written?.pointee = count
    }
  }
}

/// Makes an output that passes the pieces of an export to a caller's function.
private func sink(
  _ write: groot_write_function?, userdata: UnsafeMutableRawPointer?
) throws -> (UnsafeRawBufferPointer) throws -> Void {
  guard let write else { throw GrootError(.invalidArgument, "write is NULL") }
  return { bytes in
    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    let status = write(userdata, start, bytes.count)
    guard status == GROOT_OK else {
      throw GrootError(Status(rawValue: status), "the write callback ended the export")
    }
  }
}

/// Sets export options to the defaults.
@_cdecl("groot_export_options_init") @implementation
public func groot_export_options_init(
  _ options: UnsafeMutablePointer<groot_export_options>?, _ size: Int
) {
  initialize(options, size: size)
}

/// Reads a caller's export options, and the target of the number of objects.
private func read(
  _ options: UnsafePointer<groot_export_options>?, isDocument: Bool = false
) throws -> (ExportOptions, UnsafeMutablePointer<Int>?) {
  var result = ExportOptions()
  guard let copy = try known(options, size: \.struct_size, empty: groot_export_options()) else {
    return (result, nil)
  }
  copy.count?.pointee = 0
  let common = GROOT_EXPORT_DEPTH | GROOT_EXPORT_TO_MANY | GROOT_EXPORT_SUBOBJECTS
  try requireFlags(
    copy.flags, among: isDocument ? common : common | GROOT_LINES,
    of: isDocument ? "an export of a document" : "an export")
  result.writesLines = copy.flags & GROOT_LINES != 0
  if copy.flags & GROOT_EXPORT_DEPTH != 0 {
    guard copy.depth >= 0 else {
      throw GrootError(.invalidArgument, "depth is \(copy.depth); it is a number of steps")
    }
    result.depth = Int(copy.depth)
  } else if copy.depth != 0 {
    throw GrootError(
      .invalidArgument, "depth is \(copy.depth), but GROOT_EXPORT_DEPTH is not among the flags")
  }
  result.properties = try strings(copy.properties, what: "properties")
  result.excludedKeys = try strings(copy.exclude, what: "exclude") ?? []
  result.relationships = try choice(copy.relationships, names: "GROOT_RELATIONSHIPS_...")
  result.inflection = try choice(copy.inflection, names: "GROOT_INFLECTION_...")
  if copy.dates != nil { result.dates = try name(copy.dates, what: "dates") }
  result.writesToMany = copy.flags & GROOT_EXPORT_TO_MANY != 0
  result.writesSubobjects = copy.flags & GROOT_EXPORT_SUBOBJECTS != 0
  result.form = try chosen(copy.form, names: "GROOT_FORM_...")
  result.nulls = try choice(copy.nulls, names: "GROOT_NULLS_...")
  result.mapping = try mapping(copy.mapping)
  result.callbackUserdata = UInt(bitPattern: copy.callback_userdata)
  return (result, copy.count)
}
