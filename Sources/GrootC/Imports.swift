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
  _ body: (ManagedObjectContext, String, ImportOptions) throws -> ImportResult
) -> groot_status {
  objects?.pointee = nil
  return reporting(error) {
    let context = try ContextHandle.from(context).context
    let (settings, report) = try read(options)
    report?.pointee = nil
    let done = try body(context, text(entity, length, "entity"), settings)
    if let report { report.pointee = try newJSON(done.report.json) }
    objects?.pointee = ObjectsHandle(done.ids).retained()
  }
}

/// Import options that a caller handed over, and where the report goes.
private func read(
  _ options: UnsafePointer<groot_import_options>?
) throws -> (ImportOptions, UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?) {
  var result = ImportOptions()
  guard let copy = try known(options, \.struct_size, groot_import_options()) else {
    return (result, nil)
  }
  let flags = GROOT_IMPORT_JANSSON_ONLY | GROOT_IMPORT_DRY_RUN | GROOT_IMPORT_CHANGES
  guard copy.flags & ~flags == 0 else {
    throw GrootError(.unsupported, "the flags \(copy.flags) are not known")
  }
  guard let mode = ImportOptions.ErrorMode(rawValue: copy.errors) else {
    throw GrootError(.invalidArgument, "\(copy.errors) is no GROOT_ERRORS_...")
  }
  result.usesScanner = copy.flags & GROOT_IMPORT_JANSSON_ONLY == 0
  result.isDryRun = copy.flags & GROOT_IMPORT_DRY_RUN != 0
  result.listsChanges = copy.flags & GROOT_IMPORT_CHANGES != 0
  result.errorMode = mode
  if copy.max_issues > 0 { result.maximumIssues = copy.max_issues }
  if copy.policies != nil {
    guard case .object(let policies) = try value(copy.policies, "policies") else {
      throw GrootError(.invalidArgument, "policies is a JSON object")
    }
    for (name, value) in policies.members {
      guard let text = value.stringValue else {
        throw GrootError(.invalidArgument, "the policy '\(name)' is the name of a value")
      }
      result.policies[name] = text
    }
  }
  if let progress = copy.progress {
    let userdata = copy.progress_userdata
    result.progress = { state in
      var copy = groot_progress(
        bytes: UInt64(state.bytes), records: UInt64(state.records),
        inserted: UInt64(state.inserted), updated: UInt64(state.updated))
      return progress(userdata, &copy) == GROOT_OK
    }
  }
  return (result, copy.report)
}

/// The part of an options struct that both sides know; nil for NULL.
///
/// A caller with an older header has a shorter struct; what it lacks is 0. One with a newer header
/// has a longer one, whose unknown part must be 0.
func known<Options>(
  _ options: UnsafePointer<Options>?, _ size: KeyPath<Options, Int>, _ empty: Options
) throws -> Options? {
  guard let options else { return nil }
  let given = options.pointee[keyPath: size]
  let size = MemoryLayout<Options>.size
  guard given >= MemoryLayout<Int>.size, given <= 4096 else {
    throw GrootError(
      .invalidArgument, "struct_size is \(given); begin with the INIT macro of the options")
  }
  if given > size {
    let bytes = UnsafeRawBufferPointer(start: options, count: given)
    guard bytes[size...].allSatisfy({ $0 == 0 }) else {
      throw GrootError(.unsupported, "the options are of a newer version of the library")
    }
  }
  var copy = empty
  withUnsafeMutableBytes(of: &copy) {
    $0.copyMemory(from: UnsafeRawBufferPointer(start: options, count: min(given, size)))
  }
  return copy
}
