import CGroot
import CJansson
import Groot

/// Synchronizes the objects of `entity` in the scope with JSON text.
@_cdecl("groot_sync_text") @implementation
public func groot_sync_text(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?,
  _ json: UnsafePointer<CChar>?, _ length: Int, _ options: UnsafePointer<groot_sync_options>?,
  _ objects: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  InputCall(
    context: context, entity: entity, options: options, objects: objects, error: error
  ).runSync { .bytes(try bytes(json, length: length, what: "text")) }
}

/// Synchronizes the objects of `entity` in the scope with a json_t.
@_cdecl("groot_sync_json") @implementation
public func groot_sync_json(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?,
  _ json: UnsafePointer<json_t>?, _ options: UnsafePointer<groot_sync_options>?,
  _ objects: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  InputCall(
    context: context, entity: entity, options: options, objects: objects, error: error
  ).runSync { try input(json) }
}

/// Synchronizes the objects of `entity` in the scope with the file at `path`, read in pieces.
@_cdecl("groot_sync_file") @implementation
public func groot_sync_file(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?,
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<groot_sync_options>?,
  _ objects: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  InputCall(
    context: context, entity: entity, options: options, objects: objects, error: error
  ).runSync { .file(try name(path, what: "path")) }
}

/// Sets sync options to the defaults.
@_cdecl("groot_sync_options_init") @implementation
public func groot_sync_options_init(
  _ options: UnsafeMutablePointer<groot_sync_options>?, _ size: Int
) {
  initialize(options, size: size)
}

extension InputCall<groot_sync_options> {
  fileprivate func runSync(_ input: () throws -> JSONInput) -> groot_status {
    run { context in
      let copy =
        try known(options, size: \.struct_size, empty: groot_sync_options()) ?? groot_sync_options()
      let report = try ReportTarget(text: copy.report, counts: copy.counts)
      let entity = try name(entity, what: "entity")
      var settings = try read(copy)
      settings.willAccept = willAccept
      return (try context().sync(entity, with: input(), options: settings), report)
    }
  }
}

private func read(_ copy: groot_sync_options) throws -> SyncOptions {
  let entries = GROOT_SYNC_NO_INSERT | GROOT_SYNC_NO_UPDATE | GROOT_SYNC_NO_DELETE
  let members =
    GROOT_SYNC_MEMBERS_NO_INSERT | GROOT_SYNC_MEMBERS_NO_UPDATE | GROOT_SYNC_MEMBERS_NO_DELETE
  let modes = GROOT_DRY_RUN | GROOT_CHANGES | GROOT_LINES
  let limits = GROOT_SYNC_MAX_DELETIONS | GROOT_SYNC_MAX_DELETION_SHARE
  try requireFlags(
    copy.flags,
    among: entries | GROOT_SYNC_NO_WITHHOLD | GROOT_SYNC_MARK | GROOT_SYNC_MEMBERS | members
      | modes | limits, of: "a synchronization")
  func isOff(_ flag: UInt32) -> Bool { copy.flags & flag == 0 }
  guard !isOff(GROOT_SYNC_MEMBERS) || isOff(members) else {
    throw GrootError(.invalidArgument, "GROOT_SYNC_MEMBERS_... needs the flag GROOT_SYNC_MEMBERS")
  }
  guard copy.flags & limits != limits else {
    throw GrootError(
      .invalidArgument, "GROOT_SYNC_MAX_DELETIONS excludes GROOT_SYNC_MAX_DELETION_SHARE")
  }
  var result = SyncOptions()
  result.inserts = isOff(GROOT_SYNC_NO_INSERT)
  result.updates = isOff(GROOT_SYNC_NO_UPDATE)
  result.deletes = isOff(GROOT_SYNC_NO_DELETE)
  result.withholdsDeletions = isOff(GROOT_SYNC_NO_WITHHOLD)
  if !isOff(GROOT_SYNC_MARK) { result.deletion = .mark }
  if !isOff(GROOT_SYNC_MAX_DELETIONS) {
    result.maximumDeletions = .count(Int(clamping: copy.max_deletions))
  }
  if !isOff(GROOT_SYNC_MAX_DELETION_SHARE) {
    result.maximumDeletions = .share(copy.max_deletion_share)
  }
  if !isOff(GROOT_SYNC_MEMBERS) {
    result.memberInserts = isOff(GROOT_SYNC_MEMBERS_NO_INSERT)
    result.memberUpdates = isOff(GROOT_SYNC_MEMBERS_NO_UPDATE)
    result.memberDeletes = isOff(GROOT_SYNC_MEMBERS_NO_DELETE)
  }
  result.isDryRun = !isOff(GROOT_DRY_RUN)
  result.listsChanges = !isOff(GROOT_CHANGES)
  // A number greater than the largest Int is negative here.
  if copy.max_issues != 0 { result.maximumIssues = copy.max_issues > 0 ? copy.max_issues : .max }
  result.predicate = try JSONArgument.text(copy.`where`).value(what: "where")
  if !isOff(GROOT_LINES) { result.format = .jsonLines }
  result.form = try chosen(copy.form, names: "GROOT_FORM_...")
  result.policies = try policies(copy.policies)
  if copy.root_path != nil { result.rootPath = try name(copy.root_path, what: "root_path") }
  if copy.parent != 0 { result.parent = ObjectID(rawValue: copy.parent) }
  result.mapping = try mapping(copy.mapping)
  result.callbackUserdata = UInt(bitPattern: copy.callback_userdata)
  result.progress = progress(copy.progress, userdata: copy.progress_userdata)
  return result
}
