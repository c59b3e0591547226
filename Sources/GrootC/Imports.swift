import CGroot
import CJansson
import Groot

/// Imports JSON text into `entity`.
@_cdecl("groot_import_text") @implementation
public func groot_import_text(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ entityLength: Int,
  _ json: UnsafePointer<CChar>?, _ length: Int, _ options: UnsafePointer<groot_import_options>?,
  _ objects: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  importing(context, entity, entityLength, options, objects, error) { context, entity, options in
    try context.importBytes(try bytes(json, length, "text"), into: entity, options: options)
  }
}

/// As groot_import_text, from a json_t.
@_cdecl("groot_import_json") @implementation
public func groot_import_json(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ entityLength: Int,
  _ json: UnsafePointer<json_t>?, _ options: UnsafePointer<groot_import_options>?,
  _ objects: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  importing(context, entity, entityLength, options, objects, error) { context, entity, options in
    guard let json else { throw GrootError(.invalidArgument, "json is NULL") }
    return try context.importJansson(
      UnsafeMutablePointer(mutating: json), into: entity, options: options)
  }
}

/// As groot_import_text, from the file at `path`, read piece by piece.
@_cdecl("groot_import_file") @implementation
public func groot_import_file(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ entityLength: Int,
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<groot_import_options>?,
  _ objects: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  importing(context, entity, entityLength, options, objects, error) { context, entity, options in
    try context.importFile(try text(path, -1, "path"), into: entity, options: options)
  }
}

private func importing(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ length: Int,
  _ options: UnsafePointer<groot_import_options>?,
  _ objects: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?,
  _ body: (ManagedObjectContext, String, ImportOptions) throws -> [ObjectID]
) -> groot_status {
  objects?.pointee = nil
  return reporting(error) {
    let context = try ContextHandle.from(context).context
    let ids = try body(context, text(entity, length, "entity"), read(options))
    objects?.pointee = ObjectsHandle(ids).retained()
  }
}

/// Options that a caller handed over; those of an older header are shorter.
private func read(_ options: UnsafePointer<groot_import_options>?) throws -> ImportOptions {
  var result = ImportOptions()
  guard let options else { return result }
  let known = MemoryLayout<groot_import_options>.size
  let size = options.pointee.struct_size
  guard size >= MemoryLayout<Int>.size else {
    throw GrootError(
      .invalidArgument, "struct_size is \(size); begin with GROOT_IMPORT_OPTIONS_INIT")
  }
  if size > known {
    let bytes = UnsafeRawBufferPointer(start: options, count: size)
    guard bytes[known...].allSatisfy({ $0 == 0 }) else {
      throw GrootError(.unsupported, "the options are of a newer version of the library")
    }
  }
  var copy = groot_import_options()
  withUnsafeMutableBytes(of: &copy) {
    $0.copyMemory(from: UnsafeRawBufferPointer(start: options, count: min(size, known)))
  }
  guard copy.flags & ~GROOT_IMPORT_JANSSON_ONLY == 0 else {
    throw GrootError(.unsupported, "the flags \(copy.flags) are not known")
  }
  result.usesScanner = copy.flags & GROOT_IMPORT_JANSSON_ONLY == 0
  if let progress = copy.progress {
    let userdata = copy.progress_userdata
    result.progress = { state in
      var copy = groot_progress(
        bytes: UInt64(state.bytes), records: UInt64(state.records),
        inserted: UInt64(state.inserted), updated: UInt64(state.updated))
      return progress(userdata, &copy) == GROOT_OK
    }
  }
  return result
}
