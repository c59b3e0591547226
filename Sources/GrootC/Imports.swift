import CGroot
import CJansson
import Groot

/// Imports JSON text into `entity`.
@_cdecl("groot_import_text") @implementation
public func groot_import_text(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?,
  _ json: UnsafePointer<CChar>?, _ length: Int, _ options: UnsafePointer<groot_import_options>?,
  _ objects: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  InputCall(
    context: context, entity: entity, options: options, objects: objects, error: error
  ).runImport { .bytes(try bytes(json, length: length, what: "text")) }
}

/// Imports a json_t into `entity`.
@_cdecl("groot_import_json") @implementation
public func groot_import_json(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?,
  _ json: UnsafePointer<json_t>?, _ options: UnsafePointer<groot_import_options>?,
  _ objects: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  InputCall(
    context: context, entity: entity, options: options, objects: objects, error: error
  ).runImport { try input(json) }
}

/// Imports the file at `path`, read in pieces, into `entity`.
@_cdecl("groot_import_file") @implementation
public func groot_import_file(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?,
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<groot_import_options>?,
  _ objects: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  InputCall(
    context: context, entity: entity, options: options, objects: objects, error: error
  ).runImport { .file(try name(path, what: "path")) }
}

extension InputCall<groot_import_options> {
  fileprivate func runImport(_ input: () throws -> JSONInput) -> groot_status {
    run { context in
      var (settings, report) = try read(options)
      settings.willAccept = willAccept
      let entity = try entityOfRecords(entity)
      return (try context().importJSON(input(), into: entity, options: settings), report)
    }
  }
}

/// Returns the entity of the records; nil for a document of several entities.
func entityOfRecords(_ start: UnsafePointer<CChar>?) throws -> String? {
  try start.map { try name($0, what: "entity") }
}

/// Sets import options to the defaults.
@_cdecl("groot_import_options_init") @implementation
public func groot_import_options_init(
  _ options: UnsafeMutablePointer<groot_import_options>?, _ size: Int
) {
  initialize(options, size: size)
}

/// Reads a caller's import options, and the target of the report.
func read(
  _ options: UnsafePointer<groot_import_options>?, isForRecords: Bool = true
) throws -> (ImportOptions, ReportTarget?) {
  var result = ImportOptions()
  guard let copy = try known(options, size: \.struct_size, empty: groot_import_options()) else {
    result.takesCounts = false
    return (result, nil)
  }
  let report = try ReportTarget(text: copy.report, counts: copy.counts)
  result.takesCounts = copy.report != nil || copy.counts != nil
  let common = GROOT_DRY_RUN | GROOT_CHANGES
  let records = GROOT_LINES | GROOT_IMPORT_NO_CREATE | GROOT_IMPORT_ACCESS
  try requireFlags(
    copy.flags, among: isForRecords ? common | records : common,
    of: isForRecords ? "an import" : "a fill")
  guard isForRecords || copy.root_path == nil && copy.batch_size == 0 && copy.form == 0 else {
    throw GrootError(
      .invalidArgument, "root_path, batch_size and form are for records, not for a fill")
  }
  result.errorMode = try chosen(copy.errors, names: "GROOT_ERRORS_...")
  result.form = try chosen(copy.form, names: "GROOT_FORM_...")
  result.isDryRun = copy.flags & GROOT_DRY_RUN != 0
  result.listsChanges = copy.flags & GROOT_CHANGES != 0
  result.createsObjects = copy.flags & GROOT_IMPORT_NO_CREATE == 0
  result.listsAccess = copy.flags & GROOT_IMPORT_ACCESS != 0
  result.format = copy.flags & GROOT_LINES != 0 ? .jsonLines : .json
  if copy.root_path != nil { result.rootPath = try name(copy.root_path, what: "root_path") }
  // A number greater than the largest Int is negative here.
  if copy.max_issues != 0 { result.maximumIssues = copy.max_issues > 0 ? copy.max_issues : .max }
  result.policies = try policies(copy.policies)
  result.mapping = try mapping(copy.mapping)
  guard copy.batch_size >= 0 else {
    throw GrootError(.invalidArgument, "batch_size is too large")
  }
  result.batchSize = copy.batch_size
  if copy.threads != 0 { result.threads = copy.threads }
  result.commits = try chosen(copy.commits, names: "GROOT_COMMITS_...")
  result.callbackUserdata = UInt(bitPattern: copy.callback_userdata)
  result.progress = progress(copy.progress, userdata: copy.progress_userdata)
  return (result, report)
}
