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
  InputCall(
    context: context, entity: EntityName(start: entity, length: entityLength), options: options,
    objects: objects, error: error
  ).runImport { .bytes(try bytes(json, length: length, what: "text")) }
}

/// As groot_import_text, from a json_t.
@_cdecl("groot_import_json") @implementation
public func groot_import_json(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ entityLength: Int,
  _ json: UnsafePointer<json_t>?, _ options: UnsafePointer<groot_import_options>?,
  _ objects: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  InputCall(
    context: context, entity: EntityName(start: entity, length: entityLength), options: options,
    objects: objects, error: error
  ).runImport { try input(json) }
}

/// As groot_import_text, from the file at `path`, read piece by piece.
@_cdecl("groot_import_file") @implementation
public func groot_import_file(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ entityLength: Int,
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<groot_import_options>?,
  _ objects: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  InputCall(
    context: context, entity: EntityName(start: entity, length: entityLength), options: options,
    objects: objects, error: error
  ).runImport { .file(try text(path, length: -1, what: "path")) }
}

extension InputCall<groot_import_options> {
  fileprivate func runImport(_ input: () throws -> JSONInput) -> groot_status {
    run { context in
      let (settings, report) = try read(options)
      let entity = try entityOfRecords(entity)
      return (try context.importJSON(input(), into: entity, options: settings), report)
    }
  }
}

/// The entity that records are imported into; nil for an envelope.
func entityOfRecords(_ name: EntityName) throws -> String? {
  // A NULL with a length is a mistake; without one it asks for an envelope.
  if name.start == nil && name.length == 0 { return nil }
  return try text(name.start, length: name.length, what: "entity")
}

/// Import options that a caller handed over, and where the report goes.
func read(
  _ options: UnsafePointer<groot_import_options>?
) throws -> (ImportOptions, ReportTarget?) {
  var result = ImportOptions()
  guard let copy = try known(options, size: \.struct_size, empty: groot_import_options()) else {
    return (result, nil)
  }
  copy.report?.pointee = nil
  let flags =
    GROOT_IMPORT_JANSSON_ONLY | GROOT_IMPORT_DRY_RUN | GROOT_IMPORT_CHANGES
    | GROOT_IMPORT_NO_CREATE | GROOT_IMPORT_ACCESS | GROOT_IMPORT_LINES
  try requireKnown(copy.flags, known: flags)
  guard let mode = ImportOptions.ErrorMode(rawValue: copy.errors) else {
    throw GrootError(.invalidArgument, "\(copy.errors) is no GROOT_ERRORS_...")
  }
  result.usesScanner = copy.flags & GROOT_IMPORT_JANSSON_ONLY == 0
  result.isDryRun = copy.flags & GROOT_IMPORT_DRY_RUN != 0
  result.listsChanges = copy.flags & GROOT_IMPORT_CHANGES != 0
  result.createsObjects = copy.flags & GROOT_IMPORT_NO_CREATE == 0
  result.listsAccess = copy.flags & GROOT_IMPORT_ACCESS != 0
  result.format = copy.flags & GROOT_IMPORT_LINES != 0 ? .jsonLines : .json
  if copy.root_path != nil {
    result.rootPath = try text(copy.root_path, length: -1, what: "root_path")
  }
  result.errorMode = mode
  // What is greater than the largest Int is negative here.
  if copy.max_issues != 0 { result.maximumIssues = copy.max_issues > 0 ? copy.max_issues : .max }
  if copy.policies != nil { result.policies = try policies(copy.policies) }
  result.mapping = try mapping(copy.mapping)
  guard copy.batch_size >= 0 else {
    throw GrootError(.invalidArgument, "batch_size is too large")
  }
  result.batchSize = copy.batch_size
  guard let commits = ImportOptions.Commits(rawValue: copy.commits) else {
    throw GrootError(.invalidArgument, "\(copy.commits) is no GROOT_COMMITS_...")
  }
  result.commits = commits
  result.progress = progress(copy.progress, userdata: copy.progress_userdata)
  return (result, copy.report)
}

private func policies(_ json: UnsafePointer<json_t>?) throws -> NameMap<String> {
  guard case .object(let policies) = try value(json, what: "policies") else {
    throw GrootError(.invalidArgument, "policies is a JSON object")
  }
  var result: NameMap<String> = [:]
  for (name, value) in policies.members {
    guard let text = value.stringValue else {
      throw GrootError(.invalidArgument, "the policy '\(name)' is the name of a value")
    }
    result[name] = text
  }
  return result
}
