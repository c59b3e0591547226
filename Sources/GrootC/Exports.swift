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
  ExportCall(context: context, options: options, json: json, error: error).run {
    try $0.write(ObjectID(rawValue: object))
  }
}

/// Objects as JSON text, an array, in `text`.
@_cdecl("groot_export_text") @implementation
public func groot_export_text(
  _ context: OpaquePointer?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ options: UnsafePointer<groot_export_options>?, _ json: UnsafeMutablePointer<groot_buffer>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  ExportCall(context: context, options: options, json: json, error: error).run {
    try $0.write(try objects(ids, count: count, what: "objects"))
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
  ExportCall(context: context, options: options, json: json, error: error).run {
    try $0.write(ObjectID(rawValue: object))
  }
}

/// Objects as a json_t array.
@_cdecl("groot_export_json") @implementation
public func groot_export_json(
  _ context: OpaquePointer?, _ ids: UnsafePointer<groot_object_id>?, _ count: Int,
  _ options: UnsafePointer<groot_export_options>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  ExportCall(context: context, options: options, json: json, error: error).run {
    try $0.write(try objects(ids, count: count, what: "objects"))
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
    try context.export(
      try objects(ids, count: count, what: "objects"), options: read(options),
      to: sink(write, userdata: userdata))
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
      try objects(ids, count: count, what: "objects"), options: read(options),
      toFile: text(path, length: -1, what: "path"))
  }
}

/// What a fetch gives as JSON text, an array, in pieces to `write`.
@_cdecl("groot_export_fetch_write") @implementation
public func groot_export_fetch_write(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ length: Int,
  _ request: UnsafePointer<json_t>?, _ options: UnsafePointer<groot_export_options>?,
  _ write: groot_write_function?, _ userdata: UnsafeMutableRawPointer?,
  _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  count?.pointee = 0
  return reporting(error) {
    let context = try ContextHandle.from(context).context
    let request = try fetchRequest(text(entity, length: length, what: "entity"), json: request)
    let written = try context.export(
      request, options: read(options), to: sink(write, userdata: userdata))
    count?.pointee = written
  }
}

/// What a fetch gives as JSON text, an array, into the file at `path`.
@_cdecl("groot_export_fetch_file") @implementation
public func groot_export_fetch_file(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ length: Int,
  _ request: UnsafePointer<json_t>?, _ options: UnsafePointer<groot_export_options>?,
  _ path: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  count?.pointee = 0
  return reporting(error) {
    let context = try ContextHandle.from(context).context
    let request = try fetchRequest(text(entity, length: length, what: "entity"), json: request)
    let written = try context.export(
      request, toFile: text(path, length: -1, what: "path"), options: read(options))
    count?.pointee = written
  }
}

/// The arguments of a call that gives what it exports as one result: text, or a json_t.
private struct ExportCall<Result> {
  let context: OpaquePointer?
  let options: UnsafePointer<groot_export_options>?
  let json: UnsafeMutablePointer<Result>?
  let error: UnsafeMutablePointer<OpaquePointer?>?
}

extension ExportCall<groot_buffer> {
  func run(_ body: (Exporter) throws -> Void) -> groot_status {
    reporting(error) {
      let json = try result(json, zero: groot_buffer(data: nil, size: 0), what: "text")
      let context = try ContextHandle.from(context).context
      json.pointee = try context.withExport(read(options)) { exporter, writer in
        try body(exporter)
        let taken = try writer.takeBytes()
        let start = UnsafeMutableRawPointer(taken.baseAddress)
        return groot_buffer(data: start?.assumingMemoryBound(to: CChar.self), size: taken.count)
      }
    }
  }
}

extension ExportCall<UnsafeMutablePointer<json_t>?> {
  func run(_ body: (Exporter) throws -> Void) -> groot_status {
    reporting(error) {
      let json = try result(json, zero: nil, what: "json")
      let context = try ContextHandle.from(context).context
      var options = try read(options)
      options.writesLines = false
      json.pointee = try context.withExport(options) { exporter, writer in
        try body(exporter)
        return try newJSON(parsing: writer.finish())
      }
    }
  }
}

/// What takes the pieces of an export and hands them to a caller's function.
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

/// Export options that a caller handed over.
private func read(_ options: UnsafePointer<groot_export_options>?) throws -> ExportOptions {
  var result = ExportOptions()
  guard let copy = try known(options, size: \.struct_size, empty: groot_export_options()) else {
    return result
  }
  try requireKnown(
    copy.flags, known: GROOT_EXPORT_TO_MANY | GROOT_EXPORT_SUBOBJECTS | GROOT_EXPORT_LINES)
  result.writesLines = copy.flags & GROOT_EXPORT_LINES != 0
  // In a struct that ends before it, `depth` reads as 0, which would be a limit.
  let end = MemoryLayout<groot_export_options>.offset(of: \.properties) ?? 0
  let hasDepth = (options?.pointee.struct_size ?? 0) >= end
  if hasDepth && copy.depth >= 0 { result.depth = Int(copy.depth) }
  result.properties = try strings(copy.properties, what: "properties")
  result.excludedKeys = try strings(copy.exclude, what: "exclude") ?? []
  result.relationships = try choice(copy.relationships, names: "GROOT_RELATIONSHIPS_...")
  result.inflection = try choice(copy.inflection, names: "GROOT_INFLECTION_...")
  if copy.dates != nil { result.dates = try text(copy.dates, length: -1, what: "dates") }
  result.writesToMany = copy.flags & GROOT_EXPORT_TO_MANY != 0
  result.writesSubobjects = copy.flags & GROOT_EXPORT_SUBOBJECTS != 0
  result.mapping = try mapping(copy.mapping)
  return result
}

/// One of the choices that numbers from 1 stand for; nil for 0.
private func choice<Choice: RawRepresentable<Int32>>(
  _ number: Int32, names: String
) throws -> Choice? {
  if number == 0 { return nil }
  guard let choice = Choice(rawValue: number) else {
    throw GrootError(.invalidArgument, "\(number) is no \(names)")
  }
  return choice
}
