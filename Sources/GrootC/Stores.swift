import CGroot
import Groot
import GrootPostgreSQL
import GrootSQLite

/// Sets store options to the defaults.
@_cdecl("groot_store_options_init") @implementation
public func groot_store_options_init(
  _ options: UnsafeMutablePointer<groot_store_options>?, _ size: Int
) {
  initialize(options, size: size)
}

/// Makes a context on the store in a file, or in a database of PostgreSQL.
@_cdecl("groot_context_open") @implementation
public func groot_context_open(
  _ mapping: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ options: UnsafePointer<groot_store_options>?,
  _ context: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let context = try result(context, zero: nil, what: "context")
    let mapping = try MappingHandle.from(mapping).mapping
    let path = try name(path, what: "path")
    let options = try read(options)
    let made =
      if PostgreSQLStoreOptions.isURL(path) {
        try ManagedObjectContext(
          mapping: mapping, storeURL: path, options: postgreSQLOptions(options))
      } else {
        try ManagedObjectContext(mapping: mapping, storePath: path, options: options)
      }
    context.pointee = ContextHandle(made).retained()
  }
}

private func read(_ options: UnsafePointer<groot_store_options>?) throws -> SQLiteStoreOptions {
  var result = SQLiteStoreOptions()
  guard let copy = try known(options, size: \.struct_size, empty: groot_store_options()) else {
    return result
  }
  let migrations = GROOT_STORE_NO_MIGRATE | GROOT_STORE_DESTRUCTIVE
  try requireFlags(
    copy.flags,
    among: GROOT_STORE_NO_CREATE | migrations | GROOT_STORE_TRIGGERS | GROOT_STORE_VIEWS
      | GROOT_STORE_VERSIONS | GROOT_STORE_NO_WRITE | GROOT_STORE_IMMUTABLE,
    of: "a store")
  guard copy.flags & migrations != migrations else {
    throw GrootError(
      .invalidArgument, "GROOT_STORE_NO_MIGRATE and GROOT_STORE_DESTRUCTIVE exclude each other")
  }
  result.creates = copy.flags & GROOT_STORE_NO_CREATE == 0
  if copy.flags & GROOT_STORE_NO_MIGRATE != 0 { result.migration = .refused }
  if copy.flags & GROOT_STORE_DESTRUCTIVE != 0 { result.migration = .destructive }
  result.allowsTriggers = copy.flags & GROOT_STORE_TRIGGERS != 0
  result.makesViews = copy.flags & GROOT_STORE_VIEWS != 0
  result.raisesVersions = copy.flags & GROOT_STORE_VERSIONS != 0
  if copy.flags & GROOT_STORE_NO_WRITE != 0 { result.access = .readOnly }
  if copy.flags & GROOT_STORE_IMMUTABLE != 0 { result.access = .immutable }
  switch copy.durability {
  case GROOT_DURABILITY_FULL: result.durability = .full
  case GROOT_DURABILITY_NORMAL: result.durability = .normal
  default: throw GrootError(.invalidArgument, "\(copy.durability) is not a GROOT_DURABILITY_...")
  }
  switch copy.conflicts {
  case GROOT_CONFLICTS_ERROR: result.conflicts = .error
  case GROOT_CONFLICTS_MINE: result.conflicts = .mine
  case GROOT_CONFLICTS_THEIRS: result.conflicts = .theirs
  default: throw GrootError(.invalidArgument, "\(copy.conflicts) is not a GROOT_CONFLICTS_...")
  }
  guard (-1...86_400_000).contains(copy.busy_timeout) else {
    throw GrootError(
      .invalidArgument,
      "busy_timeout is a number of milliseconds, at most a day, not \(copy.busy_timeout)")
  }
  if copy.busy_timeout != 0 { result.busyTimeout = max(Int(copy.busy_timeout), 0) }
  if copy.backup != nil {
    let path = try name(copy.backup, what: "backup")
    guard !path.isEmpty else { throw GrootError(.invalidArgument, "backup is an empty path") }
    result.backup = path
  }
  try requireZero(UInt32(bitPattern: copy.reserved))
  result.progress = callProgress(copy.progress, userdata: copy.progress_userdata)
  result.log = try log(copy)
  return result
}

/// Returns the options of a store in PostgreSQL.
private func postgreSQLOptions(_ options: SQLiteStoreOptions) throws -> PostgreSQLStoreOptions {
  guard options.backup == nil else {
    throw GrootError(
      .unsupported,
      "a copy of a store in PostgreSQL is made by pg_dump, not by the option \"backup\"")
  }
  guard options.access == .readWrite else {
    throw GrootError(
      .unsupported,
      "a store in PostgreSQL is read only for a role without the right to write, or in a standby")
  }
  guard !options.raisesVersions else {
    throw GrootError(
      .unsupported,
      "a store in PostgreSQL has no triggers that raise versions: other programs set "
        + "_version = abs(_version) + 1")
  }
  var result = PostgreSQLStoreOptions()
  result.durability = options.durability
  result.conflicts = options.conflicts
  result.creates = options.creates
  result.migration = options.migration
  result.makesViews = options.makesViews
  // For PostgreSQL 0 is any number.
  result.lockTimeout = max(options.busyTimeout, 1)
  result.progress = options.progress
  result.log = options.log
  return result
}

/// Makes the log of store options; nil without a log function.
private func log(_ options: groot_store_options) throws -> StoreLog? {
  let level =
    options.log_level == 0 ? StoreLog.Level.events : StoreLog.Level(rawValue: options.log_level)
  guard let level else {
    throw GrootError(.invalidArgument, "\(options.log_level) is not a GROOT_LOG_...")
  }
  guard let function = options.log else { return nil }
  let userdata = options.log_userdata
  return StoreLog(level) { level, message in
    let text = CText(message)
    defer { text.deallocate() }
    function(userdata, level.rawValue, text.start, text.size)
  }
}

// MARK: Descriptions, notes and copies

/// Makes the facts about a store as JSON text.
@_cdecl("groot_store_describe") @implementation
public func groot_store_describe(
  _ path: UnsafePointer<CChar>?, _ flags: UInt32,
  _ description: UnsafeMutablePointer<groot_buffer>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  giving(description, what: "description", error: error) { try descriptionOf(path, flags) }
}

private func descriptionOf(_ path: UnsafePointer<CChar>?, _ flags: UInt32) throws -> JSONValue {
  let path = try name(path, what: "path")
  try requireFlags(flags, among: GROOT_DESCRIBE_COUNTS, of: "a description")
  let counts = flags & GROOT_DESCRIBE_COUNTS != 0
  let found =
    PostgreSQLStoreOptions.isURL(path)
    ? try StoreDescription(storeURL: path, countsObjects: counts)
    : try StoreDescription(storePath: path, countsObjects: counts)
  return found.json
}

/// Makes the text of a note.
@_cdecl("groot_context_note") @implementation
public func groot_context_note(
  _ context: OpaquePointer?, _ note: UnsafePointer<CChar>?,
  _ text: UnsafeMutablePointer<groot_buffer>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let text = try result(text, zero: groot_buffer.none, what: "text")
    let context = try ContextHandle.from(context).context
    if let found = try context.note(name(note, what: "note")) {
      text.pointee = try groot_buffer(found)
    }
  }
}

/// Sets a note, or removes it for NULL.
@_cdecl("groot_context_set_note") @implementation
public func groot_context_set_note(
  _ context: OpaquePointer?, _ note: UnsafePointer<CChar>?, _ text: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let context = try ContextHandle.from(context).context
    let note = try name(note, what: "note")
    try context.setNote(note, to: text.map { try name($0, what: "text") })
  }
}

/// Copies the store of a context into the empty store of another one.
@_cdecl("groot_context_copy_store") @implementation
public func groot_context_copy_store(
  _ source: OpaquePointer?, _ target: OpaquePointer?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let source = try ContextHandle.from(source).context
    try source.copyStore(to: ContextHandle.from(target).context)
  }
}
