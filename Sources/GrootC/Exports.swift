import CGroot
import CJansson
import Groot

// Each function exports one of four targets to one of four sinks.

/// Exports one object as JSON text.
@_cdecl("groot_export_object_text") @implementation
public func groot_export_object_text(
  _ context: OpaquePointer?, _ object: groot_object_id,
  _ options: UnsafePointer<groot_export_options>?, _ json: UnsafeMutablePointer<groot_buffer>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  export(context, options, to: .text(json), error: error) { .object(ObjectID(rawValue: object)) }
}

/// Exports one object as a json_t.
@_cdecl("groot_export_object_json") @implementation
public func groot_export_object_json(
  _ context: OpaquePointer?, _ object: groot_object_id,
  _ options: UnsafePointer<groot_export_options>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  export(context, options, to: .json(json), error: error) { .object(ObjectID(rawValue: object)) }
}

/// Exports one object as JSON text in pieces to `write`.
@_cdecl("groot_export_object_write") @implementation
public func groot_export_object_write(
  _ context: OpaquePointer?, _ object: groot_object_id,
  _ options: UnsafePointer<groot_export_options>?, _ write: groot_write_function?,
  _ userdata: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  export(context, options, to: .function(write, userdata), error: error) {
    .object(ObjectID(rawValue: object))
  }
}

/// Exports one object as JSON text to the file at `path`.
@_cdecl("groot_export_object_file") @implementation
public func groot_export_object_file(
  _ context: OpaquePointer?, _ object: groot_object_id,
  _ options: UnsafePointer<groot_export_options>?, _ path: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  export(context, options, to: .file(path), error: error) { .object(ObjectID(rawValue: object)) }
}

/// Exports objects as JSON text.
@_cdecl("groot_export_objects_text") @implementation
public func groot_export_objects_text(
  _ context: OpaquePointer?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ options: UnsafePointer<groot_export_options>?, _ json: UnsafeMutablePointer<groot_buffer>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  export(context, options, to: .text(json), error: error) {
    try .objects(objects(ids, count: count, what: "objects"))
  }
}

/// Exports objects as a json_t.
@_cdecl("groot_export_objects_json") @implementation
public func groot_export_objects_json(
  _ context: OpaquePointer?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ options: UnsafePointer<groot_export_options>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  export(context, options, to: .json(json), error: error) {
    try .objects(objects(ids, count: count, what: "objects"))
  }
}

/// Exports objects as JSON text in pieces to `write`.
@_cdecl("groot_export_objects_write") @implementation
public func groot_export_objects_write(
  _ context: OpaquePointer?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ options: UnsafePointer<groot_export_options>?, _ write: groot_write_function?,
  _ userdata: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  export(context, options, to: .function(write, userdata), error: error) {
    try .objects(objects(ids, count: count, what: "objects"))
  }
}

/// Exports objects as JSON text to the file at `path`.
@_cdecl("groot_export_objects_file") @implementation
public func groot_export_objects_file(
  _ context: OpaquePointer?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ options: UnsafePointer<groot_export_options>?, _ path: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  export(context, options, to: .file(path), error: error) {
    try .objects(objects(ids, count: count, what: "objects"))
  }
}

/// Exports the objects of a fetch as JSON text.
@_cdecl("groot_export_fetch_text") @implementation
public func groot_export_fetch_text(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ request: UnsafePointer<CChar>?,
  _ options: UnsafePointer<groot_export_options>?, _ json: UnsafeMutablePointer<groot_buffer>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  export(context, options, to: .text(json), error: error) {
    try .request(fetchRequest(entity, .text(request)))
  }
}

/// Exports the objects of a fetch as a json_t.
@_cdecl("groot_export_fetch_json") @implementation
public func groot_export_fetch_json(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ request: UnsafePointer<CChar>?,
  _ options: UnsafePointer<groot_export_options>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  export(context, options, to: .json(json), error: error) {
    try .request(fetchRequest(entity, .text(request)))
  }
}

/// Exports the objects of a fetch as JSON text in pieces to `write`.
@_cdecl("groot_export_fetch_write") @implementation
public func groot_export_fetch_write(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ request: UnsafePointer<CChar>?,
  _ options: UnsafePointer<groot_export_options>?, _ write: groot_write_function?,
  _ userdata: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  export(context, options, to: .function(write, userdata), error: error) {
    try .request(fetchRequest(entity, .text(request)))
  }
}

/// Exports the objects of a fetch as JSON text to the file at `path`.
@_cdecl("groot_export_fetch_file") @implementation
public func groot_export_fetch_file(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ request: UnsafePointer<CChar>?,
  _ options: UnsafePointer<groot_export_options>?, _ path: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  export(context, options, to: .file(path), error: error) {
    try .request(fetchRequest(entity, .text(request)))
  }
}

/// Exports all objects of the mapping's roots, one document, as JSON text.
@_cdecl("groot_export_document_text") @implementation
public func groot_export_document_text(
  _ context: OpaquePointer?, _ options: UnsafePointer<groot_export_options>?,
  _ json: UnsafeMutablePointer<groot_buffer>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  export(context, options, to: .text(json), error: error) { .document }
}

/// Exports all objects of the mapping's roots, one document, as a json_t.
@_cdecl("groot_export_document_json") @implementation
public func groot_export_document_json(
  _ context: OpaquePointer?, _ options: UnsafePointer<groot_export_options>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  export(context, options, to: .json(json), error: error) { .document }
}

/// Exports all objects of the mapping's roots, one document, as JSON text in pieces to `write`.
@_cdecl("groot_export_document_write") @implementation
public func groot_export_document_write(
  _ context: OpaquePointer?, _ options: UnsafePointer<groot_export_options>?,
  _ write: groot_write_function?, _ userdata: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  export(context, options, to: .function(write, userdata), error: error) { .document }
}

/// Exports all objects of the mapping's roots, one document, as JSON text to the file at `path`.
@_cdecl("groot_export_document_file") @implementation
public func groot_export_document_file(
  _ context: OpaquePointer?, _ options: UnsafePointer<groot_export_options>?,
  _ path: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  export(context, options, to: .file(path), error: error) { .document }
}

/// The receiver of an export.
private enum Sink {
  case text(UnsafeMutablePointer<groot_buffer>?)
  case json(UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?)
  case function(groot_write_function?, UnsafeMutableRawPointer?)
  case file(UnsafePointer<CChar>?)
}

/// The body of all exports.
private func export(
  _ context: OpaquePointer?, _ options: UnsafePointer<groot_export_options>?, to sink: Sink,
  error: UnsafeMutablePointer<OpaquePointer?>?, target: () throws -> ExportTarget
) -> groot_status {
  reporting(error) {
    try sink.empty()
    let context = try ContextHandle.from(context).context
    let target = try target()
    let (options, count) = try read(options, of: target)
    let written = try sink.take(target, of: context, options: options)
    count?.pointee = written
  }
}

extension Sink {
  /// Sets a result to none, so that it is defined after a failure.
  func empty() throws {
    switch self {
    case .text(let text): _ = try result(text, zero: .none, what: "text")
    case .json(let json): _ = try result(json, zero: nil, what: "json")
    case .function, .file: break
    }
  }

  /// Exports a target, and returns the number of objects.
  func take(
    _ target: ExportTarget, of context: ManagedObjectContext, options: ExportOptions
  ) throws -> Int {
    switch self {
    case .text(let text):
      return try context.withExport(of: target, options: options) { writer, count in
        text?.pointee = try groot_buffer(taking: writer)
        return count
      }
    case .json(let json):
      var options = options
      options.writesLines = false
      return try context.withExport(of: target, options: options, asDoubles: true) {
        writer, count in
        json?.pointee = try newJSON(parsing: writer.finish())
        return count
      }
    case .function(let write, let userdata):
      return try context.export(
        target, options: options, to: pieces(for: write, userdata: userdata))
    case .file(let path):
      return try context.export(target, options: options, toFile: name(path, what: "path"))
    }
  }
}

/// Makes an output that passes the pieces of an export to a caller's function.
private func pieces(
  for write: groot_write_function?, userdata: UnsafeMutableRawPointer?
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
  _ options: UnsafePointer<groot_export_options>?, of target: ExportTarget
) throws -> (ExportOptions, UnsafeMutablePointer<Int>?) {
  var result = ExportOptions()
  guard let copy = try known(options, size: \.struct_size, empty: groot_export_options()) else {
    return (result, nil)
  }
  copy.count?.pointee = 0
  let isDocument = if case .document = target { true } else { false }
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
